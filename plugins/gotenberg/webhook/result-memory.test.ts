import { expect, test } from 'bun:test';
import { ResultMemory } from './result-memory.ts';

const MB = 1024 * 1024;

test('an account may send several results while they are not large together', () => {
  const memory = new ResultMemory();
  const first = memory.hold('a', 100 * MB);
  expect(first).toBeDefined();
  expect(memory.hold('a', 20 * MB)).toBeDefined();
  expect(memory.hold('a', 20 * MB)).toBeUndefined();
  expect(memory.hold('a', 1_000)).toBeDefined();
  expect(memory.hold('b', 100 * MB)).toBeDefined();
  first?.[Symbol.dispose]();
  expect(memory.hold('a', 20 * MB)).toBeDefined();
});

test('all accounts share the memory, but a single result of any size can be sent', () => {
  const memory = new ResultMemory();
  const huge = memory.hold('a', 600 * MB);
  expect(huge).toBeDefined();
  expect(memory.hold('b', 2 * MB)).toBeUndefined();
  huge?.[Symbol.dispose]();
  expect(memory.hold('b', 2 * MB)).toBeDefined();
});
