import { AppError, invalid } from '../errors.ts';

/**
 * The value of a Host header (RFC 9110, 7.2): a registered name, an IPv4 address or an IPv6 address in
 * brackets, and an optional port. Bun joins repeated headers with a comma, which a host name cannot contain.
 */
const HOST = /^(?:[a-z0-9._~%!$&'()*+;=-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;
const MAX_PORT = 65_535;

/**
 * Rejects a request whose URL Bun cannot parse. Bun passes on the request target unchanged if the Host header
 * is not a single host, and for CONNECT, whose target is not a path. HTTP/1.0 requests may omit the Host
 * header.
 * @throws {AppError} VALIDATION_ERROR
 */
export function requirePlainTarget(request: Request): void {
  const host = request.headers.get('host');
  if (host) {
    const [whole, port] = HOST.exec(host) ?? [];
    if (whole === undefined || Number(port ?? 0) > MAX_PORT)
      throw invalid('Host', 'must be sent once and contain one host with an optional port');
  }
  if (request.method === 'CONNECT' && !/^(?:\/|https?:)/.test(request.url))
    throw new AppError('VALIDATION_ERROR', 'the request target must be a path: this is not a proxy');
}

/**
 * Parses the URL of a request. Use only the path and the query: the host comes from the caller, or is absent.
 */
export function readUrl(request: Request): URL {
  return new URL(request.url, 'http://localhost');
}

/** Returns the path of a request; empty if its target is not a path. */
export function pathOf(request: Request): string {
  return URL.parse(request.url, 'http://localhost')?.pathname ?? '';
}
