import { yieldToEventLoop } from '../time-slice.ts';
import type { BodyReservation } from './body/body-memory.ts';
import type { RawJson } from '../json/raw-json.ts';

/**
 * Encoded at a time, in less than a millisecond. A multiple of 3, so that only the last piece has base64
 * padding.
 */
const PIECE_BYTES = 3 * 65_536;

/** Memory for a response that its caller has not read. */
export type ResponseMemory = Pick<BodyReservation, 'reserve' | 'release'>;

/** Creates a response from JSON text. @throws {AppError} RATE_LIMITED as {@link sendLong} */
export function sendJson({ bytes }: RawJson, status: number, memory?: ResponseMemory): Response {
  return sendPieces(slicesOf(bytes), { sizeBytes: bytes.byteLength, status, memory });
}

/**
 * Creates the response of a route whose schema contains a `LongText`. Byte arrays are sent in base64. They
 * can be many megabytes long, so they are encoded piece by piece while they are sent, and other requests are
 * served between two pieces. The memory is reserved until the caller has read the response or disconnected.
 * @throws {AppError} RATE_LIMITED when the caller may not reserve more memory
 */
export function sendLong(value: unknown, status: number, memory?: ResponseMemory): Response {
  const long: Uint8Array[] = [];
  // A random token cannot occur in the value by chance or by intent.
  const token = crypto.randomUUID();
  const text = JSON.stringify(
    withoutBytes(value, (bytes) => {
      long.push(bytes);
      return token;
    }),
  );
  const sizeBytes = long.reduce((sum, { length }) => sum + length, text.length);
  return sendPieces(piecesOf(text.split(token), long), { sizeBytes, status, memory });
}

function sendPieces(
  pieces: Generator<Uint8Array, undefined>,
  { sizeBytes, status, memory }: { sizeBytes: number; status: number; memory: ResponseMemory | undefined },
): Response {
  const init = { status, headers: { 'content-type': 'application/json' } };
  if (sizeBytes < PIECE_BYTES) return new Response(Buffer.concat([...pieces]), init);
  memory?.reserve(sizeBytes);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await yieldToEventLoop();
      const { value: piece, done } = pieces.next();
      if (!done) return controller.enqueue(piece);
      memory?.release();
      controller.close();
    },
    cancel: () => memory?.release(),
  });
  return new Response(body, init);
}

/** Copies a value and replaces its byte arrays. */
export function withoutBytes(value: unknown, take: (bytes: Uint8Array) => string): unknown {
  if (value instanceof Uint8Array) return take(value);
  if (Array.isArray(value)) return value.map((item) => withoutBytes(item, take));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutBytes(item, take)]));
}

/**
 * Yields texts and encoded bytes in turn. Combines short ones, because each piece takes a turn of the event
 * loop.
 */
function* piecesOf(texts: readonly string[], long: readonly Uint8Array[]): Generator<Uint8Array, undefined> {
  let waiting = '';
  for (const [index, text] of texts.entries()) {
    waiting += text;
    const { buffer, byteOffset, byteLength } = long[index] ?? new Uint8Array();
    for (let start = 0; start < byteLength; start += PIECE_BYTES) {
      const size = Math.min(PIECE_BYTES, byteLength - start);
      waiting += Buffer.from(buffer, byteOffset + start, size).toString('base64');
      if (waiting.length < PIECE_BYTES) continue;
      yield Buffer.from(waiting);
      waiting = '';
    }
  }
  yield* slicesOf(Buffer.from(waiting));
}

function* slicesOf(bytes: Uint8Array): Generator<Uint8Array, undefined> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES)
    yield bytes.subarray(start, start + PIECE_BYTES);
}
