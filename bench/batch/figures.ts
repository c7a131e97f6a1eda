import { median, quantile } from '../statistics.ts';

/**
 * Creates a table row from the times of each round in milliseconds. Each column is the median of that figure
 * over the rounds.
 */
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

/** Runs some work and measures how long it takes. */
export async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; answer: T }> {
  const startedAt = performance.now();
  const answer = await work();
  return { ms: performance.now() - startedAt, answer };
}
