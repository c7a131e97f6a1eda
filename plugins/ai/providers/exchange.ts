import ky, { type KyInstance } from 'ky';
import type { EgressGuard } from '../../../src/plugin.ts';
import { readEvents } from './event-stream.ts';
import { nonsense, ProviderError } from './provider.ts';

/** A provider's answer in JSON: whole, or as it was streamed although nobody asked for that. */
export type Answer = { whole: unknown } | { events: readonly unknown[] };

/** Larger than any template may be, with every character escaped. */
const MAX_ANSWER_BYTES = 4_000_000;
const DEFAULT_RETRY_SECONDS = 30;
const MAX_RETRY_SECONDS = 3_600;
/** Too many requests, and what providers say when all of them are. */
const BUSY = new Set([429, 503, 529]);

/** Makes the one client of a provider. Its requests leave by the guard, follow no redirects and are not repeated. */
export function createClient(
  egress: EgressGuard,
  { baseUrl, headers }: { baseUrl: string; headers: Record<string, string> },
): KyInstance {
  return ky.create({
    prefixUrl: baseUrl,
    headers: { ...headers, accept: 'application/json', 'accept-encoding': 'identity' },
    retry: 0,
    // The signal of the whole work is the one limit.
    timeout: false,
    throwHttpErrors: false,
    async fetch(input, init) {
      const request = new Request(input, init);
      return egress.fetch(request.url, {
        method: request.method,
        headers: request.headers,
        body: await request.text(),
        signal: request.signal,
        redirect: 'manual',
        // What is unpacked could be any size.
        decompress: false,
      });
    },
  });
}

/** Sends JSON and reads the answer. @throws {ProviderError}, and what the signal was aborted with. */
export async function exchange(
  client: KyInstance,
  { path, json, signal }: { path: string; json: unknown; signal: AbortSignal },
): Promise<Answer> {
  try {
    const response = await client.post(path, { json, signal });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw refusal(response);
    }
    const isStream = response.headers.get('content-type')?.includes('text/event-stream') ?? false;
    const text = await readBounded(response, signal);
    if (!isStream) return { whole: parse(text) };
    const events = readEvents(text).filter((data) => data !== '[DONE]');
    return { events: events.map(parse) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ProviderError) throw error;
    // Of an error of the network the message may quote the URL.
    throw new ProviderError('the AI provider cannot be reached');
  }
}

function refusal({ status, headers }: Response): ProviderError {
  if (BUSY.has(status)) {
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

async function readBounded(response: Response, signal: AbortSignal): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) throw nonsense();
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    const chunks: Uint8Array[] = [];
    for (let bytes = 0; ;) {
      const { done, value } = await Promise.race([reader.read(), aborted.promise]);
      if (done) return Buffer.concat(chunks).toString('utf8');
      bytes += value.byteLength;
      if (bytes > MAX_ANSWER_BYTES)
        throw new ProviderError('the AI provider gave an answer that is too long');
      chunks.push(value);
    }
  } finally {
    signal.removeEventListener('abort', abort);
    await reader.cancel().catch(() => undefined);
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw nonsense();
  }
}
