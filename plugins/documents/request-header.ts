/** A token (RFC 9110 5.6.2), which is the name of a header or a cookie. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/;

/** Field values (RFC 9110 5.5) in Latin-1. */
const VALUES = {
  latin1: /^[\t\x20-\x7e\x80-\xff]{0,8000}$/,
  ascii: /^[\x20-\x7e]*$/,
};

/** Headers of the connection, which the browser sets. */
const CONNECTION_HEADERS = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The characters of a value: `latin1` allows tabs and at most 8,000 characters. */
export type HeaderCharacters = keyof typeof VALUES;

/** Tells whether a text has the characters of a header's name, at most 100. */
export function isToken(text: string): boolean {
  return TOKEN.test(text);
}

/** Tells whether a text can be the value of a header, which has no line breaks. */
export function isHeaderValue(text: string, characters: HeaderCharacters): boolean {
  return VALUES[characters].test(text);
}

/**
 * Finds the reason why a page must not be requested with a header: its name is not a token, the browser sets
 * it because it concerns the connection, or its value has other characters. Callers word the error.
 */
export function headerFault(
  { name, value }: { name: string; value: string },
  characters: HeaderCharacters,
): 'name' | 'connection' | 'value' | undefined {
  if (!isToken(name)) return 'name';
  const folded = name.toLowerCase();
  if (CONNECTION_HEADERS.has(folded) || folded.startsWith('proxy-')) return 'connection';
  return isHeaderValue(value, characters) ? undefined : 'value';
}
