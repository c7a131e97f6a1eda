import { yieldToEventLoop } from './time-slice.ts';

/** The length of a slice in UTF-16 code units or in bytes. A slice takes less than a millisecond. */
const SLICE_LENGTH = 262_144;
/** The most continuation bytes of a UTF-8 character (RFC 3629, 3). */
const MAX_CONTINUATIONS = 3;

/** Encodes text as UTF-8 in slices, between which other work runs. An unpaired surrogate becomes U+FFFD. */
export async function encodeText(text: string): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  let size = 0;
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = Math.min(start + SLICE_LENGTH, text.length);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    size += bytes.write(text.slice(start, end), size);
    if (end < text.length) await yieldToEventLoop();
  }
  return bytes;
}

/** Decodes UTF-8 in slices, between which other work runs. Invalid bytes become U+FFFD. */
export async function decodeText(bytes: Uint8Array): Promise<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const texts: string[] = [];
  for (let start = 0, end = 0; start < buffer.length; start = end) {
    end = startOfCharacter(buffer, Math.min(start + SLICE_LENGTH, buffer.length));
    texts.push(buffer.toString('utf8', start, end));
    if (end < buffer.length) await yieldToEventLoop();
  }
  return texts.join('');
}

/** Returns the start of the character that continues at an offset. Invalid bytes may be divided anywhere. */
export function startOfCharacter(bytes: Uint8Array, at: number): number {
  let start = at;
  while (start > at - MAX_CONTINUATIONS && isContinuation(bytes[start])) start -= 1;
  return isContinuation(bytes[start]) ? at : start;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
