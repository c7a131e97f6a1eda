import { AppError, DuplicateKeyError, invalid, type Collection } from '../../src/plugin.ts';
import type { UploadHolds } from './collections.ts';
import type { Asset } from './contract.ts';

/** The maximum number of assets of an account. Documents read all of their names after each change. */
export const MAX_ASSETS = 1_000;

/** An upload is recorded within this time, or its process has crashed. */
const HOLD_MS = 600_000;

/** How many times a change is tried while other processes change the same account. */
const ATTEMPTS = 20;
const MAX_PAUSE_MS = 50;

/** An asset that is about to be recorded. */
export type HeldUpload = Pick<Asset, 'name' | 'fileId' | 'sizeBytes'>;

/**
 * Keeps the assets of each account within its limits, even when several processes store assets of one account
 * at the same time.
 */
export class AssetLimits {
  readonly #assets: Collection<Asset>;
  readonly #holds: Collection<UploadHolds>;
  readonly #maxBytes: number;

  constructor(parts: {
    assets: Collection<Asset>;
    uploads: Collection<UploadHolds>;
    maxAccountBytes: number;
  }) {
    this.#assets = parts.assets;
    this.#holds = parts.uploads;
    this.#maxBytes = parts.maxAccountBytes;
  }

  /**
   * Reserves space for an upload. Call {@link release} once the asset is recorded, or has failed.
   * @throws {AppError} VALIDATION_ERROR when the account would exceed a limit; UNAVAILABLE when too many
   * processes compete.
   */
  async reserve(accountId: string, upload: HeldUpload): Promise<void> {
    await this.#change(accountId, async (held) => {
      // Read after the holds, so that an upload that is recorded in the meantime counts at least once.
      const stored = await this.#assets.find({ where: { accountId } });
      this.#requireSpace(upload, stored, held);
      const { fileId, name, sizeBytes } = upload;
      return { ...held, [fileId]: { name, sizeBytes, at: Date.now() } };
    });
  }

  /** Releases the space that {@link reserve} holds. */
  async release(accountId: string, fileId: string): Promise<void> {
    await this.#change(accountId, async (held) =>
      Object.fromEntries(Object.entries(held).filter(([id]) => id !== fileId)),
    );
  }

  #requireSpace(upload: HeldUpload, stored: readonly Asset[], held: UploadHolds['held']): void {
    const recorded = new Set(stored.map(({ fileId }) => fileId));
    const pending = Object.entries(held).filter(([fileId]) => !recorded.has(fileId));
    const others = [...stored, ...pending.map(([, hold]) => hold)].filter(({ name }) => name !== upload.name);
    if (new Set(others.map(({ name }) => name)).size >= MAX_ASSETS)
      throw invalid(
        'name',
        `the account already has ${MAX_ASSETS} assets, which is the maximum; delete assets that are not used`,
      );
    const total = others.reduce((sum, { sizeBytes }) => sum + sizeBytes, upload.sizeBytes);
    if (total > this.#maxBytes)
      throw new AppError(
        'VALIDATION_ERROR',
        `the assets of the account would have ${total} bytes together; the limit is ${this.#maxBytes}: delete assets that are not used`,
      );
  }

  /**
   * Changes the holds of an account. Tries again if another process has changed them since they were read.
   */
  async #change(
    accountId: string,
    change: (held: UploadHolds['held']) => Promise<UploadHolds['held']>,
  ): Promise<void> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (attempt > 0) await Bun.sleep(Math.random() * Math.min(MAX_PAUSE_MS, 2 ** attempt));
      const found = await this.#holds.get(accountId);
      const { revision, held } = found ?? { revision: 0, held: {} };
      const changed = { revision: revision + 1, held: await change(withoutExpired(held)) };
      if (found) {
        if (await this.#holds.update({ id: accountId, revision }, changed)) return;
        continue;
      }
      try {
        await this.#holds.insert({ id: accountId, ...changed });
        return;
      } catch (error) {
        if (!(error instanceof DuplicateKeyError)) throw error;
      }
    }
    throw new AppError('UNAVAILABLE', 'the assets of the account are being changed by too many requests', {
      retryAfterSeconds: 1,
    });
  }
}

function withoutExpired(held: UploadHolds['held']): UploadHolds['held'] {
  const since = Date.now() - HOLD_MS;
  return Object.fromEntries(Object.entries(held).filter(([, { at }]) => at > since));
}
