import { InputFault, type PageRange } from '@platen/pdf';

/** The maximum number of parts per request, because each part is stored or sent separately. */
const MAX_PARTS = 5_000;

/**
 * Converts ranges of page numbers to page indexes. Without ranges, each page is a range.
 * @throws {InputFault} naming the range and the page count.
 */
export function readRanges(ranges: readonly (readonly unknown[])[] | undefined, pages: number): PageRange[] {
  if (!ranges && pages > MAX_PARTS)
    throw new InputFault(
      'ranges',
      `is required: the PDF has ${pages} pages, and a request can create at most ${MAX_PARTS} parts`,
    );
  if (!ranges) return Array.from({ length: pages }, (_, page) => ({ first: page, last: page }));
  if (ranges.length === 0)
    throw new InputFault('ranges', 'must have at least one range, or be omitted to split every page');
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
