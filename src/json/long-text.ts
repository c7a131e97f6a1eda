import { Kind, TypeRegistry, type TSchema, type TUnsafe } from '@sinclair/typebox';

const KIND = 'LongText';

TypeRegistry.Set(KIND, (_, value) => typeof value === 'string' || value instanceof Uint8Array);

/**
 * Creates the schema of a string that can be many megabytes long, such as a file in base64. The handler
 * receives a long string as a view of its bytes in the request body, with escapes, and passes it to the
 * sandbox for decoding. In a response, bytes are encoded in base64 while they are sent.
 */
export function LongText(options: { expected: string; description: string }): TUnsafe<string | Uint8Array> {
  const schema: TSchema = { ...options, type: 'string', [Kind]: KIND } as never;
  return schema as TUnsafe<string | Uint8Array>;
}

/** Tells whether a schema is a {@link LongText}. */
export function isLongText(schema: TSchema): boolean {
  return schema[Kind] === KIND;
}

/** Tells whether a schema contains a {@link LongText}. */
export function hasLongText(schema: TSchema): boolean {
  if (isLongText(schema)) return true;
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as { properties?: Record<string, TSchema>; items?: TSchema; anyOf?: TSchema[] };
  return [...Object.values(properties), ...anyOf, ...(items ? [items] : [])].some(hasLongText);
}
