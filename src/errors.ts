/** The status and meaning of an error code. */
export interface ErrorSpec {
  status: number;
  /** One sentence for the API documentation. */
  meaning: string;
}

/** The error codes of the core and their status. */
interface CoreErrorCodes {
  VALIDATION_ERROR: 400;
  UNAUTHORIZED: 401;
  USAGE_LIMIT_EXCEEDED: 403;
  FORBIDDEN: 403;
  NOT_FOUND: 404;
  METHOD_NOT_ALLOWED: 405;
  CONFLICT: 409;
  GONE: 410;
  IDEMPOTENCY_MISMATCH: 422;
  UNSUPPORTED_MEDIA_TYPE: 415;
  RATE_LIMITED: 429;
  INTERNAL_ERROR: 500;
  NOT_IMPLEMENTED: 501;
  NOT_CONFIGURED: 501;
  UNAVAILABLE: 503;
}

/** All error codes and their status. Plugins add theirs by declaration merging and in `Plugin.errors`. */
export interface ErrorCodes extends CoreErrorCodes {}

export type ErrorCode = keyof ErrorCodes;

const CORE_ERRORS: Readonly<Record<keyof CoreErrorCodes, ErrorSpec>> = {
  VALIDATION_ERROR: {
    status: 400,
    meaning:
      'The request is invalid, or its document has a fault. The message names the field; `details` has the code of a fault in the document.',
  },
  UNAUTHORIZED: { status: 401, meaning: 'The API key is missing, malformed, unknown or revoked.' },
  USAGE_LIMIT_EXCEEDED: { status: 403, meaning: 'The account has reached its monthly limit of PDFs.' },
  FORBIDDEN: {
    status: 403,
    meaning: 'The signature of the link to a file is missing or wrong, or an operator suspended the account.',
  },
  NOT_FOUND: {
    status: 404,
    meaning: 'The path or id does not exist, or it belongs to another account.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The path does not take this method; the header `Allow` lists the methods that it takes.',
  },
  CONFLICT: {
    status: 409,
    meaning:
      'The state of the resource does not allow this now, or the first request with the same `Idempotency-Key` is running; the message says what to do first.',
  },
  GONE: {
    status: 410,
    meaning:
      'The first request with this `Idempotency-Key` ended, but its response cannot be repeated: its file was deleted, or it was too large to be kept.',
  },
  IDEMPOTENCY_MISMATCH: {
    status: 422,
    meaning:
      'The `Idempotency-Key` belongs to another request of the last 24 hours, which the message names. Use a new key for each new request.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    meaning: 'The body is compressed: `Content-Encoding` names a coding other than `identity`.',
  },
  RATE_LIMITED: {
    status: 429,
    meaning:
      'Too many requests per second, or more concurrent requests than the plan allows; retry after the number of seconds in `Retry-After`.',
  },
  INTERNAL_ERROR: {
    status: 500,
    meaning: 'The service failed; look up the `request_id` in its log for the cause.',
  },
  NOT_IMPLEMENTED: { status: 501, meaning: 'The service does not support this operation.' },
  NOT_CONFIGURED: {
    status: 501,
    meaning: 'The request needs a program that is not installed, such as LibreOffice; the message names it.',
  },
  UNAVAILABLE: {
    status: 503,
    meaning:
      'A part of the service is temporarily unavailable; retry after the number of seconds in `Retry-After`.',
  },
};

/**
 * Thrown when two parts of a service register the same name. The message is for the operator: it stops the
 * start.
 */
export class NameTakenError extends Error {
  override name = 'NameTakenError';
}

/** The error codes of one service: those of the core and of its plugins. */
export class ErrorCatalogue {
  readonly #specs = new Map<string, ErrorSpec>(Object.entries(CORE_ERRORS));

  /**
   * Adds the error codes of a plugin.
   * @throws {NameTakenError} when a code is already registered with a different status
   */
  register(errors: Readonly<Record<string, ErrorSpec>>): void {
    for (const [code, spec] of Object.entries(errors)) {
      const known = this.#specs.get(code);
      if (known && known.status !== spec.status)
        throw new NameTakenError(`error code ${code} is already registered with status ${known.status}`);
      this.#specs.set(code, spec);
    }
  }

  /** Returns the status and meaning of a code. @throws {Error} when the code is not registered */
  get(code: string): ErrorSpec {
    const spec = this.#specs.get(code);
    if (!spec) throw new Error(`error code ${code} is not registered`);
    return spec;
  }
}

/** A fault in a request: the path of the field (`options.margin.top`) and a message. */
export interface ErrorDetail {
  path: string;
  /** The line of the file that has the fault, counted from 1. */
  line?: number;
  /** The kind of fault in a document, such as `TEMPLATE_ERROR`; `docs/errors.md` lists them. */
  code?: string;
  message: string;
}

/** The optional parts of an error. */
export interface AppErrorOptions {
  details?: readonly ErrorDetail[];
  /** Whole seconds, at least 1; sent as `Retry-After`. */
  retryAfterSeconds?: number;
  /** The methods that the path takes; sent as `Allow`. */
  allow?: readonly string[];
  /** Whether the request is too large, to which other APIs respond with 413. */
  isTooLarge?: boolean;
  /** Logged, never sent. */
  cause?: unknown;
}

/**
 * An error response. The {@link ErrorCatalogue} gives the status of its code. The message is for the caller,
 * the cause for the log.
 */
export class AppError extends Error {
  override name = 'AppError';
  readonly details: readonly ErrorDetail[];
  readonly retryAfterSeconds: number | undefined;
  readonly allow: readonly string[] | undefined;
  readonly isTooLarge: boolean;

  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.details = options.details ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
    this.isTooLarge = options.isTooLarge ?? false;
  }
}

/** Creates the error for a body that exceeds the limit of its route. */
export function bodyTooLarge(maxBytes: number): AppError {
  const message = `the body is larger than the limit of ${maxBytes} bytes of this endpoint`;
  return new AppError('VALIDATION_ERROR', message, { isTooLarge: true });
}

/** Returns the message of a thrown value. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Creates the error for an invalid field: 400, with the field's path in the message and the details. */
export function invalid(path: string, message: string, code?: string): AppError {
  return invalidFields([{ path, ...(code !== undefined && { code }), message }]);
}

/** Creates the error for several invalid fields; the message is that of the first. */
export function invalidFields(details: readonly ErrorDetail[]): AppError {
  const [first] = details;
  if (!first) throw new Error('invalidFields needs at least one detail');
  const { path, message } = first;
  return new AppError('VALIDATION_ERROR', path ? `${path}: ${message}` : message, { details });
}

/** Creates the error for a resource that does not exist or belongs to another account. */
export function notFound(resource: string): AppError {
  return new AppError('NOT_FOUND', `${resource} not found`);
}

/** Thrown by a health check when a part works, but refuses some requests. The service stays ready. */
export class DegradedError extends Error {
  override name = 'DegradedError';
}

/** A fault of the disk that holds the data of the service. */
export type DiskFault = 'full' | 'read-only' | 'disk';

const DISK_FAULTS: Readonly<Record<string, string>> = {
  full: 'the disk of the service is full: nothing new is stored until space is free; reading and deleting still work',
  'read-only': 'the data of the service is read-only now: nothing is stored or deleted; reading still works',
  disk: 'the disk of the service failed; its log has the cause',
} satisfies Record<DiskFault, string>;

/** Returns the sentence for callers about a fault of the disk; `undefined` for another reason. */
export function explainDiskFault(reason: string): string | undefined {
  return DISK_FAULTS[reason];
}
