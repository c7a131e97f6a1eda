import { AppError, type EgressGuard } from '../../../src/plugin.ts';
import { fetchBounded, FetchFault } from './bounded-fetch.ts';

const TIMEOUT_MS = 15_000;
const MAX_RESPONSE_BYTES = 100_000;
const RETRY_AFTER_SECONDS = 30;

/** The time stamping authority that the operator configured (RFC 3161). */
export interface TsaClient {
  /**
   * Sends a request of `createTimestampRequest`, and returns the response, which `readTimestampResponse`
   * checks in the sandbox.
   * @throws {AppError} TSA_ERROR if the authority refuses the request; UNAVAILABLE if it does not respond
   */
  send(request: Uint8Array): Promise<Uint8Array>;
}

/**
 * Opens the client of an authority, which may be on a private address: the guard allows only its host and
 * port.
 */
export async function openTsaClient(
  url: string,
  openEgress: (allow: readonly string[]) => Promise<EgressGuard>,
): Promise<TsaClient> {
  const { hostname, port, protocol } = new URL(url);
  const egress = await openEgress([`${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`]);
  return {
    async send(request) {
      try {
        return await fetchBounded(egress, {
          url,
          timeoutMs: TIMEOUT_MS,
          maxBytes: MAX_RESPONSE_BYTES,
          post: { type: 'application/timestamp-query', body: request },
        });
      } catch (error) {
        if (!(error instanceof FetchFault)) throw error;
        const message = `the time stamping authority ${error.message}`;
        if (isRefusal(error.status))
          throw new AppError(
            'TSA_ERROR',
            `${message}: the operator should check plugins.pdf-tools.tsaUrl and the access to the authority`,
            { cause: error },
          );
        throw new AppError('UNAVAILABLE', message, {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
          cause: error,
        });
      }
    },
  };
}

/**
 * The statuses below 500 with which a server asks to try again later: Request Timeout, Too Early, Too Many
 * Requests.
 */
const TEMPORARY: readonly number[] = [408, 425, 429];

/** Tells whether a repeated request would get the same status. */
function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status < 500 && !TEMPORARY.includes(status);
}
