import type { CollectionSpec } from '../store/store.ts';

/**
 * The use of one `Idempotency-Key` by an account. The key and the request are stored only as keyed hashes,
 * and the response is encrypted. Times are epoch milliseconds.
 */
export interface KeyRecord {
  /** The keyed hash of the account and the key. */
  id: string;
  accountId: string;
  /** The method and the path of the first request, without its query. */
  request: string;
  /** The keyed hash of the first request. */
  digest: string;
  /** Identifies the attempt that runs or has run the request. */
  attemptId: string;
  /**
   * The same for all attempts: a route names its record after it, so that a second attempt finds the record
   * of the first.
   */
  workId: string;
  /**
   * While an attempt runs, the time until which other requests must wait for it; `null` when the response is
   * stored.
   */
  leaseUntil: number | null;
  /** The status of the stored response; 0 while an attempt runs. */
  status: number;
  /**
   * The stored response, encrypted; `null` while an attempt runs and for a response that is too large to be
   * stored.
   */
  response: string | null;
  createdAt: number;
  expiresAt: number;
}

/** The keys in use. */
export const keyRecords: CollectionSpec<KeyRecord> = {
  name: 'idempotency_keys',
  indexes: [{ fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } }],
  expiry: 'expiresAt',
};

/**
 * The number and the size of the keys that an account began to use in one hour. The id is made of the
 * account's id and the hour.
 */
export interface KeyUse {
  id: string;
  accountId: string;
  keys: number;
  /** The size of the stored responses. */
  bytes: number;
  createdAt: number;
  expiresAt: number;
}

/** The use of keys by account and hour. */
export const keyUses: CollectionSpec<KeyUse> = {
  name: 'idempotency_use',
  indexes: [{ fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } }],
  expiry: 'expiresAt',
};
