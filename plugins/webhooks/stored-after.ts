import { invalid } from '../../src/plugin.ts';

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Reads the query parameter `stored_after` as epoch milliseconds.
 * @throws {AppError} VALIDATION_ERROR
 */
export function readStoredAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = TIME.test(text) && isCalendarDate(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw invalid('stored_after', 'must be a time such as 2026-11-22T09:30:00Z');
  return time;
}

/** Tells whether a date exists. `Date.parse` reads 30 February as 2 March. */
function isCalendarDate(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}
