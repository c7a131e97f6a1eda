import { MARKED_TYPES, VARIABLE_TYPES } from '@platen/templates/check-data';
import { invalid } from '../../src/plugin.ts';

const MAX_VARIABLES = 500;
const MAX_NAME_CHARACTERS = 200;

/** Names of properties of `Object.prototype`, which Handlebars does not read. */
const PROTOTYPE_NAMES = new Set(['__proto__', '__defineGetter__', '__defineSetter__']);

/**
 * Checks the schema of a template's variables: at most 500 variables with names of 1 to 200 characters.
 * @throws {AppError} VALIDATION_ERROR that names `schema.<name>`.
 */
export function requireVariableSchema(schema: Readonly<Record<string, unknown>>): void {
  const entries = Object.entries(schema);
  if (entries.length > MAX_VARIABLES) throw invalid('schema', `must have at most ${MAX_VARIABLES} variables`);
  for (const [name, type] of entries) {
    if (name.length === 0 || name.length > MAX_NAME_CHARACTERS) {
      const path = name.length === 0 ? 'schema' : `schema.${name.slice(0, 20)}…`;
      throw invalid(path, `the name of a variable must have 1 to ${MAX_NAME_CHARACTERS} characters`);
    }
    if (name.split('.').some((part) => PROTOTYPE_NAMES.has(part)))
      throw invalid(`schema.${name}`, `must not use the reserved names ${[...PROTOTYPE_NAMES].join(', ')}`);
    if (!MARKED_TYPES.some((known) => known === type))
      throw invalid(`schema.${name}`, `must be one of ${VARIABLE_TYPES.join(', ')}`);
  }
}
