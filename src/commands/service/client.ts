import { setTimeout as wait } from 'node:timers/promises';
import packageJson from '../../../package.json' with { type: 'json' };
import { DocumentError, ServiceError, type CommandError } from '../failures.ts';

/** A request to the service. */
export interface CallOptions {
  /** A JSON body, or a form or bytes with their own type. */
  body?: unknown;
  query?: Readonly<Record<string, string | undefined>>;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
  /** How long the response may take. */
  timeoutMs?: number;
}

/** A client of the HTTP API of one service. */
export interface Client extends AsyncDisposable {
  /** The address of the service, without a trailing slash. */
  readonly url: string;
  /** Whether the service runs in this process and ends with the command. */
  readonly isOwn: boolean;
  /** Calls a route such as `POST /v1/generate` and returns its JSON. @throws {CommandError} */
  json<T>(route: string, options?: CallOptions): Promise<T>;
  /** Calls a route or gets a link that a response named, and returns the bytes. @throws {CommandError} */
  bytes(route: string, options?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** Calls a route and returns its response, which succeeded. @throws {CommandError} */
  send(route: string, options?: CallOptions): Promise<Response>;
}

const TIMEOUT_MS = 150_000;
const MAX_ATTEMPTS = 5;
const MAX_WAIT_SECONDS = 30;

interface ErrorBody {
  error?: { code?: string; message?: string; details?: readonly unknown[] };
}

/** Creates the client of a service. `close` releases what the client owns. */
export function createClient({
  url,
  key,
  isOwn,
  close = () => Promise.resolve(),
}: {
  url: string;
  key: string;
  isOwn: boolean;
  close?: () => Promise<void>;
}): Client {
  const send = async (route: string, options: CallOptions = {}): Promise<Response> => {
    for (let attempt = 1; ; attempt += 1) {
      const response = await sendOnce({ url, key }, route, options);
      if (response.ok) return response;
      const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
      const mayWait = [429, 503].includes(response.status) && seconds <= MAX_WAIT_SECONDS;
      if (!mayWait || attempt === MAX_ATTEMPTS) throw await explain({ url, isOwn }, response);
      await response.body?.cancel();
      await wait(seconds * 1000, undefined, options.signal && { signal: options.signal });
    }
  };
  return {
    url,
    isOwn,
    send,
    async json<T>(route: string, options?: CallOptions) {
      const response = await send(route, options);
      const body =
        response.status === 204 ? null : parsed(await received(response.text(), response, options));
      if (body === undefined) throw notPlaten(url, response);
      return body as T;
    },
    async bytes(route, options) {
      const response = await send(route, options);
      return new Uint8Array(await received(response.arrayBuffer(), response, options));
    },
    [Symbol.asyncDispose]: close,
  };
}

/** Sends a request. Only the service gets the key, and redirects are not followed. */
async function sendOnce(
  { url, key }: { url: string; key: string },
  route: string,
  { body, query = {}, headers, signal, timeoutMs = TIMEOUT_MS }: CallOptions,
): Promise<Response> {
  const [method = 'GET', place = ''] = route.includes(' ') ? route.split(' ', 2) : ['GET', route];
  const path = pathOfLink(place) ?? place;
  const isOfService = path.startsWith('/');
  const target = URL.parse(isOfService ? url + path : path);
  // A response names this link, so it must not lead to a file of this machine.
  if (target?.protocol !== 'http:' && target?.protocol !== 'https:')
    throw new ServiceError(
      `${url} sent the link "${path}", which is not http: or https:; correct the service`,
    );
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) target.searchParams.set(name, value);
  const isJson = body !== undefined && !(body instanceof FormData) && !(body instanceof Uint8Array);
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    return await fetch(target, {
      method,
      headers: {
        ...(isOfService && {
          'user-agent': `Platen/${packageJson.version}`,
          authorization: `Bearer ${key}`,
        }),
        ...(isJson && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && {
        body: isJson ? JSON.stringify(body) : (body as NonNullable<RequestInit['body']>),
      }),
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    });
  } catch (error) {
    signal?.throwIfAborted();
    throw new ServiceError(
      `${target.origin} ${reasonOf(error)}; start the service, or correct --server or PLATEN_URL`,
    );
  }
}

/** Waits for the whole body of a response. @throws {ServiceError} if the connection breaks before its end */
async function received<T>(body: Promise<T>, { url }: Response, { signal }: CallOptions = {}): Promise<T> {
  return body.catch((error: unknown) => {
    signal?.throwIfAborted();
    const { name } = error as { name?: string };
    const reason = name === 'TimeoutError' ? 'did not send its answer in time' : 'broke off its answer';
    throw new ServiceError(`${new URL(url).origin} ${reason}; try again`);
  });
}

/** Returns the value of JSON, and `undefined` for other text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the path of a link to a file of the service, whose public address may be another than the one by
 * which the command reaches it; `undefined` for other links.
 */
function pathOfLink(link: string): string | undefined {
  const url = URL.parse(link);
  const isFile = url?.pathname.includes('/files/file_') && url.searchParams.has('signature');
  return url && isFile ? url.pathname.slice(url.pathname.indexOf('/files/file_')) + url.search : undefined;
}

function reasonOf(error: unknown): string {
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === 'TimeoutError') return 'did not answer in time';
  return `cannot be reached (${typeof code === 'string' ? code : 'no connection'})`;
}

/** Explains a response that is not a success in one sentence. */
async function explain(
  { url, isOwn }: { url: string; isOwn: boolean },
  response: Response,
): Promise<CommandError> {
  const { status } = response;
  const body = (await response.json().catch(() => undefined)) as ErrorBody | null | undefined;
  const { code, message, details = [] } = body?.error ?? {};
  if (code === undefined || message === undefined) return notPlaten(url, response);
  if (status === 401)
    return new ServiceError(`${url} refuses the API key; check --key or PLATEN_API_KEY`, code);
  const isRefusal = status >= 400 && status < 500 && status !== 429 && code !== 'USAGE_LIMIT_EXCEEDED';
  if (isRefusal && code !== 'FORBIDDEN')
    return new DocumentError(message, { code, details, httpStatus: status });
  // The address of an own service means nothing to its user, who can examine this machine.
  return new ServiceError(
    isOwn ? `${message}; platen doctor may name the cause` : `${url} responded: ${message}`,
    code,
  );
}

function notPlaten(url: string, response: Response): ServiceError {
  const location = response.headers.get('location');
  if (location !== null) return new ServiceError(`${url} redirects to ${location}; use that address`);
  return new ServiceError(
    `${url} is not the address of a Platen service (status ${response.status}); correct --server or PLATEN_URL`,
  );
}
