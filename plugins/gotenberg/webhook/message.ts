import { AppError, readBounded } from '../../../src/plugin.ts';
import { callersHeaders, isWorthRetrying } from '../outbound/headers.ts';
import { OutboundError, type Outbound } from '../outbound/outbound.ts';
import type { OutputMediaType } from '../respond.ts';
import type { NamedPatterns, Settings } from '../settings.ts';
import type { WebhookTarget } from './target.ts';

/** An error as a receiver gets it. */
export interface Failure {
  status: number;
  message: string;
}

/** The file that a request made, as its receiver gets it. */
export interface ResultFile {
  mediaType: OutputMediaType;
  disposition: string;
  content: Uint8Array;
}

/** What is sent after a request has ended: its file, or its failure. */
export type Outcome = { file: ResultFile } | { failure: Failure };

/** A message to a receiver. */
export interface Message {
  url: string;
  method: string;
  headers: Headers;
  body: Uint8Array | string;
  patterns: NamedPatterns;
}

/** The header that names the request, and its value. */
export interface Trace {
  header: string;
  trace: string;
}

/** How an attempt to send a message ended. */
export type Attempt =
  | { isSent: true }
  | {
      isSent: false;
      isWorthRetrying: boolean;
      retryAfter: string | null;
      /** For the receiver of failures. */
      failure: Failure;
      /** For the log. */
      reason: string;
    };

/** Creates the message about an outcome; `undefined` for a failure that no URL receives. */
export function outcomeMessage(
  target: WebhookTarget,
  outcome: Outcome,
  { trace, settings }: { trace: Trace; settings: Settings['webhook'] },
): Message | undefined {
  const headers = callersHeaders(target.headers);
  if ('file' in outcome) {
    const { mediaType, disposition, content } = outcome.file;
    headers.set('content-type', mediaType);
    if (!headers.has('content-disposition')) headers.set('content-disposition', disposition);
    headers.set(trace.header, trace.trace);
    return { url: target.url, method: target.method, headers, body: content, patterns: settings };
  }
  if (target.errorUrl === null) return undefined;
  headers.set('content-type', 'application/json');
  headers.set(trace.header, trace.trace);
  const body = JSON.stringify(outcome.failure);
  return { url: target.errorUrl, method: target.errorMethod, headers, body, patterns: settings.errors };
}

/** Creates the message about the end of a request; `undefined` if no URL receives it. */
export function eventMessage(
  target: WebhookTarget,
  failure: Failure | null,
  { trace, settings }: { trace: Trace; settings: Settings['webhook'] },
): Message | undefined {
  if (target.eventsUrl === null) return undefined;
  const headers = callersHeaders({ 'content-type': 'application/json' });
  headers.set(trace.header, trace.trace);
  const body = JSON.stringify({
    event: failure === null ? 'webhook.success' : 'webhook.error',
    correlationId: trace.trace,
    timestamp: new Date().toISOString(),
    ...(failure && { error: failure }),
  });
  return { url: target.eventsUrl, method: 'POST', headers, body, patterns: settings };
}

const MAX_RESPONSE_BYTES = 64 * 1024;
const SERVICE_FAULT: Failure = { status: 500, message: 'Internal Server Error' };

/** Sends a message once. Every error except the abortion of `signal` is a failed attempt. */
export async function sendOnce(
  outbound: Outbound,
  { url, ...message }: Message,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Attempt> {
  const limit = AbortSignal.timeout(timeoutMs);
  const failed = (reason: string, retry: boolean, retryAfter: string | null = null): Attempt => ({
    isSent: false,
    isWorthRetrying: retry,
    retryAfter,
    failure: SERVICE_FAULT,
    reason,
  });
  try {
    const limited = AbortSignal.any([limit, signal]);
    const response = await outbound.fetch({ ...message, url: new URL(url), signal: limited });
    await discard(response, limited);
    const { status } = response;
    if (status >= 200 && status < 300) return { isSent: true };
    return failed(`answered ${status}`, isWorthRetrying(status), response.headers.get('retry-after'));
  } catch (error) {
    if (signal.aborted) throw error;
    if (limit.aborted) return failed(`no answer within ${timeoutMs / 1_000} s`, true);
    if (error instanceof OutboundError) return failed(error.message, true);
    if (!(error instanceof AppError) || error.code !== 'FORBIDDEN') throw error;
    const failure = { status: 403, message: 'Forbidden' };
    return {
      isSent: false,
      isWorthRetrying: false,
      retryAfter: null,
      failure,
      reason: 'the URL is forbidden',
    };
  }
}

/** Reads the beginning of a response, so that its sender can end. The status decides about the attempt. */
async function discard(response: Response, signal: AbortSignal): Promise<void> {
  await readBounded(response, { maxBytes: MAX_RESPONSE_BYTES, signal }).catch(() => undefined);
}
