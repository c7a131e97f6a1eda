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

/** One of {@link VARIABLE_TYPES}. */
export type VariableType = (typeof VARIABLE_TYPES)[number];
