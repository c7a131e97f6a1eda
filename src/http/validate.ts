import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler';
import { invalidFields, type ErrorDetail } from '../errors.ts';
import { explainFault } from './explain.ts';

/** Reads a query string by a schema. Converts integers and booleans, fills in defaults and ignores unknown names. */
export function readQuery(schema: TObject, given: URLSearchParams): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = given.get(name);
    if (text === null) {
      if (property.default !== undefined) query[name] = property.default;
    } else if (property.type === 'integer' && /^-?\d{1,15}$/.test(text)) {
      query[name] = Number(text);
    } else if (property.type === 'boolean' && (text === 'true' || text === 'false')) {
      query[name] = text === 'true';
    } else {
      query[name] = text;
    }
  }
  return query;
}

/** The largest number of errors that are reported for one value. */
const MAX_FAULTS = 10;

/**
 * Compiles a schema to a function that returns a valid value unchanged.
 * The function throws `AppError` VALIDATION_ERROR for an invalid value: the message names the first invalid field, the details name all.
 */
export function createValidator<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  const check: TypeCheck<S> = TypeCompiler.Compile(schema);
  return (value) => {
    if (check.Check(value)) return value;
    const faults = new Map<string, ErrorDetail>();
    for (const fault of check.Errors(value)) {
      const { path, message } = explainFault(fault);
      // TypeBox reports a missing field twice: that it is required, and that it has the wrong type.
      if (!faults.has(path)) faults.set(path, { path, message: path ? message : `the body ${message}` });
      if (faults.size === MAX_FAULTS) break;
    }
    throw invalidFields([...faults.values()]);
  };
}
