import { KeyedTurns } from '@platen/runtime';
import {
  AppError,
  DuplicateKeyError,
  explainTaskFailure,
  invalid,
  isRawFile,
  newId,
  notFound,
  type Collection,
  type FileStore,
  type FileValue,
  type TaskClient,
  findPage,
  type Listed,
  type Page,
} from '../../src/plugin.ts';
import { requireName } from './asset-name.ts';
import type { AssetSetState, UploadHolds } from './collections.ts';
import type { Asset } from './contract.ts';
import { applyFontProperties, type FontProperties } from './font-properties.ts';
import { AssetLimits } from './asset-limits.ts';
import type { InspectedAsset } from './tasks.ts';

const INSPECT_TIMEOUT_MS = 10_000;

const INSPECT_FAILURES = {
  deadline: `reading the file takes longer than ${INSPECT_TIMEOUT_MS / 1000} s`,
  memory: 'reading the file exceeds the memory limit; it may be damaged',
  waiting: 'files',
  failed: 'the file could not be read',
};

/** How often an upload is retried when another upload of the same name comes first. */
const ATTEMPTS = 5;

export interface AssetUpload extends FontProperties {
  name: string;
  file: FileValue;
  /** The field of the request that contains the file, for errors. */
  field: 'file' | 'data';
}

/** The service behind the routes. It treats another account's asset as not found. */
export interface AssetsService {
  /**
   * Stores an asset, replacing an asset of the same name.
   * @throws {AppError} VALIDATION_ERROR that names the field.
   */
  save(accountId: string, upload: AssetUpload): Promise<Asset>;
  /** Lists the assets of an account, newest first. */
  list(accountId: string, page: Page): Promise<Listed<Asset>>;
  /** @throws {AppError} NOT_FOUND */
  get(accountId: string, name: string): Promise<Asset>;
  /** Deletes an asset and its content. @throws {AppError} NOT_FOUND */
  remove(accountId: string, name: string): Promise<void>;
  /**
   * Runs work when no upload of the account runs in this process, so that the names that it finds free stay
   * free.
   */
  inTurn<T>(accountId: string, work: () => Promise<T>): Promise<T>;
  /**
   * Stores content that an earlier upload has inspected, under a free name. Call it {@link inTurn}.
   * @throws {AppError} VALIDATION_ERROR when a limit is exceeded; UNAVAILABLE when the name has been taken.
   */
  add(accountId: string, asset: Pick<Asset, 'name' | 'type' | 'font'>, content: Uint8Array): Promise<Asset>;
}

export interface AssetsParts {
  assets: Collection<Asset>;
  assetSets: Collection<AssetSetState>;
  uploads: Collection<UploadHolds>;
  files: FileStore;
  tasks: TaskClient<typeof import('./tasks.ts')>;
  /** How many bytes the assets of an account may have together. */
  maxAccountBytes: number;
}

export function createAssetsService(parts: AssetsParts): AssetsService {
  const { assets, assetSets, files, tasks } = parts;
  const limits = new AssetLimits(parts);
  /** Uploads of one account run in turn, so that they conflict only with uploads in other processes. */
  const uploadTurns = new KeyedTurns();

  async function inspect({ name, file, field }: AssetUpload): Promise<InspectedAsset> {
    const result = await tasks
      .inspectAsset({ name, file }, { timeoutMs: INSPECT_TIMEOUT_MS })
      .catch((error: unknown) => {
        throw explainTaskFailure(error, { ...INSPECT_FAILURES, path: field });
      });
    if (result.ok) return result.value;
    throw invalid(result.part === 'name' ? 'name' : field, result.message);
  }

  /** Makes a change of an account's assets visible to documents. */
  async function touch(accountId: string): Promise<void> {
    const revision = newId('');
    if (await assetSets.update({ id: accountId }, { revision })) return;
    try {
      await assetSets.insert({ id: accountId, revision });
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      await assetSets.update({ id: accountId }, { revision });
    }
  }

  /** Inserts the record, or replaces the record of the same name. */
  async function put(asset: Asset): Promise<Asset> {
    const { accountId, name } = asset;
    for (let attempt = 1; ; attempt += 1) {
      const [before] = await assets.find({ where: { accountId, name }, limit: 1 });
      if (before) {
        const { type, fileId, sizeBytes, font, updatedAt } = asset;
        const after = await assets.update(
          { id: before.id, fileId: before.fileId },
          { type, fileId, sizeBytes, font, updatedAt },
        );
        if (after) {
          await touch(accountId);
          await files.delete(before.fileId);
          return after;
        }
      } else {
        try {
          await assets.insert(asset);
          await touch(accountId);
          return asset;
        } catch (error) {
          if (!(error instanceof DuplicateKeyError)) throw error;
        }
      }
      if (attempt === ATTEMPTS)
        throw new AppError('UNAVAILABLE', 'the asset is being changed by too many requests', {
          retryAfterSeconds: 1,
        });
    }
  }

  async function insertNew(asset: Asset): Promise<Asset> {
    try {
      await assets.insert(asset);
    } catch (error) {
      // After any other error, the record may exist. A file without a record is deleted later.
      if (!(error instanceof DuplicateKeyError)) throw error;
      await files.delete(asset.fileId);
      throw new AppError('UNAVAILABLE', 'the assets of the account are being changed by another request', {
        retryAfterSeconds: 1,
      });
    }
    await touch(asset.accountId);
    return asset;
  }

  /** Stores content within the limits of the account, and records it. */
  async function store(
    accountId: string,
    properties: Pick<Asset, 'name' | 'type' | 'font'>,
    { content, record }: { content: Uint8Array; record: (asset: Asset) => Promise<Asset> },
  ): Promise<Asset> {
    const { name, type } = properties;
    const fileId = newId(`asset_${type}_`);
    await limits.reserve(accountId, { name, fileId, sizeBytes: content.length });
    try {
      const sizeBytes = await files.put(fileId, content);
      const now = Date.now();
      const asset = { id: newId('asset_'), accountId, ...properties, fileId, sizeBytes };
      return await record({ ...asset, createdAt: now, updatedAt: now });
    } finally {
      // A hold that is not released expires.
      await limits.release(accountId, fileId).catch(() => {});
    }
  }

  async function find(accountId: string, name: string): Promise<Asset> {
    const wanted = name.isWellFormed() ? name.normalize('NFC') : '';
    const [asset] = await assets.find({ where: { accountId, name: wanted }, limit: 1 });
    if (!asset) throw notFound('asset');
    return asset;
  }

  return {
    async save(accountId, upload) {
      const name = requireName(upload.name);
      const { type, decoded, font: found } = await inspect({ ...upload, name });
      const font = applyFontProperties(found, upload);
      const content = isRawFile(upload.file) ? upload.file.raw : decoded;
      if (!content) throw new Error('the task returned no bytes');
      return uploadTurns.run(accountId, () =>
        store(accountId, { name, type, font }, { content, record: put }),
      );
    },
    inTurn: (accountId, work) => uploadTurns.run(accountId, work),
    add: (accountId, asset, content) => store(accountId, asset, { content, record: insertNew }),
    list: (accountId, page) =>
      findPage(assets, { where: { accountId }, at: (name) => ({ accountId, name }), page }),
    get: find,
    async remove(accountId, name) {
      const { id, fileId } = await find(accountId, name);
      if ((await assets.delete({ id, fileId })) === 0) throw notFound('asset');
      await touch(accountId);
      await files.delete(fileId);
    },
  };
}
