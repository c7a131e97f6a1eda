/**
 * The types of template variables, and the check of data against them. The service and the studio share it.
 * @module
 */
import { parseDate } from './parse-date.ts';

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

/** The type of each variable by its name; a name with dots (`customer.name`) is a path. */
export type VariableSchema = Readonly<Record<string, VariableType>>;

/** A variable that is missing from the data or has a type other than the schema's. */
export interface DataFault {
  path: string;
  expected: VariableType;
  /** The JSON type of the value; `missing` when there is no value. */
  found: 'missing' | 'null' | 'string' | 'number' | 'boolean' | 'array' | 'object';
}

/**
 * Lists the variables of the schema that are missing from the data or have another type. Variables that the
 * schema does not name are ignored.
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
export function readVariable(data: Readonly<Record<string, unknown>>, path: string): unknown {
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
