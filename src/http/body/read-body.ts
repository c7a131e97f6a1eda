import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { FileStore } from '../../files/files.ts';
import { createValidator } from '../validate.ts';
import type { BodyKind, BodySpec, StreamedBodyKind } from './body-kind.ts';
import type { BodyReservation } from './body-memory.ts';
import { collectBody, streamBody } from './collect-body.ts';
import { joinPieces } from './join-pieces.ts';
import { readMultipartStream } from './multipart-stream.ts';
import type { BodyTurn } from './large-body-turns.ts';

const DEFAULT_MAX_BODY_BYTES = 32 * 1024 * 1024;
/** The memory that the reader of a streamed body needs for what it stores at a time. */
const STREAMED_MEMORY_BYTES = 8_000_000;
/** A reader may hold a line four times: as pieces, as a whole, as the value and in the file to be stored. */
const COPIES = 4;
/** The longest such line, of 8 MB. */
const MAX_STREAMED_MEMORY_BYTES = 40_000_000;

export interface ReceivedBody {
  /** The bytes of the body; for a streamed one, a hash of them. */
  bytes: Buffer;
  /**
   * Parses and validates the body. May be called once; afterwards, `bytes` may be freed.
   * @throws {AppError} VALIDATION_ERROR
   */
  parse(): Promise<unknown>;
  /** Deletes what a streamed body has stored, unless `parse` has returned its value. */
  discard(): Promise<void>;
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
  kinds: ReadonlyMap<string, BodyKind | StreamedBodyKind>;
  /** 32 MiB when absent. */
  maxBytes?: number | undefined;
  /** For streamed bodies. */
  files?: Pick<FileStore, 'put' | 'delete'> | undefined;
}

/** Reads the bodies of one kind for one route. */
interface Reader {
  kind: BodyKind | StreamedBodyKind;
  receive: ReceiveBody;
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
  files,
}: BodyReaderOptions): ReceiveBody {
  const readers = bodies.map(({ kind: name, schema }): Reader => {
    const kind = kinds.get(name);
    if (!kind) throw new Error(`the body kind ${name} is not registered`);
    const validate = createValidator(schema);
    if ('createReader' in kind) {
      const read = kind.createReader(schema);
      return { kind, receive: (...parts) => collect({ read, validate, maxBytes }, ...parts) };
    }
    if (!files) throw new Error(`the body kind ${name} needs a file store`);
    const read = kind.createStreamReader(schema);
    return { kind, receive: (...parts) => stream({ read, validate, maxBytes, files }, ...parts) };
  });
  return async (request, memory, turn) => {
    requireIdentity(request.headers);
    const mediaType = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
    const reader = readers.find(({ kind }) => kind.accepts?.(mediaType) ?? kind.mediaType === mediaType);
    if (!reader) throw unsupported(readers.map(({ kind }) => kind));
    return reader.receive(request, memory, turn);
  };
}

interface Reading<Read> {
  read: Read;
  validate: (value: unknown) => unknown;
  maxBytes: number;
}

/** Receives a body that fits into memory. */
async function collect(
  { read, validate, maxBytes }: Reading<ReturnType<BodyKind['createReader']>>,
  ...[request, memory, turn]: Parameters<ReceiveBody>
): Promise<ReceivedBody> {
  const bytes = await collectBody(request, { maxBytes, memory }).catch((error: unknown) => {
    throw asIncomplete(error);
  });
  await turn?.begin(bytes.length);
  const unread = { headers: request.headers, bytes: async () => bytes };
  return { bytes, parse: async () => validate(await read(unread)), discard: async () => {} };
}

/** Receives a body whose reader stores it while it arrives. */
async function stream(
  {
    read,
    validate,
    maxBytes,
    files,
  }: Reading<ReturnType<StreamedBodyKind['createStreamReader']>> & {
    files: Pick<FileStore, 'put' | 'delete'>;
  },
  ...[request, memory]: Parameters<ReceiveBody>
): Promise<ReceivedBody> {
  memory.reserve(streamedMemory(Number(request.headers.get('content-length') ?? 0)));
  const hash = createHash('sha256');
  const source = {
    headers: request.headers,
    pieces: joinPieces(reserved(complete(streamBody(request, { maxBytes })), memory)),
    hash: (bytes: Uint8Array) => void hash.update(bytes),
  };
  const body = await read({ ...source, parts: () => readMultipartStream(source), files });
  let isTaken = false;
  return {
    bytes: hash.digest(),
    async parse() {
      const value = validate(body.parse());
      isTaken = true;
      return value;
    },
    discard: async () => (isTaken ? undefined : body.discard()),
  };
}

/** Returns the memory that the reader of a streamed body needs at most when so many bytes have arrived. */
function streamedMemory(bytes: number): number {
  return Math.min(MAX_STREAMED_MEMORY_BYTES, STREAMED_MEMORY_BYTES + COPIES * bytes);
}

async function* reserved(
  pieces: AsyncIterable<Uint8Array>,
  memory: Pick<BodyReservation, 'reserve'>,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    memory.reserve(streamedMemory(size));
    yield piece;
  }
}

async function* complete(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } catch (error) {
    throw asIncomplete(error);
  }
}

/** Converts the failure of a connection. */
function asIncomplete(error: unknown): unknown {
  return error instanceof AppError
    ? error
    : new AppError('VALIDATION_ERROR', 'the body is incomplete', { cause: error });
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

function unsupported(kinds: readonly Pick<BodyKind, 'label' | 'mediaType'>[]): AppError {
  const allowed = kinds.map(({ label, mediaType }) => `${label} with the header Content-Type: ${mediaType}`);
  return new AppError('VALIDATION_ERROR', `the body must be ${allowed.join(', or ')}`);
}
