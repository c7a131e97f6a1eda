import { expect, test } from 'bun:test';
import { messageOf } from '../../../src/errors.ts';
import { parseGoJson } from './go-json.ts';
import { parseGoBool, parseGoDuration, parseGoFloat, parseGoInt } from './go-syntax.ts';

/** Returns the value of a text, or the message of its error. */
function outcome(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    return messageOf(error);
  }
}

test.each([
  [parseGoBool, 'True', true],
  [parseGoBool, '0', false],
  [parseGoBool, 'tRUE', 'strconv.ParseBool: parsing "tRUE": invalid syntax'],
  [parseGoInt, '-12', -12],
  [parseGoInt, '1_000', 'strconv.Atoi: parsing "1_000": invalid syntax'],
  [parseGoInt, '9'.repeat(20), `strconv.Atoi: parsing "${'9'.repeat(20)}": value out of range`],
  [parseGoFloat, '1.5e2', 150],
  [parseGoFloat, '.', 'strconv.ParseFloat: parsing ".": invalid syntax'],
  [parseGoFloat, '1e999', 'strconv.ParseFloat: parsing "1e999": value out of range'],
  [parseGoDuration, '1h2m3.5s', 3_723_500],
  [parseGoDuration, '-1.5s', -1_500],
  [parseGoDuration, '250us', 0.25],
  [parseGoDuration, '0', 0],
  [parseGoDuration, '', 'time: invalid duration ""'],
  [parseGoDuration, '5', 'time: missing unit in duration "5"'],
  [parseGoDuration, '5x', 'time: unknown unit "x" in duration "5x"'],
  [parseGoDuration, 's', 'time: invalid duration "s"'],
  [parseGoDuration, '9999999h', 'time: invalid duration "9999999h"'],
])('%p of %p is %p', (parse, text, expected) => {
  expect(outcome(parse, text)).toEqual(expected);
});

test.each([
  ['{"a":[1,-0.5e2,"\\u00e9",true,null]}', { a: [1, -50, 'é', true, null] }],
  ['', 'unexpected end of JSON input'],
  ['[1', 'unexpected end of JSON input'],
  ['"a', 'unexpected end of JSON input'],
  ['foo', "invalid character 'o' in literal false (expecting 'a')"],
  ['bar', "invalid character 'b' looking for beginning of value"],
  ["'a'", String.raw`invalid character '\'' looking for beginning of value`],
  ['{"a"}', "invalid character '}' after object key"],
  ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
  ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
  ['[1,]', "invalid character ']' looking for beginning of value"],
  ['[1 2]', "invalid character '2' after array element"],
  ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
  ['{} x', "invalid character 'x' after top-level value"],
  ['-', 'unexpected end of JSON input'],
  ['-a', "invalid character 'a' in numeric literal"],
  ['1.x', "invalid character 'x' after decimal point in numeric literal"],
  ['1ex', "invalid character 'x' in exponent of numeric literal"],
  ['01', "invalid character '1' after top-level value"],
  ['"\n"', String.raw`invalid character '\n' in string literal`],
  [String.raw`"\x"`, "invalid character 'x' in string escape code"],
  [String.raw`"\u00g0"`, String.raw`invalid character 'g' in \u hexadecimal character escape`],
])('the JSON %p is %p', (text, expected) => {
  expect(outcome(parseGoJson, text)).toEqual(expected);
});

test('a fault is only looked for in the beginning of a long text', () => {
  // A form has ten fields of JSON, and other requests wait while they are read.
  expect(outcome(parseGoJson, `[${'1,'.repeat(499_000)}x`)).toBe('invalid JSON');
  expect(outcome(parseGoJson, `["${'a'.repeat(999_000)}`)).toBe('invalid JSON');
});

test('JSON that is nested deeply is rejected quickly', () => {
  expect(outcome(parseGoJson, '['.repeat(1_000_000))).toBe('exceeded max depth');
});
