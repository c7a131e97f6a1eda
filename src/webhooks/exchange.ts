import { EgressError, type EgressFailure, type EgressGuard } from '../egress/guard.ts';
import { untilAborted } from '../wait.ts';
import { readRetryAfter } from './schedule.ts';

/** A signed message, ready to be sent. */
export interface SignedRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** From the connection to the head of the answer, and to the end of what is read of it. */
  timeoutMs: number;
  /** Cuts the try off. */
  cutOff: AbortSignal;
}

/** What came of one try. */
export interface Exchange {
  /** The status of the answer; `null` when there was none. */
  status: number | null;
  /** Why it counts as failed, in words for the log of deliveries: never a resolved address, never the URL's query. `null`: delivered. */
  error: string | null;
  /** How long the receiver wants to be left alone, when it said so. */
  retryAfterMs: number | null;
}

const MAX_ANSWER_BYTES = 64 * 1024;

const reasons: Readonly<Record<EgressFailure, string>> = {
  malformed: 'the request could not be sent',
  refused: 'refused: the host has an address that is not public',
  unresolvable: 'the host name has no address',
  unreachable: 'no connection could be made',
  timeout: 'no connection could be made in time',
  unanswered: 'the connection ended without an HTTP answer',
};

/** Sends a message once. Never throws: whatever goes wrong is a failed try. */
export async function exchange(egress: EgressGuard, request: SignedRequest): Promise<Exchange> {
  const { url, headers, body, timeoutMs, cutOff } = request;
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), cutOff]);
  let status: number | null = null;
  try {
    const answer = await egress.fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal,
      // What is unpacked could be any size; nobody reads it.
      decompress: false,
    });
    status = answer.status;
    const error = describeStatus(status);
    const retryAfterMs = error === null ? null : readRetryAfter(answer.headers.get('retry-after'));
    // The status says it all: a body that does not end changes nothing.
    await readAway(answer, signal).catch(() => undefined);
    return { status, error, retryAfterMs };
  } catch (error) {
    return { status, error: describeFailure(error, timeoutMs), retryAfterMs: null };
  }
}

/** Reads an answer to its end, or as much of it as is polite, and drops it. */
async function readAway(answer: Response, signal: AbortSignal): Promise<void> {
  const reader = answer.body?.getReader();
  if (!reader) return;
  try {
    for (let bytes = 0; bytes < MAX_ANSWER_BYTES;) {
      const { done, value } = await untilAborted(reader.read(), signal);
      if (done) return;
      bytes += value.byteLength;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
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
