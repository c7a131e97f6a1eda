import { describe, expect, test } from 'bun:test';
import {
  columnsFor,
  faultOfColumns,
  fieldsWithoutColumn,
  rowEncoder,
  unreadColumns,
  withField,
} from './columns.ts';
import { fieldsOf, type TemplateField } from './template-fields.ts';

const schema = {
  'customer.name': 'string!',
  'customer.age': 'integer?',
  total: 'number!',
  vip: 'boolean',
  items: 'array!',
};
const fields = fieldsOf({ schema, sample_data: { ignored: 1 } });

test('the fields of a template come from its schema, or else from its sample data', () => {
  const short = (list: TemplateField[]) => list.map(({ name, type, need }) => [name, type, need]);
  expect(short(fields)).toEqual([
    ['customer.name', 'text', 'required'],
    ['customer.age', 'number', 'optional'],
    ['total', 'number', 'required'],
    ['vip', 'boolean', 'expected'],
    ['items', undefined, 'required'],
  ]);
  const sample_data = { customer: { name: 'Ada', tags: ['x'] }, total: 1, paid: true, none: null };
  expect(short(fieldsOf({ schema: {}, sample_data }))).toEqual([
    ['customer.name', 'text', 'expected'],
    ['customer.tags', undefined, 'expected'],
    ['total', 'number', 'expected'],
    ['paid', 'boolean', 'expected'],
    ['none', 'text', 'expected'],
  ]);
});

test('columns get fields of the same name, or of a similar one that no other column has', () => {
  expect(columnsFor(['Customer Name', 'total', 'TOTAL', 'note'], fields)).toEqual([
    { name: 'Customer Name', field: 'customer.name', type: 'text' },
    { name: 'total', field: 'total', type: 'number' },
    { name: 'TOTAL', field: 'TOTAL', type: 'text' },
    { name: 'note', field: 'note', type: 'text' },
  ]);
});

test('a column takes the type of a known field, and keeps its own for any other', () => {
  const column = { name: 'a', field: 'a', type: 'boolean' } as const;
  expect(withField(column, 'total', fields).type).toBe('number');
  expect(withField(column, 'other', fields).type).toBe('boolean');
});

test('columns that contradict each other are refused', () => {
  const faultOf = (...names: string[]) => faultOfColumns(columnsFor(names, []));
  expect(faultOf('a.b', 'a.c.d', 'a.c.e', 'ab')).toBeUndefined();
  expect(faultOf('a..b')).toContain('“a..b”');
  expect(faultOf('a.b.c', 'a')).toContain('“a.b.c”, which is a part of “a”');
  expect(faultOf('a', 'a.b')).toContain('“a.b”, which is a part of “a”');
  const same = [
    { name: 'x', field: 'a', type: 'text' },
    { name: 'y', field: 'a', type: 'text' },
  ] as const;
  expect(faultOfColumns(same)).toBe('The columns “x” and “y” have the same field, “a”.');
  expect(faultOfColumns([{ ...same[0], field: '' }])).toBe('All columns are left out.');
});

test('fields without a column are listed, unless they are optional', () => {
  const missing = (...names: string[]) =>
    fieldsWithoutColumn(columnsFor(names, fields), fields).map(({ name }) => name);
  expect(missing('total')).toEqual(['customer.name', 'vip', 'items']);
  expect(missing('customer.name', 'total', 'vip', 'items.first')).toEqual([]);
});

test('an object has a part as an example of a column', () => {
  const sample_data = { signatory: { role: 'Director' } };
  const objects = fieldsOf({ schema: { signatory: 'object!', other: 'object', due: 'date' }, sample_data });
  expect(objects.map(({ example, type }) => [example, type])).toEqual([
    ['signatory.role', undefined],
    ['other.name', undefined],
    [undefined, 'date'],
  ]);
});

test('columns that the template does not read are listed', () => {
  const unread = (source: string, ...names: string[]) =>
    unreadColumns(columnsFor(names, fields), { fields, sources: [source] }).map(({ name }) => name);
  const html = '<p class="reason">{{#with buyer}}{{city}}{{/with}}{{labelOf "number" number=no}}</p>';
  expect(unread(html, 'reason', 'number', 'no', 'buyer.city', 'total', 'locale')).toEqual([
    'reason',
    'number',
  ]);
  expect(unread('{{[first name]}}', 'first name', 'name')).toEqual(['name']);
  for (const any of [
    '{{> part}}',
    '{{#each this}}{{/each}}',
    '{{#each .}}{{/each}}',
    '{{lookup . key}}',
    '<p>static</p>',
  ])
    expect(unread(any, 'reason')).toEqual([]);
});

describe('a row', () => {
  const encode = (header: string[], ...cells: string[]) => {
    const result = rowEncoder(columnsFor(header, fields), fields)(cells);
    return 'fault' in result ? result.fault : result.data;
  };

  test('becomes an object with numbers and booleans; dots make nested fields', () => {
    const header = ['customer.name', 'customer.age', 'total', 'vip', 'zip'];
    expect(encode(header, ' Ada ', '36', ' -1.50', 'TRUE', '01234')).toEqual({
      customer: { name: ' Ada ', age: 36 },
      total: -1.5,
      vip: true,
      zip: '01234',
    });
    expect(encode(header, '', '', '0', ' ', '')).toEqual({ customer: { name: '' }, total: 0, zip: '' });
  });

  test('leaves out columns without a field', () => {
    const [a, b] = columnsFor(['a', 'b'], []);
    expect(rowEncoder([{ ...a!, field: '' }, b!], [])(['1', '2'])).toEqual({ data: { b: '2' } });
  });

  test('with a value of another type is invalid', () => {
    for (const text of ['ten', '1,5', '1e3', '0x1', '1.', '.5', '1 000', '--1', 'NaN'])
      expect([text, encode(['total'], text)]).toEqual([
        text,
        `has “${text}” in the column “total”, which is not a number, such as 12.5`,
      ]);
    for (const text of ['yes', '1', 'constructor', 'toString'])
      expect(encode(['vip'], text)).toBe(
        `has “${text}” in the column “vip”, which is neither true nor false`,
      );
    expect(encode(['total'], ' ')).toBe('has no value in the column “total”, which is required');
  });

  test('keeps the names of properties that every object has', () => {
    const row = rowEncoder(columnsFor(['__proto__.x', 'constructor'], []), [])(['1', '2']);
    expect('data' in row && JSON.stringify(row.data)).toBe('{"__proto__":{"x":"1"},"constructor":"2"}');
  });
});
