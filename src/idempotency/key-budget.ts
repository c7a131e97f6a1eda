import { ownedRecords, type AccountData } from '../account-data.ts';
import { AppError } from '../errors.ts';
import { DuplicateKeyError, type Collection } from '../store/store.ts';
import type { KeyUse } from './key-record.ts';

const HOUR_MS = 3_600_000;
/**
 * A key counts until this time after the hour in which it was first used: its lifetime, and the rest of that
 * hour.
 */
const COUNTED_MS = 25 * HOUR_MS;

/** The number of keys of an account in 24 hours. */
const MAX_KEYS = 200_000;
/** The size of the stored responses of an account in 24 hours: 1.3 kB per key. */
const MAX_BYTES = 256_000_000;
/** How long an account with too many keys should wait. */
const PAUSE_SECONDS = 600;

/**
 * Bounds what the keys of one account take in the database. Counts by hour, so that a check reads at most 25
 * small records.
 */
export class KeyBudget {
  readonly #uses: Collection<KeyUse>;
  readonly accountData: AccountData;

  constructor(uses: Collection<KeyUse>) {
    this.#uses = uses;
    this.accountData = ownedRecords({
      name: 'idempotency-use',
      collection: uses,
      present: ({ keys, createdAt }) => ({ record: { hour: new Date(createdAt).toISOString(), keys } }),
    });
  }

  /** Counts a new key. @throws {AppError} RATE_LIMITED */
  async takeKey(accountId: string): Promise<void> {
    const uses = await this.#uses.find({ where: { accountId } });
    if (uses.reduce((sum, { keys }) => sum + keys, 0) >= MAX_KEYS)
      throw new AppError(
        'RATE_LIMITED',
        `the account has used ${MAX_KEYS} keys in the header Idempotency-Key in the last 24 hours`,
        { retryAfterSeconds: PAUSE_SECONDS },
      );
    await this.#add(accountId, { keys: 1 });
  }

  /** Counts the bytes of a response. Returns whether it may be stored. */
  async takeBytes(accountId: string, bytes: number): Promise<boolean> {
    const uses = await this.#uses.find({ where: { accountId } });
    if (uses.reduce((sum, use) => sum + use.bytes, bytes) > MAX_BYTES) return false;
    await this.#add(accountId, { bytes });
    return true;
  }

  async #add(accountId: string, by: { keys?: number; bytes?: number }): Promise<void> {
    const createdAt = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
    const id = `${accountId}:${createdAt / HOUR_MS}`;
    if (await this.#uses.increment({ id }, by)) return;
    try {
      const counts = { keys: 0, bytes: 0, ...by };
      await this.#uses.insert({ id, accountId, ...counts, createdAt, expiresAt: createdAt + COUNTED_MS });
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      await this.#uses.increment({ id }, by);
    }
  }
}
