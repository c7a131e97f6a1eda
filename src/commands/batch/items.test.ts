import { describe, expect, test } from 'bun:test';
import { UsageError } from '../failures.ts';
import { divide } from './chunks.ts';
import { fileNames } from './file-names.ts';
import { parseItems } from './items.ts';

const data = (text: string, path: string) => parseItems(text, path).map((item) => item.data);

describe('parseItems', () => {
  test('reads a JSON list, NDJSON with blank lines, and CSV as text', () => {
    const expected = [{ a: 1 }, { a: 2 }];
    expect(data('[{"a": 1}, {"a": 2}]', 'd.json')).toEqual(expected);
    expect(data('{"a": 1}\r\n\n{"a": 2}\n', 'd.ndjson')).toEqual(expected);
    expect(data('a,b\n1,"x,\ny"\n2,\n', 'd.csv')).toEqual([
      { a: '1', b: 'x,\ny' },
      { a: '2', b: '' },
    ]);
    const [record = {}] = data('__proto__,b\n1,2\n', 'd.csv');
    expect([Object.getPrototypeOf(record), record['b']]).toEqual([Object.prototype, '2']);
  });

  test.each([
    ['d.json', '[{"a": 1},\n {"a": }]', 'd.json is not JSON: line 2, column 8'],
    ['d.json', '{"a": 1}', 'd.json must have a JSON list'],
    ['d.json', '[{"a": 1}, 2]', 'd.json: item 2 must be an object'],
    ['d.json', '[]', 'd.json has no items'],
    ['d.ndjson', '{"a": 1}\n\n{"a": \n', 'd.ndjson is not NDJSON: line 3 is not JSON'],
    ['d.ndjson', '{"a": 1}\n[]', 'd.ndjson: line 2 must be an object'],
    ['d.csv', 'a,b\n1,2\n1,2,3\n', 'line 3'],
    ['d.csv', 'a,b\n1,"2\n', 'd.csv is not CSV: '],
    ['d.csv', 'a,a\n1,2\n', 'the column "a" twice'],
    ['d.csv', 'a,\n1,2\n', 'a column without a name'],
    ['d.csv', 'a,b\n', 'd.csv has no items'],
  ])('explains a fault of %s: %j', (path, text, message) => {
    expect(() => parseItems(text, path)).toThrow(UsageError);
    expect(() => parseItems(text, path)).toThrow(message);
    expect(() => parseItems(text, path)).not.toThrow(/\n/);
  });
});

describe('fileNames', () => {
  const items = (...values: unknown[]) =>
    values.map((name, index) => ({ data: { a: { name } }, place: `line ${index + 2}` }));

  test('numbers the items, or takes a field and keeps the names apart', () => {
    expect(fileNames(items('x', 'y'), undefined)).toEqual(['0001.pdf', '0002.pdf']);
    expect(fileNames(items('Bo', 7, 'bo', '../..', '/'), 'a.name')).toEqual([
      'Bo.pdf',
      '7.pdf',
      'bo-2.pdf',
      '0004.pdf',
      '0005.pdf',
    ]);
  });

  test('explains a missing field', () => {
    expect(() => fileNames(items('x', null), 'a.name')).toThrow('line 3 has no text or number "a.name"');
    expect(() => fileNames(items('x'), 'a.constructor')).toThrow('line 2');
  });
});

test('divide keeps within the limits of a batch', () => {
  expect(divide(Array(25_000).fill(1), () => 1).map(({ length }) => length)).toEqual([10_000, 10_000, 5_000]);
  expect(divide([1, 2, 3, 4], (item) => (item === 3 ? 85_000_000 : 4_000_000))).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(divide([1, 2], () => 100_000_000)).toEqual([[1], [2]]);
  expect(divide([], () => 1)).toEqual([]);
});
