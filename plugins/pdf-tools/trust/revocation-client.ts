import type { RemoteResponse, RemoteRequest } from '@platen/signatures';
import type { EgressGuard } from '../../../src/plugin.ts';
import { fetchBounded, FetchFault } from './bounded-fetch.ts';

const TIMEOUT_MS = 8_000;
const MAX_BYTES = { ocsp: 200_000, certificate: 100_000, crl: 10_000_000 } as const;
/** The limits on the time and the size of all responses for one document. */
const TOTAL_MS = 20_000;
const TOTAL_BYTES = 30_000_000;
const CONCURRENCY = 4;

/**
 * Fetches revocation data and certificates of issuers for one document, from the addresses in certificates.
 */
export interface RevocationSession {
  /**
   * Returns an answer to every request, in order: the response, or the failure, such as an exceeded limit.
   */
  fetchAll(requests: readonly RemoteRequest[]): Promise<RemoteResponse[]>;
}

/** Opens sessions, one for each document. */
export interface RevocationClient {
  open(): RevocationSession;
}

/**
 * Creates the client. Every request passes the guard, which refuses private addresses unless the operator
 * allows them.
 */
export function createRevocationClient(egress: EgressGuard): RevocationClient {
  return { open: () => openSession(egress) };
}

function openSession(egress: EgressGuard): RevocationSession {
  const endsAt = performance.now() + TOTAL_MS;
  let bytesLeft = TOTAL_BYTES;

  async function answer(request: RemoteRequest): Promise<RemoteResponse> {
    const { kind, url, body } = request;
    const timeoutMs = Math.min(TIMEOUT_MS, endsAt - performance.now());
    const maxBytes = Math.min(MAX_BYTES[kind], bytesLeft);
    if (timeoutMs <= 0 || maxBytes <= 0)
      return { request, failure: 'was not asked, because other answers were too long or too late' };
    try {
      const bytes = await fetchBounded(egress, {
        url,
        timeoutMs,
        maxBytes,
        ...(body && { post: { type: 'application/ocsp-request', body } }),
      });
      bytesLeft -= bytes.length;
      return { request, bytes };
    } catch (error) {
      if (!(error instanceof FetchFault)) throw error;
      return { request, failure: error.message };
    }
  }

  return {
    async fetchAll(requests) {
      const answers: RemoteResponse[] = [];
      for (let from = 0; from < requests.length; from += CONCURRENCY)
        answers.push(...(await Promise.all(requests.slice(from, from + CONCURRENCY).map(answer))));
      return answers;
    },
  };
}
