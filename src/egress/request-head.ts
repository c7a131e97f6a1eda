import { canonicalHost } from './address.ts';
import {
  connectionOptions,
  fieldValues,
  withoutHopByHop,
  writeHead,
  type HeaderField,
} from './header-fields.ts';

/** The destination of a request. The host is normalised by the URL parser; an IPv6 address is in brackets. */
export interface Destination {
  host: string;
  port: number;
}

/** A request to the proxy, parsed from one request head. */
export type ProxyRequest =
  | { kind: 'tunnel'; destination: Destination }
  | {
      kind: 'forward';
      destination: Destination;
      method: string;
      /** The head for the origin: origin-form, no hop-by-hop fields, `Connection: close`. */
      head: Buffer;
      /** Bytes of body to pass on, or `undefined` for a chunked body. */
      contentLength: number | undefined;
    }
  | { kind: 'ping' }
  | { kind: 'malformed'; reason: string }
  | { kind: 'refused'; reason: string };

/** The longest accepted request head in bytes; it leaves room for Chromium's cookies and a long URL. */
export const maxRequestHeadBytes = 16_384;

const requestLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) ([\x21-\x7e]+) HTTP\/1\.([01])$/;
const fieldLine = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+):([\t\x20-\x7e\x80-\xff]*)$/;

/**
 * Parses a request head, up to and including its empty line, strictly by RFC 9112. Constructs that two
 * servers could interpret differently (line folding, bare line feeds, whitespace before a colon, both
 * lengths, a repeated length or Host) are malformed. Accepts CONNECT (authority-form), plain http
 * (absolute-form) and `OPTIONS *`, which is the guard's own ping.
 */
export function parseRequestHead(head: string): ProxyRequest {
  const [startLine = '', ...lines] = head.slice(0, -4).split('\r\n');
  const start = requestLine.exec(startLine);
  if (start === null) return malformed('request line');
  const [, method = '', target = '', minor] = start;

  const fields: HeaderField[] = [];
  for (const line of lines) {
    const field = fieldLine.exec(line);
    if (field === null) return malformed('header field');
    fields.push({ name: field[1] ?? '', value: trimWhitespace(field[2] ?? '') });
  }

  const hosts = fieldValues(fields, 'host');
  if (hosts.length > 1 || (minor === '1' && hosts.length === 0)) return malformed('Host must appear once');
  const framing = readFraming(fields, minor === '1');
  if (typeof framing === 'string') return malformed(framing);

  if (method === 'OPTIONS' && target === '*') return { kind: 'ping' };
  if (method === 'CONNECT') {
    if (framing.contentLength !== 0) return malformed('a CONNECT request must not have a body');
    const destination = parseAuthority(target, undefined);
    return typeof destination === 'string' ? refused(destination) : { kind: 'tunnel', destination };
  }
  return readForward({ method, target, fields, contentLength: framing.contentLength });
}

function readForward(request: {
  method: string;
  target: string;
  fields: HeaderField[];
  contentLength: number | undefined;
}): ProxyRequest {
  const { method, fields, contentLength } = request;
  const absolute = /^http:\/\/([^/?#\\]*)((?:[/?][^#]*)?)$/i.exec(request.target);
  if (absolute === null) return malformed('the target must be an absolute http URL without a fragment');
  const [, authority = '', rest = ''] = absolute;
  const destination = parseAuthority(authority, 80);
  if (typeof destination === 'string') return refused(destination);
  if (fieldValues(fields, 'upgrade').some((value) => /websocket/i.test(value))) {
    return malformed('a WebSocket must use CONNECT');
  }
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  const { host, port } = destination;
  // RFC 9112 3.2.2: a proxy replaces Host with the host of the target, so the two cannot disagree.
  const hostField = { name: 'Host', value: port === 80 ? host : `${host}:${port}` };
  const endToEnd = withoutHopByHop(fields).filter(({ name }) => name.toLowerCase() !== 'host');
  const head = writeHead(`${method} ${path} HTTP/1.1`, [
    hostField,
    ...endToEnd,
    { name: 'Connection', value: 'close' },
  ]);
  return { kind: 'forward', destination, method, head, contentLength };
}

/**
 * Removes leading and trailing whitespace from a field value (RFC 9110 5.5). A regular expression would take
 * quadratic time.
 */
function trimWhitespace(value: string): string {
  const isWhitespace = (index: number) => value[index] === ' ' || value[index] === '\t';
  let [start, end] = [0, value.length];
  while (start < end && isWhitespace(start)) start += 1;
  while (end > start && isWhitespace(end - 1)) end -= 1;
  return value.slice(start, end);
}

/**
 * Splits `host:port` and normalises the host. Returns a string with the reason when it is invalid. Used for
 * request targets and the allow list.
 */
export function parseAuthority(authority: string, defaultPort: number | undefined): Destination | string {
  if (authority.includes('@')) return 'user info in the address';
  const parts = /^(\[[^\]]*\]|[^:[\]]*)(?::(\d{0,5}))?$/.exec(authority);
  if (parts === null) return 'malformed host or port';
  const [, rawHost = '', rawPort = ''] = parts;
  const host = rawHost.includes('%') ? undefined : canonicalHost(rawHost);
  if (host === undefined || host.length > 254 || /\.\.|^\.|\.\.$/.test(host)) return 'malformed host';
  const port = rawPort === '' ? defaultPort : Number(rawPort);
  if (port === undefined) return 'port missing';
  return port >= 1 && port <= 65_535 ? { host, port } : 'port out of range';
}

/**
 * Determines the length of a request body (RFC 9112 6.3). Returns a string with the reason when the framing
 * is ambiguous.
 */
function readFraming(
  fields: readonly HeaderField[],
  isHttp11: boolean,
): { contentLength: number | undefined } | string {
  const lengths = fieldValues(fields, 'content-length');
  const codings = fieldValues(fields, 'transfer-encoding');
  const options = connectionOptions(fields);
  if (options.has('content-length') || options.has('transfer-encoding') || options.has('host')) {
    return 'Connection names a field that is not hop-by-hop';
  }
  if (codings.length > 0) {
    if (lengths.length > 0) return 'both Content-Length and Transfer-Encoding';
    if (!isHttp11 || codings.length > 1 || codings[0]?.toLowerCase() !== 'chunked')
      return 'Transfer-Encoding';
    return { contentLength: undefined };
  }
  if (lengths.length === 0) return { contentLength: 0 };
  if (lengths.length > 1 || !/^\d{1,15}$/.test(lengths[0] ?? '')) return 'Content-Length';
  return { contentLength: Number(lengths[0]) };
}

function malformed(reason: string): ProxyRequest {
  return { kind: 'malformed', reason };
}

function refused(reason: string): ProxyRequest {
  return { kind: 'refused', reason };
}
