import { optionOf } from './arguments.ts';
import { reject, type HelperCall } from './definition.ts';

const DEFAULT_LOCALE = 'en-US';
const MAX_TAG_LENGTH = 64;
// Creating a formatter is far slower than using it, and a table may use one in every row.
const MAX_FORMATTERS = 200;
const numberFormats = new Map<string, Intl.NumberFormat>();
const countries = new Map<string, Intl.DisplayNames>();
const dateFormats = new Map<string, Intl.DateTimeFormat>();

/**
 * Reads the option `locale`, a BCP 47 tag; that of the rendering if it is absent. `de_DE` is accepted as
 * `de-DE`.
 * @throws {HelperFault}
 */
export function localeOption(call: HelperCall): string {
  const value = optionOf(call, 'locale');
  return value === undefined ? (call.language?.locale ?? DEFAULT_LOCALE) : canonicalLocale(value, 'locale=');
}

/** Reads a BCP 47 tag. `de_DE` is accepted as `de-DE`. @throws {HelperFault} */
export function canonicalLocale(value: unknown, subject: string): string {
  const expected = `${subject} as a language tag such as "en-US"`;
  if (typeof value !== 'string' || value.length > MAX_TAG_LENGTH) reject(expected, value);
  try {
    return Intl.getCanonicalLocales(value.replaceAll('_', '-'))[0] ?? DEFAULT_LOCALE;
  } catch {
    return reject(expected, value);
  }
}

const RIGHT_TO_LEFT_SCRIPTS = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg']);

/** Returns the direction of writing of a canonical locale. */
export function directionOf(locale: string): 'rtl' | 'ltr' {
  const { script } = new Intl.Locale(locale).maximize();
  return script !== undefined && RIGHT_TO_LEFT_SCRIPTS.has(script) ? 'rtl' : 'ltr';
}

/** Reads the option `timeZone`, an IANA name or an offset such as +02:00. @throws {HelperFault} */
export function timeZoneOption(call: HelperCall): string {
  const value = optionOf(call, 'timeZone');
  if (value === undefined) return 'UTC';
  const expected = 'timeZone= as a time zone such as "Europe/Berlin"';
  if (typeof value !== 'string' || value.length > MAX_TAG_LENGTH) reject(expected, value);
  try {
    dateFormat('en-US', { timeZone: value });
    return value;
  } catch {
    return reject(expected, value);
  }
}

/** Returns a cached number format. @throws {RangeError} for options that Intl does not support. */
export function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return cached(
    numberFormats,
    JSON.stringify([locale, options]),
    () => new Intl.NumberFormat([locale, DEFAULT_LOCALE], options),
  );
}

/**
 * Returns a cached date format.
 * @throws {RangeError | TypeError} for options or combinations that Intl does not support.
 */
export function dateFormat(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return cached(
    dateFormats,
    JSON.stringify([locale, options]),
    () => new Intl.DateTimeFormat([locale, DEFAULT_LOCALE], options),
  );
}

/** Returns the cached names of countries in a language. */
export function countryNames(locale: string): Intl.DisplayNames {
  return cached(
    countries,
    locale,
    () => new Intl.DisplayNames([locale, DEFAULT_LOCALE], { type: 'region', fallback: 'code' }),
  );
}

function cached<T>(formats: Map<string, T>, key: string, make: () => T): T {
  const known = formats.get(key);
  if (known) return known;
  const format = make();
  for (const oldest of formats.keys()) {
    if (formats.size < MAX_FORMATTERS) break;
    formats.delete(oldest);
  }
  formats.set(key, format);
  return format;
}
