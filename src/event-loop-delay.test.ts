import { expect, test } from 'bun:test';
import { until } from '../tests/support/until.ts';
import { watchEventLoop } from './event-loop-delay.ts';
import { createMetrics } from './metrics.ts';

/** Reads how many delays were longer than a bound of the histogram. */
async function countAbove(metrics: ReturnType<typeof createMetrics>, bound: string): Promise<number> {
  const text = await metrics.render();
  const count = (le: string) =>
    Number(
      new RegExp(`^platen_event_loop_delay_seconds_bucket\\{le="${le}"\\} (\\d+)$`, 'm').exec(text)?.[1],
    );
  return count('\\+Inf') - count(bound);
}

test('a blocked event loop shows in the histogram of its delay', async () => {
  const metrics = createMetrics();
  using _ = watchEventLoop(metrics);
  // The watch has begun.
  await until(async () => /_count [1-9]/.test(await metrics.render()));
  const before = await countAbove(metrics, '0.25');
  const end = performance.now() + 400;
  while (performance.now() < end);
  await until(async () => (await countAbove(metrics, '0.25')) > before);
  expect(await countAbove(metrics, '0.25')).toBeGreaterThan(before);
});
