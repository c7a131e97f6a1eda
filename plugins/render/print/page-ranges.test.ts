import { describe, expect, test } from 'bun:test';
import { AppError } from '../../../src/plugin.ts';
import {
  minPageCount,
  listPages,
  orderOf,
  pageOutside,
  readPageRanges,
  writePageRanges,
} from './page-ranges.ts';

function rejection(text: string): string | undefined {
  try {
    readPageRanges(text);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

describe('a selection of pages', () => {
  test.each([
    ['1', '1'],
    ['1-3, 5', '1-3,5'],
    [' 2 - 4 ,9- ', '2-4,9-'],
    ['7-7', '7'],
    ['9-', '9-'],
    ['10-8, 1', '1,8-10'],
    ['9-, 2', '2,9-'],
  ])('%p is read', (text, written) => {
    expect(writePageRanges(readPageRanges(text))).toBe(written);
  });

  test.each(['', ' ', '0', '0-', '3-0', '-3', '1,', '1;2', 'a', '1-2-3', '1.5', '1e3', '٣', '1'.repeat(7)])(
    '%p is rejected',
    (text) => {
      expect(rejection(text)).toContain('must be pages from 1');
    },
  );

  test('with more than 100 ranges is rejected', () => {
    expect(rejection(Array.from({ length: 101 }, (_, index) => index + 1).join())).toContain('at most 100');
    expect(rejection(','.repeat(1_000_000))).toContain('at most 100');
  });

  test.each([
    ['2, 1-3', 2],
    ['1, 1', 1],
    ['5-, 9', 9],
    ['4-2, 3', 3],
    ['3-, 7-', 7],
  ])('%p is rejected, because it selects page %d twice', (text, page) => {
    expect(rejection(text)).toContain(`selects page ${page} more than once`);
  });

  test('names the lowest page outside of the document', () => {
    const outside = (text: string) => pageOutside(readPageRanges(text), 3);
    expect(['1-3', '9-', '2-4', '1, 7, 5', '3-1', '3-'].map(outside)).toEqual([
      undefined,
      9,
      4,
      5,
      undefined,
      undefined,
    ]);
  });

  test.each([
    ['1-3, 5', 4, [1, 2, 3, 5], undefined],
    ['3-1', 3, [3, 2, 1], [2, 1, 0]],
    ['5, 1-2', 3, [5, 1, 2], [2, 0, 1]],
    ['6-, 2', 4, [6, 7, 8, 2], [1, 2, 3, 0]],
  ])('%p with %d printed pages gives the pages and their order', (text, printed, pages, order) => {
    const listed = listPages(readPageRanges(text), printed);
    expect([listed, orderOf(listed)]).toEqual([pages, order]);
  });

  test('with an open range has at least one page there', () => {
    expect(['1-3, 5, 9-', '3-1', '9-'].map((text) => minPageCount(readPageRanges(text)))).toEqual([5, 3, 1]);
  });
});
