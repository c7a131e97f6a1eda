import { AsyncLocalStorage } from 'node:async_hooks';
import { AppError, type EgressGuard, type PluginContext } from '../../../src/plugin.ts';
import type { NamedPatterns, UrlPatterns } from '../settings.ts';
import { destinationOf, warnOfRefusal } from './refusal.ts';
import { forbidden, type UrlFilter } from './url-filter.ts';

/** A request to a URL that a caller chose. */
export interface OutboundRequest {
  url: URL;
  method: string;
  headers: Headers;
  body?: Uint8Array | string | undefined;
  patterns: NamedPatterns;
  signal: AbortSignal;
}

/** The way of one browser page to the network. */
export interface PageAccess extends Disposable {
  /** The proxy of the page. */
  proxyUrl: string;
  /** Returns the latest decision of the proxy's guard about a URL. */
  decisionOf: EgressGuard['decisionOf'];
  /** Tells whether the page may request an http or https URL. */
  mayRequest(url: string): Promise<boolean>;
}

/** Sends requests to URLs of callers: those of files to download, and those of webhooks. */
export interface Outbound {
  /**
   * Judges the requests of a browser page; `undefined` without patterns. Destinations that the patterns allow
   * by name can be reached through the proxy, until the result is disposed of.
   */
  openPage(patterns: UrlPatterns): PageAccess | undefined;
  /** Tells whether the patterns allow a URL by name. @throws {AppError} FORBIDDEN if they do not allow it */
  judge: UrlFilter['judge'];
  /** Logs that a URL is refused because its address is private, and how the operator can allow it. */
  warnOfRefusal(url: URL, patterns: Pick<NamedPatterns, 'variable'>): void;
  /**
   * Sends a request and follows redirects, each of which is checked. Compressed bodies stay compressed.
   * @throws {AppError} FORBIDDEN if the patterns deny the URL, or its address is private
   * @throws {OutboundError} when there is no response
   */
  fetch(request: OutboundRequest): Promise<Response>;
}

/** Thrown when a server did not respond. The message may be shown to a caller. */
export class OutboundError extends Error {
  override name = 'OutboundError';
}

const MAX_REDIRECTS = 10;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
/** Redirects that keep the method and the body. */
const KEEPING: readonly number[] = [307, 308];

/** Opens the way out. URLs that the operator's patterns allow by name may have private addresses. */
export async function openOutbound(
  {
    egress,
    openEgress,
    log,
  }: Pick<PluginContext<unknown, object, never, never>, 'egress' | 'openEgress' | 'log'>,
  filter: UrlFilter,
): Promise<Outbound> {
  const listed = new ListedDestinations();
  const listedEgress = await openEgress(listed);

  async function fetchOnce({ url, method, headers, body, patterns, signal }: OutboundRequest) {
    const isListed = (await filter.judge(url, patterns)) === 'listed';
    using _ = isListed ? listed.hold(url) : undefined;
    const guard: EgressGuard = isListed ? listedEgress : egress;
    const target = new URL(url);
    const sent = new Headers(headers);
    if (url.username || url.password) {
      const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
      if (!sent.has('authorization'))
        sent.set('authorization', `Basic ${Buffer.from(credentials).toString('base64')}`);
      [target.username, target.password] = ['', ''];
    }
    target.hash = '';
    sent.set('accept-encoding', 'identity');
    try {
      return await guard.fetch(target.href, {
        method,
        headers: sent,
        ...(body !== undefined && { body: body as Uint8Array<ArrayBuffer> }),
        redirect: 'manual',
        decompress: false,
        signal,
      });
    } catch (error) {
      if (signal.aborted) throw error;
      const explained = explain(error);
      if (explained instanceof AppError) warnOfRefusal(log, target, patterns);
      throw explained;
    }
  }

  return {
    openPage({ allow, deny }) {
      if (allow.length === 0 && deny.length === 0) return undefined;
      const held = new DisposableStack();
      const judge = filter.judgeMany({ allow, deny });
      return {
        proxyUrl: listedEgress.url,
        decisionOf: (url) => listedEgress.decisionOf(url),
        // Requests of a page are events of the browser, outside of the work of the account.
        mayRequest: AsyncLocalStorage.bind(async (text: string) => {
          const url = URL.parse(text);
          if (!url || held.disposed) return false;
          const verdict = await judge(url).catch((error: unknown) => {
            if (error instanceof AppError && error.code === 'FORBIDDEN') return 'denied' as const;
            throw error;
          });
          if (verdict === 'listed' && !held.disposed) held.use(listed.hold(url));
          return verdict !== 'denied';
        }),
        [Symbol.dispose]: () => held.dispose(),
      };
    },
    judge: (url, patterns) => filter.judge(url, patterns),
    warnOfRefusal: (url, patterns) => warnOfRefusal(log, url, patterns),
    async fetch(request) {
      let { url, headers } = request;
      for (let redirects = 0; ; redirects += 1) {
        const response = await fetchOnce({ ...request, url, headers });
        const location = response.headers.get('location');
        const isFollowed =
          location !== null &&
          REDIRECTS.includes(response.status) &&
          (request.method === 'GET' || KEEPING.includes(response.status));
        if (!isFollowed) return response;
        await response.body?.cancel();
        const next = URL.parse(location, url.href);
        if (!next || !isWeb(next)) throw new OutboundError('the server redirects to another kind of URL');
        if (redirects === MAX_REDIRECTS) throw new OutboundError(`stopped after ${MAX_REDIRECTS} redirects`);
        if (next.origin !== url.origin) headers = withoutCredentials(headers);
        url = next;
      }
    },
  };
}

/** Tells whether a URL is one of the web. */
export function isWeb({ protocol }: URL): boolean {
  return protocol === 'http:' || protocol === 'https:';
}

/** The destinations of requests that the patterns allow by name, while the requests run. */
class ListedDestinations {
  readonly #running = new Map<string, number>();

  has(destination: string): boolean {
    return this.#running.has(destination);
  }

  hold(url: URL): Disposable {
    const destination = destinationOf(url);
    this.#running.set(destination, (this.#running.get(destination) ?? 0) + 1);
    return {
      [Symbol.dispose]: () => {
        const left = (this.#running.get(destination) ?? 1) - 1;
        if (left === 0) this.#running.delete(destination);
        else this.#running.set(destination, left);
      },
    };
  }
}

/** Removes what only the server that the caller named may see. */
function withoutCredentials(headers: Headers): Headers {
  const others = new Headers(headers);
  for (const name of ['authorization', 'cookie', 'www-authenticate']) others.delete(name);
  return others;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const REASONS: Readonly<Record<string, string>> = {
  malformed: 'the request could not be sent',
  unresolvable: 'the host has no address',
  unreachable: 'no connection could be made',
  timeout: 'no connection could be made in time',
  unanswered: 'the connection ended without an HTTP answer',
};

function explain(error: unknown): Error {
  const { failure } = error as { failure?: unknown };
  if (failure === 'refused') return forbidden(error);
  const reason = typeof failure === 'string' ? REASONS[failure] : undefined;
  // The message of a network error may contain an address.
  return new OutboundError(reason ?? 'the connection failed', { cause: error });
}
