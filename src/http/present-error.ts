import { AppError, explainDiskFault, type ErrorDetail } from '../errors.ts';
import { FilesUnavailableError } from '../files/files.ts';
import { StoreUnavailableError } from '../store/store.ts';
import type { RequestIdentity } from './request-identity.ts';

/** An error on the wire. */
export interface ErrorBody {
  error: {
    code: string;
    message: string;
    details: readonly ErrorDetail[];
    request_id: string;
    doc_url: string;
  };
}

/** The page of errors. Each code in its tables is an anchor. */
const PAGE = '/docs/errors.md';

/** Writes an error as the headers and body of a response. */
export function presentError(
  { code, message, details, retryAfterSeconds, allow }: AppError,
  { id, docs }: Pick<RequestIdentity, 'id' | 'docs'>,
): { headers: Record<string, string>; body: ErrorBody } {
  const headers: Record<string, string> = {};
  if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
  if (allow) headers['allow'] = allow.join(', ');
  // RFC 9110, 15.5.16.
  if (code === 'UNSUPPORTED_MEDIA_TYPE') headers['accept-encoding'] = 'identity';
  if (code === 'UNAUTHORIZED') headers['www-authenticate'] = 'Bearer';
  const doc_url = `${docs}${PAGE}#${code}`;
  return { headers, body: { error: { code, message, details, request_id: id, doc_url } } };
}

/**
 * Converts a thrown value to an error for the caller. A value that is not an `AppError` becomes its cause,
 * which the caller does not see.
 */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof StoreUnavailableError) return unavailable(error, 'the database cannot be reached');
  if (error instanceof FilesUnavailableError) return unavailable(error, 'the file store cannot be reached');
  return new AppError('INTERNAL_ERROR', 'the service failed to answer; its log has the cause', {
    cause: error,
  });
}

/**
 * The seconds after which a request to a full or failing disk is worth repeating. Only an operator or
 * deletions can help it.
 */
const DISK_RETRY_SECONDS = 60;

function unavailable(error: StoreUnavailableError | FilesUnavailableError, otherwise: string): AppError {
  const diskFault = explainDiskFault(error.reason);
  return new AppError('UNAVAILABLE', diskFault ?? otherwise, {
    retryAfterSeconds: diskFault === undefined ? 5 : DISK_RETRY_SECONDS,
    cause: error,
  });
}
