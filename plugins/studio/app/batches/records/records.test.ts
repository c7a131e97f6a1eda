import { expect, test } from 'bun:test';
import { readRecords } from './records.ts';

test('a list of objects is read', () => {
  expect(readRecords('[{ "name": "Ada" }, {}]')).toEqual([{ name: 'Ada' }, {}]);
});

test('any other text is rejected with the reason', () => {
  expect(readRecords('[{')).toStartWith('The data is not valid JSON: ');
  expect(readRecords('{ "name": "Ada" }')).toBe('The data must be a list, in square brackets.');
  expect(readRecords('[]')).toBe('The list has no entries.');
  expect(readRecords('[{}, [1]]')).toBe('Entry 2 is not an object.');
  expect(readRecords(JSON.stringify(Array.from({ length: 101 }, () => ({}))))).toBe(
    'The list has 101 entries. A batch can have at most 100 documents.',
  );
});
