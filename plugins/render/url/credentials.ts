import { RenderError } from '../render-error.ts';
import type { UrlCookie, UrlSource } from './url-source.ts';
import type { PageSession } from '../browser/page-session.ts';

/** A browser page that is about to request a URL. */
export interface UrlPage {
  session: PageSession;
  /** The main frame. */
  frameId: string;
}

/**
 * Prepares a browser page to request a URL with its credentials, which go only to the origin of the URL, also
 * across redirects and for subresources. The page must not be used for another document afterwards.
 */
export async function addCredentials(
  { session, frameId }: UrlPage,
  { url, cookies = [], headers = {}, userAgent }: UrlSource,
): Promise<void> {
  const target = new URL(url);
  await Promise.all([
    userAgent === undefined || session.send('Emulation.setUserAgentOverride', { userAgent }),
    Object.keys(headers).length === 0 || sendHeaders({ session, frameId }, target.origin, headers),
    ...cookies.map((cookie) => setCookie(session, target, cookie)),
  ]);
  if (cookies.length > 0) await requireBoundCookies(session, target, cookies);
}

/**
 * @throws {RenderError} when this version of Chromium would send the cookies to other ports or schemes of the
 * host.
 */
async function requireBoundCookies(
  session: PageSession,
  { protocol, hostname, port }: URL,
  cookies: readonly UrlCookie[],
): Promise<void> {
  const otherPort = port === '8080' ? '8081' : '8080';
  // Chromium treats http to the machine itself as secure, so cookies for https on the same port apply to it.
  const isLoopback = /^(?:127\.|\[::1\]$|(?:.*\.)?localhost$)/.test(hostname);
  const otherScheme = protocol === 'http:' ? 'https:' : isLoopback ? protocol : 'http:';
  const urls = cookies.flatMap(({ path = '/' }) => [
    `${protocol}//${hostname}:${otherPort}${path}`,
    ...(otherScheme === protocol ? [] : [`${otherScheme}//${hostname}${port && `:${port}`}${path}`]),
  ]);
  const { cookies: unbound } = await session.send('Network.getCookies', { urls });
  if (unbound.length > 0)
    throw new RenderError('RENDER_FAILED', 'this version of Chromium does not bind cookies to an origin', {
      owner: 'service',
    });
}

/**
 * Adds headers to the requests to an origin: to the first navigation, and to the requests of documents of
 * that origin. A document of another origin, to which the URL redirects, could otherwise act with the
 * caller's credentials. Chromium drops the headers when a response redirects and reports the next request
 * separately, so they never reach another origin.
 */
async function sendHeaders(
  { session, frameId: mainFrame }: UrlPage,
  origin: string,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const added = Object.entries(headers).map(([name, value]) => ({ name, value }));
  const names = new Set(added.map(({ name }) => name.toLowerCase()));
  /** The origins of the documents that have been loaded, by frame. */
  const origins = new Map<string, string>();
  session.on('Page.frameNavigated', ({ frame }) => origins.set(frame.id, frame.securityOrigin));
  const mayAct = (frameId: string, isDocument: boolean): boolean => {
    const main = origins.get(mainFrame) ?? origin;
    // The parent of a frame requests its document. A frame without its own document, and a worker, belong to
    // the main frame.
    return (isDocument ? main : (origins.get(frameId) ?? main)) === origin;
  };
  session.on('Fetch.requestPaused', ({ requestId, request, frameId, resourceType }) => {
    const kept = Object.entries(request.headers).flatMap(([name, value]) =>
      names.has(name.toLowerCase()) ? [] : [{ name, value }],
    );
    const isTarget =
      URL.parse(request.url)?.origin === origin && mayAct(frameId, resourceType === 'Document');
    const command = { requestId, ...(isTarget && { headers: [...kept, ...added] }) };
    session.send('Fetch.continueRequest', command).catch(() => {
      // The page may be closed, or the request canceled.
    });
  });
  // Replaces the patterns for assets, which a web page cannot load.
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `${origin}/*` }] });
}

/**
 * Sets a cookie for the exact origin. With the flags in `chromium-flags.ts`, Chromium binds a cookie without
 * a domain to its scheme and port as well. Scripts cannot read the cookie, so they cannot send it to other
 * origins. Documents of other sites cannot use it.
 */
async function setCookie(
  session: PageSession,
  { protocol, port, origin }: URL,
  { name, value, path = '/' }: UrlCookie,
): Promise<void> {
  const secure = protocol === 'https:';
  const { success } = await session.send('Network.setCookie', {
    url: origin,
    name,
    value,
    path,
    secure,
    httpOnly: true,
    sameSite: 'Lax',
    sourceScheme: secure ? 'Secure' : 'NonSecure',
    sourcePort: Number(port) || (secure ? 443 : 80),
  });
  if (!success)
    throw new RenderError('RENDER_FAILED', `the browser does not accept the cookie "${name}"`, {
      path: 'cookies',
    });
}
