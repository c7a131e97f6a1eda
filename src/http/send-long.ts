import { yieldToEventLoop } from '../time-slice.ts';
import type { RawJson } from './body/raw-json.ts';

/** Encoded at a time, in less than a millisecond. A multiple of 3, so that only the last piece has base64 padding. */
const PIECE_BYTES = 3 * 65_536;

/** Creates a response from JSON text. */
export function sendJson({ bytes }: RawJson, status: number): Response {
  // The type is correct because the bytes of a sandbox message are not in shared memory.
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    status,
    headers: { 'content-type': 'application/json' },
  });
}

/**
 * Creates the response of a route whose schema contains a `LongText`. Byte arrays are sent in base64. They may have many megabytes, so they are
 * encoded piece by piece while they are sent, and other requests are served between two pieces.
 */
export function sendLong(value: unknown, status: number): Response {
  const long: Uint8Array[] = [];
  // A random token cannot occur in the value by chance or by intent.
  const token = crypto.randomUUID();
  const text = JSON.stringify(
    withoutBytes(value, (bytes) => {
      long.push(bytes);
      return token;
    }),
  );
  const init = { status, headers: { 'content-type': 'application/json' } };
  const pieces = piecesOf(text.split(token), long);
  if (long.reduce((sum, { length }) => sum + length, 0) < PIECE_BYTES)
    return new Response(Buffer.concat([...pieces]), init);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      await yieldToEventLoop();
      const { value: piece, done } = pieces.next();
      if (done) controller.close();
      else controller.enqueue(piece);
    },
  });
  return new Response(body, init);
}

function withoutBytes(value: unknown, take: (bytes: Uint8Array) => string): unknown {
  if (value instanceof Uint8Array) return take(value);
  if (Array.isArray(value)) return value.map((item) => withoutBytes(item, take));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutBytes(item, take)]));
}

/** Yields texts and encoded bytes in turn. Combines short ones, because each piece takes a turn of the event loop. */
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
  yield Buffer.from(waiting);
}
