import { expect, test } from 'bun:test';
import { Form } from './form.ts';

test('files are ordered by numbers at the beginning or the end of their names', () => {
  const form = new Form();
  const names = ['b.pdf', 'a_10.pdf', '10_x.pdf', 'a_2.pdf', '2_y.pdf', '2_a.pdf', 'A.pdf'];
  for (const name of names) form.addFile('files', name, new Uint8Array());
  expect(form.files.map(({ name }) => name)).toEqual([
    '2_a.pdf',
    '2_y.pdf',
    '10_x.pdf',
    'a_2.pdf',
    'a_10.pdf',
    'A.pdf',
    'b.pdf',
  ]);
});

test('of files with the same name in a field, the last one counts; paths are removed', () => {
  const form = new Form();
  for (const [field, name, text] of [
    ['files', '../x/e\u0301.pdf', 'first'],
    ['files', 'C:\\tmp\\\u00E9.pdf', 'second'],
    ['embeds', '\u00E9.pdf', 'third'],
  ] as const)
    form.addFile(field, name, Buffer.from(text));
  const found = form.files.map(({ field, name, content }) => [field, name, content.toString()]);
  expect(found).toEqual([
    ['files', '\u00E9.pdf', 'second'],
    ['embeds', '\u00E9.pdf', 'third'],
  ]);
  expect(form.sizeBytes).toBe(11);
});

test('files may have any part name, except those of files with a purpose of their own', () => {
  const form = new Form();
  for (const [part, name] of [
    ['index.html', 'index.html'],
    ['md', 'page.md'],
    ['embeds', 'data.xml'],
  ] as const)
    form.addFile(part, name, new Uint8Array());
  expect(form.filesOf('files').map(({ name }) => name)).toEqual(['index.html', 'page.md']);
  expect(form.filesOf('embeds').map(({ name }) => name)).toEqual(['data.xml']);
  expect([form.hasFile('other', 'page.md'), form.hasFile('other', 'data.xml')]).toEqual([true, false]);
});

test('many long names with numbers are ordered quickly', () => {
  const form = new Form();
  const digits = '1'.repeat(4_000);
  for (let index = 0; index < 1_000; index += 1)
    form.addFile('files', `a${digits}${(index * 7_919) % 1_000}.pdf`, new Uint8Array());
  expect(form.files).toHaveLength(1_000);
  // Reading the names in each comparison would take four seconds for each order, and end the test.
  for (let read = 0; read < 20; read += 1) expect(form.filesOf('files', ['.pdf'])).toHaveLength(1_000);
});
