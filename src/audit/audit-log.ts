import { ownedRecords, type AccountData } from '../account-data.ts';
import type { Log } from '../log.ts';
import { findPage, mapListed, type Listed, type Page } from '../store/find-page.ts';
import type { Filter, Store } from '../store/store.ts';
import { yieldToEventLoop } from '../time-slice.ts';
import {
  ACTOR_TYPES,
  entriesSpec,
  presentEntry,
  reservedEntriesSpec,
  type Actor,
  type AuditEntry,
  type Entries,
  type StoredEntry,
} from './entry.ts';
import { PendingEntries, type AuditedChange, type AuditSource } from './pending-entries.ts';

/** After this time, which is longer than any request takes, the outcome of a pending entry is unknown. */
const PENDING_MS = 10 * 60_000;

/** The number of entries that an export reads at a time. */
const PAGE_SIZE = 500;

/** Selects entries of the audit log. */
export interface AuditFilter {
  /** The id of a key or account, or a type of actors, such as `command`. */
  actor?: string | undefined;
  /** An action, such as `key.created`, or all of a subject, such as `key.*`. */
  action?: string | undefined;
  /** Epoch milliseconds, inclusive. */
  since?: number | undefined;
  /** Epoch milliseconds, exclusive. */
  until?: number | undefined;
}

/** How the entry of a change ends. */
export interface AuditOptions<T> {
  targetOf?: (result: T) => string | undefined;
  isRefusal?: (error: unknown) => boolean;
}

/** Who changed what in the accounts. Routes name their action in `audit`; the pipeline stores the entries. */
export interface AuditLog {
  /** Lists entries of an account, newest first. */
  list(accountId: string, query: Page & AuditFilter): Promise<Listed<AuditEntry>>;
  /** Reads all selected entries of an account in pages, newest first. */
  read(accountId: string, filter: AuditFilter): AsyncIterable<readonly AuditEntry[]>;
  /**
   * Makes a change that no route makes, and stores its entry, as pending before the change. The target may be
   * known only afterwards. If the change fails, the entry is deleted if `isRefusal` says that nothing was
   * changed; otherwise its outcome is unknown.
   * @throws {StoreUnavailableError} before the change if the entry cannot be stored
   */
  during<T>(
    source: AuditSource,
    change: (entries: AuditedChange) => Promise<T>,
    options?: AuditOptions<T>,
  ): Promise<T>;
}

/** The audit log of a store. Entries are never changed after their outcome is known. */
export class StoredAuditLog implements AuditLog {
  readonly #entries: Entries;
  readonly #days: number;
  readonly #log: Log;

  private constructor(entries: Entries, { days, log }: { days: number; log: Log }) {
    this.#entries = entries;
    this.#days = days;
    this.#log = log;
  }

  /**
   * Opens the log of a store. New entries are kept for `days`. The collection is opened twice, which
   * `withOwnCollections` does not permit, so `unguarded` is the store without this check.
   */
  static async open(
    store: Store,
    { unguarded = store, ...options }: { unguarded?: Store; days: number; log: Log },
  ): Promise<StoredAuditLog> {
    const ordinary = await store.collection(entriesSpec);
    const reserved = await unguarded.collection(reservedEntriesSpec);
    return new StoredAuditLog({ ordinary, reserved }, options);
  }

  /** Prepares the entries of a change. Nothing is stored before {@link PendingEntries.begin}. */
  prepare(source: AuditSource): PendingEntries {
    return new PendingEntries(source, { entries: this.#entries, days: this.#days, log: this.#log });
  }

  async during<T>(
    source: AuditSource,
    change: (entries: AuditedChange) => Promise<T>,
    { targetOf = () => undefined, isRefusal = () => false }: AuditOptions<T> = {},
  ): Promise<T> {
    const entries = this.prepare(source);
    try {
      await entries.begin();
      const result = await change(entries);
      await entries.complete(targetOf(result));
      return result;
    } catch (error) {
      await entries.fail({ changedNothing: isRefusal(error) });
      throw error;
    }
  }

  async list(
    accountId: string,
    { limit, offset, ...query }: Page & AuditFilter,
  ): Promise<Listed<AuditEntry>> {
    const { startingAfter, endingBefore, includeTotal = false, ...filter } = query;
    const page = {
      limit,
      startingAfter,
      endingBefore,
      includeTotal,
      ...(offset !== undefined && { offset }),
    };
    const at = (id: string): Filter<StoredEntry> => ({ accountId, id });
    const found = await findPage(this.#entries.ordinary, { where: whereOf(accountId, filter), at, page });
    return mapListed(found, presentEntry);
  }

  async *read(accountId: string, filter: AuditFilter): AsyncIterable<readonly AuditEntry[]> {
    let startingAfter: string | undefined;
    for (;;) {
      const { records, hasMore } = await this.list(accountId, { ...filter, limit: PAGE_SIZE, startingAfter });
      if (records.length > 0) yield records;
      if (!hasMore) return;
      startingAfter = records.at(-1)?.id;
      await yieldToEventLoop();
    }
  }

  /** Shows the entries of requests whose process died, with an unknown outcome. */
  async settle(): Promise<void> {
    const isOld = { outcome: 'pending', createdAt: { lt: Date.now() - PENDING_MS } } as const;
    while (await this.#entries.ordinary.update(isOld, { outcome: 'unknown' }));
  }

  /** The entries as data of their accounts. */
  get accountData(): AccountData {
    return ownedRecords({
      name: 'audit-entries',
      collection: this.#entries.ordinary,
      present: (entry) => ({ record: { ...presentEntry(entry), actor: { ...presentEntry(entry).actor } } }),
    });
  }
}

function whereOf(accountId: string, { actor, action, since, until }: AuditFilter): Filter<StoredEntry> {
  return {
    accountId,
    outcome: { in: ['completed', 'unknown'] },
    ...(actor !== undefined && (isActorType(actor) ? { actorType: actor } : { actorId: actor })),
    ...(action !== undefined &&
      (action.endsWith('.*')
        ? { subject: action.slice(0, -2) }
        : { action: action as StoredEntry['action'] })),
    ...((since !== undefined || until !== undefined) && {
      createdAt: { ...(since !== undefined && { gte: since }), ...(until !== undefined && { lt: until }) },
    }),
  };
}

function isActorType(actor: string): actor is Actor['type'] {
  return (ACTOR_TYPES as readonly string[]).includes(actor);
}
