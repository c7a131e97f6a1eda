import { EgressError, type EgressFailure, type EgressGuard } from '../egress/guard.ts';
import { readBounded } from '../read-bounded.ts';
import { readRetryAfter } from './schedule.ts';

export interface SignedMessage {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** The limit from connecting to the end of the response. */
  timeoutMs: number;
  /** Aborts the attempt. */
  signal: AbortSignal;
}

export interface AttemptResult {
  /** The HTTP status; `null` without a response. */
  status: number | null;
  /**
   * The reason of a failure for the delivery log, without resolved addresses and URL queries; `null` after
   * success.
   */
  error: string | null;
  /** The delay that the receiver requested with `Retry-After`, if any. */
  retryAfterMs: number | null;
}

const MAX_RESPONSE_BYTES = 64 * 1024;

const reasons: Readonly<Record<EgressFailure, string>> = {
  malformed: 'the request could not be sent',
  refused: 'refused: the address is not public',
  unresolvable: 'the host has no address',
  unreachable: 'no connection could be made',
  timeout: 'no connection could be made in time',
  unanswered: 'the connection ended without an HTTP answer',
};

/** Sends a message once. Never throws: every error is a failed attempt. */
export async function postMessage(egress: EgressGuard, message: SignedMessage): Promise<AttemptResult> {
  const { url, headers, body, timeoutMs } = message;
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), message.signal]);
  let status: number | null = null;
  try {
    const response = await egress.fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal,
      // A small compressed body could expand to any size, and the content is not used.
      decompress: false,
    });
    status = response.status;
    const error = describeStatus(status);
    const retryAfterMs = error === null ? null : readRetryAfter(response.headers.get('retry-after'));
    // Reading lets the receiver send the body in full. The status decides: a long or incomplete body makes no
    // difference.
    await readBounded(response, { maxBytes: MAX_RESPONSE_BYTES, signal }).catch(() => undefined);
    return { status, error, retryAfterMs };
  } catch (error) {
    return { status, error: describeFailure(error, timeoutMs), retryAfterMs: null };
  }
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `answered ${status}; redirects are not followed`;
  if (status === 410) return 'answered 410 (Gone): not tried again';
  return `answered ${status}`;
}

function describeFailure(error: unknown, timeoutMs: number): string {
  if (error instanceof EgressError) return reasons[error.failure];
  if (error instanceof Error && error.name === 'TimeoutError')
    return `no complete answer within ${timeoutMs / 1000} s`;
  // The message of a network error may quote the URL.
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed';
}
