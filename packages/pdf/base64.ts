const INVALID = -1;
const SKIPPED = -2;
const PADDING = -3;

const values = new Int8Array(256).fill(INVALID);
for (const [value, byte] of Buffer.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
).entries())
  values[byte] = value;
for (const byte of Buffer.from('\t\n\f\r ')) values[byte] = SKIPPED;
const EQUALS_SIGN = 61;
values[EQUALS_SIGN] = PADDING;

const BACKSLASH = 92;
const LETTER_U = 117;
/** JSON escapes: the character after the backslash, and its value (a slash or white space). */
const escapes: ReadonlyMap<number | undefined, number> = new Map([
  [47, 47],
  ...Array.from(Buffer.from('bfnrt'), (letter) => [letter, 10] as const),
]);

/** The number of bytes that the decoder of the runtime processes at a time. */
const SLICE = 65_536;

/**
 * Decodes base64 (RFC 4648 4) in place. The result is a view of the input, which is overwritten, so a large
 * file is in memory only once. Accepts white space, missing padding, and JSON escapes, which long strings
 * still contain: PHP writes slashes as `\/`, .NET plus signs as `\u002B`. Returns `undefined` if the text is
 * not base64.
 */
export function decodeBase64(text: Uint8Array): Uint8Array | undefined {
  let size = 0;
  let bits = 0;
  let digits = 0;
  let padding = 0;
  const scratch = Buffer.alloc(text.length > SLICE ? SLICE : 0);
  for (let at = 0; at < text.length; at++) {
    if (digits === 0 && padding === 0 && at + SLICE < text.length) {
      const plain = decodePlain(text, at, scratch);
      if (plain) {
        text.set(plain, size);
        size += plain.length;
        at += SLICE - 1;
        continue;
      }
    }
    // Try the fast decoder again after this slice, if it ends on a group of four.
    const end = Math.min(at + SLICE, text.length);
    for (; at < end; at++) {
      let byte = text[at] ?? 0;
      if (byte === BACKSLASH) {
        const escaped = text[++at];
        byte = escapes.get(escaped) ?? INVALID;
        if (escaped === LETTER_U) {
          byte = Number.parseInt(Buffer.from(text.subarray(at + 1, at + 5)).toString('latin1'), 16);
          at += 4;
        }
      }
      const value = values[byte] ?? INVALID;
      if (value >= 0) {
        if (padding > 0) return undefined;
        bits = (bits << 6) | value;
        if (++digits === 4) {
          text[size++] = bits >> 16;
          text[size++] = bits >> 8;
          text[size++] = bits;
          bits = 0;
          digits = 0;
        }
      } else if (value === PADDING) padding++;
      else if (value === INVALID) return undefined;
    }
    at--;
  }
  if (digits === 1 || padding > 2 || (padding > 0 && digits + padding !== 4)) return undefined;
  if (digits > 1) text[size++] = bits >> (digits === 2 ? 4 : 10);
  if (digits === 3) text[size++] = bits >> 2;
  return text.subarray(0, size);
}

const DATA_URL = /^\s{0,100}data:[^,]{0,200};base64,/i;
/** The number of characters in which a data URL has its comma. */
const DATA_URL_LENGTH = 320;

/** Decodes base64 that may be a data URL, as `decodeBase64` does. A string is copied first. */
export function decodeDataUrl(text: string | Uint8Array): Uint8Array | undefined {
  const bytes =
    typeof text === 'string'
      ? Buffer.from(text, 'latin1')
      : Buffer.from(text.buffer, text.byteOffset, text.length);
  const [prefix = ''] = DATA_URL.exec(bytes.toString('latin1', 0, DATA_URL_LENGTH)) ?? [];
  return decodeBase64(bytes.subarray(prefix.length));
}

/**
 * Decodes a slice with the decoder of the runtime, which is ten times as fast. Returns `undefined` unless the
 * slice consists of whole groups of four digits and white space.
 */
function decodePlain(text: Uint8Array, start: number, into: Buffer): Uint8Array | undefined {
  const slice = Buffer.from(text.buffer, text.byteOffset + start, SLICE);
  if (slice.includes(BACKSLASH) || slice.includes(EQUALS_SIGN)) return undefined;
  try {
    const { read, written } = into.setFromBase64(slice.toString('latin1'), {
      lastChunkHandling: 'stop-before-partial',
    });
    return read === SLICE ? into.subarray(0, written) : undefined;
  } catch {
    return undefined;
  }
}
