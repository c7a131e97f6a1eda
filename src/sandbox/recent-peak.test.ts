import { expect, test } from 'bun:test';
import { RecentPeak } from './recent-peak.ts';

test('keeps the largest number for one to two periods', () => {
  const peak = new RecentPeak(10);
  expect(peak.read(0)).toBe(0);
  peak.note(2, 5);
  peak.note(4, 6);
  peak.note(1, 9);
  expect(peak.read(9)).toBe(4);
  expect(peak.read(19)).toBe(4);
  expect(peak.read(20)).toBe(0);
});

test('a smaller number replaces a larger one that is forgotten', () => {
  const peak = new RecentPeak(10);
  peak.note(4, 0);
  peak.note(1, 15);
  expect(peak.read(19)).toBe(4);
  expect(peak.read(20)).toBe(1);
  expect(peak.read(30)).toBe(0);
});

test('a long pause forgets everything', () => {
  const peak = new RecentPeak(10);
  peak.note(4, 3);
  peak.note(2, 1_000_000);
  expect(peak.read(1_000_000)).toBe(2);
});
