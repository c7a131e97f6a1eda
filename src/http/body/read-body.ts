import { AppError } from '../../errors.ts';
import { createValidator } from '../validate.ts';
import type { BodyKind, BodySpec } from './body-kind.ts';
import type { BodyReservation } from './body-memory.ts';
import { collectBody } from './collect-body.ts';
import type { BodyTurn } from './large-body-turns.ts';

const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;

export interface ReceivedBody {
  bytes: Buffer;
  /**
   * Parses and validates the body. May be called once; afterwards, `bytes` may be freed.
   * @throws {AppError} VALIDATION_ERROR
   */
  parse(): Promise<unknown>;
}

/**
 * Receives the body of a request. The caller releases the memory and ends the turn, which begins before a
 * large body is parsed.
 */
export type ReceiveBody = (
  request: Request,
  memory: BodyReservation,
  turn?: BodyTurn,
) => Promise<ReceivedBody>;

/** The bodies that a route takes. */
export interface BodyReaderOptions {
  bodies: readonly BodySpec[];
  kinds: ReadonlyMap<string, BodyKind>;
  /** 32 MiB when absent. */
  maxBytes?: number | undefined;
}

/**
 * Creates the function that receives the bodies of a route. It finds the kind of body by the Content-Type
 * header.
 * @throws {Error} for a kind that is not registered
 */
export function createBodyReader({
  bodies,
  kinds,
  maxBytes = DEFAULT_MAX_BODY_BYTES,
}: BodyReaderOptions): ReceiveBody {
  const readers = bodies.map(({ kind: name, schema }) => {
    const kind = kinds.get(name);
    if (!kind) throw new Error(`the body kind ${name} is not registered`);
    return { kind, read: kind.createReader(schema), validate: createValidator(schema) };
  });
  return async (request, memory, turn) => {
    requireIdentity(request.headers);
    const mediaType = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    const reader = readers.find(({ kind }) => kind.accepts?.(mediaType) ?? kind.mediaType === mediaType);
    if (!reader) throw unsupported(readers.map(({ kind }) => kind));
    const bytes = await collectBody(request, { maxBytes, memory }).catch((error: unknown) => {
      throw error instanceof AppError
        ? error
        : new AppError('VALIDATION_ERROR', 'the body is incomplete', { cause: error });
    });
    await turn?.begin(bytes.length);
    const unread = { headers: request.headers, bytes: async () => bytes };
    return { bytes, parse: async () => reader.validate(await reader.read(unread)) };
  };
}

/** @throws {AppError} UNSUPPORTED_MEDIA_TYPE for a compressed body, because bodies are not decompressed */
function requireIdentity(headers: Headers): void {
  const codings = headers.get('content-encoding')?.split(',') ?? [];
  if (codings.every((coding) => ['', 'identity'].includes(coding.trim().toLowerCase()))) return;
  throw new AppError(
    'UNSUPPORTED_MEDIA_TYPE',
    'the header Content-Encoding must be identity or absent; send the body without compression',
  );
}

function unsupported(kinds: readonly BodyKind[]): AppError {
  const allowed = kinds.map(({ label, mediaType }) => `${label} with the header Content-Type: ${mediaType}`);
  return new AppError('VALIDATION_ERROR', `the body must be ${allowed.join(', or ')}`);
}
