/** The body of `POST /v1/generate`. */
export type GenerateRequest = Record<string, unknown>;

/** How many requests are remembered. */
const LIMIT = 20;

/** The requests that this page has sent, by the id of the generation. They are in memory only, because they have the data of documents. */
const requests = new Map<string, GenerateRequest>();

/** Remembers the request of a generation, so that it can be run again. */
export function rememberRequest(id: string, request: GenerateRequest): void {
  requests.set(id, request);
  const [oldest] = requests.keys();
  if (requests.size > LIMIT && oldest !== undefined) requests.delete(oldest);
}

/** Returns the request of a generation that this page has made. */
export function ownRequest(id: string): GenerateRequest | undefined {
  return requests.get(id);
}

/** Forgets all requests, for another account. */
export function forgetRequests(): void {
  requests.clear();
}
