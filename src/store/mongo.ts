import { randomUUID } from 'node:crypto';
import type {
  Collection as MongoCollection,
  MongoBulkWriteError,
  MongoClient,
  MongoClientOptions,
  MongoError,
} from 'mongodb';
import {
  absenceOf,
  decodeDocument,
  encodeDocument,
  encodeFilter,
  encodeIncrement,
  encodeOrder,
  encodeSet,
  expiredFilter,
  indexesOf,
  shapeOf,
  type Shape,
  type StoredDocument,
} from './mongo-query.ts';
import {
  DuplicateKeyError,
  StoreUnavailableError,
  type Collection,
  type CollectionSpec,
  type Document,
  type Store,
} from './store.ts';

/** What an operation may take. The driver's own limits add up (selection, queue, socket, a retry) and `timeoutMS` has no effect on Bun. */
const operationLimitMs = 4500;
const openLimitMs = 8000;
const indexLimitMs = 60_000;
const defaultDatabase = 'platen';

const options: MongoClientOptions = {
  appName: 'platen',
  serverSelectionTimeoutMS: 3000,
  connectTimeoutMS: 3000,
  waitQueueTimeoutMS: 4000,
  // Frees the connections to a server that hangs; not shorter, as an index may take its time.
  socketTimeoutMS: indexLimitMs,
  readPreference: 'primary',
  writeConcern: { w: 'majority', journal: true },
};

