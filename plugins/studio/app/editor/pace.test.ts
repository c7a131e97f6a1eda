import { expect, test } from 'bun:test';
import { intervalOf, waitBeforePrint } from './pace.ts';

test('a preview waits for a pause in the typing, and longer only if the rate limit requires it', () => {
  const intervalMs = intervalOf({ limit: 100, window_seconds: 1 });
  expect(intervalMs).toBe(100);
  expect(waitBeforePrint({ now: 5000, lastSentAt: 4000, intervalMs })).toBe(60);
  expect(waitBeforePrint({ now: 5000, lastSentAt: 4980, intervalMs })).toBe(80);
});

test('a plan with a low rate limit gets its next preview as soon as the limit allows', () => {
  const intervalMs = intervalOf({ limit: 10, window_seconds: 1 });
  expect(intervalMs).toBe(1000);
  expect(intervalOf({ limit: 3, window_seconds: 1 })).toBe(1000);
  expect(waitBeforePrint({ now: 5000, lastSentAt: 4700, intervalMs })).toBe(700);
  expect(waitBeforePrint({ now: 5000, lastSentAt: -Infinity, intervalMs })).toBe(60);
});
