import { AppError, type ErrorDetail } from '../errors.ts';
import { FilesUnavailableError } from '../files/files.ts';
import { StoreUnavailableError } from '../store/store.ts';

/** An error on the wire. */
export interface ErrorBody {
  error: { code: string; message: string; details: readonly ErrorDetail[]; request_id: string };
}

/** Turns a failure into status, headers and body. */
export function presentError(
  known: AppError,
  requestId: string,
): { status: number; headers: Record<string, string>; body: ErrorBody } {
  const headers: Record<string, string> = {};
  if (known.retryAfterSeconds !== undefined) headers['retry-after'] = String(known.retryAfterSeconds);
  if (known.allow) headers['allow'] = known.allow.join(', ');
  if (known.code === 'UNAUTHORIZED') headers['www-authenticate'] = 'Bearer';
  const { code, message, details } = known;
  return {
    status: known.status,
    headers,
    body: { error: { code, message, details, request_id: requestId } },
  };
}

/** Turns whatever was thrown into what the caller is told. An error that is not an `AppError` tells the caller nothing, and becomes the cause. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof StoreUnavailableError) {
    return new AppError('UNAVAILABLE', 'the database cannot be reached', {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
  if (error instanceof FilesUnavailableError) {
    return new AppError('UNAVAILABLE', 'the file store cannot be reached', {
      retryAfterSeconds: 5,
      cause: error,
    });
  }
  return new AppError('INTERNAL_ERROR', 'the service failed to answer; its log has the cause', {
    cause: error,
  });
}
