import { expect, test } from 'bun:test';
import { namesOf, rowsOf, separatorOf } from './csv.ts';

function read(text: string) {
  return [...rowsOf(text, separatorOf(text))];
}

const cellsOf = (text: string) => read(text).map(({ cells }) => cells);

test('commas, semicolons and tabs separate values, with any line ends', () => {
  const expected = [
    ['name', 'city'],
    ['Ada', 'London'],
    ['Zoë', ''],
  ];
  for (const text of [
    'name,city\nAda,London\nZoë,\n',
    'name;city\r\nAda;London\r\n\r\nZoë;',
    'name\tcity\rAda\tLondon\rZoë\t',
    '"name","city"\n"Ada","London"\n"Zoë",""',
    'name;city\nAda;London\n ; \n;\nZoë;\n;;',
  ])
    expect(cellsOf(text)).toEqual(expected);
});

test('quoted values contain separators, quotes and line breaks', () => {
  expect(cellsOf('name;note\n"Byron, Ada";"She said ""yes"";\nthen left"\n')).toEqual([
    ['name', 'note'],
    ['Byron, Ada', 'She said "yes";\nthen left'],
  ]);
  expect(cellsOf('"a;b",c\n1,2"3')).toEqual([
    ['a;b', 'c'],
    ['1', '2"3'],
  ]);
});

test('a row names the line of the text on which it begins, after line breaks in values', () => {
  const text = 'a;b\r\n"1\r\n\r\n2";3\r\n\r\n4;5\r6;"7\n"\n8;9';
  expect(read(text).map(({ line }) => line)).toEqual([1, 2, 6, 7, 9]);
});

test('a fault ends at the end of its line, and an open quote at the end of the text', () => {
  expect(read('a,b\n1,"2"3,4"\n5,6\n7,"8\n9,10')).toEqual([
    { line: 1, cells: ['a', 'b'] },
    { line: 2, cells: ['1', '2'], fault: 'has text after a closing quote' },
    { line: 3, cells: ['5', '6'] },
    { line: 4, cells: ['7', ''], fault: 'has a quote that is not closed' },
  ]);
});

test('each column must have a name of its own', () => {
  const names = (...cells: string[]) => namesOf({ line: 1, cells });
  expect(names(' a ', 'b.c')).toEqual(['a', 'b.c']);
  expect(() => names('a', ' ', 'c')).toThrow('Line 1: column 2 has no name.');
  expect(() => names('a', 'b', 'a ')).toThrow('Line 1: two columns have the name “a”.');
  expect(() => namesOf({ line: 2, cells: [], fault: 'has a quote that is not closed' })).toThrow(
    'Line 2 has a quote that is not closed. It must name the columns.',
  );
});
