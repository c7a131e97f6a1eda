import { Kind, TypeRegistry, type TSchema, type TUnsafe } from '@sinclair/typebox';

const KIND = 'LongText';

TypeRegistry.Set(KIND, (_, value) => typeof value === 'string' || value instanceof Uint8Array);

/**
 * Makes the schema of a string that may be megabytes long, such as a file in base64. A long one reaches the handler as its bytes as
 * they stand in the JSON, escapes not undone: a view of the request's body that nobody has decoded, meant for the sandbox.
 * In an answer it is bytes that are sent in base64, encoded on their way.
 */
export function LongText(options: { expected: string; description: string }): TUnsafe<string | Uint8Array> {
  const schema: TSchema = { ...options, type: 'string', [Kind]: KIND } as never;
  return schema as TUnsafe<string | Uint8Array>;
}

/** Tells whether a schema is a {@link LongText}. */
export function isLongText(schema: TSchema): boolean {
  return schema[Kind] === KIND;
}

/** Tells whether a schema has a {@link LongText} in it. */
export function hasLongText(schema: TSchema): boolean {
  if (isLongText(schema)) return true;
  const { properties, items } = schema as { properties?: Record<string, TSchema>; items?: TSchema };
  return Object.values(properties ?? {}).some(hasLongText) || (items !== undefined && hasLongText(items));
}
