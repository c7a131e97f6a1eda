const MAX_RETRY_AFTER_MS = 24 * 60 * 60_000;
/** Waits are up to this much longer, so that what failed together does not come back together. */
const JITTER = 0.1;

/**
 * Says when to try again (epoch milliseconds) after a number of tries, or `null` when they are used up. A receiver's own wish counts
 * when it is later than the schedule.
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

/** Reads `Retry-After` (RFC 9110 10.2.3: seconds, or a date) as a wait of at most 24 hours; `null` when it says nothing. */
export function readRetryAfter(text: string | null): number | null {
  const value = text?.trim() ?? '';
  if (value === '') return null;
  const waitMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(waitMs) ? null : Math.min(Math.max(0, waitMs), MAX_RETRY_AFTER_MS);
}
