import type { Db, MongoClient, MongoClientOptions, MongoError } from 'mongodb';
import { withTimeout } from '@platen/runtime';
import { restartStuckMonitors } from './mongo-monitors.ts';
import { StoreUnavailableError } from './store.ts';

/**
 * The time limit of an operation. The driver's own limits add up (selection, queue, socket, retry), and its
 * `timeoutMS` has no effect on Bun.
 */
const operationLimitMs = 4500;
const openLimitMs = 8000;
/** The time limit for the creation of an index. */
export const INDEX_LIMIT_MS = 60_000;
const defaultDatabase = 'platen';

const options: MongoClientOptions = {
  appName: 'platen',
  serverSelectionTimeoutMS: 3000,
  connectTimeoutMS: 3000,
  waitQueueTimeoutMS: 4000,
  // Closes connections to a server that hangs. It is not shorter because creating an index may take long.
  socketTimeoutMS: INDEX_LIMIT_MS,
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true },
};

const refusedCodes = new Set<unknown>([13, 18, 8000]);
/**
 * Codes of a server that is starting, stopping or no longer the primary (the retryable errors of the driver
 * specification).
 */
const awayCodes = new Set<unknown>([
  6, 7, 50, 64, 89, 91, 134, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** A database on a server. All operations go through `run`. */
export interface MongoConnection {
  readonly database: Db;
  /**
   * The same database with writes that are acknowledged before they are on disk, for short-lived counters
   * that may be lost.
   */
  readonly volatile: Db;
  /**
   * Runs an operation within a time limit.
   * @throws {StoreUnavailableError} when the server does not answer in time, or the connection is closed.
   */
  run<R>(operation: () => Promise<R>, limitMs?: number): Promise<R>;
  /** Waits for running operations and disconnects. */
  close(): Promise<void>;
}

/**
 * Connects to the database that a MongoDB URL names, or to `platen`. Error messages quote no part of the URL
 * except its hosts.
 * @throws {TypeError} when the URL is invalid
 * @throws {StoreUnavailableError} when the server does not answer or rejects the user
 */
export async function openMongo(url: string): Promise<MongoConnection> {
  const client = await createClient(url);
  const named = /^[^/]+:\/\/[^/?]*\/[^?]/.test(url) ? undefined : defaultDatabase;
  const database = client.db(named);
  const volatile = client.db(named, { writeConcern: { w: 1, journal: false } });
  const connection = { database, volatile, ...guard(client) };
  try {
    // Unlike a ping, this fails without a user when the server requires one.
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
    // Other messages may quote the URL and with it the password.
    const message = error instanceof Error ? error.message : '';
    const [reason = 'use the form mongodb://user:password@host:27017/database'] =
      /^options? [\w, ]+ (is|are) not supported$/.exec(message) ?? [];
    // oxlint-disable-next-line preserve-caught-error -- the cause could quote the password too
    throw new TypeError(`invalid MongoDB URL: ${reason}`);
  }
}

function guard(client: MongoClient): Pick<MongoConnection, 'run' | 'close'> {
  const address = client.options.srvHost ?? client.options.hosts.join(',');
  const running = new Set<Promise<unknown>>();
  let closing: Promise<void> | undefined;
  const unavailable = (reason: string, cause?: unknown) =>
    new StoreUnavailableError(`the database at ${address} is unavailable: ${reason}`, { cause });

  async function within<R>(operation: () => Promise<R>, limitMs: number): Promise<R> {
    const onTimeout = () => {
      throw unavailable(`it did not answer within ${limitMs} ms`);
    };
    try {
      return await withTimeout(operation(), { limitMs, onTimeout });
    } catch (error) {
      const reason = unavailabilityOf(error);
      if (reason !== undefined) restartStuckMonitors(client);
      throw reason === undefined ? error : unavailable(reason, error);
    }
  }

  async function close(): Promise<void> {
    await Promise.allSettled(running);
    await client.close();
  }

  return {
    async run(operation, limitMs = operationLimitMs) {
      if (closing) throw unavailable('the store is closed');
      const result = within(operation, limitMs);
      running.add(result);
      try {
        return await result;
      } finally {
        running.delete(result);
      }
    },
    close: () => (closing ??= close()),
  };
}

/** Tells whether an error comes from the driver. */
export function isMongoError(error: unknown): error is MongoError & { code?: unknown } {
  return error instanceof Error && error.name.startsWith('Mongo') && 'hasErrorLabel' in error;
}

/** Returns why the server is unavailable; `undefined` for other errors. */
function unavailabilityOf(error: unknown): string | undefined {
  // The driver passes on the error of a socket that fails while a write waits for it.
  if (error instanceof Error && 'syscall' in error) return error.message;
  if (!isMongoError(error) || error.name === 'MongoInvalidArgumentError') return undefined;
  if (refusedCodes.has(error.code)) return `it rejects the user or the password (${error.message})`;
  const fromServer = error.name === 'MongoServerError' || error.name === 'MongoBulkWriteError';
  return fromServer && !awayCodes.has(error.code) ? undefined : error.message;
}
