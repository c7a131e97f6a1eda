import { AppError, type ErrorDetail } from '../errors.ts';
import { FilesUnavailableError } from '../files/files.ts';
import { StoreUnavailableError } from '../store/store.ts';

/** An error on the wire. */
export interface ErrorBody {
  error: { code: string; message: string; details: readonly ErrorDetail[]; request_id: string };
}

/** Writes an error as the headers and body of a response. */
export function presentError(
  { code, message, details, retryAfterSeconds, allow }: AppError,
  requestId: string,
): { headers: Record<string, string>; body: ErrorBody } {
  const headers: Record<string, string> = {};
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  if (allow) headers['allow'] = allow.join(', ');
  // RFC 9110, 15.5.16.
  if (code === 'UNSUPPORTED_MEDIA_TYPE') headers['accept-encoding'] = 'identity';
  if (code === 'UNAUTHORIZED') headers['www-authenticate'] = 'Bearer';
  return { headers, body: { error: { code, message, details, request_id: requestId } } };
}

/** Converts a thrown value to an error for the caller. A value that is not an `AppError` becomes its cause, which the caller does not see. */
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
