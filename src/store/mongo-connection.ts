import type { Db, MongoClient, MongoClientOptions, MongoError } from 'mongodb';
import { StoreUnavailableError } from './store.ts';

/** What an operation may take. The driver's own limits add up (selection, queue, socket, a retry) and `timeoutMS` has no effect on Bun. */
const operationLimitMs = 4500;
const openLimitMs = 8000;
/** What the making of an index may take. */
export const INDEX_LIMIT_MS = 60_000;
const defaultDatabase = 'platen';

const options: MongoClientOptions = {
  appName: 'platen',
  serverSelectionTimeoutMS: 3000,
  connectTimeoutMS: 3000,
  waitQueueTimeoutMS: 4000,
  // Frees the connections to a server that hangs; not shorter, as an index may take its time.
  socketTimeoutMS: INDEX_LIMIT_MS,
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true },
};

const refusedCodes = new Set<unknown>([13, 18, 8000]);
/** Codes of a server that starts, stops or is no longer the primary (the driver specification's "retryable" ones). */
const awayCodes = new Set<unknown>([
  6, 7, 50, 64, 89, 91, 134, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** A database on a server, and the one way to ask it something. */
export interface MongoConnection {
  readonly database: Db;
  /** The same database for counts of a second, whose loss would not matter: writes are answered before they are on disk. */
  readonly volatile: Db;
  /**
   * Runs operations, each within a limit.
   * @throws {StoreUnavailableError} when the server does not answer in time, or the connection is closed.
   */
  run<R>(operation: () => Promise<R>, limitMs?: number): Promise<R>;
  /** Waits for what runs. */
  close(): Promise<void>;
}

/**
 * Connects to the database that a MongoDB URL names, `platen` when it names none. No message holds a part of the URL but its hosts.
 * @throws {TypeError} when the URL is none.
 * @throws {StoreUnavailableError} when the server does not answer or refuses the user.
 */
export async function openMongo(url: string): Promise<MongoConnection> {
  const client = await createClient(url);
  const named = /^[^/]+:\/\/[^/?]*\/[^?]/.test(url) ? undefined : defaultDatabase;
  const database = client.db(named);
  const volatile = client.db(named, { writeConcern: { w: 1, journal: false } });
  const connection = { database, volatile, ...guard(client) };
  try {
    // Unlike a ping, this needs a user where the server has users.
    await connection.run(() => database.listCollections({}, { nameOnly: true }).toArray(), openLimitMs);
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function createClient(url: string): Promise<MongoClient> {
  const mongodb = await import('mongodb');
  try {
    return new mongodb.MongoClient(url, options);
  } catch (error) {
    // Other messages may quote the URL, and with it the password.
    const message = error instanceof Error ? error.message : '';
    const [reason = 'it has the form mongodb://user:password@host:27017/database'] =
      /^options? [\w, ]+ (is|are) not supported$/.exec(message) ?? [];
    // oxlint-disable-next-line preserve-caught-error -- so may the error, were it the cause
    throw new TypeError(`this is no URL of a MongoDB server: ${reason}`);
  }
}

function guard(client: MongoClient): Pick<MongoConnection, 'run' | 'close'> {
  const address = client.options.srvHost ?? client.options.hosts.join(',');
  const underWay = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const unavailable = (reason: string, cause?: unknown) =>
    new StoreUnavailableError(`the database at ${address} cannot be used: ${reason}`, { cause });

  async function within<R>(operation: () => Promise<R>, limitMs: number): Promise<R> {
    const expired = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => expired.reject(unavailable(`it did not answer within ${limitMs} ms`)),
      limitMs,
    );
    try {
      return await Promise.race([operation(), expired.promise]);
    } catch (error) {
      const reason = reasonOfAbsence(error);
      throw reason === undefined ? error : unavailable(reason, error);
    } finally {
      clearTimeout(timer);
    }
  }

  async function close(): Promise<void> {
    await Promise.allSettled(underWay);
    await client.close();
  }

  return {
    async run(operation, limitMs = operationLimitMs) {
      if (closing) throw unavailable('the store is closed');
      const running = within(operation, limitMs);
      underWay.add(running);
      try {
        return await running;
      } finally {
        underWay.delete(running);
      }
    },
    close: () => (closing ??= close()),
  };
}

/** True for the errors of the driver. */
export function isMongoError(error: unknown): error is MongoError & { code?: unknown } {
  return error instanceof Error && error.name.startsWith('Mongo') && 'hasErrorLabel' in error;
}

/** Says why the server cannot be used, or `undefined` for an error of another kind. */
function reasonOfAbsence(error: unknown): string | undefined {
  if (!isMongoError(error) || error.name === 'MongoInvalidArgumentError') return undefined;
  if (refusedCodes.has(error.code)) return `it refuses the user or the password (${error.message})`;
  const fromServer = error.name === 'MongoServerError' || error.name === 'MongoBulkWriteError';
  return fromServer && !awayCodes.has(error.code) ? undefined : error.message;
}
