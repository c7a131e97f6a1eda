import { invalid } from '../errors.ts';

const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))?$/;
const EXPECTED = 'must be a date such as 2026-11-22, or a time such as 2026-11-22T09:30:00Z';

/**
 * Reads two query parameters that limit a list to a range of time. Each is a date, which means its midnight
 * in UTC, or a time of RFC 3339. Returns epoch milliseconds.
 * @throws {AppError} VALIDATION_ERROR that names the field
 */
export function readTimeRange<From extends string, Before extends string>(
  query: { readonly [Field in From | Before]?: string | undefined },
  [fromField, beforeField]: readonly [From, Before],
): { from: number | undefined; before: number | undefined } {
  const from = readMoment(fromField, query[fromField]);
  const before = readMoment(beforeField, query[beforeField]);
  if (from !== undefined && before !== undefined && before <= from)
    throw invalid(beforeField, `must be after ${fromField}`);
  return { from, before };
}

function readMoment(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const moment = MOMENT.test(text) && isCalendarDate(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(moment)) throw invalid(field, EXPECTED);
  return moment;
}

/** Tells whether a date exists. `Date.parse` reads 30 February as 2 March. */
function isCalendarDate(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}
