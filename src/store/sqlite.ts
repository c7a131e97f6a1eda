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
const sweptAtOnce = 500;

const duplicateCodes = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);
const unavailableCodes = /^SQLITE_(BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOTADB|PERM|PROTOCOL|READONLY)/;

/** Runs statements on one connection, writes in groups. Reads see what is committed and nothing else. */
interface Connection {
  /** Runs a statement now and returns its rows. */
  rows(statement: BoundSql): unknown[][];
  /** Runs a statement now and returns how many rows it changed. */
  changes(statement: BoundSql): number;
  /** Runs an operation inside the next transaction; resolves with its result, or rejects with its error, after COMMIT. */
  write<R>(operation: () => R): Promise<R>;
  close(): void;
}

/**
 * Creates a store in one SQLite file, whose folder is created when missing. Other processes may use the file at the same time.
 * Writes that arrive in one turn of the event loop share one transaction, hence one fsync.
 * @throws {StoreUnavailableError} when the file cannot be opened or is not a database; the message names the path.
 */
export function createSqliteStore({ path }: { path: string }): Store {
  const connection = connect(path);
  const expiring = new Map<string, Table & { expiry: string }>();

  async function sweep(): Promise<void> {
    for (const table of expiring.values()) {
      const deleteSome = () => connection.changes(deleteExpiredSql(table, Date.now(), sweptAtOnce));
      while ((await connection.write(deleteSome)) === sweptAtOnce);
    }
  }
  // A sweep that fails is made good by the next one: reads do not depend on it.
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
      // A constant would be answered without touching the file.
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

  /** Runs a statement; when its unique values are taken, possibly by expired documents only, deletes those and tries again. */
  function readUnlessTaken(statement: BoundSql): T[] {
    try {
      return read(statement);
    } catch (error) {
      const { name, expiry } = table;
      if (!(error instanceof SQLiteError && duplicateCodes.has(error.code ?? ''))) throw error;
      if (expiry === undefined) throw new DuplicateKeyError(name);
      if (connection.changes(deleteExpiredSql({ name, expiry }, Date.now(), -1)) === 0)
        throw new DuplicateKeyError(name);
      return readUnlessTaken(statement);
    }
  }

  return {
    async insert(document) {
      const statement = insertSql(table, document);
      await connection.write(() => readUnlessTaken(statement));
    },
    async insertMany(documents) {
      const statements = documents.map((document) => insertSql(table, document));
      await connection.write(() => statements.forEach(readUnlessTaken));
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
      return (await connection.write(() => readUnlessTaken(statement)))[0] ?? null;
    },
    async increment(where, by) {
      const statement = incrementSql(table, by, { where, now: Date.now() });
      return (await connection.write(() => readUnlessTaken(statement)))[0] ?? null;
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
 * Turns the file to WAL. When two processes do so to a new file at once, each waits for the other's read lock: SQLite sees the
 * deadlock and gives SQLITE_BUSY without regard to `busy_timeout` (https://www.sqlite.org/c3ref/busy_handler.html).
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
    return new StoreUnavailableError(`the database ${path} cannot be used: ${reason}`, { cause });
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
    // Reinsertion keeps the map in order of last use.
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
      const settlements = group.map(({ attempt }) => attempt());
      commit.run();
      for (const settle of settlements) settle();
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
            // SQLite undoes a statement that fails, so its neighbours need no savepoint. Some failures (disk full, I/O) end the whole transaction.
            if (!database.inTransaction) throw error;
            return () => reject(error);
          }
        };
        if (!open) throw unavailable('the store is closed');
        waiting.push({ attempt, reject });
        // Unlike a microtask, an immediate runs after every request of this turn of the loop has issued its writes.
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
