import { invalidField } from './errors.ts';

/** The last page, as pdfcpu, QPDF and PDFtk write it. */
const LAST = String.raw`(?:l(?:-\d{1,6})?|z|end)`;
const PAGE = String.raw`(?:\d{1,6}|${LAST})`;
const PART = new RegExp(String.raw`^(?:even|odd|-${PAGE}|(${PAGE})(?:(-)(${PAGE})?)?)$`);
/** The maximum number of parts of a selection. */
const MAX_PARTS = 1_000;

/**
 * Reads a selection of pages in the syntax of pdfcpu, such as `1-3,!2,even,5-,l-1`. Returns page numbers from
 * 1 in ascending order. Pages that the document does not have are left out. A selection that begins with an
 * exclusion selects all other pages. Returns `undefined` for another text.
 */
export function selectPages(selection: string, count: number): number[] | undefined {
  const parts = selection.replaceAll(/\s+/g, '').split(',');
  if (parts.length > MAX_PARTS) return undefined;
  const selected = new Uint8Array(count + 1);
  for (const [index, text] of parts.entries()) {
    const isExcluded = /^[!n]/.test(text);
    if (isExcluded && index === 0) selected.fill(1, 1);
    if (!mark(selected, isExcluded ? text.slice(1) : text, isExcluded ? 0 : 1)) return undefined;
  }
  return numbersOf(selected);
}

/** Sets the value of the pages of one part of a selection. Returns false for a part in another syntax. */
function mark(selected: Uint8Array, text: string, value: 0 | 1): boolean {
  const count = selected.length - 1;
  const [whole, first, dash, last] = PART.exec(text) ?? [];
  if (whole === undefined) return false;
  if (text === 'even' || text === 'odd') {
    for (let page = text === 'even' ? 2 : 1; page <= count; page += 2) selected[page] = value;
    return true;
  }
  const start = first === undefined ? 1 : numberOf(first, count);
  const end =
    first === undefined
      ? numberOf(text.slice(1), count)
      : dash === undefined
        ? start
        : last === undefined
          ? count
          : numberOf(last, count);
  selected.fill(value, Math.max(1, start), Math.max(0, end) + 1);
  return true;
}

/** Returns the number of a page such as `7`, `l` or `l-2`, where `l` is the last page. */
function numberOf(text: string, count: number): number {
  if (/^\d/.test(text)) return Number(text);
  const dash = text.indexOf('-');
  return dash === -1 ? count : count - Number(text.slice(dash + 1));
}

function numbersOf(selected: Uint8Array): number[] {
  const pages: number[] = [];
  for (let page = 1; page < selected.length; page++) if (selected[page] === 1) pages.push(page);
  return pages;
}

/**
 * Returns the pages of a selection in a field; all pages if it is empty.
 * @throws {AppError} VALIDATION_ERROR for a selection in another syntax
 */
export function pagesOfField(field: string, selection: string, count: number): number[] {
  if (selection === '') return numbersOf(new Uint8Array(count + 1).fill(1));
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
