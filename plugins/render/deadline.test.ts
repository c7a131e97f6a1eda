import { expect, test } from 'bun:test';
import { BrowserTimeoutError, Deadline, DeadlineError, NoPageError } from './deadline.ts';

const never = new Promise<never>(() => {});

const rejection = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

test('a job that ends after the service was stopped for longer than the deadline is in time', async () => {
  let stoppedMs = 0;
  const woke = Promise.withResolvers<void>();
  const now = () => {
    if (stoppedMs > 0) woke.resolve();
    return performance.now() + stoppedMs;
  };
  using deadline = new Deadline({ timeoutMs: 50, now });
  stoppedMs = 60_000;
  // After a stop, the timer of the deadline runs first. A response that arrived during the stop is read only
  // after it.
  const work = woke.promise.then(() => new Promise((resolve) => setImmediate(() => resolve('in time'))));
  expect(await deadline.race(work)).toBe('in time');
  expect(await rejection(deadline.race(never))).toBeInstanceOf(DeadlineError);
});

test('a document cannot have caused a missed deadline before it has its first browser page', async () => {
  using deadline = new Deadline({ timeoutMs: 1 });
  const error = (await rejection(deadline.race(never))) as DeadlineError;
  const before = deadline.blameBrowser(error, 'the browser provided no page');
  expect(before).toBeInstanceOf(NoPageError);
  expect(before.message).toBe('not finished after 1 ms, in phase start: the browser provided no page');
  deadline.phase = 'load';
  const after = deadline.blameBrowser(error, 'the browser provided no page');
  expect(after).toBeInstanceOf(BrowserTimeoutError);
  expect(after).not.toBeInstanceOf(NoPageError);
});
