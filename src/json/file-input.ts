import { Kind, TypeRegistry, type TSchema, type TUnsafe } from '@sinclair/typebox';

const KIND = 'FileInput';

/** The bytes of an uploaded file: a view of the request body. */
export interface RawFile {
  raw: Uint8Array;
  /** The file name of its part, which may be any text. */
  fileName?: string;
}

/**
 * A file in a request: its bytes, or text (base64 or an id) as a string or, if it is long, as the bytes of
 * that text.
 */
export type FileValue = string | Uint8Array | RawFile;

TypeRegistry.Set(
  KIND,
  (_, value) => typeof value === 'string' || value instanceof Uint8Array || isRawFile(value),
);

/**
 * Creates the schema of a file in a request. In JSON it is text. In a multipart request it is a part with the
 * file's bytes, or a part with the same text as in JSON. Long text is not decoded; JSON escapes in it remain.
 */
export function FileInput(options: {
  title?: string;
  expected: string;
  description: string;
}): TUnsafe<FileValue> {
  const schema: TSchema = { ...options, type: 'string', [Kind]: KIND } as never;
  return schema as TUnsafe<FileValue>;
}

/** Tells whether a schema is a {@link FileInput}. */
export function isFileInput(schema: TSchema): boolean {
  return schema[Kind] === KIND;
}

/** Tells whether a value is a {@link RawFile}. JSON cannot contain one. */
export function isRawFile(value: unknown): value is RawFile {
  return typeof value === 'object' && value !== null && 'raw' in value && value.raw instanceof Uint8Array;
}
