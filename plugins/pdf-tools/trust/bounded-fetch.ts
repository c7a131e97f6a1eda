import { messageOf, readBounded, type EgressGuard } from '../../../src/plugin.ts';

/** The longest chain of redirects. Each hop passes the guard. */
const MAX_REDIRECTS = 3;

/**
 * Thrown if a server does not send a usable response. The message is the end of a sentence: "… answered with
 * status 404".
 */
export class FetchFault extends Error {
  override name = 'FetchFault';
  /** The HTTP status of an error response; `undefined` without a complete response. */
  readonly status: number | undefined;

  constructor(message: string, { status, cause }: { status?: number; cause?: unknown } = {}) {
    super(message, { cause });
    this.status = status;
  }
}

/** A request with its limits. */
export interface BoundedRequest {
  url: string;
  timeoutMs: number;
  maxBytes: number;
  /** Sent with POST. Redirects are then not followed. */
  post?: { type: string; body: Uint8Array };
  headers?: Record<string, string>;
}

/**
 * Fetches a short response through the guard, within limits of time and size. The guard also checks the
 * addresses of redirects, and refuses private addresses unless the operator allows them.
 * @throws {FetchFault}
 */
export async function fetchBounded(
  egress: EgressGuard,
  { url, timeoutMs, maxBytes, post, headers = {} }: BoundedRequest,
): Promise<Uint8Array> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    let target = new URL(url);
    for (let hop = 0; ; hop += 1) {
      const response = await egress.fetch(target, {
        signal,
        redirect: 'manual',
        headers: { ...headers, ...(post && { 'content-type': post.type }) },
        ...(post && { method: 'POST', body: Uint8Array.from(post.body) }),
      });
      const location = response.headers.get('location');
      if (response.ok) {
        const bytes = await readBounded(response, { maxBytes, signal });
        if (!bytes) throw new FetchFault(`sent more than ${maxBytes} bytes`);
        return bytes;
      }
      await response.body?.cancel();
      if (post || location === null || response.status < 300 || response.status > 399)
        throw new FetchFault(`answered with status ${response.status}`, { status: response.status });
      if (hop === MAX_REDIRECTS) throw new FetchFault('redirects too often');
      target = new URL(location, target);
    }
  } catch (error) {
    if (error instanceof FetchFault) throw error;
    throw new FetchFault(explain(error, signal), { cause: error });
  }
}

function explain(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'did not answer in time';
  const message = messageOf(error);
  if (message.startsWith('egress refused')) return 'has an address that this service does not connect to';
  return 'could not be reached';
}
