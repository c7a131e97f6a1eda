import { invalidField } from './errors.ts';

/** The last page, as pdfcpu, QPDF and PDFtk write it. */
const LAST = String.raw`(?:l(?:-\d{1,6})?|z|end)`;
const PAGE = String.raw`(?:\d{1,6}|${LAST})`;
const PART = new RegExp(String.raw`^(?:even|odd|-${PAGE}|(${PAGE})(?:(-)(${PAGE})?)?)$`);
/** The maximum number of parts of a selection. */
const MAX_PARTS = 10_000;

/**
 * Reads a selection of pages in the syntax of pdfcpu, such as `1-3,!2,even,5-,l-1`. Returns page numbers from
 * 1 in ascending order. Pages that the document does not have are left out. A selection that begins with an
 * exclusion selects all other pages. Returns `undefined` for another text.
 */
export function selectPages(selection: string, count: number): number[] | undefined {
  const parts = selection.replaceAll(/\s+/g, '').split(',');
  if (parts.length > MAX_PARTS) return undefined;
  const selected = new Set<number>();
  for (const [index, text] of parts.entries()) {
    const isExcluded = /^[!n]/.test(text);
    const pages = pagesOf(isExcluded ? text.slice(1) : text, count);
    if (!pages) return undefined;
    if (isExcluded && index === 0) for (let page = 1; page <= count; page++) selected.add(page);
    for (const page of pages) {
      if (isExcluded) selected.delete(page);
      else selected.add(page);
    }
  }
  return [...selected].toSorted((a, b) => a - b);
}

/** Returns the pages of one part of a selection. */
function pagesOf(text: string, count: number): number[] | undefined {
  const [whole, first, dash, last] = PART.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (text === 'even') return range(2, count, 2);
  if (text === 'odd') return range(1, count, 2);
  if (first === undefined) return range(1, Math.min(count, numberOf(text.slice(1), count)));
  const start = numberOf(first, count);
  const end = dash === undefined ? start : last === undefined ? count : numberOf(last, count);
  return range(Math.max(1, start), Math.min(count, end));
}

/** Returns the number of a page such as `7`, `l` or `l-2`, where `l` is the last page. */
function numberOf(text: string, count: number): number {
  if (/^\d/.test(text)) return Number(text);
  return count - Number(/\d+$/.exec(text)?.[0] ?? 0);
}

function range(first: number, last: number, step = 1): number[] {
  const pages: number[] = [];
  for (let page = first; page <= last; page += step) pages.push(page);
  return pages;
}

/**
 * Returns the pages of a selection in a field; all pages if it is empty.
 * @throws {AppError} VALIDATION_ERROR for a selection in another syntax
 */
export function pagesOfField(field: string, selection: string, count: number): number[] {
  if (selection === '') return range(1, count);
  const pages = selectPages(selection, count);
  if (!pages) throw invalidField(field, 'must be pages such as 1-3,5,even,!2,7-');
  return pages;
}

/** Writes page numbers in ascending order as Platen's operations read them: `1-3,5`. */
export function toRanges(pages: readonly number[], suffix = ''): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const current = ranges.at(-1);
    if (current?.[1] === page - 1) current[1] = page;
    else ranges.push([page, page]);
  }
  return ranges.map(([first, last]) => `${first === last ? first : `${first}-${last}`}${suffix}`).join(',');
}
