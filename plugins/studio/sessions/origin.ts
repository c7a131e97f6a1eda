import { AppError, workContext } from '../../../src/plugin.ts';

/** The parts of a request that show where it comes from. */
export type Sent = Pick<Request, 'method' | 'headers'>;

const SAFE_METHODS = ['GET', 'HEAD'];

/** Tells which requests come from the studio's own pages. */
export interface Origins {
  /**
   * Tells whether a request comes from a page of this service. Browsers send `Sec-Fetch-Site` with every request over https and to loopback,
   * and `Origin` with every request that is not GET or HEAD; pages can set neither. A request without both can only read, and
   * the page that sent it cannot see the response.
   */
  isOwn(request: Sent): boolean;
  /** @throws {AppError} FORBIDDEN for a request from a page of another origin, or without an origin */
  require(request: Sent): void;
  /** Returns the origin at which the browser of a request reaches the service, such as `https://pdf.example.com`. */
  of(request: Sent): string;
  /**
   * Tells whether the browser of a request keeps a Secure cookie: over https, and from loopback except in WebKit. Browsers send
   * `Sec-Fetch-Site` only there.
   */
  isSecure(request: Sent): boolean;
}

/** Tells whether browsers trust the connection to an origin. */
export function isSecureOrigin(origin: string): boolean {
  const url = URL.parse(origin);
  return url !== null && (url.protocol === 'https:' || isLoopback(url.hostname));
}

/** Tells whether a host name of a URL is this machine. */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    hostname.startsWith('127.')
  );
}

/** Creates the check of origins. */
export function createOrigins(publicUrl: string | undefined): Origins {
  const publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  const named = () => workContext.getStore()?.origin;

  function isOwn({ method, headers }: Sent): boolean {
    const site = headers.get('sec-fetch-site');
    const origin = headers.get('origin');
    if (site !== null && site !== 'same-origin') return false;
    if (origin === null) return site !== null || SAFE_METHODS.includes(method);
    if (origin === publicOrigin || origin === named()) return true;
    // A proxy that ends TLS and is not configured as trusted hides the scheme, but the browser knows.
    return site === 'same-origin' && hostOf(origin) !== undefined && hostOf(origin) === hostOf(named());
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
      return (isOwn(request) ? origin : null) ?? publicOrigin ?? named() ?? 'http://localhost';
    },
    isSecure(request) {
      const origin = this.of(request);
      if (origin.startsWith('http:') && isSecureOrigin(origin)) return !isWebKit(request);
      return request.headers.has('sec-fetch-site') || isSecureOrigin(origin);
    },
  };
}

/** WebKit keeps no Secure cookie from http://localhost (https://bugs.webkit.org/show_bug.cgi?id=281149). Chromium also names WebKit. */
function isWebKit({ headers }: Sent): boolean {
  const agent = headers.get('user-agent') ?? '';
  return agent.includes('AppleWebKit/') && !agent.includes('Chrome/');
}

function hostOf(origin: string | undefined): string | undefined {
  return origin === undefined ? undefined : URL.parse(origin)?.host;
}
