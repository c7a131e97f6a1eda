import type { RemoteAnswer, RemoteRequest } from '@platen/pdf/signatures';
import type { EgressGuard } from '../../../src/plugin.ts';
import { fetchBounded, FetchFault } from './bounded-fetch.ts';

const TIMEOUT_MS = 8_000;
const MAX_BYTES = { ocsp: 200_000, certificate: 100_000, crl: 10_000_000 } as const;
/** The time for all requests of one call. */
const TOTAL_MS = 20_000;
const CONCURRENCY = 4;

/** Fetches revocation data and certificates of issuers from the addresses in certificates. */
export interface RevocationClient {
  /** Answers every request, in order. Nothing is fetched after a limit of time or number; such an answer names the problem. */
  fetchAll(requests: readonly RemoteRequest[]): Promise<RemoteAnswer[]>;
}

/** Creates the client. Every request passes the guard, which refuses private addresses unless the operator allows them. */
export function createRevocationClient(egress: EgressGuard): RevocationClient {
  async function answer(request: RemoteRequest, endsAt: number): Promise<RemoteAnswer> {
    const timeoutMs = Math.min(TIMEOUT_MS, endsAt - performance.now());
    if (timeoutMs <= 0) return { request, problem: 'was not asked, because others took too long' };
    const { kind, url, body } = request;
    try {
      const bytes = await fetchBounded(egress, {
        url,
        timeoutMs,
        maxBytes: MAX_BYTES[kind],
        ...(body && { post: { type: 'application/ocsp-request', body } }),
      });
      return { request, bytes };
    } catch (error) {
      if (!(error instanceof FetchFault)) throw error;
      return { request, problem: error.message };
    }
  }

  return {
    async fetchAll(requests) {
      const endsAt = performance.now() + TOTAL_MS;
      const answers: RemoteAnswer[] = [];
      for (let from = 0; from < requests.length; from += CONCURRENCY) {
        const some = requests.slice(from, from + CONCURRENCY);
        answers.push(...(await Promise.all(some.map((request) => answer(request, endsAt)))));
      }
      return answers;
    },
  };
}
