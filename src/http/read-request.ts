import type { Static, TObject, TSchema } from '@sinclair/typebox';
import { TypeCompiler, type TypeCheck } from '@sinclair/typebox/compiler';
import { AppError, invalid } from '../errors.ts';
import { explainFault } from './explain.ts';

const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;

/** Deeper values cannot be handed to the tool process, and no document needs them. */
const MAX_DEPTH = 100;

/**
 * Reads a JSON body of at most `maxBytes` (32 MiB when absent).
 * @throws {AppError} VALIDATION_ERROR for another content type, a larger body, or what is not JSON.
 */
export async function readJson(request: Request, maxBytes = DEFAULT_MAX_BODY_BYTES): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json' && !type?.endsWith('+json')) {
    throw new AppError(
      'VALIDATION_ERROR',
      `the body must be JSON with the header Content-Type: application/json`,
    );
  }
  const text = await readText(request, maxBytes);
  if (text === '') throw new AppError('VALIDATION_ERROR', 'the body is missing: send a JSON object');
  const body = parse(text);
  for (const [field, value] of Object.entries(body ?? {})) {
    if (isDeeperThan(MAX_DEPTH, value))
      throw invalid(field, `must not be nested deeper than ${MAX_DEPTH} levels`);
  }
  return body;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError('VALIDATION_ERROR', 'the body is not valid JSON', { cause: error });
  }
}

/** Looks level by level, not by recursion: what is too deep for the stack is what it is there to find. */
function isDeeperThan(limit: number, value: unknown): boolean {
  let level = [value];
  for (let depth = 0; depth <= limit; depth += 1) {
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []));
    if (level.length === 0) return false;
  }
  return true;
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const tooLarge = () =>
    new AppError(
      'VALIDATION_ERROR',
      `the body is larger than the limit of ${maxBytes} bytes of this endpoint`,
    );
  const length = request.headers.get('content-length');
  if (length !== null) {
    if (Number(length) > maxBytes) throw tooLarge();
    return request.text();
  }
  const decoder = new TextDecoder();
  let size = 0;
  let text = '';
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** Reads a query string by a schema: integers and booleans are converted, defaults filled in, unknown names ignored. */
export function readQuery(schema: TObject, url: string): Record<string, unknown> {
  const given = new URL(url).searchParams;
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

/** Compiles a schema once into a function that returns the value, or throws 400 naming the first field at fault. */
export function createValidator<S extends TSchema>(schema: S): (value: unknown) => Static<S> {
  const check: TypeCheck<S> = TypeCompiler.Compile(schema);
  return (value) => {
    if (check.Check(value)) return value;
    const fault = check.Errors(value).First();
    if (!fault) throw new Error('the schema refused a value without a fault');
    const { path, message } = explainFault(fault);
    throw path ? invalid(path, message) : invalid('', `the body ${message}`);
  };
}
