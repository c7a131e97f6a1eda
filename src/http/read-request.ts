import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler';
import { AppError, invalidFields, type ErrorDetail } from '../errors.ts';
import { collectBody, type CollectOptions } from './collect-body.ts';
import { explainFault } from './explain.ts';
import { BACKSLASH, CLOSE_LIST, CLOSE_OBJECT, COMMA, OPEN_LIST, OPEN_OBJECT, QUOTE } from './json-bytes.ts';
import { requireSaneCounts } from './json-shape.ts';
import { LARGE_JSON_BYTES, parseLargeJson } from './large-json.ts';
import { liftLongStrings } from './lift-strings.ts';

const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;

/** How a body is read. */
export interface ReadOptions {
  /** 32 MiB when absent. */
  maxBytes?: number | undefined;
  /** Leaves long strings as bytes, see `LongText`. */
  longAsBytes?: boolean;
  /** Told how much of the body has come; what it throws refuses the body. */
  cover?: ((bytes: number) => void) | undefined;
}

/**
 * Reads a JSON body.
 * @throws {AppError} VALIDATION_ERROR for another content type, a larger body, or what is not JSON.
 */
export async function readJson(request: Request, options: ReadOptions = {}): Promise<unknown> {
  const { maxBytes = DEFAULT_MAX_BODY_BYTES, longAsBytes = false, cover } = options;
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json' && !type?.endsWith('+json')) {
    throw new AppError(
      'VALIDATION_ERROR',
      `the body must be JSON with the header Content-Type: application/json`,
    );
  }
  const body = await readBody(request, { maxBytes, longAsBytes, cover }).catch((error: unknown) => {
    throw error instanceof AppError
      ? error
      : new AppError('VALIDATION_ERROR', 'the body was cut off', { cause: error });
  });
  try {
    return await parseJson(body, longAsBytes);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('VALIDATION_ERROR', 'the body is not valid JSON', { cause: error });
  }
}

async function parseJson(body: string | Buffer, longAsBytes: boolean): Promise<unknown> {
  if (typeof body !== 'string' && !longAsBytes) return parseLargeJson(body);
  if (typeof body === 'string') {
    requirePresence(body);
    requireSaneShape(body);
    return JSON.parse(body);
  }
  const { text, restore } = await liftLongStrings(body);
  requirePresence(text);
  return JSON.parse(text, (_, value: unknown) => restore(value));
}

function requirePresence(text: string): void {
  if (text === '') throw new AppError('VALIDATION_ERROR', 'the body is missing: send a JSON object');
}

const OPENING = new Set([OPEN_LIST, OPEN_OBJECT]);
const CLOSING = new Set([CLOSE_LIST, CLOSE_OBJECT]);

/** Looks at the shape of a text before it is parsed, in one pass. */
function requireSaneShape(text: string): void {
  let depth = 0;
  let values = 0;
  let inString = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) inString = !inString;
    else if (inString) {
      if (code === BACKSLASH) at += 1;
    } else if (CLOSING.has(code)) depth -= 1;
    else if (code === COMMA || OPENING.has(code)) {
      values += 1;
      if (code !== COMMA) depth += 1;
      requireSaneCounts({ depth, values });
    }
  }
}

/** Reads the body: as text, or as bytes when they are wanted or are so many that they are parsed in pieces. */
async function readBody(
  request: Request,
  { longAsBytes, ...options }: CollectOptions & { longAsBytes: boolean },
): Promise<string | Buffer> {
  const body = await collectBody(request, options);
  return longAsBytes || body.length >= LARGE_JSON_BYTES ? body : new TextDecoder().decode(body);
}

/** Reads a query string by a schema: integers and booleans are converted, defaults filled in, unknown names ignored. */
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

/** More faults of a body than this are not told. */
const MAX_FAULTS = 10;

/** Compiles a schema once into a function that returns the value, or throws 400: the message names the first field at fault, details all. */
export function createValidator<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  const check: TypeCheck<S> = TypeCompiler.Compile(schema);
  return (value) => {
    if (check.Check(value)) return value;
    const faults = new Map<string, ErrorDetail>();
    for (const fault of check.Errors(value)) {
      const { path, message } = explainFault(fault);
      // The schema tells of a missing field twice: that it is required, and of what type.
      if (!faults.has(path)) faults.set(path, { path, message: path ? message : `the body ${message}` });
      if (faults.size === MAX_FAULTS) break;
    }
    throw invalidFields([...faults.values()]);
  };
}
