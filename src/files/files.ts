import { explainDiskFault, type DiskFault } from '../errors.ts';

/** The content of a stored file. `stream` can be read once. */
export interface StoredFile {
  stream: ReadableStream<Uint8Array>;
  sizeBytes: number;
  /**
   * The path of the file if it is on a disk of this machine. Cancel `stream` when you read the file by its
   * path.
   */
  path?: string;
}

/** A stored file in a list. */
export interface ListedFile {
  id: string;
  sizeBytes: number;
  /** Epoch milliseconds. */
  modifiedAt: number;
}

/** Options of a link. */
export interface LinkOptions {
  /** Epoch milliseconds. A driver shortens the lifetime if its protocol requires this: to 7 days on S3. */
  expiresAt: number;
  /** The name under which the file is downloaded. Default: the id with the extension of its media type. */
  fileName?: string | null | undefined;
}

/**
 * Stores files under ids that the service generates (base62 with an optional prefix; callers never supply
 * paths). A file is complete or absent: a crash during a write leaves nothing under its id. If a remote store
 * does not respond, every method and the streams of `get` throw {@link FilesUnavailableError} within 5 s. The
 * file store works again as soon as the remote store does.
 */
export interface FileStore {
  /**
   * Writes a file and returns its size in bytes. The file is durable when the promise resolves. Replaces an
   * existing file.
   * @param ready the file becomes visible after this promise; if the promise rejects, so does `put`, and
   * nothing is stored
   */
  put(id: string, content: Uint8Array | ReadableStream<Uint8Array>, ready?: Promise<void>): Promise<number>;
  /** Opens a file for reading. @throws {FileNotFoundError} */
  get(id: string): Promise<StoredFile>;
  /** Deletes a file. Does nothing when the file does not exist. */
  delete(id: string): Promise<void>;
  /**
   * Returns a URL that downloads the file without an API key until it expires. Does not check that the file
   * exists.
   */
  link(id: string, options: LinkOptions): Promise<string>;
  /**
   * Lists the files in pages of at most 1,000, in no particular order. A file that is stored or deleted
   * during the call may be missing. Ignores everything whose name is not a file id.
   */
  list(): AsyncIterable<readonly ListedFile[]>;
  /** Checks the store by writing, reading and deleting a test file. @throws {FilesUnavailableError} */
  ping(): Promise<void>;
}

/** Tells whether a file id is valid. Only valid ids become part of a path or an object key. */
export function isFileId(id: string): boolean {
  return /^[A-Za-z0-9_]{8,80}$/.test(id);
}

/** Rejects an invalid file id. @throws {Error} */
export function checkFileId(id: string): void {
  if (!isFileId(id)) throw new Error('a file id must consist of 8 to 80 letters, digits and _');
}

/** Thrown when no file has the id. */
export class FileNotFoundError extends Error {
  override name = 'FileNotFoundError';
  readonly id: string;

  constructor(id: string) {
    super(`no file ${id}`);
    this.id = id;
  }
}

/**
 * The reason why the file store is unavailable: it does not respond, a setting of the bucket is wrong
 * (`bucket`, `credentials`, `permission`, `region`), or the disk is full, read-only or fails (`full`,
 * `read-only`, `disk`).
 */
export type FilesUnavailableReason = 'unreachable' | BucketFault | DiskFault;

/** A wrong setting of the bucket. */
export type BucketFault = 'bucket' | 'credentials' | 'permission' | 'region';

/**
 * Thrown when the file store is unreachable, full or rejects the request. The message contains no secrets.
 */
export class FilesUnavailableError extends Error {
  override name = 'FilesUnavailableError';
  readonly reason: FilesUnavailableReason;

  constructor(reason: FilesUnavailableReason, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }

  /** The sentence for callers about a fault of the disk; `undefined` for another reason. */
  get diskFault(): string | undefined {
    return explainDiskFault(this.reason);
  }
}

/** The lifetime of a link: 30 days. Records store the id of the file, and each read signs a new link. */
export const LINK_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
