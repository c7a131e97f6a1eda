import type { TSchema } from '@sinclair/typebox';
import type { FileStore } from '../../files/files.ts';
import type { Part } from './multipart.ts';

/** A request body that has not been read. */
export interface UnreadBody {
  readonly headers: Headers;
  /**
   * Reads all bytes. May be called once.
   * @throws {AppError} VALIDATION_ERROR for a body that exceeds the route's limit, arrives too slowly or is
   * incomplete; RATE_LIMITED when the caller's large bodies already take their share of memory
   */
  bytes(): Promise<Buffer>;
}

/** A part of a multipart/form-data body whose content arrives later. */
export interface StreamedPart extends Omit<Part, 'content'> {
  /** The content in pieces, which must be read to the end before the next part. */
  content: AsyncIterable<Buffer>;
}

/** A request body that is read while it arrives. */
export interface BodyStream {
  readonly headers: Headers;
  /**
   * The bytes, in pieces of at least 16 KB except for the last one. May be iterated once.
   * @throws {AppError} VALIDATION_ERROR for a body that exceeds the route's limit, arrives too slowly or is
   * incomplete
   */
  readonly pieces: AsyncIterable<Uint8Array>;
  /**
   * Adds bytes to the hash by which an `Idempotency-Key` recognises the repetition of a request: all bytes
   * except those that a client chooses anew each time.
   */
  hash(bytes: Uint8Array): void;
  /**
   * Reads multipart/form-data (RFC 7578) in place of `pieces`, and hashes it without its boundary.
   * @throws {AppError} VALIDATION_ERROR, which names the invalid part if there is one
   */
  parts(): AsyncGenerator<StreamedPart>;
  /** For a body that is too large for memory. */
  readonly files: Pick<FileStore, 'put' | 'delete'>;
}

/** The result of reading a {@link BodyStream} to its end. */
export interface StreamedBody {
  /** Returns the value, which is then validated. @throws {AppError} VALIDATION_ERROR for a faulty body */
  parse(): unknown;
  /** Deletes what was stored, because no handler gets the value. */
  discard(): Promise<void>;
}

/** The names of a kind of request body. */
interface NamedKind {
  /** The name by which routes refer to it. */
  name: string;
  /** The name of the format for error messages: `JSON`. */
  label: string;
  /** The media type for the documentation and error messages. */
  mediaType: string;
  /**
   * Tells whether a media type (lower case, without parameters) is of this kind; only `mediaType` itself when
   * absent.
   */
  accepts?(mediaType: string): boolean;
  /** Returns the schema for the documentation; the route's own when absent. */
  describe?(schema: TSchema): TSchema;
}

/**
 * A kind of request body that is read while it arrives, with little memory however long it is. Its reader
 * stores the content.
 */
export interface StreamedBodyKind extends NamedKind {
  /**
   * Prepares a reader for a route whose bodies have this schema. Called once per route. The reader runs after
   * authentication, before the `Idempotency-Key` is claimed.
   */
  createStreamReader(schema: TSchema): (body: BodyStream) => Promise<StreamedBody>;
}

/**
 * A kind of request body, such as JSON. The service registers `json`; plugins register others in
 * `Plugin.bodyKinds`. A route names the kinds that it takes.
 */
export interface BodyKind extends NamedKind {
  /**
   * Prepares a reader for a route whose bodies have this schema. Called once per route. The reader runs after
   * authentication and returns a value that is then validated by the schema. It should throw `AppError`
   * VALIDATION_ERROR for a malformed body, and yield to the event loop while it parses a large one.
   */
  createReader(schema: TSchema): (body: UnreadBody) => Promise<unknown>;
}

/** Describes the bodies of one kind that a route takes. */
export interface BodySpec<Schema extends TSchema = TSchema> {
  /** The name of a registered {@link BodyKind} or {@link StreamedBodyKind}. */
  kind: string;
  /** The schema of the value that the kind's reader returns. */
  schema: Schema;
}
