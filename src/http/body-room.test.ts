import { expect, test } from 'bun:test';
import { AppError } from '../errors.ts';
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

test('an account has half of the room, all together have all of it, and what is given back is there again', () => {
  const room = new BodyRoom({ totalBytes: 100 * MB });
  const [a, b, c, d] = ['a', 'b', 'c', 'a'].map((account) => room.enter(account));
  if (!a || !b || !c || !d) throw new Error('unreachable');
  expect(isRefused(a, 40 * MB)).toBe(false);
  expect(isRefused(d, 11 * MB)).toBe(true);
  expect(isRefused(d, 10 * MB)).toBe(false);
  expect(isRefused(b, 45 * MB)).toBe(false);
  expect(isRefused(c, 6 * MB)).toBe(true);
  a.release();
  expect(isRefused(c, 6 * MB)).toBe(false);
  for (const share of [a, b, c, d]) share.release();
  expect(isRefused(a, 50 * MB)).toBe(false);
});

test('a body that grows is counted once, and a small one never', () => {
  const room = new BodyRoom({ totalBytes: 10 * MB });
  const share = room.enter('a');
  for (let bytes = 0; bytes <= 5 * MB; bytes += 100_000) expect(isRefused(share, bytes)).toBe(false);
  expect(isRefused(share, 5 * MB + 1)).toBe(true);
  expect(isRefused(room.enter('a'), MB)).toBe(false);
});
