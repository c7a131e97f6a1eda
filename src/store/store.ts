/** A value that every driver stores and returns unchanged. Times are epoch milliseconds. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** What every stored document has: a unique `id`. Documents hold JSON values only; an absent field reads as `null`. */
export interface Document {
  id: string;
}

/** Names an index: its fields in order, and whether no two documents may share the same values. */
export interface IndexSpec<T> {
  fields: { readonly [F in keyof T]?: 'asc' | 'desc' };
  unique?: boolean;
}

/** Describes a collection as data. Drivers create it, and its indexes, when it is first opened. */
export interface CollectionSpec<T extends Document> {
  /** Lower-case with underscores, unique in the deployment; plugins prefix theirs with the plugin's name. */
  name: string;
  indexes?: readonly IndexSpec<T>[];
  /** A field with epoch milliseconds (or `null`: never) after which the document is no longer read and, in time, deleted. */
  expiry?: keyof T & string;
  /** Never set: carries the documents' type to whoever opens the collection. */
  readonly documentType?: T;
}

/** The condition on one field: a value to equal, or bounds and membership that must all hold. */
export type Condition<V> =
  | V
  | { in: readonly V[] }
  | {
      lt?: V & (string | number);
      lte?: V & (string | number);
      gt?: V & (string | number);
      gte?: V & (string | number);
    };

/** Conditions by field; all must hold. The empty filter matches every document. */
export type Filter<T> = { readonly [F in keyof T]?: Condition<T[F]> };

/** Fields in order of significance. Add `id` as the last one where ties must be stable. */
export type Order<T> = { readonly [F in keyof T]?: 'asc' | 'desc' };

/** Selects documents. `limit` and `offset` count documents; without `limit` all are returned. */
export interface Query<T> {
  where?: Filter<T>;
  order?: Order<T>;
  limit?: number;
  offset?: number;
}

/** The fields of `T` that hold numbers. */
export type NumericField<T> = { [F in keyof T]: T[F] extends number ? F : never }[keyof T];

/**
 * A set of documents of one shape.
 *
 * Every write is durable when its promise resolves: it survives the loss of the process.
 * Each write to one document is atomic; nothing spans documents.
 * Documents past their expiry are as if they were not there, also for unique indexes.
 */
export interface Collection<T extends Document> {
  /** Adds a document. @throws {DuplicateKeyError} when its id or a unique index is taken. */
  insert(document: T): Promise<void>;
  /** Adds documents in order; stops at the first that fails, with those before it stored. @throws {DuplicateKeyError} */
  insertMany(documents: readonly T[]): Promise<void>;
  /** Reads one document by id, or `null`. */
  get(id: string): Promise<T | null>;
  /** Reads the documents that match. */
  find(query?: Query<T>): Promise<T[]>;
  /** Counts the documents that match. */
  count(where?: Filter<T>): Promise<number>;
  /**
   * Sets fields of the first document that matches (by `order`) and returns it as it is afterwards, or `null` when none matches.
   * Concurrent calls with one filter never change the same document on the same condition, so this also claims work.
   * @throws {DuplicateKeyError} when the new values are taken.
   */
  update(where: Filter<T>, set: Partial<Omit<T, 'id'>>, order?: Order<T>): Promise<T | null>;
  /**
   * Adds to numeric fields (not the expiry, which is set) of the first document that matches and returns it as it is afterwards, or `null` when none matches.
   * The filter is the guard: `increment({ id, used: { lte: limit - 1 } }, { used: 1 })` never passes the limit.
   */
  increment(where: Filter<T>, by: { readonly [F in NumericField<T>]?: number }): Promise<T | null>;
  /** Deletes every document that matches and returns how many there were. */
  delete(where: Filter<T>): Promise<number>;
}

/** A database. One driver is chosen at boot; nothing outside a driver knows which. */
export interface Store {
  /** Opens a collection and makes sure that its indexes exist. Opening one twice is allowed, also from two processes at once. */
  collection<T extends Document>(spec: CollectionSpec<T>): Promise<Collection<T>>;
  /** Resolves when the database answers. @throws {StoreUnavailableError} */
  ping(): Promise<void>;
  /** Waits for writes under way and releases the database. */
  close(): Promise<void>;
}

/** Thrown when a write would give two documents the same id or the same values of a unique index. */
export class DuplicateKeyError extends Error {
  override name = 'DuplicateKeyError';
  readonly collection: string;

  constructor(collection: string) {
    super(`a document with these unique values is already in ${collection}`);
    this.collection = collection;
  }
}

/** Thrown when the database cannot be reached. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError';
}
