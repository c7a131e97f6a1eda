/** Headers of a connection or of a body, which the service sets itself. */
const OWN: readonly string[] = [
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/**
 * Creates the headers of a request from those that a caller gave. Headers that the service sets itself are
 * left out, as by Go.
 * @throws {TypeError} for a name or value that is not one of a header
 */
export function callersHeaders(given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers({ 'user-agent': 'Gotenberg' });
  for (const [name, value] of Object.entries(given))
    if (!OWN.includes(name.toLowerCase())) headers.set(name, value);
  return headers;
}

/** Tells whether a request with this response is worth repeating, as hashicorp/go-retryablehttp does. */
export function isWorthRetrying(status: number): boolean {
  return status === 429 || (status >= 500 && status !== 501);
}

/** The longest wait that a server may ask for. */
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Returns how long to wait before the next attempt, as hashicorp/go-retryablehttp does: a doubled time for
 * each attempt, or the time that the server asks for.
 * @param attempt the number of attempts that were made
 */
export function waitBefore(
  attempt: number,
  { minMs, maxMs, retryAfter }: { minMs: number; maxMs: number; retryAfter: string | null },
): number {
  const asked = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) * 1_000 : undefined;
  if (asked !== undefined) return Math.min(asked, MAX_RETRY_AFTER_MS);
  return Math.min(maxMs, minMs * 2 ** (attempt - 1));
}
