import { expect, test } from 'bun:test';
import { selectPages } from './pages.ts';

test('pages that a selection names twice are neither shown twice nor counted as omitted', () => {
  const select = (selection: string) => selectPages(selection, { total: 7, limit: 4 });
  expect(select('1-4,2,1-4')).toEqual({ pages: [1, 2, 3, 4], omitted: 0 });
  expect(select('6,1-4,3-')).toEqual({ pages: [6, 1, 2, 3], omitted: 3 });
  expect(select('5,7-')).toEqual({ pages: [5, 7], omitted: 0 });
});
