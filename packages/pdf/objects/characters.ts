// Character classes (ISO 32000-1 7.2.2). A table is faster than comparisons, and tokenizing takes most of the
// reading time.
const REGULAR = 0;
const WHITESPACE = 1;
const DELIMITER = 2;

const classes = new Uint8Array(256);
for (const byte of [0, 9, 10, 12, 13, 32]) classes[byte] = WHITESPACE;
for (const character of '()<>[]{}/%') classes[character.charCodeAt(0)] = DELIMITER;

/** Tells whether a byte is white space. Returns false for `undefined`, past the end. */
export function isWhitespace(byte: number | undefined): boolean {
  return byte !== undefined && classes[byte] === WHITESPACE;
}

/**
 * Tells whether a byte can be part of a name, number or keyword. Returns false for `undefined`, past the end.
 */
export function isRegular(byte: number | undefined): boolean {
  return byte !== undefined && classes[byte] === REGULAR;
}

/** Tells whether a byte is an ASCII digit. */
export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 48 && byte <= 57;
}

/** Returns the value of a hexadecimal digit, or -1 for any other byte. */
export function hexValue(byte: number | undefined): number {
  if (byte === undefined) return -1;
  if (byte >= 48 && byte <= 57) return byte - 48;
  const lowercase = byte | 32;
  return lowercase >= 97 && lowercase <= 102 ? lowercase - 87 : -1;
}
