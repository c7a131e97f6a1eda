import { asDict, type Dict } from '../../objects/index.ts';
import { readText, type Field } from '../fields/field.ts';
import type { Unpack } from '../fields/options.ts';

const FORMAT = /\bAFDate_FormatEx\(\s*["']([^"']{1,64})["']\s*\)/;
const ISO_DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const DATE_TOKENS = /d{1,4}|m{1,4}|y{4}|y{2}/g;

/**
 * Converts an ISO 8601 date to the format that the field's JavaScript passes to `AFDate_FormatEx`. Does not
 * run the JavaScript. Returns other text unchanged, and every text of a field with another format.
 */
export function formatDate(field: Field, text: string, unpack: Unpack): string {
  const [, year = '', month = '', day = ''] = ISO_DATE.exec(text) ?? [];
  if (year === '') return text;
  const date = new Date(`${text}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(day)) return text;
  const format = dateFormatOf(field, unpack);
  // A date without a time cannot supply the other elements of a format, such as hours.
  if (format === undefined || /[a-z]/i.test(format.replaceAll(DATE_TOKENS, ''))) return text;
  const named = (options: Intl.DateTimeFormatOptions) =>
    date.toLocaleDateString('en-US', { ...options, timeZone: 'UTC' });
  const parts: Record<string, string> = {
    d: String(Number(day)),
    dd: day,
    ddd: named({ weekday: 'short' }),
    dddd: named({ weekday: 'long' }),
    m: String(Number(month)),
    mm: month,
    mmm: named({ month: 'short' }),
    mmmm: named({ month: 'long' }),
    yy: year.slice(2),
    yyyy: year,
  };
  return format.replaceAll(DATE_TOKENS, (token) => parts[token] ?? token);
}

function dateFormatOf({ nodes, widgets }: Field, unpack: Unpack): string | undefined {
  for (const { dict } of [...nodes, ...widgets]) {
    const format = FORMAT.exec(scriptOf(dict, unpack))?.[1];
    if (format !== undefined) return format;
  }
  return undefined;
}

function scriptOf(dict: Dict, unpack: Unpack): string {
  const action = asDict(dict.dict('AA')?.raw('F'));
  return readText(action?.raw('JS'), unpack) ?? '';
}
