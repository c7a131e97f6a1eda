/** One field line of an HTTP/1.1 head. The name keeps the case in which it was sent. */
export interface HeaderField {
  name: string;
  value: string;
}

/** Fields that speak of one connection only, beside those that `Connection` names (RFC 9110 7.6.1, 11.7). */
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

/** Returns every value of a field, in order; the name is lower case. */
export function fieldValues(fields: readonly HeaderField[], name: string): string[] {
  return fields.filter((field) => field.name.toLowerCase() === name).map((field) => field.value);
}

/** Returns the lower-case options that `Connection` lists (RFC 9110 7.6.1). */
export function connectionOptions(fields: readonly HeaderField[]): Set<string> {
  const options = fieldValues(fields, 'connection').flatMap((value) => value.toLowerCase().split(','));
  return new Set(options.map((option) => option.trim()));
}

/**
 * Drops the fields that belong to one connection: the fixed ones of RFC 9110 and those that `Connection` names.
 * `Transfer-Encoding` and `Trailer` stay, because the guard passes the framing of a body on unchanged.
 */
export function withoutHopByHop(fields: readonly HeaderField[]): HeaderField[] {
  const named = connectionOptions(fields);
  return fields.filter(({ name }) => !hopByHop.has(name.toLowerCase()) && !named.has(name.toLowerCase()));
}

/** Writes a head: the start line, the fields, the empty line. Text and bytes map one to one (Latin-1). */
export function writeHead(startLine: string, fields: readonly HeaderField[]): Buffer {
  const lines = fields.map(({ name, value }) => `${name}: ${value}\r\n`);
  return Buffer.from(`${startLine}\r\n${lines.join('')}\r\n`, 'latin1');
}
