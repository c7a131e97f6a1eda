import { Kind, TypeRegistry, type TSchema, type TUnsafe } from '@sinclair/typebox';

const KIND = 'CountedText';

/** The limits of a {@link CountedText} and its description. */
export interface CountedTextOptions {
  title?: string;
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
 * Creates the schema of a text whose length is counted in Unicode code points, as in JSON Schema, and not in
 * the UTF-16 units of `String.length`. Text with an unpaired surrogate is invalid.
 */
export function CountedText(options: CountedTextOptions): TUnsafe<string> {
  const schema: TSchema = { ...options, type: 'string', [Kind]: KIND } as never;
  return schema as TUnsafe<string>;
}

function isWithin(text: string, minLength: number, maxLength: number): boolean {
  if (text.length > 2 * maxLength) return false;
  let count = 0;
  for (const _ of text) count += 1;
  return count >= minLength && count <= maxLength;
}
