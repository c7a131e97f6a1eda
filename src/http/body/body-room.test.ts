import { expect, test } from 'bun:test';
import { AppError } from '../../errors.ts';
import { BodyRoom, type BodyShare } from './body-room.ts';

const MB = 1_000_000;

function isRefused(share: BodyShare, bytes: number): boolean {
  try {
    share.cover(bytes);
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe('RATE_LIMITED');
    return true;
  }
}

test('an account has as much as it leaves to others, and what is given back is there again', () => {
  const room = new BodyRoom({ totalBytes: 120 * MB });
  const [a, again, b, c] = ['a', 'a', 'b', 'c'].map((account) => room.enter(account));
  if (!a || !again || !b || !c) throw new Error('unreachable');
  expect(isRefused(a, 50 * MB)).toBe(false);
  expect(isRefused(again, 11 * MB)).toBe(true);
  expect(isRefused(again, 10 * MB)).toBe(false);
  expect(isRefused(b, 31 * MB)).toBe(true);
  expect(isRefused(b, 30 * MB)).toBe(false);
  expect(isRefused(a, 51 * MB)).toBe(true);
  expect(isRefused(c, 15 * MB)).toBe(false);
  a.release();
  expect(isRefused(c, 32 * MB)).toBe(false);
  for (const share of [again, b, c]) share.release();
  expect(isRefused(a, 60 * MB)).toBe(false);
});

test('however many accounts take what they can, something is left for the next', () => {
  const room = new BodyRoom({ totalBytes: 600 * MB });
  for (const greedy of ['a', 'b']) {
    const share = room.enter(greedy);
    for (let bytes = MB; !isRefused(share, bytes); bytes += MB);
  }
  expect(isRefused(room.enter('c'), 40 * MB)).toBe(false);
});

test('a body that grows is counted once, and a small one never', () => {
  const room = new BodyRoom({ totalBytes: 10 * MB });
  const share = room.enter('a');
  for (let bytes = 0; bytes <= 5 * MB; bytes += 100_000) expect(isRefused(share, bytes)).toBe(false);
  expect(isRefused(share, 5 * MB + 1)).toBe(true);
  expect(isRefused(room.enter('a'), MB)).toBe(false);
});
