import { parseDate } from '@platen/templates/parse-date';
import { invalid } from '../../src/plugin.ts';
import type { DataFault, VariableSchema, VariableType } from './contract.ts';
import { MARKED_TYPES, VARIABLE_TYPES, type TypeName } from './variable-types.ts';

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

/**
 * Lists the variables of the schema that are missing from the data or have another type; see
 * `TemplateSource.checkData`.
 */
export function checkData(schema: VariableSchema, data: Readonly<Record<string, unknown>>): DataFault[] {
  return Object.entries(schema).flatMap(([path, expected]) => {
    const value = readVariable(data, path);
    return fits(value, expected) ? [] : [{ path, expected, found: kindOf(value) }];
  });
}

/**
 * Reads a variable from own properties only, like Handlebars. A property whose name contains the dots takes
 * precedence over a path.
 */
function readVariable(data: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(data, path)) return data[path];
  let value: unknown = data;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}

function fits(value: unknown, type: VariableType): boolean {
  if (value === undefined && type.endsWith('?')) return true;
  return isOfType(value, type.replace(/[!?]$/, '') as TypeName);
}

function isOfType(value: unknown, type: TypeName): boolean {
  switch (type) {
    case 'any':
      return value !== undefined;
    case 'integer':
      return Number.isInteger(value);
    case 'date':
      return parseDate(value) !== null;
    case 'string':
    case 'number':
    case 'boolean':
    case 'array':
    case 'object':
      return kindOf(value) === type;
  }
}

function kindOf(value: unknown): DataFault['found'] {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' ? type : 'object';
}
