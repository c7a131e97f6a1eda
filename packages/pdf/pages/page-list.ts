import { InputFault } from '../objects/index.ts';
import type { PlacedPage } from '../split/split.ts';
import { selectPages } from '../watermark/select-pages.ts';

/** The maximum number of pages of a result. A file has the same limit. */
const MAX_PAGES = 50_000;

const ITEM = /^(\d{1,6})(?: ?(-) ?(\d{0,6}))?(?: ?r(\d{1,3}))?$/;

/**
 * Reads a list of pages and ranges, such as `1-3, 7, 5r90, 10-8`, and returns the pages in its order. Pages
 * can be repeated and ranges reversed. `9-` is page 9 to the end, and `r90` rotates clockwise by 90 degrees.
 * @param field the path of the list, for errors
 * @throws {InputFault} if it is malformed, names a page that the document does not have, or lists more than
 * 50,000 pages.
 */
export function readPageList(text: string, count: number, field: string): PlacedPage[] {
  const placed: PlacedPage[] = [];
  for (const part of text.split(',')) {
    const [, first = '', dash, last = '', degrees = '0'] = ITEM.exec(part.trim()) ?? [];
    if (first === '') throw new InputFault(field, 'must be pages and ranges such as "1-3, 7, 5r90, 10-8"');
    const rotate = Number(degrees);
    if (rotate % 90 !== 0 || rotate > 270)
      throw new InputFault(field, 'must rotate by 0, 90, 180 or 270 degrees, such as "5r90"');
    const start = Number(first);
    const end = dash === undefined ? start : last === '' ? Math.max(start, count) : Number(last);
    for (const page of [start, end]) requirePage(page, count, field);
    const step = start <= end ? 1 : -1;
    if (placed.length + Math.abs(end - start) + 1 > MAX_PAGES)
      throw new InputFault(field, `lists more than ${MAX_PAGES} pages`);
    for (let page = start; page !== end + step; page += step) placed.push({ page: page - 1, rotate });
  }
  return placed;
}

/**
 * Returns the pages of a document that are not in a selection such as `1-3, 5, 9-`.
 * @throws {InputFault} if it is malformed, names a page that the document does not have, or leaves no page.
 */
export function listOtherPages(text: string, count: number, field: string): PlacedPage[] {
  const deleted = selectPages(text, count, field);
  if (deleted.size === count)
    throw new InputFault(field, `must leave at least one page: the PDF has ${countText(count)}`);
  const pages: PlacedPage[] = [];
  for (let page = 0; page < count; page++) if (!deleted.has(page)) pages.push({ page, rotate: 0 });
  return pages;
}

function requirePage(page: number, count: number, field: string): void {
  if (page < 1 || page > count)
    throw new InputFault(field, `names page ${page}: the PDF has ${countText(count)}`);
}

function countText(count: number): string {
  return count === 1 ? '1 page' : `${count} pages`;
}
