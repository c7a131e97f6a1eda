/** What a code in an error answer stands for. */
export interface ErrorSpec {
  status: number;
  /** One sentence for the reader of the API's documentation. */
  meaning: string;
}

/** The codes of the core, and their status. */
interface CoreErrorCodes {
  VALIDATION_ERROR: 400;
  UNAUTHORIZED: 401;
  USAGE_LIMIT_EXCEEDED: 403;
  NOT_FOUND: 404;
  METHOD_NOT_ALLOWED: 405;
  RATE_LIMITED: 429;
  INTERNAL_ERROR: 500;
  UNAVAILABLE: 503;
}

/** Every code that the service may answer with, and its status. Plugins add theirs by declaration merging and `errors`. */
export interface ErrorCodes extends CoreErrorCodes {}

/** A code of the catalogue. */
export type ErrorCode = keyof ErrorCodes;

const catalogue = new Map<string, ErrorSpec>(
  Object.entries({
    VALIDATION_ERROR: {
      status: 400,
      meaning: 'The request is not valid; the message names the field and what it takes.',
    },
    UNAUTHORIZED: { status: 401, meaning: 'The API key is missing, malformed, unknown or revoked.' },
    USAGE_LIMIT_EXCEEDED: { status: 403, meaning: 'The monthly number of PDFs of the account is used up.' },
    NOT_FOUND: {
      status: 404,
      meaning: 'There is nothing under this path or id, or it belongs to another account.',
    },
    METHOD_NOT_ALLOWED: {
      status: 405,
      meaning: 'The path does not take this method; the header `Allow` lists those that it takes.',
    },
    RATE_LIMITED: {
      status: 429,
      meaning:
        'Too many requests in a second, or more at once than the plan allows; try again after the seconds in `Retry-After`.',
    },
    INTERNAL_ERROR: {
      status: 500,
      meaning:
        'The service failed, and `request_id` finds the cause in its log; or a document could not be rendered, and message and `details` say why.',
    },
    UNAVAILABLE: {
      status: 503,
      meaning: 'A part of the service cannot be reached now; try again after `Retry-After`.',
    },
  } satisfies Record<keyof CoreErrorCodes, ErrorSpec>),
);

/** Adds the codes that a plugin brings. @throws when a code is taken with another status. */
export function registerErrors(errors: Readonly<Record<string, ErrorSpec>>): void {
  for (const [code, spec] of Object.entries(errors)) {
    const known = catalogue.get(code);
    if (known && known.status !== spec.status)
      throw new Error(`error code ${code} is already registered with status ${known.status}`);
    catalogue.set(code, spec);
  }
}

/** Reads what a code stands for. @throws when the code was never registered. */
export function errorSpec(code: string): ErrorSpec {
  const spec = catalogue.get(code);
  if (!spec) throw new Error(`error code ${code} is not registered`);
  return spec;
}

/** One fault in what a caller sent: where (`options.margin.top`), and what is wrong with it. */
export interface ErrorDetail {
  path: string;
  message: string;
}

/** What an error carries beside its code and message. */
export interface AppErrorOptions {
  details?: readonly ErrorDetail[];
  /** Whole seconds, at least 1; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** The methods that the path takes; sent as `Allow`. */
  allow?: readonly string[];
  /** Logged, never sent. */
  cause?: unknown;
}

/** An answer other than success: the code decides the status, the message is for the caller, the cause for the log. */
export class AppError extends Error {
  override name = 'AppError';
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;

  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
  }

  get status(): number {
    return errorSpec(this.code).status;
  }
}

/** Reads the message of whatever was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Makes the answer to a faulty field: 400, with the field's path in message and details. */
export function invalid(path: string, message: string): AppError {
  return invalidFields([{ path, message }]);
}

/** Makes the answer to several: the message is of the first. */
export function invalidFields(details: readonly ErrorDetail[]): AppError {
  const [first] = details;
  if (!first) throw new Error('nothing is invalid');
  const { path, message } = first;
  return new AppError('VALIDATION_ERROR', path ? `${path}: ${message}` : message, { details });
}

/** Makes the one answer for what does not exist and for what belongs to somebody else. */
export function notFound(what: string): AppError {
  return new AppError('NOT_FOUND', `${what} not found`);
}
