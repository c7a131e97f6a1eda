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

test('a name of more than 255 characters is refused', () => {
  const form = new Form();
  form.addFile('files', `x/${'a'.repeat(251)}.pdf`, new Uint8Array());
  expect(() => form.addFile('files', `${'a'.repeat(252)}.pdf`, new Uint8Array())).toThrow(
    /the name of the file 'a{100}…' is longer than 255 characters/,
  );
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
});
