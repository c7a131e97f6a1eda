import { Download, pause } from './download.ts';
import { PlatenError } from './errors.ts';
import { jsonOf } from './json.ts';
import { readSettings, type PlatenSettings } from './settings.ts';
import type { ApiError, Routes } from './types.gen.ts';

/** Options of one call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Names the request, so that it has its effect once. By default, each call has a name of its own. */
  idempotencyKey?: string | undefined;
}

/** The parameters and the body of a route. */
export type RouteInput<Route extends keyof Routes> = Omit<Routes[Route]['data'], 'url' | 'headers'>;

interface Request {
  method: string;
  /** A path of the service, or a URL elsewhere, which gets no API key. */
  target: string;
  headers?: Record<string, string>;
  body?: Blob | string | ReadableStream;
  isStreamed?: boolean;
}

type Values = Readonly<Record<string, unknown>>;

const LONGEST_WAIT_SECONDS = 60;

/** Sends requests with an API key, and repeats those that failed for a moment. */
export class Connection {
  readonly #settings: ReturnType<typeof readSettings>;

  constructor(settings: PlatenSettings) {
    this.#settings = readSettings(settings);
  }

  /** Calls a route. Returns its JSON or, for other types, a Blob. */
  async call<Route extends keyof Routes>(
    route: Route,
    input: RouteInput<Route>,
    options?: CallOptions,
  ): Promise<Routes[Route]['result']> {
    const [method = '', template = ''] = route.split(' ');
    const { path, query = {}, body } = input as { path: Values; query?: Values; body?: unknown };
    const place = template.replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name])));
    const given = Object.entries(query).filter(([, value]) => value !== undefined);
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    const target = given.length > 0 ? `${place}?${search}` : place;
    const headers = { 'content-type': 'application/json' };
    const json = body === undefined ? {} : { headers, body: await jsonOf(body) };
    const response = await this.send({ method, target, ...json }, options);
    return (await this.read(response)) as Routes[Route]['result'];
  }

  /** Reads the body of a response. */
  async read(response: Response): Promise<unknown> {
    if (response.status === 204) return undefined;
    if (!typeOf(response).startsWith('application/json')) return response.blob();
    const withDownloads = (_: string, value: Record<string, unknown> | null) =>
      value?.['file_size'] !== undefined && /^(gen|file)_/.test(String(value['file_id'] ?? value['id']))
        ? new Download(this, value)
        : value;
    try {
      const result: unknown = JSON.parse(await response.text(), withDownloads);
      if (typeof result === 'object' && result !== null) return result;
    } catch {
      // Not JSON.
    }
    throw notPlaten(this.#settings.url, response.status);
  }

  /** Sends a request until it succeeds, or another attempt is of no use. */
  async send(request: Request, { signal, idempotencyKey = newKey() }: CallOptions = {}): Promise<Response> {
    const { url, apiKey, retries } = this.#settings;
    const { method, target, body } = request;
    const isOwn = target.startsWith('/');
    const headers = {
      ...request.headers,
      ...(isOwn && { authorization: `Bearer ${apiKey}` }),
      ...(method === 'POST' && { 'idempotency-key': idempotencyKey }),
    };
    const isStream = body instanceof ReadableStream;
    // The service takes no `Idempotency-Key` for new API keys, and each request would make another.
    const isRepeatable = ['GET', 'DELETE', 'POST'].includes(method) && target !== '/v1/keys';
    for (let attempt = 0; ; attempt += 1) {
      const isLast = attempt >= retries || isStream;
      let seconds = 2 ** attempt / 4;
      try {
        const response = await this.#fetch(isOwn ? url + target : target, { ...request, headers }, signal);
        const { ok, status } = response;
        const isWrong = isOwn && !isOfPlaten(response, target);
        // An earlier attempt may have deleted the record.
        if ((ok && !isWrong) || (method === 'DELETE' && attempt > 0 && status === 404)) return response;
        seconds = secondsToWait(response, seconds);
        if (isLast || seconds > LONGEST_WAIT_SECONDS) throw await errorOf(response, isOwn ? url : undefined);
        await response.body?.cancel();
      } catch (error) {
        const isBroken = error instanceof PlatenError && error.code === 'CONNECTION_FAILED';
        if (isLast || !isRepeatable || !isBroken) throw error;
      }
      await pause(seconds, signal);
    }
  }

  /** Returns the path of a link to the service, whose address may be another here; else the link. */
  targetOf(link: string): string {
    return /\/files\/file_\w+\?(?:.*&)?signature=.*$/.exec(link)?.[0] ?? link;
  }

  /** Makes an attempt. The limit is for the whole response, unless it is streamed. */
  async #fetch(url: string, request: Request, signal?: AbortSignal): Promise<Response> {
    const { isStreamed, body, ...init } = request;
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), this.#settings.timeoutMs);
    try {
      const response = await fetch(url, {
        ...init,
        signal: signal ? AbortSignal.any([signal, timeout.signal]) : timeout.signal,
        ...(body !== undefined && { body }),
        ...(body instanceof ReadableStream && { duplex: 'half' }),
      });
      if (response.status === 204 || isStreamed) return response;
      return new Response(await response.arrayBuffer(), response);
    } catch (error) {
      signal?.throwIfAborted();
      const { origin } = new URL(url);
      const late = `${origin} did not respond in time: use \`async\`, or raise \`timeoutMs\`.`;
      if (timeout.signal.aborted) throw new PlatenError('TIMEOUT', late);
      const { code, message, cause } = error as NodeJS.ErrnoException & { cause?: NodeJS.ErrnoException };
      // The stream that is sent failed, because an item cannot be written as JSON.
      if (cause instanceof PlatenError) throw cause;
      const reason = cause?.code ?? cause?.message ?? code ?? message;
      const broken = `${origin} cannot be reached (${reason}): start Platen, or correct PLATEN_URL.`;
      throw new PlatenError('CONNECTION_FAILED', broken);
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Reads the error of a response. A server that is not Platen sends none. */
async function errorOf(response: Response, url: string | undefined): Promise<PlatenError> {
  const { status } = response;
  const body = (await response.json().catch(() => undefined)) as { error?: ApiError } | null | undefined;
  const error = body?.error;
  if (!response.ok && error?.code) return new PlatenError(error.code, error.message, status, error);
  if (url !== undefined) return notPlaten(url, status);
  const message = `The link does not work (status ${status}): read the record again.`;
  return new PlatenError('NO_FILE', message, status);
}

function notPlaten(url: string, status: number): PlatenError {
  const message = `${url} does not answer as Platen does (status ${status}): correct PLATEN_URL.`;
  return new PlatenError('NOT_PLATEN', message, status);
}

/**
 * Tells whether Platen sent a response. Each of the API has the id of its request, and none is a text. A server
 * in front may send files.
 */
function isOfPlaten(response: Response, target: string): boolean {
  if (!target.startsWith('/v1/')) return !typeOf(response).startsWith('text/html');
  const isText = response.status !== 204 && /^(?:text\/(?:html|plain)|$)/.test(typeOf(response));
  return response.headers.has('x-request-id') && !isText;
}

const typeOf = ({ headers }: Response) => headers.get('content-type') ?? '';

/** Returns the time until another attempt in seconds; infinity if it would fail as well. */
function secondsToWait({ status, headers }: Response, backoff: number): number {
  const given = headers.get('retry-after');
  if (given !== null) return Number(given);
  // A proxy says so while the service restarts. Errors of the service are JSON.
  const isOfProxy = [502, 503, 504].includes(status) && !headers.get('content-type')?.includes('json');
  return isOfProxy ? backoff : Infinity;
}

/** Makes a random key. Pages without TLS have no `crypto.randomUUID`. */
export function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-');
}
