const METRIC = 'platen_event_loop_delay_seconds';

/**
 * Reads the worst delay of the event loop that `/metrics` tells, in milliseconds; `undefined` when it tells none. Of a histogram
 * that is the upper bound of the highest bucket with a count of its own, of everything else the largest value.
 */
export async function readLoopDelayMs(url: string): Promise<number | undefined> {
  const text = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(5_000) }).then(
    (response) => response.text(),
    () => '',
  );
  const samples = text
    .split('\n')
    .map((line) => /^(\w+)(\{.*\})? (\S+)/.exec(line))
    .flatMap((found) => (found?.[1]?.startsWith(METRIC) ? [found] : []));
  const buckets = samples.filter(([, name]) => name === `${METRIC}_bucket`);
  const filled = buckets.filter(
    ([, , , count], index) => Number(count) > Number(buckets[index - 1]?.[3] ?? 0),
  );
  if (buckets.length > 0) {
    const [, , labels = ''] = filled.at(-1) ?? [];
    return Number(/le="([^"]+)"/.exec(labels)?.[1] ?? 0) * 1000;
  }
  const values = samples
    .filter(([, name = '']) => !/_(?:sum|count)$/.test(name))
    .map(([, , , value]) => Number(value) * 1000);
  return values.length > 0 ? Math.max(...values) : undefined;
}
