import { yieldToEventLoop } from '../time-slice.ts';
import type { RawJson } from './body/raw-json.ts';

/** Encoded at a time, in less than a millisecond; a multiple of 3, so that what is encoded goes on without padding. */
const PIECE_BYTES = 3 * 65_536;

/** Makes the answer of JSON that is text already. */
export function sendJson({ bytes }: RawJson, status: number): Response {
  // Views of a message from the sandbox lie over memory of their own.
  return new Response(bytes as Uint8Array<ArrayBuffer>, {
    status,
    headers: { 'content-type': 'application/json' },
  });
}

/**
 * Makes the answer of a route whose schema has a `LongText` in it: byte arrays are sent in base64. Together they may be many megabytes, which
 * are encoded as they are sent, in pieces between which the service does other work, and are never one string.
 */
export function sendLong(value: unknown, status: number): Response {
  const long: Uint8Array[] = [];
  // Nothing in the answer can hold what nobody can guess.
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

/** Short ones are sent together: a piece costs a turn of the event loop. */
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
