import { expect, test } from 'bun:test';
import { selectPages, toRanges } from './page-selection.ts';

test.each([
  ['1-3', [1, 2, 3]],
  ['5,1', [1, 5]],
  ['2-', [2, 3, 4, 5]],
  ['-2', [1, 2]],
  ['even', [2, 4]],
  ['odd', [1, 3, 5]],
  ['!2', [1, 3, 4, 5]],
  ['n2-3', [1, 4, 5]],
  ['1-5,!3', [1, 2, 4, 5]],
  ['l', [5]],
  ['l-1-', [4, 5]],
  ['2-l-1', [2, 3, 4]],
  ['3-z', [3, 4, 5]],
  ['4-end', [4, 5]],
  [' 1 , 2 ', [1, 2]],
  ['4-9,7', [4, 5]],
  ['9', []],
  ['3-2', []],
])('%s of five pages', (selection, pages) => {
  expect(selectPages(selection, 5)).toEqual(pages);
});

test.each(['foo', '1--2', '1,,2', '', '!', '1-2-3', 'evens', '1234567'])(
  '%s is no selection',
  (selection) => {
    expect(selectPages(selection, 5)).toBeUndefined();
  },
);

test('pages become ranges', () => {
  expect(toRanges([1, 2, 3, 5, 7, 8])).toBe('1-3,5,7-8');
  expect(toRanges([2, 3, 6], 'r90')).toBe('2-3r90,6r90');
});
