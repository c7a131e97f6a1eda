import { Database, SQLiteError, type Statement } from 'bun:sqlite';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  countSql,
  createTableSql,
  deleteExpiredSql,
  deleteSql,
  incrementSql,
  insertSql,
  selectSql,
  updateSql,
  type BoundSql,
  type Table,
} from './sqlite-query.ts';
import {
  DuplicateKeyError,
  StoreUnavailableError,
  type Collection,
  type CollectionSpec,
  type Document,
  type Store,
} from './store.ts';

const lockTimeoutMs = 5000;
const cachedStatements = 256;
const sweepIntervalMs = 60_000;
const sweepBatchSize = 500;

const duplicateCodes = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);
const unavailableCodes = /^SQLITE_(BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOTADB|PERM|PROTOCOL|READONLY)/;

/** Runs statements on one connection and groups writes. Reads see committed data only. */
interface Connection {
  /** Runs a statement immediately and returns its rows. */
  rows(statement: BoundSql): unknown[][];
  /** Runs a statement immediately and returns the number of changed rows. */
  changes(statement: BoundSql): number;
  /** Runs an operation in the next transaction. After COMMIT, resolves with its result or rejects with its error. */
  write<R>(operation: () => R): Promise<R>;
  close(): void;
}

/**
 * Creates a store in a SQLite file and creates its folder if it does not exist. Several processes may use the file at the same time.
 * Writes that arrive in the same turn of the event loop share one transaction and therefore one fsync.
 * @throws {StoreUnavailableError} when the file cannot be opened or is not a database; the message names the path
 */
export function createSqliteStore({ path }: { path: string }): Store {
  const connection = connect(path);
  const expiring = new Map<string, Table & { expiry: string }>();

  async function sweep(): Promise<void> {
    for (const table of expiring.values()) {
      const deleteSome = () => connection.changes(deleteExpiredSql(table, Date.now(), sweepBatchSize));
      while ((await connection.write(deleteSome)) === sweepBatchSize);
    }
  }
  // A failed sweep is harmless: reads ignore expired documents, and the next sweep deletes them.
  const sweeping = setInterval(() => void sweep().catch(() => {}), sweepIntervalMs).unref();

  return {
    async collection<T extends Document>(spec: CollectionSpec<T>) {
      const { name, expiry } = spec;
      const definitions = createTableSql(spec);
      await connection.write(() => {
        for (const definition of definitions) connection.rows(definition);
      });
      if (expiry !== undefined) expiring.set(name, { name, expiry });
      return createCollection<T>({ name, expiry }, connection);
    },
    async ping() {
      // Selecting a constant would not access the file.
      connection.rows({ sql: 'SELECT count(*) FROM sqlite_schema', values: [] });
    },
    async close() {
      clearInterval(sweeping);
      connection.close();
    },
  };
}

function createCollection<T extends Document>(table: Table, connection: Connection): Collection<T> {
  function read(statement: BoundSql): T[] {
    return connection.rows(statement).map(([doc]) => {
      const document: T = JSON.parse(String(doc));
      return document;
    });
  }

  /** Runs a write. If its unique values are taken, deletes expired documents, which may hold them, and retries. */
  function writeUnique(statement: BoundSql): T[] {
    try {
      return read(statement);
    } catch (error) {
      const { name, expiry } = table;
      if (!(error instanceof SQLiteError && duplicateCodes.has(error.code ?? ''))) throw error;
      if (expiry === undefined) throw new DuplicateKeyError(name);
      if (connection.changes(deleteExpiredSql({ name, expiry }, Date.now(), -1)) === 0)
        throw new DuplicateKeyError(name);
      return writeUnique(statement);
    }
  }

  return {
    async insert(document) {
      const statement = insertSql(table, document);
      await connection.write(() => writeUnique(statement));
    },
    async insertMany(documents) {
      const statements = documents.map((document) => insertSql(table, document));
      await connection.write(() => statements.forEach(writeUnique));
    },
    async get(id) {
      return read(selectSql(table, { where: { id } }, Date.now()))[0] ?? null;
    },
    async find(query = {}) {
      return read(selectSql(table, query, Date.now()));
    },
    async count(where = {}) {
      return Number(connection.rows(countSql(table, where, Date.now()))[0]?.[0]);
    },
    async update(where, set, order) {
      const statement = updateSql(table, set, { where, order, now: Date.now() });
      return (await connection.write(() => writeUnique(statement)))[0] ?? null;
    },
    async increment(where, by) {
      const statement = incrementSql(table, by, { where, now: Date.now() });
      return (await connection.write(() => writeUnique(statement)))[0] ?? null;
    },
    async delete(where) {
      const statement = deleteSql(table, where, Date.now());
      return connection.write(() => connection.changes(statement));
    },
  };
}

