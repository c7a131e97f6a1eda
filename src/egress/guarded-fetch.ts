import { egressHeader, isEgressFailure, type EgressFailure } from './response-head.ts';

/** The `fetch` options that a caller of the guard may set; options that bypass the proxy are excluded. */
export type EgressFetchInit = Omit<BunFetchRequestInit, 'proxy' | 'unix' | 'session' | 'protocol'>;

/** Thrown by `EgressGuard.fetch` when the guard answered instead of the origin. */
export class EgressError extends Error {
  override name = 'EgressError';
  readonly failure: EgressFailure;

  constructor(failure: EgressFailure, url: string) {
    super(`egress ${failure}: ${new URL(url).host}`);
    this.failure = failure;
  }
}

/** Implements `EgressGuard.fetch` for the guard that listens at `proxyUrl`. */
export async function fetchThrough(
  proxyUrl: string,
  input: string | URL | Request,
  init?: EgressFetchInit,
): Promise<Response> {
  const target = new URL(input instanceof Request ? input.url : input);
  // Bun's fetch also reads file:, data:, blob: and s3: URLs, which would bypass the proxy.
  if (target.protocol !== 'http:' && target.protocol !== 'https:') {
    throw new TypeError(`the URL must be http or https, not ${target.protocol}`);
  }
  // By default NO_PROXY in the environment overrides an explicit proxy (oven-sh/bun#26608).
  const proxy = { url: proxyUrl, respectNoProxy: false };
  const response = await fetch(input, { redirect: 'manual', ...init, proxy }).catch((error: unknown) => {
    throw tunnelFailure(error, target.href) ?? error;
  });
  const failure = response.headers.get(egressHeader);
  // The guard removes this header from plain http responses; inside a TLS tunnel the header comes from the
  // origin and is ignored.
  if (!isEgressFailure(failure) || !response.url.startsWith('http:')) return response;
  await response.body?.cancel();
  throw new EgressError(failure, response.url);
}

/**
 * Reads the guard's answer from the error ERR_PROXY_TUNNEL, with which Bun rejects when a CONNECT is not
 * answered with 2xx.
 */
function tunnelFailure(error: unknown, url: string): EgressError | undefined {
  if (!(error instanceof Error) || !('headers' in error) || !(error.headers instanceof Headers))
    return undefined;
  const failure = error.headers.get(egressHeader);
  return isEgressFailure(failure) ? new EgressError(failure, url) : undefined;
}
