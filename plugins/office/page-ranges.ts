import { invalid } from '../../src/plugin.ts';

const RANGE = /^(?:(\d{1,5})(?:-(\d{1,5})?)?|-(\d{1,5}))$/;
const MAX_RANGES = 500;

/**
 * Returns page ranges as LibreOffice reads them, without spaces: `1-3,5,8-`.
 * @throws {AppError} VALIDATION_ERROR for the field `pages`
 */
export function readPageRanges(text: string): string {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length > MAX_RANGES) throw invalid('pages', `must have at most ${MAX_RANGES} ranges`);
  for (const part of parts) {
    const [, first, last, until] = RANGE.exec(part) ?? [];
    const numbers = [first, last, until].filter((number) => number !== undefined).map(Number);
    if (numbers.length === 0 || numbers.includes(0))
      throw invalid('pages', 'must be page numbers and ranges from 1, such as 1-3,5 or 4-');
    if (last !== undefined && Number(last) < Number(first))
      throw invalid('pages', `${part} ends before it begins`);
  }
  return parts.join(',');
}
