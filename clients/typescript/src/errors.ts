import type { ApiError, ErrorDetail } from './types.gen.ts';

/**
 * An error of the service, or of the client itself, whose message says what to do. Errors of the client have no
 * `status`, and the code `INVALID_SETTING`, `INVALID_VALUE`, `CONNECTION_FAILED`, `TIMEOUT`, `NOT_PLATEN`,
 * `FILE_ERROR`, `NO_FILE` or `INVALID_SIGNATURE`.
 */
export class PlatenError extends Error {
  override readonly name = 'PlatenError';
  readonly code: string;
  readonly status: number | undefined;
  /** The faults, each with the field of the request as `path`. */
  readonly details: readonly ErrorDetail[];
  /** The name of the request in the log of the service. */
  readonly requestId: string | undefined;

  constructor(code: string, message: string, status?: number, error?: ApiError) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = error?.details ?? [];
    this.requestId = error?.request_id;
  }
}
