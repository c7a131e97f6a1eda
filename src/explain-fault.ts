import { Kind, type TSchema } from '@sinclair/typebox';
import type { ValueError } from '@sinclair/typebox/errors';
import type { ErrorDetail } from './errors.ts';

/**
 * The keywords of JSON Schema that are described in messages, and `expected`, which describes a whole schema.
 */
interface Keywords extends TSchema {
  expected?: string;
  examples?: unknown[];
  anyOf?: Keywords[];
  items?: Keywords;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

const MAX_NAME_CHARACTERS = 200;

/** The largest number of errors that are read from a variant of a union. */
const MAX_INNER = 20;

/**
 * Converts a validation error of a schema to a path (`items[17].options.margin`) and a sentence that
 * describes the valid values. The sentence is derived from the schema unless the schema has the keyword
 * `expected`.
 */
export function explainFault(fault: ValueError): ErrorDetail {
  const [first = fault] = innermost(fault);
  return explain(first);
}

/**
 * Converts a validation error like {@link explainFault}. Returns several details for an object whose schema
 * is a variant of a union.
 */
export function explainFaults(fault: ValueError): ErrorDetail[] {
  return innermost(fault).map(explain);
}

function explain({ schema: faulty, message, value, path: pointer }: ValueError): ErrorDetail {
  const path = dotted(pointer);
  const schema = faulty as Keywords;
  const unknownKey = message === 'Unexpected property';
  if (unknownKey) return { path, message: `unknown field; valid fields are ${knownFields(schema)}` };
  const expected = expectedValue(schema);
  if (value === undefined) return { path, message: `is required: ${expected}` };
  return { path, message: `must be ${expected}` };
}

/**
 * For a union, returns the errors of the variant that fits the value best: the first variant with an error
 * inside the value.
 */
function innermost(fault: ValueError): ValueError[] {
  for (const variant of fault.errors) {
    const inner: ValueError[] = [];
    for (const error of variant) {
      if (error.path.length > fault.path.length) inner.push(error);
      if (inner.length === MAX_INNER) break;
    }
    if (inner.length > 0) return inner.flatMap(innermost);
  }
  return [fault];
}

function dotted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => shortened(part.replaceAll('~1', '/').replaceAll('~0', '~')))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : path ? `${path}.${part}` : part), '');
}

/** Describes the values that a schema accepts, with the first of its examples. */
export function expectedValue(schema: TSchema): string {
  const { expected = describe(schema), examples } = schema as Keywords;
  return examples ? `${expected}, such as ${JSON.stringify(examples[0])}` : expected;
}

/** Truncates a field name, which may have any length. */
export function shortened(name: string): string {
  return name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name;
}

/** Lists the fields of a schema, except those that exist only to be rejected with a specific message. */
function knownFields(schema: TSchema): string {
  const fields = Object.entries((schema as { properties?: Record<string, TSchema> }).properties ?? {});
  return fields.flatMap(([name, field]) => (field[Kind] === 'Never' ? [] : name)).join(', ');
}

/** Describes the values that a schema accepts. */
export function describe(schema: TSchema): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, items } = schema as Keywords;
  const { const: constant, anyOf } = schema as Keywords;
  if (constant !== undefined) return JSON.stringify(constant);
  if (anyOf) return listed(anyOf.map((variant) => variant.expected ?? describe(variant)));
  switch (schema[Kind]) {
    case 'String':
      return `a string${between(minLength, maxLength, ' of ', ' characters')}`;
    case 'Integer':
      return `an integer${between(minimum, maximum, ' ', '')}`;
    case 'Number':
      return `a number${between(minimum, maximum, ' ', '')}`;
    case 'Boolean':
      return 'true or false';
    case 'Array':
      return `a list${between(minItems, maxItems, ' of ', ' elements')}${items ? `, each ${describe(items)}` : ''}`;
    case 'Object':
    case 'Record':
      return 'an object';
    case 'Null':
      return 'null';
    default:
      return 'another value';
  }
}

function between(low: number | undefined, high: number | undefined, before: string, after: string): string {
  if (low !== undefined && high !== undefined) return `${before}${low} to ${high}${after}`;
  if (low !== undefined) return `${before}at least ${low}${after}`;
  if (high !== undefined) return `${before}at most ${high}${after}`;
  return '';
}

function listed(parts: string[]): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`;
}
