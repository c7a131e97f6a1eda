import { PlatenError } from './errors.ts';

/** Writes a body as JSON, with bytes in base64. */
export async function jsonOf(body: unknown): Promise<string> {
  const blobs = new Map<Blob, string>();
  function encode(this: Readonly<Record<string, unknown>>, key: string, value: unknown): unknown {
    // `value` is the result of `toJSON`, which the Buffer of Node has.
    const given = this[key];
    if (given instanceof Blob) {
      if (!blobs.has(given)) blobs.set(given, '');
      return blobs.get(given);
    }
    if (given instanceof Uint8Array) return base64(given);
    if (given instanceof ArrayBuffer) return base64(new Uint8Array(given));
    if (isStream(given)) throw new TypeError(`${key} is a stream, which only \`files.upload\` takes`);
    return value;
  }
  try {
    const text = JSON.stringify(body, encode);
    for (const blob of blobs.keys()) blobs.set(blob, base64(new Uint8Array(await blob.arrayBuffer())));
    return blobs.size === 0 ? text : JSON.stringify(body, encode);
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    const message = `The request cannot be written as JSON (${reason}): correct the value.`;
    throw new PlatenError('INVALID_VALUE', message);
  }
}

const isStream = (value: unknown) =>
  value instanceof ReadableStream ||
  (typeof value === 'object' && value !== null && Symbol.asyncIterator in value);

/** Not all runtimes have `Uint8Array.toBase64`. A call takes only some arguments, hence the pieces. */
function base64(bytes: Uint8Array): string {
  const pieces: string[] = [];
  for (let start = 0; start < bytes.length; start += 0x8000)
    pieces.push(String.fromCharCode(...bytes.subarray(start, start + 0x8000)));
  return btoa(pieces.join(''));
}
