/** Finds the time under which a share of times lie. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/** Finds the middle one of some times. */
export function median(times: readonly number[]): number {
  return quantile(times, 0.5);
}

/** Makes a row of a table: of several rounds, the medians of what each of them gave. */
export function row(what: string, rounds: readonly (readonly number[])[]) {
  const over = (figure: (times: readonly number[]) => number) => Math.round(median(rounds.map(figure)));
  return {
    what,
    'p50 ms': over(median),
    'p95 ms': over((times) => quantile(times, 0.95)),
    'least ms': over((times) => Math.min(...times)),
    'most ms': over((times) => Math.max(...times)),
  };
}

/** Times some work. */
export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; answer: T }> {
  const startedAt = performance.now();
  const answer = await work();
  return { ms: performance.now() - startedAt, answer };
}
