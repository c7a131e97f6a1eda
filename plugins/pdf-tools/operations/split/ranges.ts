import { InputFault, type PageRange } from '@platen/pdf';

/** What is stored or sent for one call, each part by itself. */
const MAX_PARTS = 5_000;

/** Reads ranges as SPEC 4.5 has them; every page by itself without any. @throws {InputFault} naming the range and the page count. */
export function readRanges(ranges: readonly (readonly unknown[])[] | undefined, pages: number): PageRange[] {
  if (!ranges && pages > MAX_PARTS)
    throw new InputFault(
      'ranges',
      `are needed: the PDF has ${pages} pages, and at most ${MAX_PARTS} parts are made at once`,
    );
  if (!ranges) return Array.from({ length: pages }, (_, page) => ({ first: page, last: page }));
  if (ranges.length === 0)
    throw new InputFault(
      'ranges',
      'must have at least one range, or be left out to make a part of every page',
    );
  return ranges.map((range, index) => {
    const [first, last = first] = range;
    const isValid = (range.length === 1 || range.length === 2) && isPage(first, pages) && isPage(last, pages);
    if (!isValid || first > last)
      throw new InputFault(
        `ranges[${index}]`,
        `must be [page] or [first, last] with whole numbers from 1 to ${pages}, first not after last: the PDF has ${pages} ${pages === 1 ? 'page' : 'pages'}`,
      );
    return { first: first - 1, last: last - 1 };
  });
}

function isPage(value: unknown, pages: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= pages;
}
