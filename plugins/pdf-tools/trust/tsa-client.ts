import { AppError, type EgressGuard } from '../../../src/plugin.ts';
import { fetchBounded, FetchFault } from './bounded-fetch.ts';

const TIMEOUT_MS = 15_000;
const MAX_ANSWER_BYTES = 100_000;
const RETRY_AFTER_SECONDS = 30;

/** The time stamping authority that the operator configured (RFC 3161). */
export interface TsaClient {
  /**
   * Sends a request of `createTimestampRequest`, and returns the answer, which `readTimestampResponse` checks in the sandbox.
   * @throws {AppError} UNAVAILABLE if the authority gives no answer
   */
  send(request: Uint8Array): Promise<Uint8Array>;
}

/** Opens the client of an authority, which may be on a private address: the guard allows only its host and port. */
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
          maxBytes: MAX_ANSWER_BYTES,
          post: { type: 'application/timestamp-query', body: request },
        });
      } catch (error) {
        if (!(error instanceof FetchFault)) throw error;
        throw new AppError('UNAVAILABLE', `the time stamping authority ${error.message}`, {
          retryAfterSeconds: RETRY_AFTER_SECONDS,
          cause: error,
        });
      }
    },
  };
}
