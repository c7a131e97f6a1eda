import { median, quantile } from '../statistics.ts';

/** Creates a table row. Over several rounds, each figure is the median of the rounds' figures. */
export function row(name: string, rounds: readonly (readonly number[])[]) {
  const over = (figure: (times: readonly number[]) => number) => Math.round(median(rounds.map(figure)));
  return {
    measured: name,
    'p50 ms': over(median),
    'p95 ms': over((times) => quantile(times, 0.95)),
    'min ms': over((times) => Math.min(...times)),
    'max ms': over((times) => Math.max(...times)),
  };
}

/** Measures the time of some work. */
export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; answer: T }> {
  const startedAt = performance.now();
  const answer = await work();
  return { ms: performance.now() - startedAt, answer };
}
