import { expect, test } from 'bun:test';
import { until } from '../../../tests/support/until.ts';
import { ProcessorWatch, readProcessorUse, type ProcessorUse } from './page-process.ts';

const THIRTY_SECONDS = 30_000;
const before: ProcessorUse = { atMs: performance.now(), usedMs: 40, waitedMs: 10, isStopped: false };
const after = (usedMs: number, waitedMs: number): ProcessorUse => ({
  atMs: before.atMs + THIRTY_SECONDS,
  usedMs: before.usedMs + usedMs,
  waitedMs: before.waitedMs + waitedMs,
  isStopped: false,
});

/** Watches a page of which the given readings are made: the first during the document, the last after it. */
async function watchReadings(
  readings: readonly (ProcessorUse | undefined)[],
  { isInert = false, lateMs = 0, isOver = true } = {},
): Promise<boolean> {
  const first = Promise.withResolvers<void>();
  const left = [...readings];
  const read = async () => {
    first.resolve();
    return left.shift();
  };
  using watch = new ProcessorWatch({ read, lateMs, firstReadMs: readings.length > 1 ? 0 : THIRTY_SECONDS });
  if (readings.length > 1) await first.promise;
  return watch.wasStarved({ isInert, isOver });
}

test.each([
  ['a page that waited for a processor almost all the time', 300, 29_000, false, true],
  ['an endless loop on a busy machine', 3_000, 27_000, false, false],
  ['an endless loop', 29_900, 90, false, false],
  ['a timer that never ends', 20, 5, false, false],
  ['many short timers on a busy machine', 1_600, 20_000, false, false],
  ['a document without scripts that did almost nothing', 30, 400, true, true],
  ['a document without scripts that is laid out all the time', 28_000, 1_000, true, false],
])('%s', async (_name, usedMs, waitedMs, isInert, isStarved) => {
  expect(await watchReadings([before, after(usedMs, waitedMs)], { isInert })).toBe(isStarved);
});

test('a stopped page was starved, even if it was stopped before the first reading', async () => {
  const stopped = { ...after(0, 0), isStopped: true };
  expect(await watchReadings([before, stopped])).toBe(true);
  expect(await watchReadings([stopped])).toBe(true);
});

test('a document that got its first page in the second half of its time is not at fault', async () => {
  const use = after(29_000, 0);
  expect(await watchReadings([before, use], { lateMs: THIRTY_SECONDS })).toBe(true);
  expect(await watchReadings([before, use])).toBe(false);
  // The limit of a phase is the same however late the page is.
  expect(await watchReadings([before, use], { lateMs: THIRTY_SECONDS, isOver: false })).toBe(false);
});

test('without readings the document stays at fault', async () => {
  expect(await watchReadings([after(0, 30_000)], { isInert: true })).toBe(false);
  expect(await watchReadings([undefined, after(0, 30_000)], { isInert: true })).toBe(false);
  expect(await watchReadings([before, undefined], { isInert: true })).toBe(false);
});

test.skipIf(process.platform !== 'linux')('Linux tells a busy process from a stopped one', async () => {
  const busy = Bun.spawn(['sh', '-c', 'while :; do :; done'], { stdout: 'ignore' });
  try {
    const read = async () => (await readProcessorUse(busy.pid)) ?? expect.unreachable();
    const { usedMs } = await read();
    await until(async () => (await read()).usedMs > usedMs + 20);
    expect((await read()).isStopped).toBe(false);
    busy.kill('SIGSTOP');
    await until(async () => (await read()).isStopped);
    busy.kill('SIGKILL');
    await busy.exited;
    expect(await readProcessorUse(busy.pid)).toBeUndefined();
  } finally {
    busy.kill('SIGKILL');
  }
});

test.skipIf(process.platform !== 'linux')(
  'Linux records how long a process waits for a processor',
  async () => {
    const loops = Array.from({ length: 3 }, () =>
      Bun.spawn(['taskset', '-c', '0', 'sh', '-c', 'while :; do :; done'], { stdout: 'ignore' }),
    );
    try {
      const waits = async () => {
        const uses = await Promise.all(loops.map(({ pid }) => readProcessorUse(pid)));
        return uses.map((use) => use?.waitedMs ?? expect.unreachable());
      };
      await until(async () => (await waits()).every((waitedMs) => waitedMs > 20));
      const [earlier, later] = [await waits(), await waits()];
      later.forEach((waitedMs, index) => expect(waitedMs).toBeGreaterThanOrEqual(earlier[index] ?? NaN));
    } finally {
      for (const loop of loops) loop.kill('SIGKILL');
    }
  },
);
