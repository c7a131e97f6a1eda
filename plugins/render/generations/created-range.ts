import { invalid } from '../../../src/plugin.ts';
import type { GenerationFilter } from '../contract.ts';

const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d))?$/;
const EXPECTED = 'must be a date such as 2026-11-22, or a time such as 2026-11-22T09:30:00Z';

/** Reads the query parameters `created_after` and `created_before` of a list. @throws {AppError} VALIDATION_ERROR that names the field */
export function readCreatedRange(query: {
  created_after?: string | undefined;
  created_before?: string | undefined;
}): Pick<GenerationFilter, 'createdFrom' | 'createdBefore'> {
  const createdFrom = readMoment('created_after', query.created_after);
  const createdBefore = readMoment('created_before', query.created_before);
  if (createdFrom !== undefined && createdBefore !== undefined && createdBefore <= createdFrom)
    throw invalid('created_before', 'must be after created_after');
  return { createdFrom, createdBefore };
}

/** Converts a date (its midnight in UTC) or a time of RFC 3339 to epoch milliseconds. */
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
