import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler';
import { invalidFields, type ErrorDetail } from '../errors.ts';
import { explainFaults, shortened } from '../explain-fault.ts';

/** The largest number of errors that are reported for one value. */
const MAX_FAULTS = 10;

/**
 * Rejects a query string with parameters that are not in the schema.
 * @throws {AppError} VALIDATION_ERROR that names them
 */
export function requireKnownParameters(schema: TObject | undefined, given: URLSearchParams): void {
  const known = Object.keys(schema?.properties ?? {});
  const unknown = [...new Set(given.keys())].filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const message = `unknown query parameter; ${known.length > 0 ? `valid parameters are ${known.join(', ')}` : 'this route has none'}`;
  throw invalidFields(unknown.slice(0, MAX_FAULTS).map((name) => ({ path: shortened(name), message })));
}

/**
 * Reads the parameters that a schema defines from a query string. Converts integers and booleans, and fills
 * in defaults.
 */
export function readQuery(schema: TObject, given: URLSearchParams): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = given.get(name);
    if (text === null) {
      if (property.default !== undefined) query[name] = property.default;
    } else if (isInteger(property) && /^-?\d{1,15}$/.test(text)) {
      query[name] = Number(text);
    } else if (property.type === 'boolean' && (text === 'true' || text === 'false')) {
      query[name] = text === 'true';
    } else {
      query[name] = text;
    }
  }
  return query;
}

/** Returns whether a parameter is an integer, or an integer or a word. */
function isInteger(schema: TSchema): boolean {
  const { type, anyOf = [] } = schema as { type?: string; anyOf?: TSchema[] };
  return type === 'integer' || anyOf.some(isInteger);
}

/**
 * Creates a function that returns a valid value unchanged. It compiles the schema when it is first called,
 * because most routes of a service are never called and compiling all schemas takes a third of the startup
 * time. The function throws `AppError` VALIDATION_ERROR for an invalid value: the message names the first
 * invalid field, the details up to ten.
 */
export function createValidator<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  let check: TypeCheck<S> | undefined;
  return (value) => {
    check ??= TypeCompiler.Compile(schema);
    if (check.Check(value)) return value;
    const faults = new Map<string, ErrorDetail>();
    for (const fault of check.Errors(value)) {
      for (const { path, message } of explainFaults(fault)) {
        // TypeBox reports a missing field twice: that it is required, and that it has the wrong type.
        if (!faults.has(path)) faults.set(path, { path, message: path ? message : `the body ${message}` });
      }
      if (faults.size >= MAX_FAULTS) break;
    }
    throw invalidFields([...faults.values()].slice(0, MAX_FAULTS));
  };
}
