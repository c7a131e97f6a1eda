/** The content of a stored file. Reading `stream` once is enough; `sizeBytes` is the whole length. */
export interface StoredFile {
  stream: ReadableStream<Uint8Array>;
  sizeBytes: number;
}

/** What a link needs. */
export interface LinkOptions {
  /** Epoch milliseconds. A driver whose protocol allows less makes the link as long as it may: on S3, 7 days. */
  expiresAt: number;
}

/**
 * Stores files under ids that the service makes (base62 with an optional prefix, no path ever comes from a caller).
 * A file is whole or absent: a crash in the middle of a write leaves nothing under its id.
 * A store on another machine that does not answer gives a {@link FilesUnavailableError} within 5 s, from every method and from the
 * streams of `get`, and works again when it is back.
 */
export interface FileStore {
  /** Writes a file, durable when the promise resolves, and returns its size in bytes. Writing an id again replaces the file. */
  put(id: string, content: Uint8Array | ReadableStream<Uint8Array>): Promise<number>;
  /** Opens a file for reading. @throws {FileNotFoundError} */
  get(id: string): Promise<StoredFile>;
  /** Removes a file; one that is not there is no error. */
  delete(id: string): Promise<void>;
  /** Makes a URL that downloads the file without a key until it expires. The file is not checked for. */
  link(id: string, options: LinkOptions): Promise<string>;
  /** Resolves when files can be written and read; leaves nothing behind. @throws {FilesUnavailableError} */
  ping(): Promise<void>;
}

/** Tells whether an id is one that the service makes; only such ids become part of a path or of an object's key. */
export function isFileId(id: string): boolean {
  return /^[A-Za-z0-9_]{8,80}$/.test(id);
}

/** Refuses to write under an id that the service does not make. @throws {Error} */
export function checkFileId(id: string): void {
  if (!isFileId(id)) throw new Error('a file id has 8 to 80 letters, digits and _');
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

/** Why files cannot be stored or read. All but `unreachable` want a change of the settings or of the bucket. */
export type FilesUnavailableReason = 'unreachable' | 'bucket' | 'credentials' | 'permission' | 'region';

/** Thrown when the place where files are kept cannot be reached, or refuses. The message holds no secret. */
export class FilesUnavailableError extends Error {
  override name = 'FilesUnavailableError';
  readonly reason: FilesUnavailableReason;

  constructor(reason: FilesUnavailableReason, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/** How long a link is asked to hold: 30 days. Records keep the file's id and sign a new link at each read. */
export const LINK_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
