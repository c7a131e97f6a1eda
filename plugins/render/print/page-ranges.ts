import { invalid } from '../../../src/plugin.ts';

/**
 * Consecutive pages, from 1. Without `last` the range ends with the document; a range whose `last` is lower
 * is reversed.
 */
export interface PageRange {
  first: number;
  last: number | undefined;
}

const PATH = 'options.pageRanges';
const MAX_RANGES = 100;
const RANGE = /^(\d{1,6})(?:\s{0,3}(-)\s{0,3}(\d{1,6})?)?$/;

/**
 * Reads a selection of pages such as `1-3, 5, 9-`. `9-` ends with the document, and `10-8` is reversed. A
 * page may occur only once.
 * @throws {AppError} VALIDATION_ERROR
 */
export function readPageRanges(text: string): PageRange[] {
  const parts = text.split(',', MAX_RANGES + 1);
  if (parts.length > MAX_RANGES) throw invalid(PATH, `must have at most ${MAX_RANGES} ranges`);
  const ranges = parts.map((part) => readRange(part.trim()));
  const repeated = findRepeated(ranges);
  if (repeated !== undefined) throw invalid(PATH, `selects page ${repeated} more than once`);
  return ranges;
}

/** Returns an error message for a document that does not have all selected pages. */
export function describeOutside(ranges: readonly PageRange[], pages: number): string {
  return `selects page ${pageOutside(ranges, pages)}, but the document has ${pages} page${pages === 1 ? '' : 's'}`;
}

/** Returns the lowest selected page that a document with this number of pages does not have. */
export function pageOutside(ranges: readonly PageRange[], pages: number): number | undefined {
  const outside = ranges
    .flatMap(({ first, last }) => [first, last ?? first])
    .filter((page) => page > pages)
    .toSorted((a, b) => a - b);
  return outside[0];
}

/** Returns the minimum number of pages that the ranges select: an open range counts as one page. */
export function minPageCount(ranges: readonly PageRange[]): number {
  return ranges.reduce((sum, { first, last = first }) => sum + Math.abs(last - first) + 1, 0);
}

/** Writes ranges as Chromium reads them. It prints pages in the order of the document. */
export function writePageRanges(ranges: readonly PageRange[]): string {
  return ranges
    .map(toAscending)
    .toSorted((a, b) => a.first - b.first)
    .map(({ first, last = '' }) => (first === last ? `${first}` : `${first}-${last}`))
    .join(',');
}

/**
 * Lists the selected pages in the order of the selection. `printed` is the number of pages that Chromium has
 * printed.
 */
export function listPages(ranges: readonly PageRange[], printed: number): number[] {
  const open = printed - minPageCount(ranges);
  return ranges.flatMap(({ first, last = first + open }) => {
    const step = last < first ? -1 : 1;
    return Array.from({ length: Math.abs(last - first) + 1 }, (_, index) => first + index * step);
  });
}

/** Joins ascending page numbers into ranges. */
export function rangesOf(pages: readonly number[]): PageRange[] {
  const ranges: { first: number; last: number }[] = [];
  for (const page of pages) {
    const range = ranges.at(-1);
    if (range?.last === page - 1) range.last = page;
    else ranges.push({ first: page, last: page });
  }
  return ranges;
}

/**
 * Returns the order that turns printed pages into the selection, as zero-based indexes; `undefined` when it
 * is the same.
 */
export function orderOf(pages: readonly number[]): number[] | undefined {
  const printed = new Map(pages.toSorted((a, b) => a - b).map((page, index) => [page, index]));
  const order = pages.map((page) => printed.get(page) ?? 0);
  return order.every((page, index) => page === index) ? undefined : order;
}

function toAscending({ first, last }: PageRange): PageRange {
  return last !== undefined && last < first ? { first: last, last: first } : { first, last };
}

function readRange(text: string): PageRange {
  const [, first, dash, last] = RANGE.exec(text) ?? [];
  const range = { first: Number(first), last: dash && !last ? undefined : Number(last ?? first) };
  if (first === undefined || range.first === 0 || range.last === 0)
    throw invalid(PATH, 'must be pages from 1 and ranges of pages, such as "1-3, 5, 9-"');
  return range;
}

function findRepeated(ranges: readonly PageRange[]): number | undefined {
  const ascending = ranges
    .map(
      ({ first, last = Number.POSITIVE_INFINITY }) => [Math.min(first, last), Math.max(first, last)] as const,
    )
    .toSorted(([a], [b]) => a - b);
  let previous = 0;
  for (const [first, last] of ascending) {
    if (first <= previous) return first;
    previous = last;
  }
  return undefined;
}
