import { AppError } from '../../../src/plugin.ts';

const MAX_RANGES = 1_000;
const RANGE = /^(\d{0,9})(?:\s{0,9}(-)\s{0,9}(\d{0,9}))?$/;

/**
 * Requires a selection of pages that Chromium reads, such as `1-5, 8`, `-3` or `5-`.
 * @throws {AppError} VALIDATION_ERROR with Gotenberg's text
 */
export function requirePageRanges(text: string): void {
  const parts = text.split(',', MAX_RANGES + 1);
  if (parts.length <= MAX_RANGES && parts.every((part) => part.trim() === '' || isRange(part.trim()))) return;
  throw new AppError(
    'VALIDATION_ERROR',
    `Chromium does not handle the page ranges '${text.slice(0, 1_000)}' (nativePageRanges) syntax`,
  );
}

function isRange(text: string): boolean {
  const [, first = '', dash, last = ''] = RANGE.exec(text) ?? [];
  if (first === '' && last === '') return false;
  if (dash === undefined) return Number(first) > 0;
  return (first === '' || Number(first) > 0) && (last === '' || Number(last) >= Number(first || 1));
}
