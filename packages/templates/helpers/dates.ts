import { booleanOption, isMissing, toChoice, choiceOption } from './arguments.ts';
import { HelperFault, reject, type HelperCall, type TemplateHelper } from './definition.ts';
import { parseDate, type ParsedDate } from '../parse-date.ts';
import { dateFormat, localeOption, timeZoneOption } from './intl.ts';

const STYLES = ['short', 'medium', 'long', 'full'] as const;
const NUMERIC = ['numeric', '2-digit'] as const;
const WORDS = ['narrow', 'short', 'long'] as const;
const COMPONENTS: Readonly<Record<string, readonly string[]>> = {
  year: NUMERIC,
  month: [...NUMERIC, ...WORDS],
  weekday: WORDS,
  day: NUMERIC,
  hour: NUMERIC,
  minute: NUMERIC,
  second: NUMERIC,
  era: WORDS,
  timeZoneName: ['short', 'long', 'shortOffset', 'longOffset', 'shortGeneric', 'longGeneric'],
};
const EXPECTED_DATE = 'a date as ISO 8601 text or as milliseconds since 1970';
/**
 * 1 January of the year 2. In some time zone, an earlier date may be in a year that four digits cannot
 * express.
 */
const YEAR_2_MS = Date.UTC(2000, 0, 1) - 729_754 * 86_400_000;

function formatDate([value, style]: readonly unknown[], call: HelperCall): string {
  if (isMissing(value)) return '';
  const locale = localeOption(call);
  const zone = timeZoneOption(call);
  const { epochMs, hasZone } = readDate(value);
  // A date without a zone is shown as written.
  const timeZone = hasZone ? zone : 'UTC';
  const named = isMissing(style) ? undefined : toChoice(style, 'a style', [...STYLES, 'iso']);
  if (named === 'iso') {
    if (isBeforeYear1(epochMs, timeZone)) reject('a date of the year 1 or later for "iso"', value);
    return isoDate(epochMs, timeZone);
  }
  const options = { ...withZoneNameIf(hasZone, formatOptions(named, call)), timeZone };
  try {
    return dateFormat(locale, options).format(epochMs);
  } catch {
    // Intl accepts each option alone, so the combination is invalid.
    throw new HelperFault(
      'takes a style, dateStyle= and timeStyle=, or single parts such as year=, not both',
    );
  }
}

function formatOptions(
  style: (typeof STYLES)[number] | undefined,
  call: HelperCall,
): Intl.DateTimeFormatOptions {
  const dateStyle = choiceOption(call, 'dateStyle', STYLES) ?? style;
  const timeStyle = choiceOption(call, 'timeStyle', STYLES);
  const hour12 = booleanOption(call, 'hour12');
  const parts = Object.entries(COMPONENTS).flatMap(([name, choices]) => {
    const choice = choiceOption(call, name, choices);
    return choice === undefined ? [] : [[name, choice]];
  });
  return {
    ...Object.fromEntries(parts),
    ...(dateStyle && { dateStyle }),
    ...(timeStyle && { timeStyle }),
    ...(!dateStyle && !timeStyle && parts.length === 0 && { dateStyle: 'medium' }),
    ...(hour12 !== undefined && { hour12 }),
  };
}

// Removes the zone name from the options for a value without a zone. `long` and `full` times are `medium`
// times with a zone name.
function withZoneNameIf(hasZone: boolean, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormatOptions {
  if (hasZone) return options;
  const { timeZoneName: _, timeStyle, ...rest } = options;
  if (timeStyle === undefined) return rest;
  return { ...rest, timeStyle: timeStyle === 'short' ? 'short' : 'medium' };
}

function readDate(value: unknown): ParsedDate {
  return parseDate(value) ?? reject(EXPECTED_DATE, value);
}

function isBeforeYear1(epochMs: number, timeZone: string): boolean {
  if (epochMs >= YEAR_2_MS) return false;
  const parts = dateFormat('en-u-ca-gregory', { era: 'short', timeZone }).formatToParts(epochMs);
  return parts.some(({ type, value }) => type === 'era' && value.startsWith('B'));
}

function isoDate(epochMs: number, timeZone: string): string {
  const parts = dateFormat('en-u-ca-iso8601', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone,
  }).formatToParts(epochMs);
  const valueOf = (type: string) => parts.find((part) => part.type === type)?.value ?? '';
  return `${valueOf('year').padStart(4, '0')}-${valueOf('month')}-${valueOf('day')}`;
}

/** Helpers that format dates. */
export const dateHelpers: readonly TemplateHelper[] = [
  {
    name: 'formatDate',
    signature:
      'value [style] locale= timeZone= dateStyle= timeStyle= year= month= day= weekday= hour= minute= second= era= timeZoneName= hour12=',
    description:
      'Formats a date: ISO 8601 text or milliseconds since 1970. `style` is `short`, `medium` (default), `long`, `full` or `iso`; the options are those of `Intl.DateTimeFormat`. The locale is `en-US` and the time zone `UTC` by default. A date or time without a zone is shown as written, without a zone name.',
    examples: [
      { template: '{{formatDate due}}', data: { due: '2026-03-31' }, output: 'Mar 31, 2026' },
      {
        template: '{{formatDate due "long" locale="de-DE"}}',
        data: { due: '2026-03-31' },
        output: '31. März 2026',
      },
      {
        template: '{{formatDate at "iso" timeZone="Asia/Tokyo"}}',
        data: { at: '2026-03-31T20:00:00Z' },
        output: '2026-04-01',
      },
      {
        template: '{{formatDate at weekday="long" hour="2-digit" minute="2-digit" hour12=false}}',
        data: { at: 1774987200000 },
        output: 'Tuesday 20:00',
      },
    ],
    argumentCount: [1, 2],
    options: ['locale', 'timeZone', 'dateStyle', 'timeStyle', ...Object.keys(COMPONENTS), 'hour12'],
    run: formatDate,
  },
];
