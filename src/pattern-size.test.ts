import { expect, test } from 'bun:test';
import { patternSize } from './pattern-size.ts';

test.each([
  ['abc', 3],
  ['a{1000}', 1_000],
  ['a{2,30}b', 31],
  ['a{3,}', 3],
  [String.raw`\pL{5}`, 6],
  ['[^]({]{10}', 10],
  ['[[:alpha:](]{10}', 10],
  [String.raw`[\](]{10}`, 10],
  [String.raw`\Q({\E{2}`, 12],
  ['(ab){30}', 120],
  ['((ab){30}){30}', 3_660],
  ['(ab{30}', 31],
  ['a){30}', 90],
])('the size of %s is %d', (pattern, size) => {
  expect(patternSize(pattern)).toBe(size);
});
