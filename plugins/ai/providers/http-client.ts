import ky, { type KyInstance } from 'ky';
import { readBounded, type EgressGuard } from '../../../src/plugin.ts';
import { malformedResponse, ProviderError } from './provider.ts';

/**
 * A provider's JSON response: whole, or as a list of events from a provider that streams without being asked
 * to.
 */
export type ProviderResponse = { whole: unknown } | { events: readonly unknown[] };

/** Larger than the longest template with every character escaped. */
const MAX_RESPONSE_BYTES = 4_000_000;
const DEFAULT_RETRY_SECONDS = 30;
const MAX_RETRY_SECONDS = 3_600;
/** 429 is the account's own limit; providers respond with 503 or 529 when they are overloaded. */
const BUSY_STATUSES = new Set([429, 503, 529]);

/**
 * Creates the HTTP client of a provider. Its requests go through the egress guard, follow no redirects and
 * are not retried.
 */
export function createClient(
  egress: EgressGuard,
  { baseUrl, headers }: { baseUrl: string; headers: Record<string, string> },
): KyInstance {
  return ky.create({
    prefixUrl: baseUrl,
    headers: { ...headers, accept: 'application/json', 'accept-encoding': 'identity' },
    retry: 0,
    // The caller's signal is the only time limit.
    timeout: false,
    throwHttpErrors: false,
    async fetch(input, init) {
      // ky passes a `Request`.
      const request = new Request(input as Request, init);
      return egress.fetch(request.url, {
        method: request.method,
        headers: request.headers,
        body: await request.text(),
        signal: request.signal,
        redirect: 'manual',
        // A decompressed answer could have any size.
        decompress: false,
      });
    },
  });
}

/** Posts JSON and reads the answer. @throws {ProviderError}, and the reason of the signal when it aborts. */
export async function postJson(
  client: KyInstance,
  { path, json, signal }: { path: string; json: unknown; signal: AbortSignal },
): Promise<ProviderResponse> {
  try {
    const response = await client.post(path, { json, signal });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw toError(response);
    }
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    if (!response.body) throw malformedResponse();
    const bytes = await readBounded(response, { maxBytes: MAX_RESPONSE_BYTES, signal });
    if (!bytes) throw new ProviderError('the answer of the AI provider is too long');
    const text = bytes.toString('utf8');
    if (!isStream) return { whole: parse(text) };
    const events = readEvents(text).filter((data) => data !== '[DONE]');
    return { events: events.map(parse) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderError) throw error;
    // The message of a network error may quote the URL.
    throw new ProviderError('the AI provider cannot be reached');
  }
}

function toError({ status, headers }: Response): ProviderError {
  if (BUSY_STATUSES.has(status)) {
    const retryAfterSeconds = readRetryAfter(headers.get('retry-after'));
    return new ProviderError(`the AI provider is busy (it answered ${status}); try again later`, {
      retryAfterSeconds,
    });
  }
  return new ProviderError(`the AI provider answered with an error (${status})`);
}

function readRetryAfter(text: string | null): number {
  const value = text?.trim() ?? '';
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  if (!Number.isFinite(seconds)) return DEFAULT_RETRY_SECONDS;
  return Math.min(Math.max(Math.ceil(seconds), 1), MAX_RETRY_SECONDS);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw malformedResponse();
  }
}

/**
 * Reads the data of the events in a complete event stream (WHATWG HTML 9.2.6). A truncated last event is
 * dropped.
 */
function readEvents(text: string): string[] {
  const events: string[] = [];
  let data: string[] = [];
  for (const line of text.replace(/^\u{feff}/u, '').split(/\r\n|\r|\n/)) {
    if (line === '') {
      if (data.length > 0) events.push(data.join('\n'));
      data = [];
    } else if (line.startsWith('data:')) data.push(line.slice(5).replace(/^ /, ''));
  }
  return events;
}
