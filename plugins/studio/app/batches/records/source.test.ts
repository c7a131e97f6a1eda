import { expect, test } from 'bun:test';
import { MAX_RECORDS, placeOf, readSource, type Input } from './source.ts';

const read = (content: Input['content'], name = '', signal = new AbortController().signal) =>
  readSource({ name, content }, { signal, onProgress: () => undefined });

/** Returns why the data cannot be used. */
const refusal = async (content: Input['content'], name = '') => read(content, name).catch(String);

test('the name or the first character tells the format', async () => {
  for (const [name, content, format] of [
    ['a.csv', '{x}\n1', 'csv'],
    ['a.TSV', 'x,y\tz\n1\t2', 'csv'],
    ['a.ndjson', 'oops\n{}', 'ndjson'],
    ['a.json', ' {"a": 1}\n{}', 'ndjson'],
    ['a.txt', '\n [{}]', 'json'],
    ['', 'x\n1', 'csv'],
  ] as const)
    expect([name, content, (await read(content, name)).format]).toEqual([name, content, format]);
  expect((await read('x,y\tz\n1\t2', 'a.tsv')).header).toEqual(['x,y', 'z']);
});

test.each([
  ['', '', 'The table is empty.'],
  ['', 'a,b', 'The table has no rows below the names of the columns.'],
  ['', '[]', 'The data has no documents.'],
  ['', '{\n"a": 1\n}', 'The data must be a list, in square brackets.'],
  ['a.json', 'name', 'The data must be a list, in square brackets.'],
])('the data of %j %j is refused', async (name, content, message) => {
  expect(await refusal(content, name)).toBe(`Error: ${message}`);
});

test('a batch has at most 10,000 documents', async () => {
  const most = '1\n'.repeat(MAX_RECORDS);
  expect((await read(`a\n${most}`)).records).toHaveLength(MAX_RECORDS);
  expect(await refusal(`a\n${most}1`)).toContain('There are more than 10,000 documents');
});

test('a file that is not UTF-8, or too large, is refused', async () => {
  const latin = new File([Uint8Array.from(Buffer.from('name\nZo\xeb', 'latin1'))], 'list.csv');
  expect(await refusal(latin)).toBe('Error: list.csv is not UTF-8. Save it as “CSV UTF-8”.');
  const large = Object.defineProperty(new File(['a\n1'], 'list.csv'), 'size', { value: 100_000_001 });
  expect(await refusal(large)).toBe('Error: list.csv has 100.0 MB. A file can have at most 100.0 MB.');
});

test('a character that two pieces of a file divide is read', async () => {
  const text = `name\n${'x'.repeat(999_994)}ä\nend`;
  expect((await read(new File([text], 'list.csv'))).records[0]?.cells?.[0]?.slice(-2)).toBe('xä');
});

test('work ends when its signal is aborted', async () => {
  const controller = new AbortController();
  const text = `a\n${`${'x'.repeat(200)}\n`.repeat(MAX_RECORDS)}`;
  const reading = read(text, '', controller.signal).catch((error: Error) => error.name);
  controller.abort();
  expect(await reading).toBe('AbortError');
});

test('a record is named by its line or entry', () => {
  expect(placeOf('csv', 1200)).toBe('Line 1,200');
  expect(placeOf('json', 3)).toBe('Entry 3');
});
