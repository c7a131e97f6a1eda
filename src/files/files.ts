/** The content of a stored file. Reading `stream` once is enough; `sizeBytes` is the whole length. */
export interface StoredFile {
  stream: ReadableStream<Uint8Array>;
  sizeBytes: number;
}

/** What a link needs. */
export interface LinkOptions {
  /** Epoch milliseconds. */
  expiresAt: number;
}

/**
 * Stores files under ids that the service makes (base62 with an optional prefix, no path ever comes from a caller).
 * A file is whole or absent: a crash in the middle of a write leaves nothing under its id.
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
  /** Resolves when files can be written and read. */
  ping(): Promise<void>;
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

/** How long a link holds: 30 days. Records keep the file's id and sign a new link at each read. */
export const LINK_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;
