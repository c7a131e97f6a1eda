const INVALID = -1;
const SKIPPED = -2;
const PADDING = -3;

const values = new Int8Array(256).fill(INVALID);
for (const [value, byte] of Buffer.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
).entries())
  values[byte] = value;
for (const byte of Buffer.from('\t\n\f\r ')) values[byte] = SKIPPED;
values[61] = PADDING;

/**
 * Decodes base64 (RFC 4648 4) in place: the result is a view of the bytes that held the text, which are overwritten; so a large file
 * is in memory once, and nothing is left to be collected. `undefined` for what is not base64; white space is borne, and padding may
 * be missing.
 */
export function decodeBase64(text: Uint8Array): Uint8Array | undefined {
  let size = 0;
  let bits = 0;
  let digits = 0;
  let padding = 0;
  for (let at = 0; at < text.length; at++) {
    const value = values[text[at] ?? 0] ?? INVALID;
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
  if (digits === 1 || padding > 2 || (padding > 0 && digits + padding !== 4)) return undefined;
  if (digits > 1) text[size++] = bits >> (digits === 2 ? 4 : 10);
  if (digits === 3) text[size++] = bits >> 2;
  return text.subarray(0, size);
}
