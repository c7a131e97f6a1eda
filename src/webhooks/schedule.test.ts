import { describe, expect, test } from 'bun:test';
import { nextAttempt, readRetryAfter } from './schedule.ts';

const DAY_MS = 24 * 3_600_000;

describe('the next attempt', () => {
  test('follows the schedule plus up to 10 %, and does not exist after the last delay', () => {
    const delays = [5_000, 300_000];
    const wait = (tries: number, retryAfterMs: number | null = null) => {
      const before = Date.now();
      const at = nextAttempt(delays, { tries, retryAfterMs });
      return at === null ? null : at - before;
    };
    for (let round = 0; round < 200; round += 1) {
      expect(wait(1)).toBeWithin(5_000, 5_700);
      expect(wait(2)).toBeWithin(300_000, 330_200);
      expect(wait(1, 4_000)).toBeWithin(5_000, 5_700);
      expect(wait(1, 60_000)).toBeWithin(60_000, 60_200);
      expect(wait(3)).toBeNull();
      expect(wait(3, 60_000)).toBeNull();
    }
  });
});

describe('Retry-After', () => {
  test.each([
    [null, null],
    ['', null],
    ['soon', null],
    ['-5', 0],
    ['0', 0],
    [' 120 ', 120_000],
    ['99999999999999999999', DAY_MS],
    ['Fri, 31 Dec 2100 23:59:59 GMT', DAY_MS],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ])('%j is a delay of %j ms', (text, waitMs) => {
    expect(readRetryAfter(text)).toBe(waitMs);
  });
});
