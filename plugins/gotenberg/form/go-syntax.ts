/**
 * Reads values as the functions of Go's standard library do that Gotenberg uses, with their error messages,
 * which Gotenberg sends to its callers.
 */

/** Thrown for a value that Go would not read. The message is Go's. */
export class GoSyntaxError extends Error {
  override name = 'GoSyntaxError';
}

/** The largest number of characters of a value that a message repeats. */
const MAX_SHOWN_CHARACTERS = 200;

/** Quotes a value for a message. */
export function quoted(text: string): string {
  const shown = text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
  return JSON.stringify(shown);
}

const TRUE: readonly string[] = ['1', 't', 'T', 'TRUE', 'true', 'True'];
const FALSE: readonly string[] = ['0', 'f', 'F', 'FALSE', 'false', 'False'];

/** Reads a boolean as `strconv.ParseBool`. @throws {GoSyntaxError} */
export function parseGoBool(text: string): boolean {
  if (TRUE.includes(text)) return true;
  if (FALSE.includes(text)) return false;
  throw new GoSyntaxError(`strconv.ParseBool: parsing ${quoted(text)}: invalid syntax`);
}

/** Reads an integer as `strconv.Atoi`, up to 53 bits. @throws {GoSyntaxError} */
export function parseGoInt(text: string): number {
  if (!/^[+-]?\d+$/.test(text))
    throw new GoSyntaxError(`strconv.Atoi: parsing ${quoted(text)}: invalid syntax`);
  const value = Number(text);
  if (!Number.isSafeInteger(value))
    throw new GoSyntaxError(`strconv.Atoi: parsing ${quoted(text)}: value out of range`);
  return value;
}

/**
 * Reads a decimal number as `strconv.ParseFloat`. Infinity, NaN and hexadecimal numbers are rejected, because
 * no field has a use for them.
 * @throws {GoSyntaxError}
 */
export function parseGoFloat(text: string): number {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/.test(text))
    throw new GoSyntaxError(`strconv.ParseFloat: parsing ${quoted(text)}: invalid syntax`);
  const value = Number(text);
  if (!Number.isFinite(value))
    throw new GoSyntaxError(`strconv.ParseFloat: parsing ${quoted(text)}: value out of range`);
  return value;
}

const UNITS_MS: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
]);
/** Go counts nanoseconds in 63 bits. */
const MAX_DURATION_MS = 2 ** 63 / 1e6;
const DURATION_PART = /(\d+(?:\.\d*)?|\.\d+)([^\d.]*)/y;

/**
 * Reads a duration such as `1h15m30.918s` as `time.ParseDuration`. Returns milliseconds.
 * @throws {GoSyntaxError}
 */
export function parseGoDuration(text: string): number {
  const invalid = () => new GoSyntaxError(`time: invalid duration ${quoted(text)}`);
  const sign = text.startsWith('-') ? -1 : 1;
  const rest = text.replace(/^[+-]/, '');
  if (rest === '0') return 0;
  if (rest === '') throw invalid();
  let ms = 0;
  let at = 0;
  while (at < rest.length) {
    DURATION_PART.lastIndex = at;
    const [whole, amount = '', unit = ''] = DURATION_PART.exec(rest) ?? [];
    if (whole === undefined) throw invalid();
    if (unit === '') throw new GoSyntaxError(`time: missing unit in duration ${quoted(text)}`);
    const unitMs = UNITS_MS.get(unit);
    if (unitMs === undefined)
      throw new GoSyntaxError(`time: unknown unit ${quoted(unit)} in duration ${quoted(text)}`);
    ms += Number(amount) * unitMs;
    if (ms >= MAX_DURATION_MS) throw invalid();
    at += whole.length;
  }
  return sign * ms;
}