function openDatabase(path: string): Database {
  mkdirSync(dirname(path), { recursive: true });
  const database = new Database(path, { create: true, readwrite: true });
  try {
    database.run(`PRAGMA busy_timeout = ${lockTimeoutMs}`);
    useWal(database);
    database.run('PRAGMA synchronous = FULL');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Switches the file to WAL mode. When two processes do this to a new file at the same time, each waits for the other's read lock; SQLite
 * detects the deadlock and returns SQLITE_BUSY regardless of `busy_timeout` (https://www.sqlite.org/c3ref/busy_handler.html).
 */
function useWal(database: Database): void {
  const deadline = Date.now() + lockTimeoutMs;
  for (;;) {
    try {
      database.run('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      const busy = error instanceof SQLiteError && error.code?.startsWith('SQLITE_BUSY');
      if (!busy || Date.now() > deadline) throw error;
      Bun.sleepSync(5 + Math.random() * 20);
    }
  }
}

function connect(path: string): Connection {
  const unavailable = (cause: unknown) => {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new StoreUnavailableError(`the database ${path} is unavailable: ${reason}`, { cause });
  };
  let database: Database;
  try {
    database = openDatabase(path);
  } catch (error) {
    throw unavailable(error);
  }
  let open = true;
  const statements = new Map<string, Statement>();
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  let waiting: { attempt: () => () => void; reject: (reason: unknown) => void }[] = [];

  function prepare(sql: string): Statement {
    const statement = statements.get(sql) ?? database.prepare(sql);
    // Reinsertion keeps the map ordered by last use.
    statements.delete(sql);
    statements.set(sql, statement);
    const [oldest] = statements;
    if (oldest && statements.size > cachedStatements) {
      statements.delete(oldest[0]);
      oldest[1].finalize();
    }
    return statement;
  }

  function run<R>(
    { sql, values }: BoundSql,
    execute: (statement: Statement, values: BoundSql['values']) => R,
  ): R {
    if (!open) throw unavailable('the store is closed');
    try {
      return execute(prepare(sql), values);
    } catch (error) {
      throw error instanceof SQLiteError && unavailableCodes.test(error.code ?? '')
        ? unavailable(error)
        : error;
    }
  }

  function commitWaiting(): void {
    const group = waiting;
    waiting = [];
    if (group.length === 0) return;
    try {
      begin.run();
      const notifications = group.map(({ attempt }) => attempt());
      commit.run();
      for (const notify of notifications) notify();
    } catch (error) {
      const reason = error instanceof StoreUnavailableError ? error : unavailable(error);
      for (const { reject } of group) reject(reason);
      if (database.inTransaction) rollback.run();
    }
  }

  return {
    rows: (statement) => run(statement, (prepared, values) => prepared.values(...values)),
    changes: (statement) => run(statement, (prepared, values) => prepared.run(...values).changes),
    write<R>(operation: () => R) {
      return new Promise<R>((resolve, reject) => {
        const attempt = () => {
          try {
            const result = operation();
            return () => resolve(result);
          } catch (error) {
            // SQLite rolls back a failed statement, so the other writes need no savepoint. Some failures (disk full, I/O) end the whole transaction.
            if (!database.inTransaction) throw error;
            return () => reject(error);
          }
        };
        if (!open) throw unavailable('the store is closed');
        waiting.push({ attempt, reject });
        // Unlike a microtask, an immediate runs after all requests of this turn of the event loop have issued their writes.
        if (waiting.length === 1) setImmediate(commitWaiting);
      });
    },
    close() {
      if (!open) return;
      commitWaiting();
      open = false;
      for (const statement of [...statements.values(), begin, commit, rollback]) statement.finalize();
      statements.clear();
      database.close();
    },
  };
}
