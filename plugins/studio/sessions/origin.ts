import { AppError, workContext } from '../../../src/plugin.ts';

/** The parts of a request that show where it comes from. */
export type RequestHead = Pick<Request, 'method' | 'headers'>;

const SAFE_METHODS = ['GET', 'HEAD'];

/** Tells which requests come from the studio's own pages. */
export interface Origins {
  /**
   * Tells whether a request comes from a page of this service. Browsers send `Sec-Fetch-Site` with every
   * request over https and to loopback, and `Origin` with every request that is not GET or HEAD; pages can
   * set neither. A request with neither header is accepted only if it is GET or HEAD. Such a request can only
   * read, and a page of another origin cannot see the response.
   */
  isOwn(request: RequestHead): boolean;
  /** @throws {AppError} FORBIDDEN for a request from a page of another origin, or without an origin */
  require(request: RequestHead): void;
  /**
   * Returns the origin at which the browser of a request reaches the service, such as
   * `https://pdf.example.com`.
   */
  of(request: RequestHead): string;
  /**
   * Tells whether the browser of a request keeps a Secure cookie: over https, and from loopback except in
   * WebKit. `Sec-Fetch-Site` shows this too, because browsers send the header only over such connections.
   */
  isSecure(request: RequestHead): boolean;
}

/** Tells whether browsers trust the connection to an origin. */
export function isSecureOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && (url.protocol === 'https:' || isLoopback(url.hostname));
}

/** Tells whether the host name of a URL means this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    hostname.startsWith('127.')
  );
}

export function createOrigins(publicUrl: string | undefined): Origins {
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  const requestedOrigin = () => workContext.getStore()?.origin;

  function isOwn({ method, headers }: RequestHead): boolean {
    const site = headers.get('sec-fetch-site');
    const origin = headers.get('origin');
    if (site !== null && site !== 'same-origin') return false;
    if (origin === null) return site !== null || SAFE_METHODS.includes(method);
    if (origin === publicOrigin || origin === requestedOrigin()) return true;
    // A TLS-terminating proxy that is not configured as trusted hides the scheme, so the host and the verdict
    // of the browser decide.
    return (
      site === 'same-origin' && hostOf(origin) !== undefined && hostOf(origin) === hostOf(requestedOrigin())
    );
  }

  return {
    isOwn,
    require(request) {
      if (!isOwn(request))
        throw new AppError(
          'FORBIDDEN',
          'the request does not come from a page of this service; behind a reverse proxy, set PUBLIC_URL or TRUST_PROXY',
        );
    },
    of(request) {
      const origin = request.headers.get('origin');
      return (isOwn(request) ? origin : null) ?? publicOrigin ?? requestedOrigin() ?? 'http://localhost';
    },
    isSecure(request) {
      const origin = this.of(request);
      if (origin.startsWith('http:') && isSecureOrigin(origin)) return !isWebKit(request);
      return request.headers.has('sec-fetch-site') || isSecureOrigin(origin);
    },
  };
}

/**
 * WebKit keeps no Secure cookie from http://localhost (https://bugs.webkit.org/show_bug.cgi?id=281149).
 * Chromium's user agent names WebKit too.
 */
function isWebKit({ headers }: RequestHead): boolean {
  const agent = headers.get('user-agent') ?? '';
  return agent.includes('AppleWebKit/') && !agent.includes('Chrome/');
}

function hostOf(origin: string | undefined): string | undefined {
  return origin === undefined ? undefined : URL.parse(origin)?.host;
}
