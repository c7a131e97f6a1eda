import { InputFault, type PageRange } from '@platen/pdf';

/** The maximum number of parts of a request without ranges. Each part is stored or sent separately. */
const MAX_PARTS = 5_000;

/**
 * Converts ranges of page numbers to ranges of page indexes. Without ranges, returns a range for each page.
 * @throws {InputFault} if the list is empty, a range is malformed or outside the document, or ranges are
 * required.
 */
export function readRanges(
  ranges: readonly (readonly unknown[])[] | undefined,
  pageCount: number,
): PageRange[] {
  if (!ranges && pageCount > MAX_PARTS)
    throw new InputFault(
      'ranges',
      `is required: the PDF has ${pageCount} pages, and a request without ranges can create at most ${MAX_PARTS} parts`,
    );
  if (!ranges) return Array.from({ length: pageCount }, (_, page) => ({ first: page, last: page }));
  if (ranges.length === 0)
    throw new InputFault(
      'ranges',
      'must contain at least one range; leave it out to get a part for each page',
    );
  return ranges.map((range, index) => {
    const [first, last = first] = range;
    const isValid =
      (range.length === 1 || range.length === 2) && isPage(first, pageCount) && isPage(last, pageCount);
    if (!isValid || first > last)
      throw new InputFault(
        `ranges[${index}]`,
        `must be [page] or [first, last] with whole numbers from 1 to ${pageCount}, and first must not be after last: the PDF has ${pageCount} ${pageCount === 1 ? 'page' : 'pages'}`,
      );
    return { first: first - 1, last: last - 1 };
  });
}

/** Tells whether a value is the number of a page, from 1. */
function isPage(value: unknown, pageCount: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= pageCount;
}
