const MAX_RETRY_AFTER_MS = 24 * 60 * 60_000;
/** Delays are up to a tenth longer, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;

/**
 * Returns the time of the next attempt (epoch milliseconds) or `null` after the last one. `tries` is the
 * number of attempts since the schedule started. The delay that the receiver requested applies if it is
 * longer than that of the schedule.
 */
export function nextAttempt(
  retryDelaysMs: readonly number[],
  after: { tries: number; retryAfterMs: number | null },
): number | null {
  const delay = retryDelaysMs[after.tries - 1];
  if (delay === undefined) return null;
  const jittered = Math.round(delay * (1 + Math.random() * JITTER));
  return Date.now() + Math.max(jittered, after.retryAfterMs ?? 0);
}

/**
 * Reads `Retry-After` (RFC 9110 10.2.3: seconds or a date) as a delay of at most 24 hours; `null` if it is
 * absent or invalid.
 */
export function readRetryAfter(text: string | null): number | null {
  const value = text?.trim() ?? '';
  if (value === '') return null;
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(0, waitMs), MAX_RETRY_AFTER_MS);
}
