import { expect, test } from 'bun:test';
import { strToU8, zipSync } from 'fflate';
import { inspectDocument } from './inspect.ts';

const inspect = (raw: Uint8Array, fileName?: string, fileType?: string) =>
  inspectDocument({ file: { raw }, fileName, fileType, maxBytes: 1_000_000 });
const openDocument = (type: string) =>
  zipSync({ mimetype: strToU8(`application/vnd.oasis.opendocument.${type}`) });
const compound = (stream: string) =>
  Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(stream, 'utf16le')]);

test.each<[string, Uint8Array, string | undefined]>([
  ['odt', openDocument('text'), 'wrong.docx'],
  ['ods', openDocument('spreadsheet'), undefined],
  ['ott', openDocument('text-template'), undefined],
  ['doc', compound('WordDocument'), undefined],
  ['dot', compound('WordDocument'), 'letter.dot'],
  ['xls', compound('Workbook'), 'a.doc'],
  ['ppt', compound('PowerPoint Document'), undefined],
  ['pptx', compound('EncryptedPackage'), 'a.pptx'],
  ['docx', compound('EncryptedPackage'), undefined],
  ['rtf', strToU8('{\\rtf1 x}'), 'a.txt'],
  ['svg', strToU8('<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>'), undefined],
  ['html', strToU8('<!DOCTYPE html><p>x'), undefined],
  ['txt', strToU8('<p>x'), undefined],
  ['csv', strToU8('a,b'), 'A.CSV'],
  ['dif', strToU8('TABLE'), 'a.dif'],
])('finds %s', (type, bytes, name) => {
  expect(inspect(bytes, name).type).toBe(type);
});

test.each([
  ['a,b\n1,2', ','],
  ['"a;x",b\n1,2', ','],
  ['a;b\n1,5;2,5', ';'],
  ['a|b|c\n1|2|3', '|'],
  ['sep=;\na,b;c', ';'],
  ['alone', ','],
])('finds the separator of %j', (text, separator) => {
  expect(inspect(strToU8(text), 'a.csv').filter?.options).toStartWith(`${separator.charCodeAt(0)},34,76,1,`);
});

test('reads text in UTF-16 and Windows-1252 as UTF-8', () => {
  const texts = [
    Buffer.from('\ufeffGrüße €', 'utf16le'),
    Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x20, 0x80]),
  ];
  for (const bytes of texts) expect(Buffer.from(inspect(bytes, 'a.txt').content!).toString()).toBe('Grüße €');
});

test.each<[string, Uint8Array, string | undefined, string | undefined, string]>([
  [
    'file',
    zipSync({ 'a.txt': strToU8('x') }),
    undefined,
    undefined,
    'is a zip archive, but not an office document',
  ],
  ['file', new Uint8Array(10), 'a.docx', undefined, 'is damaged or of another type'],
  ['file', strToU8('words'), 'a.docx', undefined, 'is damaged or of another type'],
  ['file', strToU8(' \n'), 'a.txt', undefined, 'is empty'],
  ['file_type', openDocument('text'), undefined, 'ods', 'is ods, but'],
  ['file_type', strToU8('x'), undefined, 'exe', 'must be one of'],
])('rejects %s of %p', (field, bytes, name, type, message) => {
  expect(() => inspect(bytes, name, type)).toThrow(
    expect.objectContaining({ field, message: expect.stringContaining(message) }),
  );
});
