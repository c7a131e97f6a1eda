import { AppError, invalid } from '../errors.ts';

/**
 * The value of a Host header (RFC 9110, 7.2): a registered name, an IPv4 address or an IPv6 address in brackets, and a port. Bun joins
 * repeated headers with a comma, which no host name has.
 */
const HOST = /^(?:[a-z0-9._~%!$&'()*+;=-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/i;
const MAX_PORT = 65_535;

/**
 * Refuses a request whose URL Bun cannot make sense of: it hands on the target as it stands when the Host header is not one host, and
 * for CONNECT, whose target is not a path. HTTP/1.0 requests may lack the header.
 * @throws {AppError} VALIDATION_ERROR
 */
export function requirePlainTarget(request: Request): void {
  const host = request.headers.get('host');
  if (host) {
    const [whole, port] = HOST.exec(host) ?? [];
    if (whole === undefined || Number(port ?? 0) > MAX_PORT)
      throw invalid('Host', 'must be sent once, and name one host, with or without a port');
  }
  if (request.method === 'CONNECT' && !/^(?:\/|https?:)/.test(request.url))
    throw new AppError('VALIDATION_ERROR', 'the request target must be a path: this is not a proxy');
}

/** Reads the URL of a request. Only its path and query are meaningful: callers choose the Host header, and need not send one. */
export function readUrl(request: Request): URL {
  return new URL(request.url, 'http://localhost');
}
