const BUCKET = /^platen_event_loop_delay_seconds_bucket\{le="([^"]+)"\} (\d+)$/gm;

/** How many delays of the event loop were at most as long as each bound, by the bound in milliseconds, the shortest first. */
export type LoopDelays = readonly (readonly [boundMs: number, count: number])[];

/** Reads the histogram of delays from `/metrics`; it is empty when the service does not answer. */
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

/** Finds the bound below which the longest delay between two readings lies; `undefined` when there is nothing to compare. */
export function longestDelayMs(before: LoopDelays, after: LoopDelays): number | undefined {
  const total = (delays: LoopDelays) => delays.at(-1)?.[1] ?? 0;
  if (before.length === 0 || before.length !== after.length) return undefined;
  const passed = total(after) - total(before);
  return after.find(([, count], index) => count - (before[index]?.[1] ?? 0) >= passed)?.[0];
}
