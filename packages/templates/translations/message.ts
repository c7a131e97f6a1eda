import { IntlMessageFormat } from 'intl-messageformat';
import { asNumber, toText } from '../helpers/arguments.ts';
import { HelperFault, reject } from '../helpers/definition.ts';
import { dateFormat, numberFormat } from '../helpers/intl.ts';
import { tooLong } from '../fault.ts';
import { parseDate } from '../parse-date.ts';

/** The maximum nesting of plurals and selects in a message. */
const MAX_DEPTH = 10;
/** The maximum length of a message in UTF-16 code units. */
export const MAX_MESSAGE_LENGTH = 5_000;
const MAX_CACHED = 1_000;

type Elements = ReturnType<IntlMessageFormat['getAst']>;
type Kind = 'text' | 'number' | 'date';

/** A message that is invalid. The text follows the path of the message: `has a tag`. */
export class MessageFault extends Error {
  override name = 'MessageFault';
}

/** A parsed message in one language. */
export interface Message {
  /** The kind of each argument, by its name. */
  readonly kinds: ReadonlyMap<string, Kind>;
  /**
   * Returns the text, which is not escaped. All arguments need a value.
   * @throws {HelperFault} for a value that does not fit its argument
   * @throws {TemplateFault} for a text longer than `maxLength` UTF-16 code units
   */
  format(values: Readonly<Record<string, unknown>>, maxLength: number): string;
}

const pluralRules = new Map<string, Intl.PluralRules>();
const cache = new Map<string, Message>();

/** Parses an ICU message, or returns it from a cache. @throws {MessageFault} */
export function parseMessage(text: string, locale: string): Message {
  const key = `${locale}\n${text}`;
  const known = cache.get(key);
  if (known) return known;
  const message = compileMessage(text, locale);
  for (const oldest of cache.keys()) {
    if (cache.size < MAX_CACHED) break;
    cache.delete(oldest);
  }
  cache.set(key, message);
  return message;
}

function compileMessage(text: string, locale: string): Message {
  if (text.length > MAX_MESSAGE_LENGTH)
    throw new MessageFault(`must have at most ${MAX_MESSAGE_LENGTH} characters`);
  if (!text.isWellFormed()) throw new MessageFault('must be well-formed Unicode');
  if (/<[a-z/!?]/i.test(text)) throw new MessageFault('must not contain tags such as <b>');
  requireShallow(text);
  const format = parse(text, locale);
  const found = { kinds: new Map<string, Kind>(), count: 0 };
  readArguments(format.getAst(), found);
  const message: Message = {
    kinds: found.kinds,
    format(values, maxLength) {
      const given = [...found.kinds].map(
        ([name, kind]) => [name, toValue(values[name], name, kind)] as const,
      );
      const longest = Math.max(
        0,
        ...given.map(([, value]) => (typeof value === 'string' ? value.length : 0)),
      );
      if (longest * found.count + text.length > maxLength) throw tooLong();
      try {
        return String(format.format(Object.fromEntries(given)));
      } catch {
        throw new HelperFault('cannot write the message: a number, date or time has an unknown style');
      }
    },
  };
  requireFormattable(message);
  return message;
}

/** Formats a message once, because some styles of numbers and dates fail only then. */
function requireFormattable(message: Message): void {
  const samples = { text: '', number: 1, date: 0 };
  try {
    message.format(
      Object.fromEntries([...message.kinds].map(([name, kind]) => [name, samples[kind]])),
      MAX_MESSAGE_LENGTH * 10,
    );
  } catch (error) {
    throw new MessageFault('has a number, date or time in a style that does not exist', { cause: error });
  }
}

function parse(text: string, locale: string): IntlMessageFormat {
  try {
    return new IntlMessageFormat(text, locale, undefined, { ignoreTag: true, formatters: FORMATTERS });
  } catch (error) {
    throw new MessageFault(describeParseError(error));
  }
}

/** Describes an error of the parser, which has a code in capitals and the place of the fault. */
function describeParseError(error: unknown): string {
  const { message: code, location } = error as {
    message?: unknown;
    location?: { start: { offset: number } };
  };
  if (typeof code !== 'string' || !/^[A-Z_]+$/.test(code) || !location) return 'is not an ICU message';
  const place = `at character ${location.start.offset + 1}`;
  if (code === 'EXPECT_ARGUMENT_CLOSING_BRACE')
    return `is not an ICU message: the brace { ${place} has no closing }`;
  if (code === 'MALFORMED_ARGUMENT')
    return `is not an ICU message: the brace { ${place} does not begin an argument such as {name}: a } may be missing before it`;
  if (code === 'MISSING_OTHER_CLAUSE')
    return `is not an ICU message: the plural or select that ends ${place} has no case "other"`;
  return `is not an ICU message: ${code.toLowerCase().replaceAll('_', ' ')} ${place}`;
}

/** Rejects deep nesting before the parser, which is recursive, reads it. Quoted braces count too. */
function requireShallow(text: string): void {
  let depth = 0;
  for (const [brace] of text.matchAll(/[{}]/g)) {
    depth += brace === '{' ? 1 : -1;
    // Each plural or select takes two braces.
    if (depth > MAX_DEPTH * 2) throw new MessageFault(`is nested more than ${MAX_DEPTH} levels deep`);
  }
}

/** Collects the arguments. */
function readArguments(elements: Elements, found: { kinds: Map<string, Kind>; count: number }): void {
  for (const element of elements) {
    // The numbers are those of the parser: argument, number, date, time, select and plural.
    const type: number = element.type;
    if (type < 1 || type > 6) continue;
    const name = String(Reflect.get(element, 'value'));
    if (!/^[a-z_]\w{0,63}$/i.test(name))
      throw new MessageFault(`has an argument whose name is not a word: ${name.slice(0, 64)}`);
    const kind: Kind = type === 2 || type === 6 ? 'number' : type === 3 || type === 4 ? 'date' : 'text';
    const other = found.kinds.get(name);
    if (other !== undefined && other !== kind && other !== 'text' && kind !== 'text')
      throw new MessageFault(`uses the argument ${name} both as a number and as a date`);
    if (other === undefined || other === 'text') found.kinds.set(name, kind);
    found.count += 1;
    if (!('options' in element)) continue;
    for (const option of Object.values(element.options)) readArguments(option.value, found);
  }
}

function toValue(value: unknown, name: string, kind: Kind): string | number | Date {
  if (kind === 'text') return toText(value);
  if (kind === 'number') return asNumber(value) ?? reject(`${name}= as a number`, value);
  const date = parseDate(value) ?? reject(`${name}= as a date such as "2026-03-31"`, value);
  return new Date(date.epochMs);
}

const FORMATTERS = {
  getNumberFormat: (locales: unknown, options: Intl.NumberFormatOptions = {}) =>
    numberFormat(String(locales), options),
  getDateTimeFormat: (locales: unknown, options?: Intl.DateTimeFormatOptions) =>
    dateFormat(String(locales), { ...(options ?? { dateStyle: 'medium' }), timeZone: 'UTC' }),
  getPluralRules: (locales: unknown, options: Intl.PluralRulesOptions = {}) => {
    const key = JSON.stringify([locales, options]);
    const rules = pluralRules.get(key) ?? new Intl.PluralRules(String(locales), options);
    if (pluralRules.size < 200) pluralRules.set(key, rules);
    return rules;
  },
};
