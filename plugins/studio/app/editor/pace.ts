/** Shorter than the time between two keystrokes of most people, so that a pause in the typing is printed at once. */
const TYPING_MS = 60;

/** A tenth of the requests of a plan may be previews. */
const PREVIEW_SHARE = 0.1;

/** Returns the shortest time between two previews that the rate limit of a plan allows. A preview that comes earlier would be rejected and sent again a second later. */
export function intervalOf({ limit, window_seconds }: { limit: number; window_seconds: number }): number {
  return (window_seconds * 1000) / Math.max(1, Math.floor(limit * PREVIEW_SHARE));
}

/** Returns how long to wait after a keystroke before the document is printed. Times are milliseconds of one clock. */
export function waitBeforePrint(from: { now: number; lastSentAt: number; intervalMs: number }): number {
  return Math.max(TYPING_MS, from.lastSentAt + from.intervalMs - from.now);
}
