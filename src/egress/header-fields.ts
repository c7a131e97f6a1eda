/** A field line of an HTTP/1.1 head. The name keeps its case. */
export interface HeaderField {
  name: string;
  value: string;
}

/** The hop-by-hop fields, in addition to those that `Connection` lists (RFC 9110 7.6.1, 11.7). */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'upgrade',
]);

/** Returns all values of a field, in order. The name must be in lower case. */
export function fieldValues(fields: readonly HeaderField[], name: string): string[] {
  return fields.filter((field) => field.name.toLowerCase() === name).map((field) => field.value);
}

/** Returns the options of `Connection` in lower case (RFC 9110 7.6.1). */
export function connectionOptions(fields: readonly HeaderField[]): Set<string> {
  const options = fieldValues(fields, 'connection').flatMap((value) => value.toLowerCase().split(','));
  return new Set(options.map((option) => option.trim()));
}

/**
 * Removes the hop-by-hop fields: those of RFC 9110 and those that `Connection` lists.
 * Keeps `Transfer-Encoding` and `Trailer` because the guard forwards the framing of a body unchanged.
 */
export function withoutHopByHop(fields: readonly HeaderField[]): HeaderField[] {
  const named = connectionOptions(fields);
  return fields.filter(({ name }) => !hopByHop.has(name.toLowerCase()) && !named.has(name.toLowerCase()));
}

/** Serialises a head: the start line, the fields and the empty line, in Latin-1. */
export function writeHead(startLine: string, fields: readonly HeaderField[]): Buffer {
  const lines = fields.map(({ name, value }) => `${name}: ${value}\r\n`);
  return Buffer.from(`${startLine}\r\n${lines.join('')}\r\n`, 'latin1');
}
