import { invalid } from '../../src/plugin.ts';

const PART = /^([1-9]\d{0,5})(?:(-)([1-9]\d{0,5})?)?$/;
const MAX_PARTS = 100;

/**
 * Reads a selection of pages, such as `1-3,7` or `4-`, and returns at most `limit` of its numbers and the
 * number of those that it leaves off.
 * @throws {AppError} VALIDATION_ERROR for `pages` if a page does not exist
 */
export function selectPages(
  selection: string,
  { total, limit }: { total: number; limit: number },
): { pages: number[]; omitted: number } {
  const pages = new Set<number>();
  let omitted = 0;
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
    const room = limit - pages.size;
    const end = Math.min(last, first + room - 1);
    for (let page = first; page <= end; page += 1) pages.add(page);
    omitted += last - end;
  }
  return { pages: [...pages], omitted };
}
