/** A fault in a request: the field and the reason. */
export interface ErrorDetail {
  path: string;
  code?: string;
  message: string;
}

/** An answer with an error, or a failed connection (`status` 0). */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: ErrorDetail[];
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    parts: { status: number; code: string; details?: ErrorDetail[]; retryAfterMs?: number | undefined },
  ) {
    super(message);
    this.status = parts.status;
    this.code = parts.code;
    this.details = parts.details ?? [];
    this.retryAfterMs = parts.retryAfterMs;
  }
}

/**
 * Returns the reason of a failure as a sentence. `subjects` are the words for the fields of the request, which begin messages of the API: with
 * `{ file: 'c.pem' }`, "file: is not a PDF" becomes "c.pem is not a PDF".
 */
export function reasonOf(error: unknown, subjects: Readonly<Record<string, string>> = {}): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, field = '', rest = ''] = /^([a-z_]+): (.*)$/s.exec(message) ?? [];
  const subject = subjects[field];
  if (subject !== undefined) return `${subject} ${rest}`;
  const text = message;
  return /^[a-z]+ /.test(text) ? text[0]?.toUpperCase() + text.slice(1) : text;
}

/** Tells whether the same request may succeed later. Faults of the request itself and missing documents stay as they are. */
export function canRetry(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status < 400 || error.status >= 500 || error.status === 429;
}

/** Tells whether the service asks for the password or a passkey before it performs the request. */
export function needsConfirmation(error: unknown): boolean {
  return error instanceof ApiError && error.details.some(({ code }) => code === 'CONFIRMATION_REQUIRED');
}

/** Tells whether a request was cancelled by this page. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

const listeners = new Set<() => void>();

/** Calls a function when an answer shows that the session has ended. */
export function onSignedOut(listener: () => void): void {
  listeners.add(listener);
}

interface SendOptions {
  signal?: AbortSignal | undefined;
  /** Headers in addition to the content type. */
  headers?: Record<string, string>;
}

/** Sends a request. A body that is not a form is sent as JSON. @throws {ApiError} for every answer that is not a success */
export async function send(
  method: string,
  path: string,
  body?: unknown,
  { signal, headers = {} }: SendOptions = {},
): Promise<Response> {
  const isForm = body instanceof FormData;
  const request: RequestInit = {
    method,
    headers: { ...(body !== undefined && !isForm && { 'content-type': 'application/json' }), ...headers },
    ...(body !== undefined && { body: isForm ? body : JSON.stringify(body) }),
    ...(signal && { signal }),
  };
  const answer = await fetch(path, request).catch((error: unknown) => {
    if (isAborted(error)) throw error;
    throw new ApiError('The service cannot be reached. Check the connection and try again.', {
      status: 0,
      code: 'OFFLINE',
    });
  });
  if (answer.ok) return answer;
  const error = await readError(answer);
  const isSignIn = path.startsWith('/studio/api/sign-in') || path.includes('/passkeys/sign-in');
  const isSuspended = answer.status === 403 && error.message === 'the account is suspended';
  if (!isSignIn && (answer.status === 401 || isSuspended)) for (const listener of listeners) listener();
  throw error;
}

async function readError(answer: Response): Promise<ApiError> {
  const seconds = Number(answer.headers.get('retry-after'));
  const parts = { status: answer.status, retryAfterMs: seconds > 0 ? seconds * 1000 : undefined };
  const body = (await answer.json().catch(() => undefined)) as
    | { error?: { code: string; message: string; details?: ErrorDetail[] } }
    | undefined;
  if (!body?.error)
    return new ApiError(`The service answered ${answer.status}.`, { ...parts, code: 'UNKNOWN' });
  const { code, message, details = [] } = body.error;
  return new ApiError(message, { ...parts, code, details });
}

/** Reads JSON. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return retrying(async () => (await send('GET', path, undefined, { signal })).json() as Promise<T>, signal);
}

/** Sends JSON and reads the answer. */
export async function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  const answer = await send('POST', path, body, { signal });
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

/** Replaces a resource. */
export async function put<T>(path: string, body: unknown): Promise<T> {
  return (await send('PUT', path, body)).json() as Promise<T>;
}

/** Deletes a resource. */
export async function remove<T = undefined>(path: string): Promise<T> {
  const answer = await send('DELETE', path);
  return (answer.status === 204 ? undefined : await answer.json()) as T;
}

const MAX_ATTEMPTS = 5;

/** Repeats a request that exceeded the rate limit, after the time that the service asks for. */
export async function retrying<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isBusy = error instanceof ApiError && (error.status === 429 || error.status === 503);
      if (!isBusy || attempt === MAX_ATTEMPTS) throw error;
      await pause(error.retryAfterMs ?? 1000 * attempt, signal);
    }
  }
}

/** Waits. @throws {DOMException} AbortError when the signal is aborted */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(new DOMException('aborted', 'AbortError'));
    };
    if (signal?.aborted) return reject(new DOMException('aborted', 'AbortError'));
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
