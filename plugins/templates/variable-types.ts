/** The types of template variables. `date` is an ISO 8601 string or epoch milliseconds. */
export const VARIABLE_TYPES = [
  'string',
  'number',
  'integer',
  'boolean',
  'array',
  'object',
  'date',
  'any',
] as const;

/** The name of a type, without a mark. */
export type TypeName = (typeof VARIABLE_TYPES)[number];

/**
 * The type of a variable in a schema. With `!` the variable is required: a document is not made without it.
 * With `?` it is optional: only a value of another type is a mismatch. Without a mark, a variable that is
 * missing is a mismatch.
 */
export type VariableType = TypeName | `${TypeName}!` | `${TypeName}?`;

/** All types with and without their marks. */
export const MARKED_TYPES: readonly VariableType[] = VARIABLE_TYPES.flatMap(
  (name) => [name, `${name}!`, `${name}?`] as const,
);
