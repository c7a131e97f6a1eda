import { ownedRecords, type AccountData } from '../account-data.ts';
import { newId } from '../ids.ts';
import { DuplicateKeyError, type Collection, type CollectionSpec, type Store } from '../store/store.ts';
import { findPage, type Listed, type Page } from '../store/find-page.ts';
import { createApiKey, hashApiKey, isWellFormedApiKey } from './api-key.ts';
import { AppError } from '../errors.ts';
import { limitsWithin, NO_LIMITS, presentKeyLimits, type KeyLimits } from './key-limits.ts';
import type { PlanName } from './plans.ts';

/** An account, which owns API keys, generations and templates. */
export interface Account {
  id: string;
  email: string;
  plan: PlanName;
  /** A limit of PDFs per month for this account; `null` means the limit of the plan. */
  monthlyLimit: number | null;
  /**
   * When an operator suspended the account (epoch milliseconds), or `null`. Requests of a suspended account
   * are rejected.
   */
  suspendedAt: number | null;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** What an account is created with. The caller chooses the id to name it before the account exists. */
type NewAccount = Pick<Account, 'email' | 'plan'> & Partial<Pick<Account, 'id'>>;

/**
 * How long a revoked key can be restored. The studio offers it for ten seconds; the rest is for a request at
 * the last moment.
 */
const KEY_RESTORE_MS = 15_000;

/**
 * The record of an API key. It identifies the key but does not contain it. Keys of release 0.1.0 have no
 * limits.
 */
export interface ApiKey extends Partial<KeyLimits> {
  id: string;
  accountId: string;
  name: string;
  hash: string;
  /** The last four characters of the key, shown in lists. */
  hint: string;
  createdAt: number;
  /** At most a minute before the last use; `null` for an unused key. */
  lastUsedAt: number | null;
  revokedAt: number | null;
  /** The id of the session that revoked the key. Absent or `null` for a key that no session revoked. */
  revokedBy?: string | null;
  /**
   * The ids of the key that created this one, of the key that created that one, and so on. The key works only
   * as long as all of them do.
   */
  ancestors?: readonly string[];
}

/** Whether a key works. */
export type KeyStatus = 'active' | 'revoked';

const BY_STATUS = { active: null, revoked: { gt: 0 } } as const;

/** The last use of a key is stored at most once in this time. */
const LAST_USE_INTERVAL_MS = 60_000;
const MAX_REMEMBERED_KEYS = 10_000;

/** Each use of a key reads its ancestors. */
const MAX_ANCESTORS = 5;

/**
 * The most keys of an account that are not revoked. Simultaneous requests may exceed the limit by a few.
 */
const MAX_KEYS = 100;

const accountsSpec: CollectionSpec<Account> = {
  name: 'accounts',
  indexes: [{ fields: { email: 'asc' }, unique: true }],
};

const apiKeysSpec: CollectionSpec<ApiKey> = {
  name: 'api_keys',
  indexes: [{ fields: { hash: 'asc' }, unique: true }, { fields: { accountId: 'asc', createdAt: 'asc' } }],
};

/** Creates and finds accounts and their API keys. */
export class Accounts {
  readonly #accounts: Collection<Account>;
  readonly #keys: Collection<ApiKey>;
  readonly #pepper: string;
  /** When the last use of each recently used key was stored. */
  readonly #lastStored = new Map<string, number>();

  private constructor(accounts: Collection<Account>, keys: Collection<ApiKey>, pepper: string) {
    this.#accounts = accounts;
    this.#keys = keys;
    this.#pepper = pepper;
  }

  static async open(store: Store, pepper: string): Promise<Accounts> {
    return new Accounts(await store.collection(accountsSpec), await store.collection(apiKeysSpec), pepper);
  }

  /** Creates an account. @throws {DuplicateKeyError} when the email address already has an account. */
  async create(fields: NewAccount): Promise<Account> {
    const account: Account = {
      id: fields.id ?? newId('acct_'),
      email: normalizeEmail(fields.email),
      plan: fields.plan,
      monthlyLimit: null,
      suspendedAt: null,
      createdAt: Date.now(),
    };
    await this.#accounts.insert(account);
    return account;
  }

  /** Finds or creates the account of an email address. Concurrent calls return the same account. */
  async findOrCreate(fields: NewAccount): Promise<Account> {
    const known = await this.findByEmail(fields.email);
    if (known) return known;
    try {
      return await this.create(fields);
    } catch (error) {
      const winner = error instanceof DuplicateKeyError ? await this.findByEmail(fields.email) : null;
      if (!winner) throw error;
      return winner;
    }
  }

