const BUCKET = /^platen_event_loop_delay_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm;

/**
 * Cumulative histogram of event loop delays: the number of delays up to each bound in milliseconds, in
 * ascending order.
 */
export type LoopDelays = readonly (readonly [boundMs: number, count: number])[];

/** Reads the histogram from `/metrics`; empty if the service does not respond. */
export async function readLoopDelays(url: string): Promise<LoopDelays> {
  const text = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.text(),
    () => '',
  );
  return [...text.matchAll(BUCKET)].map(([, bound, count]) => [
    (bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound)) * 1000,
    Number(count),
  ]);
}

/**
 * Returns the bucket bound of the longest delay between two readings, or `undefined` if they cannot be
 * compared.
 */
export function longestDelayMs(before: LoopDelays, after: LoopDelays): number | undefined {
  const total = (delays: LoopDelays) => delays.at(-1)?.[1] ?? 0;
  if (before.length === 0 || before.length !== after.length) return undefined;
  const passed = total(after) - total(before);
  return after.find(([, count], index) => count - (before[index]?.[1] ?? 0) >= passed)?.[0];
}
