import { expect, test } from 'bun:test';
import { afterRunning } from './running-time.ts';

const HOUR_MS = 3_600_000;

/**
 * Runs a timer on a clock that skips an hour before some of its readings. Returns how often the clock was
 * read before the end.
 */
async function readingsUntilEnd(limitMs: number, isSkip: (reading: number) => boolean): Promise<number> {
  let readings = 0;
  let nowMs = 0;
  await new Promise<void>((resolve) => {
    afterRunning(limitMs, resolve, () => {
      readings += 1;
      nowMs += isSkip(readings) ? HOUR_MS : 5;
      return nowMs;
    });
  });
  return readings;
}

// The clock is read when a timer starts and when it ends.
test.each([
  ['a process that runs', () => false, 2],
  ['a process that is stopped once', (reading: number) => reading === 2, 4],
  ['a process that is always late', (reading: number) => reading % 2 === 0, 4],
])('the limit of %s', async (_, isSkip, readings) => {
  expect(await readingsUntilEnd(5, isSkip)).toBe(readings);
});

test('a canceled call is not made, also after the process was stopped', async () => {
  let calls = 0;
  let nowMs = 0;
  const late = Promise.withResolvers<void>();
  const cancel = afterRunning(
    5,
    () => (calls += 1),
    () => {
      if (nowMs > 0) late.resolve();
      return (nowMs += HOUR_MS);
    },
  );
  await late.promise;
  cancel();
  // A call with the same limit that begins later is made.
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  afterRunning(5, resolve);
  await isOver;
  expect(calls).toBe(0);
});