  /** Finds an account by its id. */
  async get(id: string): Promise<Account | null> {
    return this.#accounts.get(id);
  }

  async findByEmail(email: string): Promise<Account | null> {
    const [account] = await this.#accounts.find({ where: { email: normalizeEmail(email) }, limit: 1 });
    return account ?? null;
  }

  /** Changes the plan or the monthly limit. Returns `null` when the email address has no account. */
  async set(email: string, change: Partial<Pick<Account, 'plan' | 'monthlyLimit'>>): Promise<Account | null> {
    return this.#accounts.update({ email: normalizeEmail(email) }, change);
  }

  /**
   * Changes an account. Returns `null` when it does not exist.
   * @throws {DuplicateKeyError} when another account has the new email address
   */
  async update(id: string, change: Partial<Omit<Account, 'id' | 'createdAt'>>): Promise<Account | null> {
    const { email } = change;
    return this.#accounts.update(
      { id },
      { ...change, ...(email !== undefined && { email: normalizeEmail(email) }) },
    );
  }

  /** Lists a page of the accounts whose email address contains a text, newest first. */
  async page({ search, ...page }: Page & { search: string }): Promise<Listed<Account>> {
    const where = search ? { email: { contains: normalizeEmail(search) } } : {};
    return findPage(this.#accounts, { where, at: (id) => ({ id }), page });
  }

  /** Lists accounts, oldest first. */
  async list(): Promise<Account[]> {
    return this.#accounts.find({ order: { createdAt: 'asc', id: 'asc' } });
  }

  /** Tells whether there are no accounts, as on the first start of an embedded store. */
  async isEmpty(): Promise<boolean> {
    return (await this.#accounts.find({ limit: 1 })).length === 0;
  }

  /**
   * Creates a key. This is the only time that the key itself is returned. A key that another key creates can
   * do no more than its creator.
   * @throws {AppError} FORBIDDEN when the limits exceed those of the creator, or when too many keys created
   * each other
   */
  async createKey(
    account: Account,
    name: string,
    { limits = {}, creator }: { limits?: Partial<KeyLimits>; creator?: ApiKey | undefined } = {},
  ): Promise<{ key: string; record: ApiKey }> {
    const granted = { ...NO_LIMITS, ...(creator ? limitsWithin(limits, creator) : limits) };
    const key = createApiKey(granted.test ? 'test' : 'live');
    const record: ApiKey = {
      id: newId('key_'),
      accountId: account.id,
      name,
      hash: hashApiKey(key, this.#pepper),
      hint: key.slice(-4),
      createdAt: Date.now(),
      lastUsedAt: null,
      revokedAt: null,
      ...granted,
      ...(creator && { ancestors: ancestorsOfNew(creator) }),
    };
    await this.#keys.insert(record);
    return { key, record };
  }

  /** Lists the keys of one account or of all accounts, oldest first, including revoked keys. */
  async listKeys(accountId?: string): Promise<ApiKey[]> {
    return this.#keys.find({ where: accountId ? { accountId } : {}, order: { createdAt: 'asc', id: 'asc' } });
  }

  /**
   * Revokes a key, which is rejected from the next request on. Revoking it again keeps the first time and
   * session. Returns `null` for an unknown id. `sessionId` is the id of the session that revokes the key.
   */
  async revokeKey(id: string, sessionId: string | null = null): Promise<ApiKey | null> {
    const revoked = await this.#keys.update(
      { id, revokedAt: null },
      { revokedAt: Date.now(), revokedBy: sessionId },
    );
    return revoked ?? this.#keys.get(id);
  }

  /** Lists a page of the keys of an account, newest first: all keys, or only active or only revoked ones. */
  async pageKeys(
    accountId: string,
    { status, ...page }: Page & { status?: KeyStatus | undefined },
  ): Promise<Listed<ApiKey>> {
    const where = { accountId, ...(status !== undefined && { revokedAt: BY_STATUS[status] }) };
    return findPage(this.#keys, { where, at: (id) => ({ accountId, id }), page });
  }

  /** Counts the keys of an account that are neither revoked nor expired. */
  async countKeys(accountId: string): Promise<number> {
    const either = [{ expiresAt: null }, { expiresAt: { gt: Date.now() } }];
    return this.#keys.count({ accountId, revokedAt: null, either });
  }

  /** Rejects a request for another key of an account that has too many. @throws {AppError} CONFLICT */
  async requireRoomForKey(accountId: string): Promise<void> {
    if ((await this.countKeys(accountId)) >= MAX_KEYS)
      throw new AppError('CONFLICT', `the account has ${MAX_KEYS} keys; revoke one first`);
  }

  async getKey(accountId: string, id: string): Promise<ApiKey | null> {
    const key = await this.#keys.get(id);
    return key?.accountId === accountId ? key : null;
  }

  /** Renames a key of an account. Returns `null` for an unknown id. */
  async renameKey(accountId: string, id: string, name: string): Promise<ApiKey | null> {
    return this.#keys.update({ id, accountId }, { name });
  }

  /**
   * Restores a key that was revoked in the last 15 seconds. Returns `null` for any other key, and if the key
   * has changed since it was read.
   */
  async restoreKey({ id, revokedAt, revokedBy = null }: ApiKey): Promise<ApiKey | null> {
    if (revokedAt === null || this.restorableUntil({ revokedAt }) === null) return null;
    return this.#keys.update({ id, revokedAt, revokedBy }, { revokedAt: null, revokedBy: null });
  }

  /**
   * Returns the time until which {@link restoreKey} restores a key (epoch milliseconds), or `null` if it does
   * not.
   */
  restorableUntil({ revokedAt }: Pick<ApiKey, 'revokedAt'>): number | null {
    const until = revokedAt === null ? 0 : revokedAt + KEY_RESTORE_MS;
    return until > Date.now() ? until : null;
  }

  /** Deletes the keys of an account, which are rejected from the next request on. */
  async deleteKeys(accountId: string): Promise<void> {
    await this.#keys.delete({ accountId });
  }

  /** Deletes an account. Does nothing when it does not exist. */
  async delete(id: string): Promise<void> {
    await this.deleteKeys(id);
    await this.#accounts.delete({ id });
  }

  /** The API keys as data of their accounts. Exports do not contain the hashes. */
  get keyData(): AccountData {
    return ownedRecords({
      name: 'api-keys',
      collection: this.#keys,
      present: ({ id, name, hint, createdAt, lastUsedAt, revokedAt, ...limits }) => ({
        record: {
          id,
          name,
          hint,
          created_at: new Date(createdAt).toISOString(),
          last_used_at: lastUsedAt === null ? null : new Date(lastUsedAt).toISOString(),
          revoked_at: revokedAt === null ? null : new Date(revokedAt).toISOString(),
          ...presentKeyLimits(limits),
        },
      }),
    });
  }

  /**
   * Finds the account and the record of a key; `null` for a malformed, unknown, revoked or expired key, and
   * for a key whose creator no longer works.
   */
  async authenticate(key: string): Promise<{ account: Account; keyId: string; record: ApiKey } | null> {
    if (!isWellFormedApiKey(key)) return null;
    const [record] = await this.#keys.find({ where: { hash: hashApiKey(key, this.#pepper) }, limit: 1 });
    if (!record || record.revokedAt !== null || hasExpired(record)) return null;
    if (!(await this.#ancestorsWork(record))) return null;
    const account = await this.#accounts.get(record.accountId);
    if (account) this.#storeUse(record);
    return account && { account, keyId: record.id, record };
  }

  async #ancestorsWork({ accountId, ancestors = [] }: ApiKey): Promise<boolean> {
    if (ancestors.length === 0) return true;
    const found = await this.#keys.find({ where: { accountId, id: { in: ancestors }, revokedAt: null } });
    return found.filter((key) => !hasExpired(key)).length === ancestors.length;
  }

  /** Stores the time of this use without delaying the request. */
  #storeUse({ id, lastUsedAt }: ApiKey): void {
    const now = Date.now();
    if (now - Math.max(lastUsedAt ?? 0, this.#lastStored.get(id) ?? 0) < LAST_USE_INTERVAL_MS) return;
    if (this.#lastStored.size >= MAX_REMEMBERED_KEYS) this.#lastStored.clear();
    this.#lastStored.set(id, now);
    // A request does not fail because this time cannot be stored.
    this.#keys.update({ id }, { lastUsedAt: now }).catch(() => undefined);
  }
}

/** Returns the ancestors of a key that another key creates. @throws {AppError} FORBIDDEN for too many */
function ancestorsOfNew({ id, ancestors = [] }: ApiKey): string[] {
  if (ancestors.length >= MAX_ANCESTORS)
    throw new AppError('FORBIDDEN', `at most ${MAX_ANCESTORS + 1} keys can create each other in a row`);
  return [id, ...ancestors];
}

/** Tells whether the time of a key is over. */
function hasExpired({ expiresAt }: ApiKey): boolean {
  return typeof expiresAt === 'number' && expiresAt <= Date.now();
}

function normalizeEmail(email: string): string {
  return email.trim().toLowerCase();
}
