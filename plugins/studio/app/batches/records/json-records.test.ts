import { expect, test } from 'bun:test';
import { entriesOf, faultOf, linesOf } from './json-records.ts';

const entries = (text: string) => [...entriesOf(text)].map(({ json }) => json);

test('the entries of a list are divided at its commas, without line breaks and with all digits', () => {
  expect(
    entries('\uFEFF [\n{"a": [1, {"b": 2}]},\r\n  {"c": "],}\\\\\\"[{"}\n,{"d":\n12345678901234567890}]\n'),
  ).toEqual(['{"a": [1, {"b": 2}]}', '{"c": "],}\\\\\\"[{"}', '{"d": 12345678901234567890}']);
  expect(entries(' [ ] ')).toEqual([]);
  expect(entries('[{},]')).toEqual(['{}', '']);
  expect(entries('[{} {}, 1]')).toEqual(['{} {}', '1']);
  expect([...entriesOf('[{},{}]')].map(({ place }) => place)).toEqual([1, 2]);
});

test.each(['[', '[{}', '[{},', '[{"a": "]', '[{"a": "\\"]', '[[]', '[{"a": {}]'])(
  'the list %s is not complete',
  (text) => {
    expect(() => entries(text)).toThrow('The list is not complete');
  },
);

test('text that is not a list is refused', () => {
  for (const text of ['', ' ', '{}', 'x[]']) expect(() => entries(text)).toThrow('must be a list');
  expect(() => entries('[{}] {}')).toThrow('Text follows the list.');
});

test('lines are counted as an editor does, without blank lines', () => {
  expect([...linesOf('\uFEFF{"a": 1}\r\n\n  \n null \n{"b": 2}')]).toEqual([
    { place: 1, json: '{"a": 1}' },
    { place: 4, json: 'null' },
    { place: 5, json: '{"b": 2}' },
  ]);
});

test('only an object is the data of a document', () => {
  expect(faultOf('{"a": 1}')).toBeUndefined();
  for (const json of ['null', '1', '"{}"', '[{}]'])
    expect([json, faultOf(json)]).toEqual([json, 'is not an object, such as {"number": 1}']);
  for (const json of ['', '{', '{} {}', "{'a': 1}", '{"a": 1,}'])
    expect([json, faultOf(json)]).toEqual([json, expect.stringMatching(/^is not JSON: ./)]);
  expect(faultOf(`{"a": "${'x'.repeat(8_000_000)}"}`)).toBe('has more than 8000000 characters');
});
