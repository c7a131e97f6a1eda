import type { ErrorCatalogue } from '../errors.ts';
import { presentError, toAppError } from '../http/present-error.ts';
import type { RequestIdentity } from '../http/request-identity.ts';
import { readUrl } from '../http/request-line.ts';
import type { Attempt, KeyLeases, KeyedRequest } from './key-leases.ts';
import type { ReplayParts } from './replay.ts';

/** The parts of the service that the header `Idempotency-Key` needs. */
export interface IdempotencyParts extends ReplayParts {
  leases: Pick<KeyLeases, 'claim' | 'digest'>;
  errors: Pick<ErrorCatalogue, 'get'>;
}

/** Returns the part of a request that decides whether another request is the same. */
export function digestedRequest(request: Request, body: Uint8Array | undefined): KeyedRequest['request'] {
  const { pathname, search } = readUrl(request);
  return {
    method: request.method,
    target: pathname + search,
    contentType: request.headers.get('content-type') ?? '',
    body,
  };
}

/**
 * Ends an attempt whose request failed. An invalid request stays invalid, so its 400 is kept. Every other
 * failure depends on the state of the service or of the account, so a repeated request runs.
 */
export async function endFailed(
  attempt: Attempt,
  error: unknown,
  {
    errors,
    request,
    identity,
  }: { errors: IdempotencyParts['errors']; request: Request; identity: RequestIdentity },
): Promise<void> {
  const failure = toAppError(error);
  const { status } = errors.get(failure.code);
  // A caller that has disconnected may have caused the failure.
  if (status !== 400 || request.signal.aborted) return attempt.release();
  const { headers, body } = presentError(failure, identity);
  await attempt.keep({ status, headers, body: { kind: 'json', text: JSON.stringify(body), files: [] } });
}
