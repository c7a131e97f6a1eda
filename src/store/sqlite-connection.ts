import { constants, Database, SQLiteError, type Statement } from 'bun:sqlite';
import { accessSync, existsSync, constants as fileAccess, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { IntakeGuard } from '../disk-reserve.ts';
import { LogSync } from './log-sync.ts';
import type { BoundSql } from './sqlite-query.ts';
import { StoreUnavailableError, type StoreUnavailableReason } from './store.ts';

/**
 * How long a statement waits for a lock that another process holds, such as a command, a backup or VACUUM.
 */
const LOCK_TIMEOUT_MS = 5_000;
/** The longest pause between two attempts to get a lock. */
const MAX_PAUSE_MS = 25;
const CACHED_STATEMENTS = 256;

const unavailableCodes = /^SQLITE_(BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOTADB|PERM|PROTOCOL|READONLY)/;
/** SQLite reports a full disk as FULL, and an exceeded quota as a failed write. */
const noRoomCodes = /^SQLITE_(FULL|IOERR_WRITE|IOERR_SHMSIZE)/;

/** A write that waits for its transaction. */
interface WaitingWrite {
  /** Runs the operation and returns a function that settles its promise after the commit. */
  attempt: () => () => void;
  reject: (reason: unknown) => void;
  isIntake: boolean;
  waitsForDisk: boolean;
  /** When the write stops waiting for a lock, as of `performance.now()`. */
  deadline: number;
}

/**
 * Runs statements on one connection and groups writes. Reads see committed data only. Statements wait for the
 * locks of other processes without blocking the event loop.
 */
export interface SqliteConnection {
  /** Runs a statement and returns its rows. */
  read(statement: BoundSql): Promise<unknown[][]>;
  /**
   * Runs an operation in the next transaction. Once the transaction is on the disk, resolves with its result
   * or rejects with its error; after COMMIT unless the write waits for the disk. Intake, which is the storing
   * of new data, is refused while the disk is almost full.
   */
  write<R>(operation: (statements: Statements) => R, options?: WriteOptions): Promise<R>;
  close(): Promise<void>;
}

interface WriteOptions {
  isIntake?: boolean;
  waitsForDisk?: boolean;
}

/** Runs the statements of a write. */
export interface Statements {
  rows: (statement: BoundSql) => unknown[][];
  /** Returns the number of changed rows. */
  changes: (statement: BoundSql) => number;
}

/**
 * Opens a file. Unless `isDurable` is set, commits do not wait for the disk.
 * @throws {StoreUnavailableError}
 */
export function openSqlite(
  path: string,
  {
    guard,
    isDurable,
    log: givenLog,
  }: {
    guard?: IntakeGuard | undefined;
    isDurable: boolean;
    /** For tests. */
    log?: Pick<LogSync, 'sync' | 'close'> | undefined;
  },
): SqliteConnection {
  const unavailable = (cause: unknown): StoreUnavailableError => {
    const detail = cause instanceof Error ? cause.message : String(cause);
    return new StoreUnavailableError(`the database ${path} is unavailable: ${detail}`, {
      cause,
      reason: reasonOf(codeOf(cause)),
    });
  };
  const open = (): OpenedDatabase => {
    try {
      return openDatabase(path, isDurable);
    } catch (error) {
      throw unavailable(error);
    }
  };
  const { database, hasLog } = openWithReserve(open, guard);
  const log = givenLog ?? (isDurable && hasLog ? new LogSync(path) : undefined);
  let isOpen = true;
  const prepared = new Map<string, Statement>();
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  let waiting: WaitingWrite[] = [];
  /** Resolves when no write waits; `undefined` while none does. */
  let committing: PromiseWithResolvers<void> | undefined;

  function prepare(sql: string): Statement {
    const statement = prepared.get(sql) ?? database.prepare(sql);
    // Reinsertion keeps the map ordered by last use.
    prepared.delete(sql);
    prepared.set(sql, statement);
    const [oldest] = prepared;
    if (oldest && prepared.size > CACHED_STATEMENTS) {
      prepared.delete(oldest[0]);
      oldest[1].finalize();
    }
    return statement;
  }

  function run<R>(
    { sql, values }: BoundSql,
    execute: (statement: Statement, values: BoundSql['values']) => R,
  ): R {
    if (!isOpen) throw unavailable('the store is closed');
    try {
      return execute(prepare(sql), values);
    } catch (error) {
      throw unavailableCodes.test(codeOf(error)) ? unavailable(error) : error;
    }
  }

  const statements: Statements = {
    rows: (statement) => run(statement, (each, values) => each.values(...values)),
    changes: (statement) => run(statement, (each, values) => each.run(...values).changes),
  };

  /** Commits the writes that wait, and those that arrive meanwhile. */
  async function commitWaiting(): Promise<void> {
    for (let attempt = 0; waiting.length > 0; attempt += 1) {
      try {
        begin.run();
      } catch (error) {
        const isLocked = codeOf(error).startsWith('SQLITE_BUSY');
        const now = performance.now();
        const late = waiting.filter(({ deadline }) => !isLocked || deadline < now);
        waiting = waiting.filter((write) => !late.includes(write));
        for (const { reject } of late) reject(unavailable(error));
        if (waiting.length > 0) await pauseBefore(attempt);
        continue;
      }
      const group = waiting;
      waiting = [];
      attempt = 0;
      await finish(group);
    }
    committing?.resolve();
    committing = undefined;
  }

  /**
   * Runs and commits the writes of a transaction that has begun, and settles them once they are on the disk.
   * Writes that arrive meanwhile wait for the next transaction.
   */
  async function finish(group: readonly WaitingWrite[]): Promise<void> {
    const committed = commitGroup(group);
    const durable = committed.filter(({ write }) => write.waitsForDisk);
    for (const { write, notify } of committed) if (!write.waitsForDisk) notify();
    if (durable.length === 0) return;
    try {
      await log?.sync();
    } catch (error) {
      const failure = new StoreUnavailableError(`the log of the database ${path} cannot be written`, {
        cause: error,
        reason: isFullDisk(error) ? 'full' : 'disk',
      });
      for (const { write } of durable) write.reject(failure);
      return;
    }
    for (const { notify } of durable) notify();
  }

  /** Returns the committed writes with the functions that settle them; none after a failure. */
  function commitGroup(group: readonly WaitingWrite[]): { write: WaitingWrite; notify: () => void }[] {
    try {
      const done = group.map((write) => ({ write, notify: write.attempt() }));
      commit.run();
      return done;
    } catch (error) {
      const reason = error instanceof StoreUnavailableError ? error : unavailable(error);
      if (database.inTransaction) rollback.run();
      const [intake, others] = [
        group.filter(({ isIntake }) => isIntake),
        group.filter(({ isIntake }) => !isIntake),
      ];
      // Deletions and small changes do not fail because of new data in the same transaction, and may use the
      // reserve.
      const mayRepeat =
        hasNoRoom(reason) && others.length > 0 && (guard?.release() === true || intake.length > 0);
      for (const { reject } of mayRepeat ? intake : group) reject(reason);
      if (mayRepeat) waiting = [...others, ...waiting];
      return [];
    }
  }

  return {
    async read(statement) {
      const deadline = performance.now() + LOCK_TIMEOUT_MS;
      for (let attempt = 0; ; attempt += 1) {
        try {
          return statements.rows(statement);
        } catch (error) {
          const isLocked = error instanceof StoreUnavailableError && error.reason === 'locked';
          if (!isLocked || performance.now() > deadline) throw error;
        }
        await pauseBefore(attempt);
      }
    },
    write<R>(
      operation: (run: Statements) => R,
      { isIntake = false, waitsForDisk = true }: WriteOptions = {},
    ) {
      return new Promise<R>((resolve, reject) => {
        const attempt = () => {
          try {
            const result = operation(statements);
            return () => resolve(result);
          } catch (error) {
            // SQLite rolls back a failed statement, so the other writes need no savepoint. Some failures
            // (I/O) end the whole transaction, and a transaction without room is repeated.
            if (!database.inTransaction || hasNoRoom(error)) throw error;
            return () => reject(error);
          }
        };
        if (!isOpen) throw unavailable('the store is closed');
        if (isIntake && guard?.admits(0) === false)
          throw new StoreUnavailableError(`the disk with ${path} is almost full`, { reason: 'full' });
        const deadline = performance.now() + LOCK_TIMEOUT_MS;
        waiting.push({ attempt, reject, isIntake, waitsForDisk, deadline });
        // Unlike a microtask, an immediate runs after all requests of this turn of the event loop have issued
        // their writes.
        if (committing) return;
        committing = Promise.withResolvers();
        setImmediate(() => void commitWaiting());
      });
    },
    async close() {
      for (let last = committing; last; last = committing) await last.promise;
      if (!isOpen) return;
      isOpen = false;
      for (const statement of [...prepared.values(), begin, commit, rollback]) statement.finalize();
      prepared.clear();
      log?.close();
      database.close();
    },
  };
}

/** Opens the database. If the disk is too full for this, frees the reserve and tries again. */
function openWithReserve(open: () => OpenedDatabase, guard: IntakeGuard | undefined): OpenedDatabase {
  try {
    return open();
  } catch (error) {
    if (!guard?.release()) throw error;
    return open();
  }
}

interface OpenedDatabase {
  database: Database;
  /** Whether it has a write-ahead log, which SQLite does not have in memory. */
  hasLog: boolean;
}

function openDatabase(path: string, isDurable: boolean): OpenedDatabase {
  mkdirSync(dirname(path), { recursive: true });
  // SQLite cannot create the files of its log on a read-only disk. Without a log, the file is complete and
  // does not change.
  if (isReadOnly(path) && !existsSync(`${path}-wal`)) {
    const database = new Database(
      `${pathToFileURL(path).href}?immutable=1`,
      constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI,
    );
    return { database, hasLog: false };
  }
  const database = new Database(path, { create: true, readwrite: true });
  try {
    database.run(`PRAGMA busy_timeout = ${LOCK_TIMEOUT_MS}`);
    useWal(database);
    // SQLite syncs the log before it merges it into the database. LogSync syncs it after each commit.
    const hasLog = modeOf(database) === 'wal';
    const durable = hasLog ? 'NORMAL' : 'FULL';
    database.run(`PRAGMA synchronous = ${isDurable ? durable : 'OFF'}`);
    // From here on, statements wait without blocking the event loop.
    database.run('PRAGMA busy_timeout = 0');
    return { database, hasLog };
  } catch (error) {
    database.close();
    throw error;
  }
}

function modeOf(database: Database): unknown {
  using statement = database.prepare('PRAGMA journal_mode');
  return statement.values()[0]?.[0];
}

/** Tells whether a file exists on a disk that is mounted read-only. */
function isReadOnly(path: string): boolean {
  try {
    accessSync(path, fileAccess.W_OK);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EROFS';
  }
}

/**
 * Switches the file to WAL mode. When two processes do this to a new file at the same time, each waits for
 * the other's read lock; SQLite detects the deadlock and returns SQLITE_BUSY regardless of `busy_timeout`
 * (https://www.sqlite.org/c3ref/busy_handler.html).
 */
function useWal(database: Database): void {
  const deadline = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      database.run('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!codeOf(error).startsWith('SQLITE_BUSY') || Date.now() > deadline) throw error;
      Bun.sleepSync(5 + Math.random() * 20);
    }
  }
}

/**
 * Waits for a random time that grows with the number of attempts, so that processes that wait for a lock take
 * turns.
 */
async function pauseBefore(attempt: number): Promise<void> {
  await Bun.sleep(Math.min(2 ** attempt, MAX_PAUSE_MS) * (0.5 + Math.random() / 2));
}

function codeOf(error: unknown): string {
  return error instanceof SQLiteError ? (error.code ?? '') : '';
}

/** Tells whether a statement failed because the disk is full. */
function hasNoRoom(error: unknown): boolean {
  return error instanceof StoreUnavailableError && noRoomCodes.test(codeOf(error.cause));
}

/** Tells whether a sync failed because the disk is full, which some file systems report only then. */
function isFullDisk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^(?:ENOSPC|EDQUOT)$/.test(String(error.code));
}

function reasonOf(code: string): StoreUnavailableReason {
  if (/^SQLITE_(BUSY|LOCKED)/.test(code)) return 'locked';
  if (code.startsWith('SQLITE_FULL')) return 'full';
  if (code.startsWith('SQLITE_READONLY')) return 'read-only';
  if (code.startsWith('SQLITE_IOERR')) return 'disk';
  return 'unreachable';
}
