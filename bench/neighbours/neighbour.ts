import { invoiceRequest } from './invoice.ts';

/** A request of account B. */
export interface Call {
  /** Time from the moment the request was due to the end of its response. */
  ms: number;
  /** `undefined` if there was no response in time. */
  status: number | undefined;
}

/** Account B: the URL of the service and an API key. */
export interface Neighbour {
  url: string;
  key: string;
}

/** Statistics of a series of calls; times in milliseconds. */
export interface Figures {
  calls: number;
  p50: number;
  p95: number;
  max: number;
  /** Responses with 429 or 503. */
  refused: number;
  /** Other failures, and requests without a response. */
  errors: number;
}

/** Time limit of one request. */
const PATIENCE_MS = 60_000;

const body = JSON.stringify(invoiceRequest);

/** Requests one invoice on a new connection. Never rejects. */
export async function requestInvoice(
  { url, key }: Neighbour,
  { dueAt = performance.now(), patienceMs = PATIENCE_MS } = {},
): Promise<Call> {
  const status = await fetch(`${url}/v1/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body,
    keepalive: false,
    signal: AbortSignal.timeout(patienceMs),
  }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status;
    },
    () => undefined,
  );
  return { ms: performance.now() - dueAt, status };
}

/**
 * Requests an invoice at a fixed interval, whether or not earlier requests have been answered. Resolves when
 * all have ended.
 */
export async function requestSteadily(
  neighbour: Neighbour,
  { everyMs, durationMs }: { everyMs: number; durationMs: number },
): Promise<Call[]> {
  const startedAt = performance.now();
  const calls: Promise<Call>[] = [];
  for (let index = 0; index * everyMs < durationMs; index += 1) {
    const dueAt = startedAt + index * everyMs;
    await Bun.sleep(Math.max(0, dueAt - performance.now()));
    calls.push(requestInvoice(neighbour, { dueAt }));
  }
  return Promise.all(calls);
}

const HEALTH_EVERY_MS = 100;

/**
 * Polls `/healthz` ten times a second during `work` and returns the longest response time in milliseconds.
 */
export async function watchHealth(url: string, work: Promise<unknown>): Promise<number> {
  const ended = new AbortController();
  void work.finally(() => ended.abort());
  let longest = 0;
  while (!ended.signal.aborted) {
    const sentAt = performance.now();
    const signal = AbortSignal.timeout(PATIENCE_MS);
    await fetch(`${url}/healthz`, { keepalive: false, signal }).catch(() => {});
    longest = Math.max(longest, performance.now() - sentAt);
    await Bun.sleep(Math.max(0, sentAt + HEALTH_EVERY_MS - performance.now()));
  }
  return longest;
}

/** Computes the statistics of calls. */
export function summarise(calls: readonly Call[]): Figures {
  const times = calls.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const count = (matches: (status: number | undefined) => boolean) =>
    calls.filter(({ status }) => matches(status)).length;
  const isRefusal = (status: number | undefined) => status === 429 || status === 503;
  return {
    calls: calls.length,
    p50: at(0.5),
    p95: at(0.95),
    max: times.at(-1) ?? 0,
    refused: count(isRefusal),
    errors: count((status) => status !== 200 && !isRefusal(status)),
  };
}

/** Number of consecutive fast responses after which the neighbour has recovered. */
const QUICK_RESPONSES = 5;

/**
 * Sends requests one after another until they are fast again.
 * @returns the seconds until then, or `undefined` after `patienceMs`.
 */
export async function awaitRecovery(
  neighbour: Neighbour,
  { quickMs, patienceMs }: { quickMs: number; patienceMs: number },
): Promise<number | undefined> {
  const startedAt = performance.now();
  let quickSince = startedAt;
  for (let quick = 0; quick < QUICK_RESPONSES;) {
    const startedCallAt = performance.now();
    const leftMs = startedAt + patienceMs - startedCallAt;
    if (leftMs <= 0) return undefined;
    const { ms, status } = await requestInvoice(neighbour, { patienceMs: leftMs });
    if (status === 200 && ms <= quickMs) {
      if (quick === 0) quickSince = startedCallAt;
      quick += 1;
    } else {
      quick = 0;
      await Bun.sleep(100);
    }
  }
  return (quickSince - startedAt) / 1000;
}
