import { SQLiteError } from 'bun:sqlite';
import type { IntakeGuard } from '../disk-reserve.ts';
import { openSqlite, type SqliteConnection, type Statements } from './sqlite-connection.ts';
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
  type Collection,
  type CollectionSpec,
  type Document,
  type Store,
} from './store.ts';

const sweepIntervalMs = 60_000;
const sweepBatchSize = 500;

const duplicateCodes = new Set(['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY']);

/**
 * Creates a store in a SQLite file and creates its folder if it does not exist. Several processes may use the
 * file at the same time. Writes that arrive in the same turn of the event loop share one transaction and
 * therefore one fsync. While `guard` admits no data, inserts are refused except in collections with
 * `usesReserve`. Other writes use the reserve.
 * @throws {StoreUnavailableError} when the file cannot be opened or is not a database; the message names the
 * path
 */
export function createSqliteStore({
  path,
  guard,
  isDurable = true,
  log,
}: {
  path: string;
  guard?: IntakeGuard | undefined;
  /** False for a file that ends with its process, so that commits need not wait for the disk. */
  isDurable?: boolean;
  /** For tests. */
  log?: Parameters<typeof openSqlite>[1]['log'];
}): Store {
  const connection = openSqlite(path, { guard, isDurable, log });
  const expiring = new Map<string, Table & { expiry: string }>();

  async function sweep(): Promise<void> {
    for (const table of expiring.values()) {
      const deleteSome = ({ changes }: Statements) =>
        changes(deleteExpiredSql(table, Date.now(), sweepBatchSize));
      while ((await connection.write(deleteSome)) === sweepBatchSize);
    }
  }
  // A failed sweep is harmless: reads ignore expired documents, and the next sweep deletes them.
  const sweeping = setInterval(() => void sweep().catch(() => {}), sweepIntervalMs).unref();

  /**
   * Creates the missing table and indexes. Writes nothing if none is missing, so that a read-only database
   * can be opened.
   */
  async function createMissing<T extends Document>(spec: CollectionSpec<T>): Promise<void> {
    const definitions = createTableSql(spec);
    const names = await connection.read({ sql: 'SELECT name FROM sqlite_schema', values: [] });
    const existing = new Set(names.map(([name]) => `"${String(name)}"`));
    const missing = definitions.filter(
      ({ sql }) => !existing.has(/IF NOT EXISTS ("[^"]+")/.exec(sql)?.[1] ?? ''),
    );
    if (missing.length === 0) return;
    await connection.write(({ rows }) => {
      for (const definition of missing) rows(definition);
    });
  }

  return {
    async collection<T extends Document>(spec: CollectionSpec<T>) {
      const { name, expiry } = spec;
      await createMissing(spec);
      if (expiry !== undefined) expiring.set(name, { name, expiry });
      return createCollection<T>({ name, expiry }, connection, spec);
    },
    async ping() {
      // Selecting a constant would not access the file.
      await connection.read({ sql: 'SELECT count(*) FROM sqlite_schema', values: [] });
    },
    async close() {
      clearInterval(sweeping);
      await connection.close();
    },
  };
}

function createCollection<T extends Document>(
  table: Table,
  connection: SqliteConnection,
  { usesReserve = false, isRecoverable = false, hasRecoverableChanges = false }: CollectionSpec<T>,
): Collection<T> {
  const change = { waitsForDisk: !isRecoverable && !hasRecoverableChanges };
  const intake = { waitsForDisk: !isRecoverable, isIntake: !usesReserve };

  async function read(statement: BoundSql): Promise<T[]> {
    return parse<T>(await connection.read(statement));
  }

  /**
   * Runs a write. If its unique values are taken, deletes expired documents, which may hold them, and
   * retries.
   */
  function writeUnique(statement: BoundSql, statements: Statements): T[] {
    try {
      return parse<T>(statements.rows(statement));
    } catch (error) {
      const { name, expiry } = table;
      if (!(error instanceof SQLiteError && duplicateCodes.has(error.code ?? ''))) throw error;
      if (expiry === undefined) throw new DuplicateKeyError(name);
      if (statements.changes(deleteExpiredSql({ name, expiry }, Date.now(), -1)) === 0)
        throw new DuplicateKeyError(name);
      return writeUnique(statement, statements);
    }
  }

  return {
    async insert(document) {
      const statement = insertSql(table, document);
      await connection.write((run) => writeUnique(statement, run), intake);
    },
    async insertMany(documents) {
      const statements = documents.map((document) => insertSql(table, document));
      await connection.write((run) => {
        for (const statement of statements) writeUnique(statement, run);
      }, intake);
    },
    async get(id) {
      return (await read(selectSql(table, { where: { id } }, Date.now())))[0] ?? null;
    },
    async find(query = {}) {
      return read(selectSql(table, query, Date.now()));
    },
    async count(where = {}) {
      return Number((await connection.read(countSql(table, where, Date.now())))[0]?.[0]);
    },
    async update(where, set, order) {
      const statement = updateSql(table, set, { where, order, now: Date.now() });
      return (await connection.write((run) => writeUnique(statement, run), change))[0] ?? null;
    },
    async increment(where, by) {
      const statement = incrementSql(table, by, { where, now: Date.now() });
      return (await connection.write((run) => writeUnique(statement, run), change))[0] ?? null;
    },
    async delete(where) {
      const statement = deleteSql(table, where, Date.now());
      return connection.write(({ changes }) => changes(statement), change);
    },
  };
}

function parse<T>(rows: readonly unknown[][]): T[] {
  return rows.map(([doc]) => {
    const document: T = JSON.parse(String(doc));
    return document;
  });
}
