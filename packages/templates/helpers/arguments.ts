import Handlebars from 'handlebars';
import { refuse, type HelperCall } from './definition.ts';

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i;
const MAX_NUMBER_LENGTH = 400;

/** Tells what stands for an absent value: null, undefined and empty text. */
export function isMissing(value: unknown): value is null | undefined | '' {
  return value === undefined || value === null || value === '';
}

/** Tells what `if` takes for true: an empty list is false, an empty object is not. */
export function isTruthy(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/** Reads text. Numbers and booleans are written out; a missing value is empty. @throws {HelperFault} */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isMissing(value)) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (value instanceof Handlebars.SafeString) return value.toHTML();
  return refuse('text', value);
}

/** Reads a number, or text that is one; undefined for what is none. */
export function asNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || value.length > MAX_NUMBER_LENGTH) return undefined;
  const text = value.trim();
  const number = NUMBER.test(text) ? Number(text) : NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** From here on a number may be wrong in the sixth decimal of its text, or before it. */
const ROUGH_FROM = 1e9;

/** Reads a number to calculate with, or text that is one. A missing value is 0. @throws {HelperFault} also for text of more digits than a number holds. */
export function toNumber(value: unknown): number {
  if (isMissing(value)) return 0;
  const number = asNumber(value) ?? refuse('numbers', value);
  if (
    typeof value === 'string' &&
    Math.abs(number) >= ROUGH_FROM &&
    digitsOf(value) !== digitsOf(String(number))
  )
    refuse('numbers of up to 15 digits', value);
  return number;
}

// Without what adds nothing: sign, point, exponent, zeros at both ends.
function digitsOf(text: string): string {
  return text
    .replace(/e.*$/is, '')
    .replace(/\D/g, '')
    .replace(/^0+|0+$/g, '');
}

/** Reads a list. A missing value is an empty one. @throws {HelperFault} */
export function toList(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return isMissing(value) ? [] : refuse('a list', value);
}

/** Reads a whole number in a range. @throws {HelperFault} */
export function toInteger(value: unknown, { what, min, max }: IntegerRange): number {
  const number = asNumber(value);
  if (number === undefined || !Number.isInteger(number) || number < min || number > max)
    refuse(`${what} as a whole number from ${min} to ${max}`, value);
  return number;
}

/** What a whole number is called, and its bounds. */
export interface IntegerRange {
  what: string;
  min: number;
  max: number;
}

/** Gives an option of the call; undefined when it is missing. */
export function optionOf({ options }: HelperCall, name: string): unknown {
  const value = Object.hasOwn(options, name) ? options[name] : undefined;
  return isMissing(value) ? undefined : value;
}

/** Reads an option that is one of some words. @throws {HelperFault} */
export function wordOption<T extends string>(
  call: HelperCall,
  name: string,
  words: readonly T[],
): T | undefined {
  const value = optionOf(call, name);
  return value === undefined ? undefined : toWord(value, `${name}=`, words);
}

/** Reads one of some words. @throws {HelperFault} */
export function toWord<T extends string>(value: unknown, what: string, words: readonly T[]): T {
  return words.find((word) => word === value) ?? refuse(`${what} as one of ${words.join(', ')}`, value);
}

/** Reads an option that is a whole number in a range. @throws {HelperFault} */
export function integerOption(
  call: HelperCall,
  name: string,
  range: { min: number; max: number },
): number | undefined {
  const value = optionOf(call, name);
  return value === undefined ? undefined : toInteger(value, { what: `${name}=`, ...range });
}

/** Reads an option that is true or false. @throws {HelperFault} */
export function booleanOption(call: HelperCall, name: string): boolean | undefined {
  const value = optionOf(call, name);
  if (value === undefined || typeof value === 'boolean') return value;
  return refuse(`${name}= as true or false`, value);
}

/** Reads a field of a row by its path, own properties only; undefined when there is none. */
export function fieldOf(row: unknown, path: readonly string[]): unknown {
  let value = row;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

const MAX_PATH_LENGTH = 200;

/** Reads the dotted path of a field. A missing one means the row itself. @throws {HelperFault} */
export function toPath(value: unknown): readonly string[] {
  if (isMissing(value)) return [];
  if (typeof value !== 'string' || value.length > MAX_PATH_LENGTH)
    refuse('a field as text such as "price.net"', value);
  return value.split('.');
}
