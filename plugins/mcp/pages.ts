import { invalid } from '../../src/plugin.ts';

const PART = /^([1-9]\d{0,5})(?:(-)([1-9]\d{0,5})?)?$/;
const MAX_PARTS = 100;

/** Writes a page number, or a list of them, as a selection. Returns other values unchanged. */
export function toSelection(given: unknown): unknown {
  if (typeof given === 'number') return String(given);
  return Array.isArray(given) && given.every((page) => typeof page === 'number') ? given.join(',') : given;
}

/**
 * Reads a selection of pages, such as `1-3,7` or `4-`, and returns at most `limit` of its numbers and the
 * count of the others.
 * @throws {AppError} VALIDATION_ERROR for `pages` if a page does not exist
 */
export function selectPages(
  selection: string,
  { total, limit }: { total: number; limit: number },
): { pages: number[]; omitted: number } {
  const pages = new Set<number>();
  const isSelected = new Uint8Array(total + 1);
  for (const part of selection.split(',', MAX_PARTS)) {
    const [, from, dash, to] = PART.exec(part.trim()) ?? [];
    if (from === undefined) throw invalid('pages', 'must be a selection such as 1-3,7');
    const first = Number(from);
    const last = to === undefined ? (dash === undefined ? first : total) : Number(to);
    if (first > total || last > total)
      throw invalid(
        'pages',
        `must be within 1-${total}: the document has ${total} page${total === 1 ? '' : 's'}`,
      );
    if (last < first) throw invalid('pages', 'has a range whose end is before its start');
    for (let page = first; page <= last && pages.size < limit; page += 1) pages.add(page);
    isSelected.fill(1, first, last + 1);
  }
  const distinct = isSelected.reduce((sum, each) => sum + each, 0);
  return { pages: [...pages], omitted: distinct - pages.size };
}
