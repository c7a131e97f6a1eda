/**
 * The bytes that delimit and make up JSON tokens (RFC 8259, 2).
 * @module
 */

export const TAB = 9;

export const LINE_FEED = 10;

export const CARRIAGE_RETURN = 13;

/** A space. All smaller bytes are control characters, which are not allowed in strings. */
export const SPACE = 32;

/** The start and end of a string, `"`. */
export const QUOTE = 34;

/** The separator of values, `,`. */
export const COMMA = 44;

/** The sign of a number or of its exponent, `-`. */
export const MINUS = 45;

/** The decimal point, `.`. */
export const POINT = 46;

/** The digit `0`. */
export const ZERO = 48;

/** The digit `9`. */
export const NINE = 57;

/** The separator of a name and its value, `:`. */
export const COLON = 58;

/** The start of an array, `[`. */
export const OPEN_LIST = 91;

/** The start of an escape, `\`. */
export const BACKSLASH = 92;

/** The end of an array, `]`. */
export const CLOSE_LIST = 93;

/** The `u` of an escape with four hexadecimal digits. */
export const LOWER_U = 117;

/** The start of an object, `{`. */
export const OPEN_OBJECT = 123;

/** The end of an object, `}`. */
export const CLOSE_OBJECT = 125;

/** Tells whether a byte is JSON white space. */
export function isBlank(byte: number | undefined): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}

/** Tells whether a byte is a decimal digit. */
export function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE;
}
