import { ownedRecords, type AccountData } from '../account-data.ts';
import { AppError } from '../errors.ts';
import { randomBase62 } from '../ids.ts';
import type { Log } from '../log.ts';
import { Sealer } from '../sealer.ts';
import { DuplicateKeyError, type Collection, type Store } from '../store/store.ts';
import { KeyBudget } from './key-budget.ts';
import { keyRecords, keyUses, type KeyRecord } from './key-record.ts';
import { openKept, sealKept, type KeptResponse } from './kept-response.ts';
import { digestRequest, type DigestedRequest } from './request-digest.ts';

/** How long a key identifies its first request. */
export const IDEMPOTENCY_LIFETIME_MS = 24 * 60 * 60_000;

/** How long other requests wait for an attempt whose process has died. */
const LEASE_MS = 15_000;
const RENEWAL_MS = 5_000;
/** Longer paths are truncated in messages. */
const MAX_PATH_CHARACTERS = 200;

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  accountId: string;
  key: string;
  request: DigestedRequest;
}

/**
 * Permission to run a request. Exactly one of {@link keep} and {@link release} ends it; later calls have no
 * effect.
 */
export interface Attempt {
  /** 24 base62 characters, the same for all attempts with a key. */
  workId: string;
  /**
   * Whether an earlier attempt ended without a response, because its process died. Its work may be stored
   * under {@link workId}.
   */
  isRetry: boolean;
  /**
   * Stores the response for repeated requests. Does not throw: the request has succeeded even if its response
   * cannot be stored.
   */
  keep(response: KeptResponse): Promise<void>;
  /** Forgets the key, so that the next request runs. */
  release(): Promise<void>;
}

/** An attempt of a request that has claimed its key, or the response to the first request with the key. */
export type KeyOutcome = { attempt: Attempt } | { earlier: KeptResponse };

/**
 * Lets exactly one of several requests with the same `Idempotency-Key` run, in all processes on a database.
 * The attempt holds a lease, which it renews. If its process dies, a repeated request runs after the lease.
 */
export class KeyLeases {
  readonly #records: Collection<KeyRecord>;
  readonly #budget: KeyBudget;
  readonly #sealer: Sealer;
  readonly #digestKey: string;
  readonly #log: Log;
  /** All data of the keys, for the export and the erasure of accounts. */
  readonly accountData: readonly AccountData[];

  private constructor(parts: {
    records: Collection<KeyRecord>;
    budget: KeyBudget;
    sealer: Sealer;
    digestKey: string;
    log: Log;
  }) {
    this.#records = parts.records;
    this.#budget = parts.budget;
    this.#sealer = parts.sealer;
    this.#digestKey = parts.digestKey;
    this.#log = parts.log;
    this.accountData = [dataOf(parts.records), parts.budget.accountData];
  }

  /** Opens the keys of a store. `deriveKey` derives a secret key for a purpose. */
  static async open(store: Store, deriveKey: (purpose: string) => string, log: Log): Promise<KeyLeases> {
    return new KeyLeases({
      records: await store.collection(keyRecords),
      budget: new KeyBudget(await store.collection(keyUses)),
      sealer: new Sealer(deriveKey('idempotency')),
      digestKey: deriveKey('idempotency digests'),
      log,
    });
  }

