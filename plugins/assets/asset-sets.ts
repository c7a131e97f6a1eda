import {
  fileTypeOf,
  FileNotFoundError,
  type Collection,
  type FileStore,
  type TaskClient,
} from '../../src/plugin.ts';
import type { AssetSetState } from './collections.ts';
import { ContentCache } from './content-cache.ts';
import type { Asset, AssetContent, AssetSet, AssetSource } from './contract.ts';

const MAX_CACHED_SETS = 100;
const STYLE_SHEET_TIMEOUT_MS = 5_000;

export interface AssetSetParts {
  assets: Collection<Asset>;
  assetSets: Collection<AssetSetState>;
  files: FileStore;
  tasks: TaskClient<typeof import('./tasks.ts')>;
}

/**
 * Creates the source from which documents get the assets of their account. An account that never had assets
 * costs one read of the database; lists and contents are kept in memory until they change.
 */
export function createAssetSource({
  assets,
  assetSets,
  files,
  tasks,
}: AssetSetParts): Pick<AssetSource, 'open'> {
  /** In order of last use. */
  const known = new Map<string, AssetSet>();
  const contents = new ContentCache();

  async function readContent({ fileId, type }: Asset): Promise<AssetContent> {
    const stored = await new Response((await files.get(fileId)).stream).bytes();
    const bytes =
      type === 'css' && Buffer.from(stored).includes('asset:')
        ? await tasks.rewriteStyleSheet({ css: stored, base: '' }, { timeoutMs: STYLE_SHEET_TIMEOUT_MS })
        : stored;
    const { mediaType } = fileTypeOf(fileId);
    return { mediaType, base64: Buffer.from(bytes).toString('base64'), sizeBytes: stored.length };
  }

  function createSet(revision: string, found: readonly Asset[]): AssetSet {
    const byName = new Map(found.map((asset) => [asset.name, asset]));
    const fonts = [...byName.values()].flatMap(({ name, font }) => (font ? [{ ...font, name }] : []));
    return {
      revision,
      fonts: fonts.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      async read(name) {
        const asset = byName.get(name);
        if (!asset) return null;
        try {
          return await contents.get(asset.fileId, () => readContent(asset));
        } catch (error) {
          // The asset was replaced or deleted after the set was read.
          if (error instanceof FileNotFoundError) return null;
          throw error;
        }
      },
    };
  }

  return {
    async open(accountId) {
      const state = await assetSets.get(accountId);
      if (!state) return undefined;
      const { revision } = state;
      const last = known.get(accountId);
      known.delete(accountId);
      const set =
        last?.revision === revision ? last : createSet(revision, await assets.find({ where: { accountId } }));
      known.set(accountId, set);
      const [oldest] = known.keys();
      if (known.size > MAX_CACHED_SETS && oldest !== undefined) known.delete(oldest);
      return set;
    },
  };
}
