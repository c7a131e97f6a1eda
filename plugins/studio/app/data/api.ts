import { capitalise } from './format.ts';

/** A fault in a request: the field and the reason. */
export interface ErrorDetail {
  path: string;
  code?: string;
  message: string;
}

/** An error response, or a failed connection (`status` 0). */
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
 * Returns the reason of a failure, beginning with a capital letter. `subjects` replace the field names with
 * which messages of the API begin: with `{ file: 'c.pem' }`, "file: is not a PDF" becomes "c.pem is not a
 * PDF".
 */
export function reasonOf(error: unknown, subjects: Readonly<Record<string, string>> = {}): string {
  const message = error instanceof Error ? error.message : String(error);
  const [, field = '', rest = ''] = /^([a-z_]+): (.*)$/s.exec(message) ?? [];
  const subject = subjects[field];
  if (subject !== undefined) return `${subject} ${rest}`;
  return /^[a-z]+ /.test(message) ? capitalise(message) : message;
}

/**
 * Tells whether the same request may succeed later, unlike an invalid request or a request for a missing
 * document.
 */
export function canRetry(error: unknown): boolean {
  if (!(error instanceof ApiError)) return true;
  return error.status < 400 || error.status >= 500 || error.status === 429;
}

/** Tells whether an error has a detail with a code. Codes are stable, unlike messages. */
export function hasCode(error: unknown, sought: string): boolean {
  return error instanceof ApiError && error.details.some(({ code }) => code === sought);
}

/** Tells whether the service requires the password or a passkey before it performs the request. */
export function needsConfirmation(error: unknown): boolean {
  return hasCode(error, 'CONFIRMATION_REQUIRED');
}

/** Tells whether this page canceled the request. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

const signedOutListeners = new Set<() => void>();

/**
 * Registers a function to call when a response shows that the session has ended or the account is suspended.
 */
export function onSignedOut(listener: () => void): void {
  signedOutListeners.add(listener);
}

const refusalListeners = new Set<() => void>();

/** Registers a function to call when a response shows that the role of the person lacks a permission. */
export function onRoleRefused(listener: () => void): void {
  refusalListeners.add(listener);
}

/** The requests that open another account, whose suspension does not concern the current one. */
const ENTERS_ACCOUNT = ['/studio/api/session/account', '/studio/api/link/claim'];

interface SendOptions {
  signal?: AbortSignal | undefined;
  /** Headers in addition to the content type. */
  headers?: Record<string, string>;
}

/**
 * Sends a request. A body that is not a form is sent as JSON.
 * @throws {ApiError} for an error response or a failed connection
 */
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
  const response = await fetch(path, request).catch((error: unknown) => {
    throw isAborted(error) ? error : unreachable();
  });
  return requireSuccess(path, response);
}

/** Returns the error of a failed connection. */
export function unreachable(): ApiError {
  return new ApiError('The service cannot be reached. Check the connection and try again.', {
    status: 0,
    code: 'OFFLINE',
  });
}

/**
 * Returns a response without an error. Reacts to errors of the session.
 * @throws {ApiError} for an error response
 */
export async function requireSuccess(path: string, response: Response): Promise<Response> {
  if (response.ok) return response;
  const error = await readError(response);
  const isSignIn = path.startsWith('/studio/api/sign-in') || path.includes('/passkeys/sign-in');
  const isSuspended = hasCode(error, 'ACCOUNT_SUSPENDED') && !ENTERS_ACCOUNT.includes(path);
  if (!isSignIn && (response.status === 401 || isSuspended))
    for (const listener of signedOutListeners) listener();
  if (hasCode(error, 'MISSING_ROLE')) for (const listener of refusalListeners) listener();
  throw error;
}

async function readError(response: Response): Promise<ApiError> {
  const seconds = Number(response.headers.get('retry-after'));
  const parts = { status: response.status, retryAfterMs: seconds > 0 ? seconds * 1000 : undefined };
  const body = (await response.json().catch(() => undefined)) as
    | { error?: { code: string; message: string; details?: ErrorDetail[] } }
    | undefined;
  if (!body?.error)
    return new ApiError(`The service responded with status ${response.status}.`, {
      ...parts,
      code: 'UNKNOWN',
    });
  const { code, message, details = [] } = body.error;
  return new ApiError(message, { ...parts, code, details });
}

/** Reads JSON. A request that exceeds the rate limit is retried. */
export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return retrying(async () => (await send('GET', path, undefined, { signal })).json() as Promise<T>, signal);
}

/** Sends JSON and returns the JSON of the response. */
export async function post<T>(path: string, body: unknown = {}, signal?: AbortSignal): Promise<T> {
  const response = await send('POST', path, body, { signal });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** Replaces a resource. */
export async function put<T>(path: string, body: unknown): Promise<T> {
  return (await send('PUT', path, body)).json() as Promise<T>;
}

/** Sends a form with a file and other fields, and returns the JSON of the response. */
export async function sendFile<T>(
  method: 'POST' | 'PUT',
  path: string,
  fields: Readonly<Record<string, string | File>>,
): Promise<T> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return (await send(method, path, form)).json() as Promise<T>;
}

/** Changes the fields of a resource that the body has. */
export async function patch<T>(path: string, body: unknown): Promise<T> {
  return (await send('PATCH', path, body)).json() as Promise<T>;
}

/** Deletes a resource. */
export async function remove<T = undefined>(path: string): Promise<T> {
  const response = await send('DELETE', path);
  return (response.status === 204 ? undefined : await response.json()) as T;
}

const MAX_ATTEMPTS = 5;

/**
 * Runs work up to five times while the service is busy or the rate limit is exceeded, and waits in between as
 * long as the service asks.
 */
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

/** Waits for a time. @throws {DOMException} AbortError when the signal is aborted */
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
