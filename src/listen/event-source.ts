import { setTimeout as wait } from 'node:timers/promises';
import type { EventEntry } from '../webhooks/event.ts';

/** The server to read from, and how. */
export interface Source {
  /** The address of the service. */
  server: URL;
  key: string;
  signal: AbortSignal;
}

/** An error that no repetition can end. The message is one sentence for the person. */
export class ListenError extends Error {
  override name = 'ListenError';
}

/** A failure that may end by itself. */
export class TemporaryError extends Error {
  override name = 'TemporaryError';
  /** The delay that the server requested, if any. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Thrown when the event at which a page begins was deleted meanwhile. */
class LostPositionError extends Error {}

interface EventPage {
  data: EventEntry[];
  has_more: boolean;
}

const PAGE_SIZE = '100';
const TIMEOUT_MS = 30_000;
/**
 * Several processes store events, each with its own clock. Events that were stored this long before the last
 * one are read again, because one of them may have become visible since.
 */
const OVERLAP_MS = 10_000;

/** Reads the events of an account that are stored from now on, each once. */
export class EventSource {
  readonly #source: Source;
  readonly #seen = new Set<string>();
  #since = 0;
  /** The pages that were read before a failure. They are kept, or a long list would begin again and again. */
  #read: EventEntry[] = [];

  constructor(source: Source) {
    this.#source = source;
  }

  /** Checks that the server knows a type of events. @throws {ListenError} */
  async checkType(type: string): Promise<void> {
    await this.#readPage({ limit: '1', type });
  }

  /** Skips the events that are stored already. Call this first. */
  async begin(): Promise<void> {
    const newest = (await this.#readPage({ limit: '1' })).data[0];
    if (newest) this.#advance(newest);
    await this.next();
  }

  /** Returns the events that were stored since the last call, in the order in which they were stored. */
  async next(): Promise<EventEntry[]> {
    const events = await this.#readAll();
    const fresh = events.filter(({ id }) => !this.#seen.has(id));
    // The events before the overlap are not read again.
    this.#seen.clear();
    for (const { id } of events) this.#seen.add(id);
    const [newest] = events;
    if (newest) this.#advance(newest);
    return fresh.toReversed();
  }

  #advance({ stored_at: storedAt }: EventEntry): void {
    this.#since = Math.max(this.#since, Date.parse(storedAt) - OVERLAP_MS);
  }

  /** Reads all events since a little before the last one, newest first. */
  async #readAll(): Promise<EventEntry[]> {
    for (;;) {
      try {
        return await this.#readPages();
      } catch (error) {
        if (!(error instanceof LostPositionError)) throw error;
        this.#read = [];
      }
    }
  }

  async #readPages(): Promise<EventEntry[]> {
    for (;;) {
      const last = this.#read.at(-1);
      const { data, has_more: hasMore } = await this.#readPageWhenAllowed({
        limit: PAGE_SIZE,
        stored_after: new Date(this.#since).toISOString(),
        ...(last && { starting_after: last.id }),
      });
      this.#read.push(...data);
      if (hasMore) continue;
      const events = this.#read;
      this.#read = [];
      return events;
    }
  }

  /** Reads a page. If the server names a delay, waits for it and tries once more. */
  async #readPageWhenAllowed(query: Record<string, string>): Promise<EventPage> {
    try {
      return await this.#readPage(query);
    } catch (error) {
      if (!(error instanceof TemporaryError) || error.retryAfterMs === undefined) throw error;
      // The end of the work ends the delay, and the request below then fails.
      await wait(error.retryAfterMs, undefined, { signal: this.#source.signal }).catch(() => undefined);
      return this.#readPage(query);
    }
  }

  async #readPage(query: Record<string, string>): Promise<EventPage> {
    const { server, key, signal } = this.#source;
    const url = new URL(`v1/events?${new URLSearchParams(query).toString()}`, withSlash(server));
    const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    // A redirect is not followed, because the key must not reach another server.
    const request = {
      headers: { authorization: `Bearer ${key}` },
      redirect: 'manual',
      signal: limit,
    } as const;
    const response = await fetch(url, request).catch((error: unknown) => {
      throw new TemporaryError(`${server.origin} cannot be reached (${causeOf(error)})`);
    });
    const body = await response.json().catch(() => undefined);
    if (response.ok && isPage(body)) return body;
    throw explain(server, response, body);
  }
}

/** Returns the code of a network error, such as `ECONNREFUSED`. */
export function causeOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === 'TimeoutError') return 'no answer in time';
  return typeof code === 'string' ? code : 'no connection';
}

function explain(server: URL, response: Response, body: unknown): Error {
  const { status } = response;
  const { message, details } = (body as ErrorBody | undefined)?.error ?? {};
  if (status === 400 && details?.[0]?.path === 'starting_after') return new LostPositionError(message);
  if (status === 429 || status >= 500)
    return new TemporaryError(`${server.origin} responded with ${status}`, retryAfterOf(response));
  if (status === 401)
    return new ListenError('the API key is not valid for this server; check PLATEN_API_KEY');
  if (status === 400 || status === 403)
    if (message !== undefined) return new ListenError(`the server refused the request: ${message}`);
  const target = response.headers.get('location');
  if (target !== null) return new ListenError(`${server.href} redirects to ${target}; use that address`);
  return new ListenError(
    `${server.href} is not the address of a Platen service with the plugin webhooks (status ${status})`,
  );
}

interface ErrorBody {
  error?: { message?: string; details?: readonly { path?: string }[] };
}

function retryAfterOf(response: Response): number | undefined {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isNaN(seconds) ? undefined : seconds * 1000;
}

function isPage(body: unknown): body is EventPage {
  return typeof body === 'object' && body !== null && Array.isArray((body as EventPage).data);
}

function withSlash(url: URL): string {
  return `${url.origin}${url.pathname.replace(/\/?$/, '/')}`;
}
