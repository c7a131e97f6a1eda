import { Kind, TypeRegistry, type TSchema, type TUnsafe } from '@sinclair/typebox';

const KIND = 'AnyCase';

/** The names that an {@link AnyCase} accepts and its description. */
interface AnyCaseOptions {
  title?: string;
  enum: readonly string[];
  expected: string;
  description: string;
}

TypeRegistry.Set<AnyCaseOptions>(
  KIND,
  ({ enum: names }, value) =>
    typeof value === 'string' && names.some((name) => name.toLowerCase() === value.toLowerCase()),
);

/**
 * Creates the schema of a name from a list, ignoring case. The validated value keeps the caller's spelling.
 */
export function AnyCase(options: AnyCaseOptions): TUnsafe<string> {
  const schema: TSchema = { ...options, type: 'string', [Kind]: KIND } as never;
  return schema as TUnsafe<string>;
}
