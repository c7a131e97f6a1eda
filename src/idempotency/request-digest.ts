import { createHmac, type Hmac } from 'node:crypto';
import { AppError } from '../errors.ts';
import { readBoundary } from '../http/body/multipart.ts';
import { yieldToEventLoop } from '../time-slice.ts';

const CRLF_BYTES = 2;

/** Hashed at a time, in a few milliseconds. */
const PIECE_BYTES = 1_000_000;

/** A request as far as it decides whether another request is the same. */
export interface DigestedRequest {
  method: string;
  /** The path with its query. */
  target: string;
  /** The Content-Type header. */
  contentType: string;
  body: Uint8Array | undefined;
}

/**
 * Returns the HMAC-SHA256 of a request in hexadecimal. Two requests with the same method, path, query, media
 * type and bytes are the same. A client chooses a new boundary for each multipart body, so the boundary does
 * not count.
 */
export async function digestRequest(key: string, request: DigestedRequest): Promise<string> {
  const { method, target, contentType, body = new Uint8Array() } = request;
  const mediaType = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  const hash = createHmac('sha256', Buffer.from(key, 'hex'));
  hash.update(JSON.stringify([method, target, mediaType]));
  const delimiter = mediaType.startsWith('multipart/') ? delimiterOf(contentType) : undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  for (const [start, end] of partsOf(bytes, delimiter)) {
    // The length marks where a part ends.
    hash.update(`\n${end - start}\n`);
    await update(hash, bytes.subarray(start, end));
  }
  return hash.digest('hex');
}

/**
 * Returns the delimiter of the parts; `undefined` for a malformed header, with which the request fails
 * anyway.
 */
function delimiterOf(contentType: string): Buffer | undefined {
  try {
    return Buffer.from(`\r\n--${readBoundary(contentType)}`);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Yields the ranges between the delimiters. The first delimiter has no line break before it. */
function* partsOf(bytes: Buffer, delimiter: Buffer | undefined): Generator<[start: number, end: number]> {
  const first = delimiter?.subarray(CRLF_BYTES);
  let start = first && bytes.subarray(0, first.length).equals(first) ? first.length : 0;
  if (delimiter) {
    for (let at = bytes.indexOf(delimiter, start); at >= 0; at = bytes.indexOf(delimiter, start)) {
      yield [start, at];
      start = at + delimiter.length;
    }
  }
  yield [start, bytes.length];
}

async function update(hash: Hmac, bytes: Buffer): Promise<void> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    if (start > 0) await yieldToEventLoop();
    hash.update(bytes.subarray(start, start + PIECE_BYTES));
  }
}
