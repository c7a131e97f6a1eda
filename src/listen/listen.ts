import { createHmac } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import packageJson from '../../package.json' with { type: 'json' };
import { matchesType } from '../webhooks/endpoint.ts';
import type { EventEntry } from '../webhooks/event.ts';
import { causeOf, EventSource, ListenError, TemporaryError } from './event-source.ts';

export { ListenError };

/** How `platen listen` works. */
export interface ListenOptions {
  /** The address of the service, as the person wrote it. */
  server: string | undefined;
  key: string | undefined;
  /** The URL of the local program. */
  forward: string;
  /** Types of events, or nouns such as `generation.*`; all events when empty. */
  events: readonly string[];
  print: (line: string) => void;
  /** Ends the work. */
  signal: AbortSignal;
  /** How often the server is asked for new events; one second when absent. */
  pollMs?: number;
}

const POLL_MS = 1000;
const MAX_DELAY_MS = 10_000;
const FORWARD_TIMEOUT_MS = 15_000;
/** Control characters, which a terminal would obey. */
// oxlint-disable-next-line no-control-regex -- these characters are what it removes
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/g;

/**
 * Sends the events of an account, from now on, to a local program by POST, signed like messages to a webhook
 * endpoint. Prints a line for each. While the server is unavailable, it tries again.
 * @throws {ListenError} with a sentence for the person
 */
export async function listen(options: ListenOptions): Promise<void> {
  const { events: patterns, signal, pollMs = POLL_MS } = options;
  const print = (line: string) => options.print(line.replaceAll(CONTROL, ' '));
  const key = options.key?.trim();
  if (!key) throw new ListenError('the API key is missing; set PLATEN_API_KEY or use --key');
  const server = readUrl('the address of the server', 'PLATEN_URL or --server', options.server);
  const target = readUrl('the URL of the local program', '--forward', options.forward);
  const source = new EventSource({ server, key, signal });
  const secret = secretOf(key);
  for (const pattern of patterns) await atStart(source.checkType(pattern));
  await atStart(source.begin());
  print(`Events of ${server.origin} are sent to ${target.href}.`);
  print(`They are signed with ${secret}`);
  const isWanted = ({ type }: EventEntry) =>
    patterns.length === 0 || patterns.some((pattern) => matchesType(pattern, type as `${string}.${string}`));
  let failures = 0;
  while (!signal.aborted) {
    try {
      const events = await source.next();
      if (failures > 0) print(`${server.origin} can be reached again.`);
      failures = 0;
      for (const event of events.filter(isWanted)) {
        const result = await forward(event, { target, secret, signal });
        if (signal.aborted) return;
        print(`${event.timestamp}  ${event.type}  ${event.id}  ${result}`);
      }
      await sleep(pollMs, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof TemporaryError)) throw error;
      if (failures === 0) print(`${error.message}; trying again.`);
      failures += 1;
      const delayMs = Math.min(pollMs * 2 ** failures, MAX_DELAY_MS);
      await sleep(Math.max(delayMs, error.retryAfterMs ?? 0), signal);
    }
  }
}

/**
 * Derives the secret from the API key, so that it is the same each time and the local program can keep it.
 */
export function secretOf(key: string): string {
  return `whsec_${createHmac('sha256', key).update('platen listen').digest('base64')}`;
}

/** Fails for good if the first request fails, because the address is then probably wrong. */
async function atStart(request: Promise<void>): Promise<void> {
  await request.catch((error: unknown) => {
    throw error instanceof TemporaryError ? new ListenError(error.message) : error;
  });
}

/** Sends an event once. Returns the outcome for the person. */
async function forward(
  { id, type, timestamp, data }: EventEntry,
  { target, secret, signal }: { target: URL; secret: string; signal: AbortSignal },
): Promise<string> {
  const body = JSON.stringify({ type, timestamp, data });
  const sentAt = new Date();
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Platen/${packageJson.version}`,
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(id, sentAt, body),
  };
  const limit = AbortSignal.any([signal, AbortSignal.timeout(FORWARD_TIMEOUT_MS)]);
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: limit,
    });
    await response.body?.cancel();
    return `-> ${response.status}`;
  } catch (error) {
    return `-> not delivered (${causeOf(error)})`;
  }
}

function readUrl(what: string, where: string, text: string | undefined): URL {
  if (!text) throw new ListenError(`${what} is missing; set ${where}`);
  const url = URL.parse(text);
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new ListenError(`${what} must be an http or https URL such as http://localhost:8080; check ${where}`);
}

/** Resolves after a time, or when the work ends. */
async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal }).catch(() => undefined);
}
