import type { TSchema } from '@sinclair/typebox';

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

/**
 * A kind of request body, such as JSON. The service registers `json`; plugins register others in
 * `Plugin.bodyKinds`. A route names the kinds that it takes.
 */
export interface BodyKind {
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
  /**
   * Prepares a reader for a route whose bodies have this schema. Called once per route. The reader runs after
   * authentication and returns a value that is then validated by the schema. It should throw `AppError`
   * VALIDATION_ERROR for a malformed body, and yield to the event loop while it parses a large one.
   */
  createReader(schema: TSchema): (body: UnreadBody) => Promise<unknown>;
  /** Returns the schema for the documentation; the route's own when absent. */
  describe?(schema: TSchema): TSchema;
}

/** Describes the bodies of one kind that a route takes. */
export interface BodySpec<Schema extends TSchema = TSchema> {
  /** The name of a registered {@link BodyKind}. */
  kind: string;
  /** The schema of the value that the kind's reader returns. */
  schema: Schema;
}
