/** The body of `POST /v1/generate`. */
export type GenerateRequest = Record<string, unknown>;

/** The most requests that are remembered. */
const MAX_REQUESTS = 20;

/**
 * The requests that this page has sent, keyed by the id of the generation. They stay in memory, because they
 * contain the data of documents.
 */
const requests = new Map<string, GenerateRequest>();

/** Remembers the request of a generation, so that it can be run again. */
export function rememberRequest(id: string, request: GenerateRequest): void {
  requests.set(id, request);
  const [oldest] = requests.keys();
  if (requests.size > MAX_REQUESTS && oldest !== undefined) requests.delete(oldest);
}

/** Returns the request of a generation, if this page has sent it and remembers it. */
export function ownRequest(id: string): GenerateRequest | undefined {
  return requests.get(id);
}

/** Forgets all requests, before another account signs in. */
export function forgetRequests(): void {
  requests.clear();
}
