import { expect, test } from 'bun:test';
import { readTable, recordsOf } from './csv.ts';

function read(text: string, schema: Record<string, string> = {}) {
  const table = readTable(text);
  return typeof table === 'string' ? table : recordsOf(table, schema);
}

test('commas, semicolons and tabs separate values, with any line ends and a byte order mark', () => {
  const expected = [
    { name: 'Ada', city: 'London' },
    { name: 'Zoë', city: '' },
  ];
  for (const text of [
    'name,city\nAda,London\nZoë,\n',
    '\uFEFFname;city\r\nAda;London\r\n\r\nZoë;',
    'name\tcity\rAda\tLondon\rZoë\t',
    '"name","city"\n"Ada","London"\n"Zoë",""',
  ])
    expect(read(text)).toEqual(expected);
});

test('quoted values contain separators, quotes and line breaks', () => {
  expect(read('name;note\n"Byron, Ada";"She said ""yes"";\nthen left"\n')).toEqual([
    { name: 'Byron, Ada', note: 'She said "yes";\nthen left' },
  ]);
  expect(read('"a;b",c\n1,2')).toEqual([{ 'a;b': '1', c: '2' }]);
});

test('the schema gives types, and names with dots are paths', () => {
  const schema = { 'customer.age': 'number!', vip: 'boolean?', zip: 'string' };
  expect(read('customer.name,customer.age,vip,zip\nAda,36.5,TRUE,01234', schema)).toEqual([
    { customer: { name: 'Ada', age: 36.5 }, vip: true, zip: '01234' },
  ]);
  expect(Object.keys(Object(read('__proto__.x,a\n1,2')[0]))).toEqual(['__proto__', 'a']);
});

test('an error names its line', () => {
  expect(read('')).toBe('The table is empty.');
  expect(read('a,b')).toBe('The table has no rows below the names of the columns.');
  expect(read('a,,c\n1,2,3')).toBe('Line 1: column 2 has no name.');
  expect(read('a,b,a\n1,2,3')).toBe('Line 1: two columns have the name “a”.');
  expect(read('a,b\n"1\n2",3\n4')).toBe('Line 4: the row has 1 values, but the table has 2 columns.');
  expect(read('a,b\n1,"2')).toBe('Line 2: a quoted value has no closing quote.');
  expect(read('a,b\n1,"2"3')).toBe('Line 2: text follows the closing quote of a value.');
  expect(read('n\n1\nten', { n: 'number' })).toBe('Line 3: “ten” in the column “n” is not a number.');
  expect(read('a,a.b\n1,2')).toStartWith('Line 1: the column “a.b” contradicts another column');
  expect(read(`a\n${'1\n'.repeat(101)}`)).toBe(
    'The table has 101 rows. A batch can have at most 100 documents.',
  );
});
