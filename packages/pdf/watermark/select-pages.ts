import { InputFault } from '../objects/index.ts';

/** The maximum number of pages in a selection. A file has the same limit. */
const MAX_PAGES = 50_000;

interface PageRange {
  /** The number of the first page, from 1. It is larger than `last` if the range is reversed. */
  first: number;
  last: number;
}

/**
 * Reads a selection of pages such as `1-3, 5, 10-8`, and returns the zero-based indexes in its order. Ranges
 * can be reversed and pages repeated. `9-` is page 9 to the end. Without a selection, returns all pages.
 * @param field the path of the selection, for errors
 * @throws {InputFault} if it is malformed, names a page that the document does not have, or lists more than
 * 50,000 pages.
 */
export function readSelection(text: string | undefined, count: number, field: string): number[] {
  if (text === undefined) return Array.from({ length: count }, (_, index) => index);
  const selected: number[] = [];
  for (const { first, last } of readRanges(text, count, field)) {
    if (selected.length + Math.abs(last - first) + 1 > MAX_PAGES)
      throw new InputFault(field, `lists more than ${MAX_PAGES} pages`);
    const step = first <= last ? 1 : -1;
    for (let page = first; page !== last + step; page += step) selected.push(page - 1);
  }
  return selected;
}

/**
 * Reads a selection like {@link readSelection}, and returns the indexes as a set.
 * @throws {InputFault} if it is malformed or names a page that the document does not have.
 */
export function selectPages(text: string, count: number, field: string): Set<number> {
  const selected = new Set<number>();
  for (const { first, last } of readRanges(text, count, field)) {
    if (selected.size === count) continue;
    for (let page = Math.min(first, last); page <= Math.max(first, last); page++) selected.add(page - 1);
  }
  return selected;
}

function* readRanges(text: string, count: number, field: string): Generator<PageRange> {
  for (const part of text.split(',')) {
    const [, start = '', dash, end = ''] = /^(\d{1,6})(?: ?(-) ?(\d{0,6}))?$/.exec(part.trim()) ?? [];
    if (start === '') throw new InputFault(field, 'must be pages and ranges such as "1-3, 5, 9-"');
    const first = Number(start);
    const last = dash === undefined ? first : end === '' ? Math.max(first, count) : Number(end);
    for (const page of [first, last])
      if (page < 1 || page > count)
        throw new InputFault(
          field,
          `names page ${page}: the PDF has ${count === 1 ? '1 page' : `${count} pages`}`,
        );
    yield { first, last };
  }
}
