import {
  AppError,
  DuplicateKeyError,
  encodeText,
  explainTaskFailure,
  FileNotFoundError,
  invalid,
  newId,
  StoreUnavailableError,
} from '../../src/plugin.ts';
import { MAX_ASSETS } from './asset-limits.ts';
import type { Asset, AssetSharing, PublishedAsset, PublishedAssets, TemplateTexts } from './contract.ts';
import { createReceiver } from './receive-assets.ts';
import { readBytes, REFERENCE_FAILURES, REFERENCE_TIMEOUT_MS, type SharingParts } from './sharing-parts.ts';

/** A copy that is older belongs to a public template, or to none: publishing takes less time. */
const STALE_MS = 3_600_000;
const PAGE_SIZE = 200;

/** The assets that a template uses, and the names that each style sheet refers to. */
interface UsedAssets extends Omit<PublishedAssets, 'names'> {
  used: ReadonlyMap<string, { asset: Asset; refersTo: readonly string[] }>;
}

/** Creates the service that shares the assets of templates between accounts. */
export function createAssetSharing(parts: SharingParts): AssetSharing {
  const { assets, publishedAssets, files, service } = parts;

  async function deleteCopies(copies: readonly PublishedAsset[]): Promise<void> {
    for (const { id, fileId } of copies) {
      await publishedAssets.delete({ id });
      await files.delete(fileId);
    }
  }

  /** Copies an asset, unless `before` is a copy of the same file. */
  async function copy(asset: PublishedAsset, before: PublishedAsset | undefined): Promise<void> {
    const { sourceFileId, refersTo, type, font } = asset;
    if (before?.sourceFileId === sourceFileId) {
      await publishedAssets.update({ id: before.id }, { refersTo });
      return;
    }
    const { fileId } = asset;
    try {
      const sizeBytes = await files.put(fileId, (await files.get(sourceFileId)).stream);
      const content = { type, fileId, sourceFileId, sizeBytes, font, refersTo };
      if (!before) await publishedAssets.insert({ ...asset, sizeBytes });
      else if (await publishedAssets.update({ id: before.id, fileId: before.fileId }, content))
        await files.delete(before.fileId);
      else throw new DuplicateKeyError('assets_published');
    } catch (error) {
      // The record may exist. A file without a record is deleted later.
      if (error instanceof StoreUnavailableError) throw error;
      await files.delete(fileId);
      if (!(error instanceof DuplicateKeyError || error instanceof FileNotFoundError)) throw error;
      throw new AppError('UNAVAILABLE', 'the assets of the template are being changed by another request', {
        retryAfterSeconds: 1,
      });
    }
  }

  return {
    publish: ({ accountId, templateId }, texts) =>
      service.inTurn(accountId, async () => {
        const { used, missing, dynamic } = await findUsed(
          parts,
          await assets.find({ where: { accountId } }),
          texts,
        );
        const published = await publishedAssets.find({ where: { accountId } });
        const others = published.filter((other) => other.templateId !== templateId);
        requireSpace([...others, ...used.values().map(({ asset }) => asset)], parts.maxAccountBytes);
        const before = published.filter((other) => other.templateId === templateId);
        for (const { asset, refersTo } of used.values()) {
          const { name, type, fileId: sourceFileId, sizeBytes, font } = asset;
          const ids = { id: newId('passet_'), accountId, templateId, fileId: newId(`asset_${type}_`) };
          await copy(
            { ...ids, name, type, sourceFileId, sizeBytes, font, refersTo, createdAt: Date.now() },
            before.find((other) => other.name === name),
          );
        }
        await deleteCopies(before.filter(({ name }) => !used.has(name)));
        return { names: [...used.keys()].toSorted(), missing, dynamic };
      }),
    async unpublish(templateId) {
      await deleteCopies(await publishedAssets.find({ where: { templateId } }));
    },
    receive: createReceiver(parts),
    async deleteStale(isPublic) {
      const checked = new Map<string, boolean>();
      for (let after = ''; ;) {
        const page = await publishedAssets.find({
          where: { id: { gt: after } },
          order: { id: 'asc' },
          limit: PAGE_SIZE,
        });
        for (const published of page) {
          const { templateId, createdAt } = published;
          if (createdAt > Date.now() - STALE_MS) continue;
          if (!checked.has(templateId)) checked.set(templateId, await isPublic(templateId));
          if (checked.get(templateId) === false) await deleteCopies([published]);
        }
        if (page.length < PAGE_SIZE) return;
        after = page.at(-1)?.id ?? '';
      }
    },
  };
}

/** Finds the assets that a template uses, and the assets that these style sheets use. */
async function findUsed(
  { tasks, files }: SharingParts,
  owned: readonly Asset[],
  { html, json }: TemplateTexts,
): Promise<UsedAssets> {
  const byName = new Map(owned.map((asset) => [asset.name, asset]));
  const known = owned.map(({ name, font }) => ({ name, family: font?.family }));
  const find = (text: Parameters<typeof tasks.findReferences>[0]) =>
    tasks.findReferences(text, { timeoutMs: REFERENCE_TIMEOUT_MS }).catch((error: unknown) => {
      throw explainTaskFailure(error, REFERENCE_FAILURES);
    });
  const { names, missing, dynamic } = await find({
    kind: 'template',
    text: await encodeText(html),
    json,
    assets: known,
  });
  const used = new Map<string, { asset: Asset; refersTo: readonly string[] }>();
  // The list grows while it is read.
  const wanted = new Set(names);
  for (const name of wanted) {
    const asset = byName.get(name);
    if (!asset) continue;
    const text = asset.type === 'css' ? await readBytes(files, asset.fileId) : undefined;
    const inSheet = text && (await find({ kind: 'css', text, json: [], assets: known }));
    for (const referred of inSheet?.names ?? []) wanted.add(referred);
    used.set(name, { asset, refersTo: inSheet?.names ?? [] });
  }
  return { used, missing, dynamic };
}

function requireSpace(copies: readonly Pick<Asset, 'sizeBytes'>[], maxBytes: number): void {
  const total = copies.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (copies.length > MAX_ASSETS || total > maxBytes)
    throw invalid(
      'id',
      `the assets of the public templates of the account would be ${copies.length} files of ${total} bytes together; the limits are ${MAX_ASSETS} files and ${maxBytes} bytes: unpublish templates that are not used`,
    );
}
