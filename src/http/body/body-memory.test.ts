import { expect, test } from 'bun:test';
import { AppError } from '../../errors.ts';
import { BodyMemory, type BodyReservation } from './body-memory.ts';

const MB = 1_000_000;

function isRefused(reservation: BodyReservation, bytes: number): boolean {
  try {
    reservation.reserve(bytes);
    return false;
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe('RATE_LIMITED');
    return true;
  }
}

test('a sender may hold as much memory as remains free, and released memory is free again', () => {
  const memory = new BodyMemory({ totalBytes: 120 * MB });
  const [a, again, b, c] = ['a', 'a', 'b', 'c'].map((id) => memory.open({ id, concurrency: null }));
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
  for (const reservation of [again, b, c]) reservation.release();
  expect(isRefused(a, 60 * MB)).toBe(false);
});

test('senders that reserve as much as they can leave memory for the next', () => {
  const memory = new BodyMemory({ totalBytes: 600 * MB });
  for (const greedy of ['a', 'b']) {
    const reservation = memory.open({ id: greedy, concurrency: null });
    for (let bytes = MB; !isRefused(reservation, bytes); bytes += MB);
  }
  expect(isRefused(memory.open({ id: 'c', concurrency: null }), 40 * MB)).toBe(false);
});

test('a growing body is counted once, and a small body is not counted', () => {
  const memory = new BodyMemory({ totalBytes: 10 * MB });
  const reservation = memory.open({ id: 'a', concurrency: null });
  for (let bytes = 0; bytes <= 5 * MB; bytes += 100_000) expect(isRefused(reservation, bytes)).toBe(false);
  expect(isRefused(reservation, 5 * MB + 1)).toBe(true);
  expect(isRefused(memory.open({ id: 'a', concurrency: null }), MB)).toBe(true);
  expect(isRefused(memory.open({ id: 'a', concurrency: null }), 60_000)).toBe(false);
});

test('the plan limits the large bodies of a sender, but a single body may be larger', () => {
  const memory = new BodyMemory({ totalBytes: 1_000 * MB });
  const [first, second, third, other] = ['a', 'a', 'a', 'b'].map((id) => memory.open({ id, concurrency: 1 }));
  if (!first || !second || !third || !other) throw new Error('unreachable');
  expect(isRefused(first, 30 * MB)).toBe(false);
  expect(isRefused(second, 30 * MB)).toBe(false);
  expect(isRefused(third, 30 * MB)).toBe(true);
  expect(isRefused(other, 150 * MB)).toBe(false);
  first.release();
  expect(isRefused(third, 30 * MB)).toBe(false);
});

test('memory beyond the body counts as well, and is released with it', () => {
  const memory = new BodyMemory({ totalBytes: 120 * MB });
  const reservation = memory.open({ id: 'a', concurrency: null });
  reservation.reserve(20 * MB);
  reservation.reserveMore(30 * MB);
  expect(() => reservation.reserveMore(11 * MB)).toThrow(AppError);
  reservation.reserveMore(10 * MB);
  reservation.release();
  expect(isRefused(memory.open({ id: 'a', concurrency: null }), 60 * MB)).toBe(false);
});
