import { expect, test } from 'bun:test';
import { columnsFor } from './columns.ts';
import { mergeFaults, prepare } from './prepare.ts';
import { readSource, type Input } from './source.ts';
import { fieldsOf, requiredOf } from './template-fields.ts';

const never = new AbortController().signal;
const read = (content: Input['content'], name = '') =>
  readSource({ name, content }, { signal: never, onProgress: () => undefined });

async function lines(content: Input['content'], name = '', schema: Record<string, string> = {}) {
  const source = await read(content, name);
  const fields = fieldsOf({ schema, sample_data: {} });
  const { body, places, faults } = await prepare(
    { source, columns: columnsFor(source.header, fields), fields, required: requiredOf(schema) },
    never,
  );
  return { format: source.format, text: await body.text(), places, faults };
}

test('CSV becomes a line per row, and an invalid row null', async () => {
  const file = new File(['\uFEFFname;total\r\n"Zoë\r\nÄ";1\r\n\r\nAda;ten\r\nBob\r\nIda;2'], 'list.csv');
  expect(await lines(file, 'list.csv', { total: 'number' })).toEqual({
    format: 'csv',
    text: '{"name":"Zoë\\r\\nÄ","total":1}\nnull\nnull\n{"name":"Ida","total":2}\n',
    places: [2, 5, 6, 7],
    faults: [
      { place: 5, message: 'has “ten” in the column “total”, which is not a number, such as 12.5' },
      { place: 6, message: 'has 1 value, but the table has 2 columns' },
    ],
  });
});

test('the lines of NDJSON and the entries of a list are sent as they are', async () => {
  expect(await lines('{"a": 1.0}\n\n[]\n{"b": 2}')).toEqual({
    format: 'ndjson',
    text: '{"a": 1.0}\nnull\n{"b": 2}\n',
    places: [1, 3, 4],
    faults: [{ place: 3, message: 'is not an object, such as {"number": 1}' }],
  });
  expect(await lines('[\n {"a":\n  1},\n {}]')).toMatchObject({
    format: 'json',
    text: '{"a":   1}\n{}\n',
    places: [1, 2],
    faults: [],
  });
});

test('a record without a required field, or with one of another type, is invalid', async () => {
  const schema = { signatory: 'object!', 'signatory.name': 'string!', date: 'date!', note: 'string' };
  const messages = async (content: string) =>
    (await lines(content, '', schema)).faults.map(({ place, message }) => [place, message]);
  const lacksSignatory = 'has no value for “signatory”, which the template requires';
  expect(await messages('date\n2026-11-28\n2026-11-29')).toEqual([
    [2, lacksSignatory],
    [3, lacksSignatory],
  ]);
  expect(await messages('signatory.name;date\nAda;2026-11-28\nAda;28.11.2026\nAda;')).toEqual([
    [
      3,
      'has “28.11.2026” in the column “date”, which is not a date in the form YYYY-MM-DD, such as 2026-11-28',
    ],
    [4, 'has no value in the column “date”, which is required'],
  ]);
  const objects = [
    { signatory: { name: 'Ada' }, date: '2026-11-28' },
    { date: '2026-11-28' },
    { signatory: { name: 'Ada' }, date: '28.11.2026' },
    { signatory: { name: 7 }, date: '2026-11-28' },
    { signatory: [], date: '2026-11-28' },
  ];
  expect(await messages(objects.map((object) => JSON.stringify(object)).join('\n'))).toEqual([
    [2, lacksSignatory],
    [3, 'has “28.11.2026” for “date”, which must be a date in the form YYYY-MM-DD'],
    [4, 'has 7 for “signatory.name”, which must be of type string'],
    [5, 'has a list for “signatory”, which must be of type object'],
  ]);
});

test('data that is too large as JSON is refused', async () => {
  const source = await read('name\n1\n2');
  const recipe = { source, columns: columnsFor(source.header, []), fields: [], required: {} };
  const both = '{"name":"1"}\n{"name":"2"}\n';
  expect(await (await prepare(recipe, never, both.length)).body.text()).toBe(both);
  const refused = prepare(recipe, never, both.length - 1).catch(String);
  expect(await refused).toContain('has more than 25 B, written as JSON. Divide it among several batches.');
});

test('faults of the service are counted in the source; the known reasons are kept', () => {
  const faults = [{ place: 7, message: 'is known' }];
  const found = [
    { line: 1, message: 'is found' },
    { line: 3, message: 'must be a JSON object' },
    { line: 9, message: 'is nowhere' },
  ];
  expect(mergeFaults({ places: [2, 5, 7], faults }, found)).toEqual([
    { place: 2, message: 'is found' },
    { place: 7, message: 'is known' },
  ]);
});
