import { messageOf, NameTakenError } from './errors.ts';
import type { Log } from './log.ts';
import {
  DuplicateKeyError,
  type Collection,
  type CollectionSpec,
  type Document,
  type Store,
} from './store/store.ts';

/** A scheduled deletion of a record. It is stored until everything that belongs to the record is deleted. */
interface Deletion extends Document {
  /** The kind and the record's id, joined by a colon. */
  id: string;
  kind: string;
  recordId: string;
  /** Epoch milliseconds. */
  at: number;
}

/** The scheduled deletions, by due time. */
export const deletionsSpec: CollectionSpec<Deletion> = {
  name: 'deletions',
  usesReserve: true,
  indexes: [{ fields: { at: 'asc', id: 'asc' } }],
};

/**
 * Deletes records of one kind with everything that belongs to them, such as files, and the record last. Must
 * be idempotent: after a crash it runs again. Returns the ids of records that cannot be deleted yet.
 */
export type DeleteRecords = (ids: readonly string[]) => Promise<readonly string[]>;

/**
 * Deletes records now or at the end of their lifetime. An interrupted deletion, even by `kill -9`, is
 * completed later.
 */
export interface Deletions {
  /**
   * Registers the function that deletes records of a kind. Call this before the service starts.
   * @throws {NameTakenError} for a kind that is already registered
   */
  register(kind: string, run: DeleteRecords): void;
  /**
   * Schedules deletions, which are durable when the promise resolves. Scheduling a record again changes its
   * time. `at` is epoch milliseconds.
   */
  schedule(kind: string, records: readonly { id: string; at: number }[]): Promise<void>;
  /** Forgets scheduled deletions of records, because the caller deletes the records itself. */
  cancel(kind: string, ids: readonly string[]): Promise<void>;
  /**
   * Deletes records before the promise resolves. If that fails, it rejects, and the deletion is completed
   * later.
   */
  delete(kind: string, ids: readonly string[]): Promise<void>;
}

/** The deletions with the functions by which the service runs them. */
export interface OpenDeletions extends Deletions {
  /** Deletes records when they become due, until {@link stop}. */
  start(): void;
  /** Stops after the deletions in progress. */
  stop(): Promise<void>;
}

/**
 * The delay of a deletion that a caller schedules just before it deletes the record itself. It is longer than
 * the caller takes, so the search for due deletions finds the record only if the caller's process has died.
 */
export const DELETION_DELAY_MS = 5_000;

/** The interval between searches for due deletions. */
const POLL_MS = 5_000;
/**
 * The number of records that are deleted at a time. It is small because the embedded database deletes them in
 * this thread.
 */
const DELETED_AT_ONCE = 50;
/**
 * The pause after each group of deletions, as a multiple of the time that the group took, so that requests
 * wait little.
 */
const PAUSE_FACTOR = 3;
/** Bounds the pause on a busy machine: 100,000 deletions must take less than two minutes. */
const MAX_PAUSE_MS = 25;
/** The delay before a deletion that failed or came too early is retried. */
const POSTPONE_MS = 60_000;

/** Opens the deletions of a store. `pollMs` is for tests. */
export async function openDeletions(parts: {
  store: Store;
  log: Log;
  pollMs?: number;
}): Promise<OpenDeletions> {
  const { log, pollMs = POLL_MS } = parts;
  const deletions: Collection<Deletion> = await parts.store.collection(deletionsSpec);
  const kinds = new Map<string, DeleteRecords>();
  let timer: Timer | undefined;
  let running: Promise<void> | undefined;
  let stopped = false;

  const idOf = (kind: string, recordId: string) => `${kind}:${recordId}`;

  function deleterOf(kind: string): DeleteRecords {
    const deleter = kinds.get(kind);
    if (!deleter) throw new Error(`no plugin registers deletions of the kind "${kind}"`);
    return deleter;
  }

  async function schedule(kind: string, records: readonly { id: string; at: number }[]): Promise<void> {
    deleterOf(kind);
    const rows = records.map(({ id, at }) => ({ id: idOf(kind, id), kind, recordId: id, at }));
    try {
      await deletions.insertMany(rows);
    } catch (error) {
      if (!(error instanceof DuplicateKeyError)) throw error;
      for (const row of rows)
        if (!(await deletions.update({ id: row.id }, { at: row.at })))
          await deletions.insert(row).catch(ignoreDuplicate);
    }
  }

  /** Deletes records and then their rows. Returns the ids of records that cannot be deleted yet. */
  async function run(kind: string, ids: readonly string[]): Promise<readonly string[]> {
    const early = await deleterOf(kind)(ids);
    const done = ids.filter((id) => !early.includes(id));
    if (done.length > 0) await deletions.delete({ id: { in: done.map((id) => idOf(kind, id)) } });
    return early;
  }

  async function postpone(kind: string, ids: readonly string[]): Promise<void> {
    const at = Date.now() + POSTPONE_MS;
    for (const id of ids) await deletions.update({ id: idOf(kind, id) }, { at });
  }

  /** Deletes records of one kind. A record that cannot be deleted does not affect the others. */
  async function runDue(kind: string, ids: readonly string[]): Promise<void> {
    try {
      await postpone(kind, await run(kind, ids));
    } catch (error) {
      if (ids.length > 1) {
        for (const id of ids) await runDue(kind, [id]);
        return;
      }
      log.warn({ err: error, kind, record: ids[0] }, `a record was not deleted: ${messageOf(error)}`);
      await postpone(kind, ids);
    }
  }

  async function deleteDue(): Promise<void> {
    for (;;) {
      const begunAt = performance.now();
      const due = await deletions.find({
        where: { at: { lte: Date.now() }, kind: { in: [...kinds.keys()] } },
        order: { at: 'asc', id: 'asc' },
        limit: DELETED_AT_ONCE,
      });
      for (const [kind, rows] of Map.groupBy(due, (row) => row.kind))
        await runDue(
          kind,
          rows.map(({ recordId }) => recordId),
        );
      if (due.length < DELETED_AT_ONCE || stopped) return;
      await Bun.sleep(Math.min(PAUSE_FACTOR * (performance.now() - begunAt), MAX_PAUSE_MS));
    }
  }

  function poll(): void {
    running = deleteDue()
      .catch((error: unknown) => log.error({ err: error }, 'the search for due deletions failed'))
      .finally(() => {
        if (!stopped) timer = setTimeout(poll, pollMs);
      });
  }

  return {
    register(kind, deleteRecords) {
      if (kinds.has(kind)) throw new NameTakenError(`the deletion of "${kind}" is already registered`);
      kinds.set(kind, deleteRecords);
    },
    schedule,
    async cancel(kind, ids) {
      await deletions.delete({ id: { in: ids.map((id) => idOf(kind, id)) } });
    },
    async delete(kind, ids) {
      await schedule(
        kind,
        ids.map((id) => ({ id, at: Date.now() })),
      );
      const early = await run(kind, ids);
      if (early.length > 0) await postpone(kind, early);
    },
    start: poll,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

function ignoreDuplicate(error: unknown): void {
  if (!(error instanceof DuplicateKeyError)) throw error;
}
