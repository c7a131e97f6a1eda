import { Kind, TypeRegistry, type TSchema, type TUnsafe } from '@sinclair/typebox';

const KIND = 'CountedText';

/** What a {@link CountedText} takes. */
export interface CountedTextOptions {
  minLength: number;
  maxLength: number;
  expected: string;
  description: string;
}

TypeRegistry.Set<CountedTextOptions>(
  KIND,
  ({ minLength, maxLength }, value) =>
    typeof value === 'string' && value.isWellFormed() && isWithin(value, minLength, maxLength),
);

/**
 * Makes the schema of a text whose length is counted in characters as JSON Schema counts them: Unicode code points, not bytes and not
 * the UTF-16 units of `String.length`. Text with half a surrogate pair is refused.
 */
export function CountedText(options: CountedTextOptions): TUnsafe<string> {
  const schema: TSchema = { ...options, type: 'string', [Kind]: KIND } as never;
  return schema as TUnsafe<string>;
}

function isWithin(text: string, least: number, most: number): boolean {
  if (text.length > 2 * most) return false;
  let count = 0;
  for (const _ of text) count += 1;
  return count >= least && count <= most;
}
