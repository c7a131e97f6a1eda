import { describe, expect, test } from 'bun:test';
import { InputFault, PdfDocument, type PdfError } from '../objects/index.ts';
import { plainPdf, stream } from '../tests/plain-pdf.ts';
import {
  addAttachments,
  extractAttachments,
  listAttachments,
  removeAttachments,
  type NewAttachment,
} from './attachments.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const pages = ['<</Type/Pages/Kids[3 0 R]/Count 1>>', '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>'];
const bare = plainPdf(['<</Type/Catalog/Pages 2 0 R>>', ...pages]);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const open = (pdf: string | Uint8Array) =>
  PdfDocument.open(typeof pdf === 'string' ? Buffer.from(pdf, 'latin1') : pdf);
const add = (pdf: string | Uint8Array, ...added: NewAttachment[]) =>
  addAttachments(open(pdf), added, { field: 'add', now: NOW });
const names = (pdf: string | Uint8Array) => listAttachments(open(pdf)).map(({ name }) => name);

/** Returns the field and the message of the input fault that `work` throws. */
function faultOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    if (error instanceof InputFault) return `${error.field}: ${error.message}`;
    throw error;
  }
  return 'none';
}

/** A file with one attachment, whose file specification and stream have the given entries. */
const withAttachment = (specification: string, file: string, content = 'data') =>
  plainPdf([
    '<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(key)4 0 R]>>>>>>',
    ...pages,
    `<</Type/Filespec${specification}/EF<</F 5 0 R>>>>`,
    stream(content, `/Type/EmbeddedFile${file}`),
  ]);

describe('attachments', () => {
  test('are listed and extracted as they were added', () => {
    const report = {
      name: 'Übersicht 概要.csv',
      data: base64('a;b\n1;2\n'),
      mimeType: 'text/csv',
      description: 'The figures',
      relationship: 'data',
    } as const;
    const pdf = add(bare, report, { name: 'empty.bin', data: '' });
    const { data, ...described } = report;
    expect(listAttachments(open(pdf))).toEqual([
      { ...described, fileName: 'Übersicht 概要.csv', sizeBytes: 8, modifiedAt: '2026-01-02T03:04:05.000Z' },
      {
        name: 'empty.bin',
        fileName: 'empty.bin',
        mimeType: 'application/octet-stream',
        description: null,
        relationship: 'unspecified',
        sizeBytes: 0,
        modifiedAt: '2026-01-02T03:04:05.000Z',
      },
    ]);
    const [extracted] = extractAttachments(open(pdf), [report.name], 'extract');
    expect(Buffer.from(extracted?.data ?? []).toString('base64')).toBe(data);
  });

  test('are removed with their content and their relation to the document', () => {
    const pdf = add(
      bare,
      { name: 'keep.txt', data: base64('kept') },
      { name: 'drop.txt', data: base64('dropped') },
    );
    const left = removeAttachments(open(pdf), ['drop.txt'], 'remove');
    expect(names(left)).toEqual(['keep.txt']);
    expect(open(left).catalog.array('AF')).toHaveLength(1);
    const none = removeAttachments(open(left), ['keep.txt'], 'remove');
    expect(names(none)).toEqual([]);
    expect(none.toString('latin1')).not.toMatch(/EmbeddedFile|Filespec|\/AF\b|\/Names\b/);
  });

  test('are rejected if the name is taken or unknown, or the data is not valid base64', () => {
    const pdf = add(bare, { name: 'a', data: '' });
    expect(faultOf(() => add(pdf, { name: 'b', data: '' }, { name: 'a', data: '' }))).toBe(
      'add[1].name: is the name of another attachment',
    );
    expect(faultOf(() => add(pdf, { name: 'b', data: '' }, { name: 'b', data: '' }))).toBe(
      'add[1].name: is the name of another attachment',
    );
    expect(faultOf(() => add(pdf, { name: 'b', data: '?' }))).toBe('add[0].data: is not valid base64');
    expect(faultOf(() => removeAttachments(open(pdf), ['a', 'x'], 'remove'))).toBe(
      'remove[1]: is not the name of an attachment of the PDF',
    );
    expect(faultOf(() => extractAttachments(open(pdf), ['x'], 'extract'))).toStartWith('extract[0]: is not');
  });

  test('of one request are limited to 25,000,000 bytes in total', () => {
    const data = Buffer.alloc(13_000_000).toString('base64');
    expect(faultOf(() => add(bare, { name: 'a', data }, { name: 'b', data }))).toBe(
      'add: has more than 25000000 bytes in total',
    );
  });

  test('that other programs wrote are listed with their properties', () => {
    const [listed] = listAttachments(open(withAttachment('/F(a.txt)/Desc(Old)', '/Subtype/text#2fplain')));
    expect(listed).toEqual({
      name: 'a.txt',
      fileName: 'a.txt',
      sizeBytes: null,
      mimeType: 'text/plain',
      description: 'Old',
      relationship: null,
      modifiedAt: null,
    });
    expect(names(withAttachment('', ''))).toEqual(['key']);
  });

  test('that cannot be decoded are reported with their position in the request', () => {
    const pdf = withAttachment('/F(a)', '/Filter/FlateDecode', 'not deflated');
    expect(faultOf(() => extractAttachments(open(pdf), ['a'], 'extract'))).toBe(
      'extract[0]: cannot be read: it is encrypted or damaged',
    );
  });

  test('of a document are limited to 10,000', () => {
    const entries = Array.from({ length: 10_001 }, (_, index) => `(${index})null`).join(' ');
    const pdf = plainPdf([
      `<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[${entries}]>>>>>>`,
      ...pages,
    ]);
    expect(() => listAttachments(open(pdf))).toThrow(
      expect.objectContaining({ fault: 'too-complex' } satisfies Partial<PdfError>),
    );
  });
});
