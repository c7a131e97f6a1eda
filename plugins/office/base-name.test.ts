import { expect, test } from 'bun:test';
import { encodeRequest } from './engine/request.ts';
import { baseNameOf } from './base-name.ts';

test.each<[string | undefined, string | undefined]>([
  ['letter.docx', 'letter'],
  ['Prices 2026.final.csv', 'Prices 2026.final'],
  ['C:\\files\\a.xls', 'a'],
  ['../../etc/passwd', 'passwd'],
  ['.htaccess.csv', 'htaccess'],
  ["'a[1]:b?'.csv", 'a_1__b_'],
  ['a\u0000\u202eb.csv', 'a__b'],
  ['\ud800.csv', '_'],
  ['U\u0308ber #1 50%.csv', 'Über #1 50%'],
  ['...', undefined],
  ['', undefined],
  [undefined, undefined],
  [`${'x'.repeat(300)}.csv`, 'x'.repeat(180)],
])('the base name of %j', (fileName, base) => {
  expect(baseNameOf(fileName)).toBe(base);
});

test('the name of the file is escaped in the URL that LibreOffice opens', () => {
  const written = encodeRequest({
    source: '/in/Über #1 50%.csv',
    result: '/result.pdf',
    filter: undefined,
    password: undefined,
    options: {},
  });
  expect(written).toContain('source url text file:///in/%C3%9Cber%20%231%2050%25.csv\n');
});
