import Handlebars from 'handlebars';
import { reject, type HelperCall } from './definition.ts';

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const MAX_NUMBER_LENGTH = 400;

/** Tells whether a value counts as absent: null, undefined or empty text. */
export function isMissing(value: unknown): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}

/** Tells whether `if` treats a value as true: an empty list is false, an empty object is true. */
export function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/**
 * Converts a value to text. Numbers and booleans are converted; an absent value is empty text.
 * @throws {HelperFault}
 */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isMissing(value)) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Handlebars.SafeString) return value.toHTML();
  return reject('text', value);
}

/** Converts a number or numeric text to a finite number. Returns undefined for other values. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > MAX_NUMBER_LENGTH) return undefined;
  const text = value.trim();
  const number = NUMBER.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** From this magnitude on, a number may differ from its text in the sixth decimal or earlier. */
const INEXACT_FROM = 1e9;

/**
 * Converts a number or numeric text to a number for arithmetic. An absent value is 0.
 * @throws {HelperFault} for other values, and for text with more digits than a number can represent.
 */
export function toNumber(value: unknown): number {
  if (isMissing(value)) return 0;
  const number = asNumber(value) ?? reject('numbers', value);
  if (
    typeof value === 'string' &&
    Math.abs(number) >= INEXACT_FROM &&
    digitsOf(value) !== digitsOf(String(number))
  )
    reject('numbers of up to 15 digits', value);
  return number;
}

// Removes sign, point, exponent, and zeros at both ends.
function digitsOf(text: string): string {
  return text
    .replace(/e.*$/is, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');
}

/** Reads a list. An absent value is an empty list. @throws {HelperFault} */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isMissing(value) ? [] : reject('a list', value);
}

/** Reads a whole number in a range. @throws {HelperFault} */
export function toInteger(value: unknown, { subject, min, max }: IntegerRange): number {
  const number = asNumber(value);
  if (number === undefined || !Number.isInteger(number) || number < min || number > max)
    reject(`${subject} as a whole number from ${min} to ${max}`, value);
  return number;
}

/** The name of a whole number for messages, and its limits. */
interface IntegerRange {
  subject: string;
  min: number;
  max: number;
}

/** Returns an option of the call, or undefined if it is absent. */
export function optionOf({ options }: HelperCall, name: string): unknown {
  const value = Object.hasOwn(options, name) ? options[name] : undefined;
  return isMissing(value) ? undefined : value;
}

/** Reads an option with a fixed set of values. @throws {HelperFault} */
export function choiceOption<T extends string>(
  call: HelperCall,
  name: string,
  choices: readonly T[],
): T | undefined {
  const value = optionOf(call, name);
  return value === undefined ? undefined : toChoice(value, `${name}=`, choices);
}

/** Reads a value from a fixed set. @throws {HelperFault} */
export function toChoice<T extends string>(value: unknown, subject: string, choices: readonly T[]): T {
  return (
    choices.find((choice) => choice === value) ?? reject(`${subject} as one of ${choices.join(', ')}`, value)
  );
}

/** Reads an option that is a whole number in a range. @throws {HelperFault} */
export function integerOption(
  call: HelperCall,
  name: string,
  range: { min: number; max: number },
): number | undefined {
  const value = optionOf(call, name);
  return value === undefined ? undefined : toInteger(value, { subject: `${name}=`, ...range });
}

/** Reads a boolean option. @throws {HelperFault} */
export function booleanOption(call: HelperCall, name: string): boolean | undefined {
  const value = optionOf(call, name);
  if (value === undefined || typeof value === 'boolean') return value;
  return reject(`${name}= as true or false`, value);
}

/**
 * Reads the field at a path of a row. Reads only own properties, and returns undefined if the field is
 * absent.
 */
export function fieldOf(row: unknown, path: readonly string[]): unknown {
  let value = row;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

const MAX_PATH_LENGTH = 200;

/** Reads a dotted field path. An absent path denotes the row itself. @throws {HelperFault} */
export function toPath(value: unknown): readonly string[] {
  if (isMissing(value)) return [];
  if (typeof value !== 'string' || value.length > MAX_PATH_LENGTH)
    reject('a field as text such as "price.net"', value);
  return value.split('.');
}
