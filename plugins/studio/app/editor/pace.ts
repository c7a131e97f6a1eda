/** Shorter than most people's time between two keystrokes, so the page is printed as soon as they pause. */
const TYPING_MS = 60;

/** The share of a plan's rate limit that previews may use. */
const PREVIEW_SHARE = 0.1;

/**
 * Returns the shortest time between two previews, in milliseconds, that a plan's rate limit allows. An
 * earlier preview would be rejected and retried a second later.
 */
export function intervalOf({ limit, window_seconds }: { limit: number; window_seconds: number }): number {
  return (window_seconds * 1000) / Math.max(1, Math.floor(limit * PREVIEW_SHARE));
}

/**
 * Returns how long to wait after a keystroke before the document is printed. Times are milliseconds of one
 * clock.
 */
export function waitBeforePrint(from: { now: number; lastSentAt: number; intervalMs: number }): number {
  return Math.max(TYPING_MS, from.lastSentAt + from.intervalMs - from.now);
}