const duplicateCode = 11_000;
const refusedCodes = new Set<unknown>([13, 18, 8000]);
/** Codes of a server that starts, stops or is no longer the primary (the driver specification's "retryable" ones). */
const awayCodes = new Set<unknown>([
  6, 7, 50, 64, 89, 91, 134, 189, 262, 9001, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** Runs operations against the server, each within a limit. */
interface Connection {
  /** @throws {StoreUnavailableError} when the server does not answer in time, or the store is closed. */
  run<R>(operation: () => Promise<R>, limitMs?: number): Promise<R>;
  close(): Promise<void>;
}

/**
 * Opens a store in the database that a MongoDB URL names, `platen` when it names none. A standalone server is enough: nothing
 * needs transactions or change streams. While the server is away every operation fails within five seconds; it may come back.
 * No message holds a part of the URL but its hosts.
 * @throws {TypeError} when the URL is none.
 * @throws {StoreUnavailableError} when the server does not answer or refuses the user.
 */
export async function createMongoStore({ url }: { url: string }): Promise<Store> {
  const client = await createClient(url);
  const connection = connect(client);
  const named = /^[^/]+:\/\/[^/?]*\/[^?]/.test(url);
  const database = client.db(named ? undefined : defaultDatabase);
  try {
    // Unlike a ping, this needs a user where the server has users.
    const list = () => database.listCollections({}, { nameOnly: true }).toArray();
    await connection.run(list, openLimitMs);
  } catch (error) {
    await connection.close();
    throw error;
  }

  return {
    async collection<T extends Document>(spec: CollectionSpec<T>) {
      const collection = database.collection<StoredDocument>(spec.name);
      await ensureIndexes(spec, collection, connection);
      return createCollection<T>(shapeOf(spec), collection, connection);
    },
    async ping() {
      await connection.run(() => database.command({ ping: 1 }));
    },
    close: () => connection.close(),
  };
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

function connect(client: MongoClient): Connection {
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

function isMongoError(error: unknown): error is MongoError & { code?: unknown } {
  return error instanceof Error && error.name.startsWith('Mongo') && 'hasErrorLabel' in error;
}

/** Says why the server cannot be used, or `undefined` for an error of another kind. */
function reasonOfAbsence(error: unknown): string | undefined {
  if (!isMongoError(error) || error.name === 'MongoInvalidArgumentError') return undefined;
  if (refusedCodes.has(error.code)) return `it refuses the user or the password (${error.message})`;
  const fromServer = error.name === 'MongoServerError' || error.name === 'MongoBulkWriteError';
  return fromServer && !awayCodes.has(error.code) ? undefined : error.message;
}

function isDuplicate(error: unknown): boolean {
  return isMongoError(error) && error.code === duplicateCode;
}

/** Reads which document of an ordered insert failed: those before it are stored, the others are not. */
function firstFailure({ writeErrors }: MongoBulkWriteError): number {
  const [first] = Array.isArray(writeErrors) ? writeErrors : [writeErrors];
  return first?.index ?? 0;
}

async function ensureIndexes<T extends Document>(
  spec: CollectionSpec<T>,
  collection: MongoCollection<StoredDocument>,
  connection: Connection,
): Promise<void> {
  const indexes = indexesOf(spec);
  if (indexes.length === 0) return;
  const create = () => connection.run(() => collection.createIndexes(indexes), indexLimitMs);
  try {
    await create();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    await connection.run(() => keepNullsApart(shapeOf(spec), collection), indexLimitMs);
    await create();
  }
}

/** Adds the shadows of nulls to documents from before a unique index was declared. */
async function keepNullsApart(shape: Shape, collection: MongoCollection<StoredDocument>): Promise<void> {
  for (const field of shape.uniqueFields) {
    const bare = { [field]: null, [absenceOf(field)]: null };
    for await (const { _id } of collection.find(bare, { projection: { _id: 1 } }))
      await collection.updateOne({ _id, ...bare }, { $set: { [absenceOf(field)]: randomUUID() } });
  }
}

function createCollection<T extends Document>(
  shape: Shape,
  collection: MongoCollection<StoredDocument>,
  connection: Connection,
): Collection<T> {
  const { name, expiry } = shape;
  const matching = (filter: object) => encodeFilter(shape, filter, Date.now());

  /** Runs a write; when its unique values are taken, possibly by expired documents only, deletes those and tries again. */
  async function unlessTaken<R>(write: () => Promise<R>): Promise<R> {
    for (let goneBefore = false; ;) {
      try {
        return await connection.run(write);
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        if (expiry === undefined || goneBefore) throw new DuplicateKeyError(name);
        const gone = await connection.run(() => collection.deleteMany(expiredFilter(expiry, Date.now())));
        // Another process may have deleted them between the write and here, so the write is tried once more.
        goneBefore = gone.deletedCount === 0;
      }
    }
  }

  async function find(filter: object, sort: object, page: { limit?: number; offset?: number }): Promise<T[]> {
    const cursor = collection.find(matching(filter), { sort: encodeOrder(sort) });
    if (page.limit === 0) return [];
    cursor.skip(page.offset ?? 0).limit(page.limit ?? 0);
    const stored = await connection.run(() => cursor.toArray());
    return stored.map((document) => decodeDocument(document) as T);
  }

  async function change(where: object, changes: object | null, order: object): Promise<T | null> {
    if (changes === null) return (await find(where, order, { limit: 1 }))[0] ?? null;
    const changed = await unlessTaken(() =>
      collection.findOneAndUpdate(matching(where), changes, {
        returnDocument: 'after',
        ...(Object.keys(order).length > 0 && { sort: encodeOrder(order) }),
      }),
    );
    return changed && (decodeDocument(changed) as T);
  }

  return {
    async insert(document) {
      const stored = encodeDocument(shape, document);
      await unlessTaken(() => collection.insertOne(stored));
    },
    async insertMany(documents) {
      let rest = documents.map((document) => encodeDocument(shape, document));
      if (rest.length === 0) return;
      await unlessTaken(async () => {
        try {
          await collection.insertMany(rest, { ordered: true });
        } catch (error) {
          if (isDuplicate(error)) rest = rest.slice(firstFailure(error as MongoBulkWriteError));
          throw error;
        }
      });
    },
    async get(id) {
      return (await find({ id }, {}, { limit: 1 }))[0] ?? null;
    },
    async find({ where = {}, order = {}, ...page } = {}) {
      return find(where, order, page);
    },
    async count(where = {}) {
      return connection.run(() => collection.countDocuments(matching(where)));
    },
    async update(where, set, order = {}) {
      return change(where, encodeSet(shape, set), order);
    },
    async increment(where, by) {
      return change(where, encodeIncrement(shape, by), {});
    },
    async delete(where) {
      const filter = matching(where);
      return (await connection.run(() => collection.deleteMany(filter))).deletedCount;
    },
  };
}
