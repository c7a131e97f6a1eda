import { InputFault } from '../objects/index.ts';

/**
 * Reads a selection like {@link selectPages}, and returns the indexes in the order of the pages. Without a selection, returns all indexes.
 * @throws {InputFault} if it is malformed or names a page that the document does not have.
 */
export function readSelection(text: string | undefined, count: number, field: string): number[] {
  if (text === undefined) return Array.from({ length: count }, (_, index) => index);
  return [...selectPages(text, count, field)].toSorted((a, b) => a - b);
}

/**
 * Reads a selection of pages such as `1-3, 5, 9-`, where `9-` ends with the document, and returns the zero-based indexes.
 * @param field the path of the selection, for errors
 * @throws {InputFault} if it is malformed or names a page that the document does not have.
 */
export function selectPages(text: string, count: number, field: string): Set<number> {
  const selected = new Set<number>();
  for (const part of text.split(',', count + 1)) {
    const [, first = '', dash, last = ''] = /^(\d{1,6})(?: ?(-) ?(\d{0,6}))?$/.exec(part.trim()) ?? [];
    if (first === '') throw new InputFault(field, 'must be pages and ranges such as "1-3, 5, 9-"');
    const start = Number(first);
    const end = dash === undefined ? start : last === '' ? Math.max(start, count) : Number(last);
    for (const page of [start, end])
      if (page < 1 || page > count)
        throw new InputFault(
          field,
          `names page ${page}: the PDF has ${count === 1 ? '1 page' : `${count} pages`}`,
        );
    for (let page = Math.min(start, end); page <= Math.max(start, end); page++) selected.add(page - 1);
  }
  return selected;
}
