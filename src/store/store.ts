import type { DiskFault } from '../errors.ts';

/** A value that every driver stores and returns unchanged. */
export type JsonValue =
  | string
  | number
  | boolean
  | null
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/**
 * A stored document. Its fields are JSON values; times are epoch milliseconds. Filters treat an absent field
 * like `null`.
 */
export interface Document {
  id: string;
}

/** Declares an index: its fields in order, and whether the combination of their values is unique. */
export interface IndexSpec<T> {
  fields: { readonly [F in keyof T]?: 'asc' | 'desc' };
  unique?: boolean;
}

/** Declares a collection. Drivers create it and its indexes when it is first opened. */
export interface CollectionSpec<T extends Document> {
  /**
   * Lower case with underscores, unique in the deployment; collections of plugins begin with the plugin's
   * name.
   */
  name: string;
  indexes?: readonly IndexSpec<T>[];
  /**
   * The field with the time at which a document expires, or `null`. An expired document is no longer returned
   * and is eventually deleted.
   */
  expiry?: keyof T & string;
  /**
   * Whether documents are stored even while the disk is almost full, because deletions or sign-ins need them.
   * Keep them small.
   */
  usesReserve?: boolean;
  /**
   * Whether writes resolve before they are on the disk of the embedded database. A power failure may undo the
   * last of them, but none that precedes a write to another collection. Only for documents that nobody has
   * been promised.
   */
  isRecoverable?: boolean;
  /** Like `isRecoverable`, but only for updates and deletions; inserts wait for the disk. */
  hasRecoverableChanges?: boolean;
  /** Never set; carries the type of the documents. */
  readonly documentType?: T;
}

/**
 * A condition on one field: a value to equal, or bounds and membership that must all hold, or a text that the
 * field must contain. `contains` compares strings character by character, so it distinguishes case, and no
 * character has a special meaning. No index speeds it up: the store reads every document that the other
 * conditions select.
 */
export type Condition<V> =
  | V
  | { in: readonly V[] }
  | { contains: V & string }
  | {
      lt?: V & (string | number);
      lte?: V & (string | number);
      gt?: V & (string | number);
      gte?: V & (string | number);
    };

/**
 * Conditions by field; all must hold. The empty filter matches every document. Of the filters in `either`, at
 * least one must match. No index serves them: the store reads every document that the other conditions
 * select.
 */
export type Filter<T> = { readonly [F in keyof T]?: Condition<T[F]> } & {
  readonly either?: readonly Filter<T>[];
};

/** Fields in order of significance. Add `id` as the last field if the order of ties must be stable. */
export type Order<T> = { readonly [F in keyof T]?: 'asc' | 'desc' };

/** Selects documents. Without `limit`, all matching documents are returned. */
export interface Query<T> {
  where?: Filter<T>;
  order?: Order<T>;
  limit?: number;
  offset?: number;
}

/** The numeric fields of `T`. */
export type NumericField<T> = { [F in keyof T]: T[F] extends number ? F : never }[keyof T];

/**
 * A set of documents of one shape.
 *
 * A write is durable when its promise resolves: it survives a crash of the process.
 * A write to one document is atomic; there are no transactions across documents.
 * Expired documents behave as if they did not exist, including in unique indexes.
 */
export interface Collection<T extends Document> {
  /**
   * Inserts a document. @throws {DuplicateKeyError} when its id or the values of a unique index are taken.
   */
  insert(document: T): Promise<void>;
  /**
   * Inserts documents in order and stops at the first failure; the documents before it are stored.
   * @throws {DuplicateKeyError}
   */
  insertMany(documents: readonly T[]): Promise<void>;
  /** Returns the document with the id, or `null`. */
  get(id: string): Promise<T | null>;
  /** Returns the matching documents. */
  find(query?: Query<T>): Promise<T[]>;
  /** Counts the matching documents. */
  count(where?: Filter<T>): Promise<number>;
  /**
   * Sets fields of the first matching document (by `order`) and returns the changed document, or `null` when
   * no document matches. The filter and the change are one atomic step, so concurrent calls can use it to
   * claim work.
   * @throws {DuplicateKeyError} when the new values of a unique index are taken
   */
  update(where: Filter<T>, set: Partial<Omit<T, 'id'>>, order?: Order<T>): Promise<T | null>;
  /**
   * Adds to numeric fields of the first matching document and returns the changed document, or `null` when no
   * document matches. The expiry cannot be incremented. The filter guards the change:
   * `increment({ id, used: { lte: limit - 1 } }, { used: 1 })` never exceeds the limit.
   */
  increment(where: Filter<T>, by: { readonly [F in NumericField<T>]?: number }): Promise<T | null>;
  /** Deletes all matching documents and returns their number. */
  delete(where: Filter<T>): Promise<number>;
}

/** A database. The driver is chosen at startup; code outside the driver does not depend on it. */
export interface Store {
  /**
   * Opens a collection and creates missing indexes. A collection may be opened more than once, even by
   * several processes at the same time.
   */
  collection<T extends Document>(spec: CollectionSpec<T>): Promise<Collection<T>>;
  /** Resolves when the database responds. @throws {StoreUnavailableError} */
  ping(): Promise<void>;
  /** Waits for pending writes and closes the database. */
  close(): Promise<void>;
}

/** Thrown when a write would give two documents the same id or the same values in a unique index. */
export class DuplicateKeyError extends Error {
  override name = 'DuplicateKeyError';
  readonly collection: string;

  constructor(collection: string) {
    super(`${collection} already has a document with the same unique values`);
    this.collection = collection;
  }
}

/**
 * Why the database is unavailable: it does not respond (`unreachable`), another process holds its lock
 * (`locked`), the disk is full or fails (`full`, `disk`), or the file is read-only.
 */
export type StoreUnavailableReason = 'unreachable' | 'locked' | DiskFault;

/** Thrown when the database cannot be read or written now. */
export class StoreUnavailableError extends Error {
  override name = 'StoreUnavailableError';
  readonly reason: StoreUnavailableReason;

  constructor(
    message: string,
    { reason = 'unreachable', cause }: { reason?: StoreUnavailableReason; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.reason = reason;
  }
}
