import { expect, test } from 'bun:test';
import { FileNames } from './file-name.ts';

test.each([
  ['report.csv', 'report.csv'],
  ['Übersicht 概要.csv', 'Übersicht 概要.csv'],
  ['../../etc/passwd', 'passwd'],
  [String.raw`..\..\win.ini`, 'win.ini'],
  ['folder/', 'attachment'],
  ['', 'attachment'],
  ['.', 'attachment'],
  ['..', 'attachment'],
  ['. . ', 'attachment'],
  ['.bashrc', '_bashrc'],
  ['...a', '_..a'],
  [' name. ', 'name'],
  ['a\u0000b\nc', 'a_b_c'],
  ['invoice\u202Efdp.exe', 'invoice_fdp.exe'],
  ['a:b|c.txt', 'a_b_c.txt'],
  ['x'.repeat(300), 'x'.repeat(200)],
  ['\ud83d', '\ufffd'],
])('%j becomes %j', (name, file) => {
  expect(new FileNames().safe(name)).toBe(file);
});

test('names are unique, even if case is ignored', () => {
  const names = new FileNames();
  expect(['a.csv', 'A.csv', 'x/a.csv', 'a-2.csv', 'b', 'b'].map((name) => names.safe(name))).toEqual([
    'a.csv',
    'A-2.csv',
    'a-3.csv',
    'a-2-2.csv',
    'b',
    'b-2',
  ]);
});
