import { expect, test } from 'bun:test';
import { strToU8, zipSync } from 'fflate';
import { inspectDocument } from './inspect.ts';

const inspect = (raw: Uint8Array, fileName?: string, fileType?: string) =>
  inspectDocument({ file: { raw }, fileName, fileType, maxBytes: 1_000_000 });
const openDocument = (type: string) =>
  zipSync({ mimetype: strToU8(`application/vnd.oasis.opendocument.${type}`) });
/** Makes a compound file of a header, a sector with text, and the entries of its directory. */
const compound = (text: string, ...streams: string[]) => {
  const file = Buffer.alloc(1_024 + 128 * streams.length);
  file.write('d0cf11e0a1b11ae1', 'hex');
  file.write(text, 600, 'utf16le');
  for (const [index, name] of streams.entries()) {
    const at = 1_024 + 128 * index;
    file.write(name, at, 'utf16le');
    file.writeUInt16LE(2 * (name.length + 1), at + 64);
    file.writeUInt8(2, at + 66);
  }
  return file;
};
const bytesOf = (...pieces: (string | number[])[]) =>
  Buffer.concat(
    pieces.map((each) => (typeof each === 'string' ? Buffer.from(each, 'latin1') : Buffer.from(each))),
  );
const PNG_HEAD = '\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\u0001IDATx';
const THUMBNAIL = [0xff, 0xe1, 0, 6, 0xff, 0xd8, 0xff, 0xd9];
const SCAN = [0xff, 0xda, 0, 3, 0, 0x12, 0xff, 0x00, 0x34];
const GIF_HEAD = bytesOf('GIF89a', [1, 0, 1, 0, 0x80, 0, 0], [0, 0, 0, 255, 255, 0x3b]);
const GIF_IMAGE = bytesOf(
  [0x21, 0xf9, 4, 0, 0, 0, 0, 0],
  [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 0x3b],
);

test.each<[string, Uint8Array, string | undefined]>([
  ['odt', openDocument('text'), 'wrong.docx'],
  ['ods', openDocument('spreadsheet'), undefined],
  ['ott', openDocument('text-template'), undefined],
  ['doc', compound('', 'WordDocument'), undefined],
  ['dot', compound('', 'WordDocument'), 'letter.dot'],
  ['xls', compound('', 'Workbook'), 'a.doc'],
  ['ppt', compound('', 'PowerPoint Document'), undefined],
  ['pptx', compound('', 'EncryptedPackage'), 'a.pptx'],
  ['docx', compound('', 'EncryptedPackage'), undefined],
  ['doc', compound('The Book'), 'a.doc'],
  ['doc', compound('', 'WordDocument', 'Workbook'), undefined],
  ['xls', compound('', 'WordDocument', 'Workbook'), 'a.xls'],
  ['png', bytesOf(PNG_HEAD, '\u0000\u0000\u0000\u0000IEND....trailing'), undefined],
  ['jpeg', bytesOf([0xff, 0xd8], THUMBNAIL, SCAN, [0xff, 0xd9, 0, 0]), undefined],
  ['gif', bytesOf([...GIF_HEAD, ...GIF_IMAGE, 0, 0x3b, 0]), undefined],
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

test('trusts the wanted type of a compound file whose directory is cut off', () => {
  expect(inspect(compound('The Book'), undefined, 'doc').type).toBe('doc');
});

test.each<[string, Uint8Array, string | undefined, string | undefined, string]>([
  [
    'file',
    zipSync({ 'a.txt': strToU8('x') }),
    undefined,
    undefined,
    'is a zip archive, but not an office document',
  ],
  ['file', bytesOf(PNG_HEAD), undefined, undefined, 'is truncated'],
  ['file', bytesOf([0xff, 0xd8], THUMBNAIL, SCAN), undefined, undefined, 'is truncated'],
  ['file', bytesOf([0xff, 0xd8], THUMBNAIL), undefined, undefined, 'is truncated'],
  ['file', bytesOf([...GIF_HEAD, ...GIF_IMAGE, 0]), undefined, undefined, 'is truncated'],
  ['file', bytesOf([...GIF_HEAD, ...GIF_IMAGE.subarray(0, 18)]), undefined, undefined, 'is truncated'],
  ['file', compound('The Book'), undefined, undefined, 'is truncated, or a compound file'],
  [
    'file_type',
    compound('', 'Workbook'),
    undefined,
    'doc',
    'is doc, but the content of the file is an xls file',
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
