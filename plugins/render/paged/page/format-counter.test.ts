import { expect, test } from 'bun:test';
import { formatCounter } from './format-counter.ts';

test.each<[number, string, string]>([
  [7, 'decimal', '7'],
  [7, 'decimal-leading-zero', '07'],
  [1994, 'lower-roman', 'mcmxciv'],
  [49, 'upper-roman', 'XLIX'],
  [28, 'lower-alpha', 'ab'],
  [26, 'upper-latin', 'Z'],
  [703, 'lower-latin', 'aaa'],
  [7, 'unknown', '7'],
])('%d as %s is %s', (number, style, text) => {
  expect(formatCounter(number, style)).toBe(text);
});
