import { expect, test } from 'bun:test';
import { placeAfter, type Between } from './place-after.ts';

const line = (top: number) => ({ top, bottom: top + 20 });
const END = { page: 2, top: 900 };
/** Content of 100 pixels between tables: a margin of 20 pixels, two lines, and a margin of 40 pixels. */
const TWO_LINES: Between = { from: 500, to: 600, ranges: [line(520), line(540)], forced: [] };

test.each<[string, Partial<Between>, number, { page: number; top: number }]>([
  ['the content fits on the page', {}, 1_100, { page: 2, top: 1_000 }],
  ['the second line begins a page', {}, 940, { page: 3, top: 60 }],
  ['both lines begin a page', {}, 930, { page: 3, top: 80 }],
  ['the two lines stay together', { ranges: [{ top: 520, bottom: 560 }] }, 940, { page: 3, top: 80 }],
  ['a margin is left out at the end of a page', {}, 970, { page: 3, top: 0 }],
  ['a page begins with the first line', { forced: [515] }, 1_100, { page: 3, top: 85 }],
  ['a page begins with the table', { forced: [600] }, 1_100, { page: 3, top: 0 }],
  ['two pages begin', { forced: [520, 600] }, 1_100, { page: 4, top: 0 }],
  ['nothing is between the tables', { to: 500, ranges: [] }, 1_100, { page: 2, top: 900 }],
  [
    'the second table begins in a box',
    { to: 560, ranges: [{ top: 520, bottom: 2_060 }] },
    1_000,
    { page: 3, top: 40 },
  ],
  [
    'content is taller than a page',
    { to: 3_000, ranges: [{ top: 520, bottom: 2_980 }] },
    1_000,
    { page: 5, top: 480 },
  ],
])('%s', (_, between, height, place) => {
  expect(placeAfter({ ...TWO_LINES, ...between }, END, () => height)).toEqual(place);
});

test('pages have heights of their own', () => {
  const between: Between = { from: 0, to: 120, ranges: [line(0), line(20), line(40), line(60)], forced: [] };
  const heightOf = (page: number) => (page === 1 ? 50 : 30);
  expect(placeAfter(between, { page: 1, top: 10 }, heightOf)).toEqual({ page: 4, top: 0 });
});