  /** Returns the keyed hash of a request. */
  digest(request: DigestedRequest): Promise<string> {
    return digestRequest(this.#digestKey, request);
  }

  /**
   * Claims a key for a request.
   * @throws {AppError} IDEMPOTENCY_MISMATCH when the key belongs to another request; CONFLICT while the first
   * request runs; GONE when its response was too large to be stored; RATE_LIMITED when the account uses too
   * many keys
   */
  async claim({ accountId, key, request }: KeyedRequest): Promise<KeyOutcome> {
    const id = this.#sealer.hash('key', `${accountId}\n${key}`);
    const digest = await this.digest(request);
    for (;;) {
      const found = await this.#records.get(id);
      if (!found) {
        const attempt = await this.#begin({ id, accountId, digest, request });
        if (attempt) return { attempt };
        continue;
      }
      if (found.digest !== digest) throw mismatch(found);
      if (found.leaseUntil === null) return { earlier: await this.#read(found) };
      if (found.leaseUntil > Date.now())
        throw new AppError(
          'CONFLICT',
          'the first request with this Idempotency-Key is running; repeat this request later',
          { retryAfterSeconds: 1 },
        );
      const attempt = await this.#takeOver(found);
      if (attempt) return { attempt };
    }
  }

  /** Claims a new key. Returns `undefined` if another request has claimed the key in the meantime. */
  async #begin(parts: {
    id: string;
    accountId: string;
    digest: string;
    request: DigestedRequest;
  }): Promise<Attempt | undefined> {
    const { id, accountId, digest, request } = parts;
    await this.#budget.takeKey(accountId);
    const now = Date.now();
    const path = request.target.split('?')[0] ?? '';
    const record: KeyRecord = {
      id,
      accountId,
      request: `${request.method} ${path.slice(0, MAX_PATH_CHARACTERS)}`,
      digest,
      attemptId: randomBase62(12),
      workId: randomBase62(24),
      leaseUntil: now + LEASE_MS,
      status: 0,
      response: null,
      createdAt: now,
      expiresAt: now + IDEMPOTENCY_LIFETIME_MS,
    };
    try {
      await this.#records.insert(record);
    } catch (error) {
      if (error instanceof DuplicateKeyError) return undefined;
      throw error;
    }
    return this.#attempt(record, false);
  }

  /**
   * Continues after an attempt whose process died. Returns `undefined` if another request does this already.
   */
  async #takeOver({ id, attemptId }: KeyRecord): Promise<Attempt | undefined> {
    const record = await this.#records.update(
      { id, attemptId, leaseUntil: { lte: Date.now() } },
      { attemptId: randomBase62(12), leaseUntil: Date.now() + LEASE_MS },
    );
    return record ? this.#attempt(record, true) : undefined;
  }

  #attempt({ id, accountId, attemptId, workId }: KeyRecord, isRetry: boolean): Attempt {
    let isOpen = true;
    // `gt` compares with numbers only: a record with a stored response has no lease.
    const own = { id, attemptId, leaseUntil: { gt: 0 } };
    const renewal = setInterval(() => {
      void this.#records.update(own, { leaseUntil: Date.now() + LEASE_MS }).catch(() => {});
    }, RENEWAL_MS).unref();
    const end = async (write: () => Promise<unknown>) => {
      if (!isOpen) return;
      isOpen = false;
      clearInterval(renewal);
      await write().catch((error: unknown) =>
        this.#log.warn({ err: error }, 'the outcome of a request with an Idempotency-Key was not stored'),
      );
    };
    return {
      workId,
      isRetry,
      keep: (response) =>
        end(async () => {
          const sealed = await sealKept(this.#sealer, id, response);
          const fits = sealed !== null && (await this.#budget.takeBytes(accountId, sealed.length));
          await this.#records.update(own, {
            status: response.status,
            response: fits ? sealed : null,
            leaseUntil: null,
          });
        }),
      release: () => end(() => this.#records.delete(own)),
    };
  }

  async #read({ id, request, response, createdAt, status }: KeyRecord): Promise<KeptResponse> {
    if (response !== null) return openKept(this.#sealer, id, response);
    throw new AppError(
      'GONE',
      `the first request with this Idempotency-Key, ${request} at ${timeOf(createdAt)}, ended with ${status}, but its response was too large to be kept`,
    );
  }
}

function mismatch({ request, createdAt }: KeyRecord): AppError {
  return new AppError(
    'IDEMPOTENCY_MISMATCH',
    `this Idempotency-Key belongs to another request: ${request} at ${timeOf(createdAt)}; use a new key for each new request`,
  );
}

function timeOf(time: number): string {
  return new Date(time).toISOString();
}

function dataOf(collection: Collection<KeyRecord>): AccountData {
  return ownedRecords({
    name: 'idempotency-keys',
    collection,
    present: ({ request, status, createdAt, expiresAt }) => ({
      record: {
        request,
        status: status === 0 ? null : status,
        created_at: timeOf(createdAt),
        expires_at: timeOf(expiresAt),
      },
    }),
  });
}
