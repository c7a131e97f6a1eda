/**
 * The bytes that give JSON its shape (RFC 8259, 2).
 * @module
 */

/** A tab. */
export const TAB = 9;

/** A line feed. */
export const LINE_FEED = 10;

/** A carriage return. */
export const CARRIAGE_RETURN = 13;

/** A space. */
export const SPACE = 32;

/** What begins and ends a string, `"`. */
export const QUOTE = 34;

/** What parts values, `,`. */
export const COMMA = 44;

/** What begins an array, `[`. */
export const OPEN_LIST = 91;

/** What escapes in a string, `\`. */
export const BACKSLASH = 92;

/** What ends an array, `]`. */
export const CLOSE_LIST = 93;

/** What begins an object, `{`. */
export const OPEN_OBJECT = 123;

/** What ends an object, `}`. */
export const CLOSE_OBJECT = 125;
