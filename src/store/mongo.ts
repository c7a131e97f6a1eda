import { randomUUID } from 'node:crypto';
import type { Collection as MongoCollection, MongoBulkWriteError } from 'mongodb';
import { INDEX_LIMIT_MS, isMongoError, openMongo, type MongoConnection } from './mongo-connection.ts';
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
  type Collection,
  type CollectionSpec,
  type Document,
  type Store,
} from './store.ts';

const duplicateCode = 11_000;

/** A store on MongoDB. Other parts, such as the rate limiter, share its connection. */
interface MongoStore extends Store {
  readonly connection: MongoConnection;
}

/**
 * Opens a store in the database that a MongoDB URL names. A standalone server is enough: the store needs
 * neither transactions nor change streams. While the server is unreachable, every operation fails within five
 * seconds; the store recovers when the server does.
 * @throws {TypeError} when the URL is invalid
 * @throws {StoreUnavailableError} when the server does not answer or rejects the user
 */
export async function createMongoStore({ url }: { url: string }): Promise<MongoStore> {
  const connection = await openMongo(url);
  const { database } = connection;
  return {
    connection,
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

function isDuplicate(error: unknown): boolean {
  return isMongoError(error) && error.code === duplicateCode;
}

/** Returns the index of the document that failed in an ordered insert. The documents before it are stored. */
function firstFailure({ writeErrors }: MongoBulkWriteError): number {
  const [first] = Array.isArray(writeErrors) ? writeErrors : [writeErrors];
  return first?.index ?? 0;
}

async function ensureIndexes<T extends Document>(
  spec: CollectionSpec<T>,
  collection: MongoCollection<StoredDocument>,
  connection: MongoConnection,
): Promise<void> {
  const indexes = indexesOf(spec);
  if (indexes.length === 0) return;
  const create = () => connection.run(() => collection.createIndexes(indexes), INDEX_LIMIT_MS);
  try {
    await create();
  } catch (error) {
    if (!isDuplicate(error)) throw error;
    await connection.run(() => addNullShadows(shapeOf(spec), collection), INDEX_LIMIT_MS);
    await create();
  }
}

/** Adds the shadow fields for nulls to documents that are older than the unique index. */
async function addNullShadows(shape: Shape, collection: MongoCollection<StoredDocument>): Promise<void> {
  for (const field of shape.uniqueFields) {
    const bare = { [field]: null, [absenceOf(field)]: null };
    for await (const { _id } of collection.find(bare, { projection: { _id: 1 } }))
      await collection.updateOne({ _id, ...bare }, { $set: { [absenceOf(field)]: randomUUID() } });
  }
}

function createCollection<T extends Document>(
  shape: Shape,
  collection: MongoCollection<StoredDocument>,
  connection: MongoConnection,
): Collection<T> {
  const { name, expiry } = shape;
  const matching = (filter: object) => encodeFilter(shape, filter, Date.now());

  /**
   * Runs a write. If its unique values are taken, deletes expired documents, which may hold them, and
   * retries.
   */
  async function writeUnique<R>(write: () => Promise<R>): Promise<R> {
    for (let isLastAttempt = false; ;) {
      try {
        return await connection.run(write);
      } catch (error) {
        if (!isDuplicate(error)) throw error;
        if (expiry === undefined || isLastAttempt) throw new DuplicateKeyError(name);
        const expired = await connection.run(() => collection.deleteMany(expiredFilter(expiry, Date.now())));
        // Another process may have deleted the expired documents since the write, so the write is retried
        // once more.
        isLastAttempt = expired.deletedCount === 0;
      }
    }
  }

  async function find(filter: object, sort: object, page: { limit?: number; offset?: number }): Promise<T[]> {
    const { limit, offset: skip } = page;
    if (limit === 0) return [];
    const options = {
      sort: encodeOrder(sort),
      ...(skip !== undefined && { skip }),
      ...(limit !== undefined && { limit }),
    };
    const stored = await connection.run(() => collection.find(matching(filter), options).toArray());
    return stored.map((document) => decodeDocument(document) as T);
  }

  async function change(where: object, changes: object | null, order: object): Promise<T | null> {
    if (changes === null) return (await find(where, order, { limit: 1 }))[0] ?? null;
    const changed = await writeUnique(() =>
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
      await writeUnique(() => collection.insertOne(stored));
    },
    async insertMany(documents) {
      let rest = documents.map((document) => encodeDocument(shape, document));
      if (rest.length === 0) return;
      await writeUnique(async () => {
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
