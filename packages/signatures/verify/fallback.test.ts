import { describe, expect, test } from 'bun:test';
import { deflateSync } from 'node:zlib';
import { PdfDocument } from '@platen/pdf/objects';
import { issue, toPem } from '../tests/certificates.ts';
import { SIGNED_PDF_OBJECTS, signedPdf } from '../tests/sign-pdf.ts';
import { verify } from '../tests/verify-file.ts';
import { stream } from '../../pdf/tests/plain-pdf.ts';
import { appendRawStreams, type RawStreamUpdate } from '../../pdf/tests/raw-stream-update.ts';
import { appendRaw, type RawUpdate } from '../../pdf/tests/raw-update.ts';
import { findStructureFault } from './structure.ts';

/*
 * Updates that Platen and PDFium read, while MuPDF or poppler searches the file for objects instead, or does not find an object. The first
 * example of each kind showed another page in one of these programs.
 */

const root = issue({ name: 'Root' });
const roots = toPem(root);
const signer = issue({ name: 'Ada', issuer: root });
const { content: CONTENT } = SIGNED_PDF_OBJECTS;
const SAME = stream('0 0 100 100 re f');
const pdf = await signedPdf({ signer });

function expectRejected(changed: Buffer): void {
  const { valid, signatures } = verify(changed, { roots });
  expect([valid, signatures[0]?.changesAfter]).toEqual([false, 'not_allowed']);
}

function expectAllowed(changed: Buffer): void {
  const { valid, signatures } = verify(changed, { roots });
  expect([valid, signatures[0]?.faults]).toEqual([true, []]);
}

/** Replaces text after the signed revision. Changes no offset before the replaced text. */
function edit(file: Buffer, search: string, replacement: string): Buffer {
  const text = file.toString('latin1');
  const at = text.lastIndexOf(search);
  expect(at).toBeGreaterThan(pdf.length);
  return Buffer.from(text.slice(0, at) + replacement + text.slice(at + search.length), 'latin1');
}

describe('an update after which some readers search the file for objects', () => {
  const update = (parts: Partial<RawUpdate> = {}) => appendRaw(pdf, { objects: { 60: 'null' }, ...parts });

  test.each<[string, () => Buffer]>([
    ['white space before the pointer', () => edit(update(), 'startxref\n', `startxref${'\n'.repeat(2000)}`)],
    ['white space after the pointer', () => edit(update(), '\n%%EOF', `${'\n'.repeat(2000)}%%EOF`)],
    ['the heading of a table on two lines', () => edit(update(), '60 1\n', '60\n1\n')],
    ['the heading of a table with two spaces', () => edit(update(), '60 1\n', '60  1\n')],
    ['a real number in the trailer', () => update({ trailerEntries: '/Root 1 0 R/X 1.0' })],
  ])('is not allowed: %s', (_, make) => {
    expectRejected(make());
  });

  test('is not allowed if its section is its own predecessor', () => {
    const { xref } = PdfDocument.open(update());
    expectRejected(update({ previous: xref.offset ?? 0 }));
  });

  test('is allowed with the usual white space', () => {
    expectAllowed(edit(update(), 'startxref\n', 'startxref\r\n'));
    expectAllowed(edit(update(), '60 1\n', '60 1 \n'));
  });
});

describe('an object with another generation', () => {
  const rewrite = (generation: number) => {
    const entry = (at: number) => `${String(at).padStart(10, '0')} 0000${generation} n \n`;
    const changed = appendRaw(pdf, { objects: { [CONTENT]: SAME }, entry });
    return edit(changed, `${CONTENT} 0 obj`, `${CONTENT} ${generation} obj`);
  };

  test('is not allowed, because references in the signed revision have the old one', () => {
    expectAllowed(rewrite(0));
    expectRejected(rewrite(1));
  });

  test('is not allowed, even if an update between deleted the object', () => {
    const object = `${CONTENT} 0 obj\nnull\nendobj\n`;
    const named = appendRaw(pdf, {
      objects: { [CONTENT]: 'null' },
      entry: () => '0000000000 00001 f \n',
      startxref: -object.length,
    });
    const deleted = edit(named, object, '');
    const entry = (at: number) => `${String(at).padStart(10, '0')} 00001 n \n`;
    const added = appendRaw(deleted, { objects: { [CONTENT]: SAME }, entry });
    const changed = edit(added, `${CONTENT} 0 obj`, `${CONTENT} 1 obj`);
    expectRejected(changed);
    expect(verify(changed, { roots }).signatures[0]?.faults).toEqual([
      'the bytes after the signed revision have a cross-reference section with a wrong place of an object (4)',
    ]);
  });
});

describe('cross-reference streams and object streams of updates', () => {
  /** Encodes rows with a predictor of PNG. */
  const rows =
    (columns: number, type = 0) =>
    (data: Buffer) =>
      deflateSync(
        Buffer.concat(
          Array.from({ length: Math.ceil(data.length / columns) }, (_, row) =>
            Buffer.concat([Buffer.of(type), data.subarray(row * columns, (row + 1) * columns)]),
          ),
        ),
      );
  const flate = '/Filter/FlateDecode';
  const predicted = (entries: string) => `${flate}/DecodeParms<<${entries}>>`;
  const withStreams = (parts: Partial<RawStreamUpdate>) =>
    appendRawStreams(pdf, { packed: { 60: 'null' }, objects: { [CONTENT]: SAME }, ...parts });
  const hex = (data: Buffer) => Buffer.from(`${data.toString('hex')}>`);

  test.each<[string, Partial<RawStreamUpdate>]>([
    ['plain', {}],
    ['Flate', { encodeSection: (data) => deflateSync(data), sectionEntries: flate }],
    ['a predictor', { encodeSection: rows(6), sectionEntries: predicted('/Predictor 12/Columns 6') }],
    ['an object stream with Flate', { encodePacked: (data) => deflateSync(data), packedEntries: flate }],
  ])('are allowed: %s', (_, parts) => {
    expectAllowed(withStreams(parts));
  });

  test.each<[string, Partial<RawStreamUpdate>]>([
    [
      'a predictor that is a real number',
      { encodeSection: rows(6), sectionEntries: predicted('/Predictor 12.0/Columns 6') },
    ],
    [
      'rows of an unknown type',
      { encodeSection: rows(6, 7), sectionEntries: predicted('/Predictor 12/Columns 6') },
    ],
    [
      'an unknown predictor',
      { encodeSection: rows(6), sectionEntries: predicted('/Predictor 20/Columns 6') },
    ],
    [
      'abbreviated parameters',
      { encodeSection: rows(6), sectionEntries: `${flate}/DP<</Predictor 12/Columns 6>>` },
    ],
    ['an abbreviated filter', { encodeSection: (data) => deflateSync(data), sectionEntries: '/Filter/Fl' }],
    ['another filter', { encodeSection: hex, sectionEntries: '/Filter/ASCIIHexDecode' }],
    [
      'two filters',
      {
        encodeSection: (data) => hex(deflateSync(data)),
        sectionEntries: '/Filter[/ASCIIHexDecode/FlateDecode]',
      },
    ],
    ['truncated data', { encodeSection: (data) => deflateSync(data).subarray(0, -5), sectionEntries: flate }],
    ['widths that are real numbers', { widths: '[1.0 3 2]' }],
    ['widths in another object', { widths: ' 61 0 R', objects: { [CONTENT]: SAME, 61: '[1 3 2]' } }],
    ['an object stream with another filter', { encodePacked: hex, packedEntries: '/Filter/ASCIIHexDecode' }],
    ['an object stream with a crypt filter', { packedEntries: '/Filter/Crypt' }],
    ['an object stream with a real number', { packedEntries: '/X 1.0' }],
  ])('are not allowed: %s', (_, parts) => {
    expectRejected(withStreams(parts));
  });
});

describe('a signed revision', () => {
  /**
   * Makes a revision whose page has a second content. Its cross-reference table says that this content was
   * deleted.
   */
  const revision = (contents: string) => {
    const forged = stream('1 0 0 rg 0 0 300 200 re f');
    return signedPdf({ signer, content: 'q', objects: [forged], resources: contents }).then((file) =>
      Buffer.from(
        file.toString('latin1').replace(/\d{10} 00000 n \ntrailer/, '0000000000 00001 f \ntrailer'),
        'latin1',
      ),
    );
  };

  test('has no page with an object that was deleted', async () => {
    const hidden = await revision('<</XObject<</F 9 0 R>>>>');
    expect(findStructureFault(PdfDocument.open(hidden))).toBe('a page with an object that was deleted (9)');
    expect(findStructureFault(PdfDocument.open(await revision('<<>>')))).toBeUndefined();
  });
});

describe('an XFA form', () => {
  const xfa = '/XFA[(template)9 0 R(datasets)10 0 R]';
  const template = stream('<template/>');
  const catalog = (entries: string) =>
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R]/SigFlags 3${entries}>>>>`;

  test.each<[string, Record<number, string>]>([
    ['a changed template', { 9: stream('<template>x</template>') }],
    ['changed data', { 10: stream('<data>Bob</data>') }],
    ['no form any more', { 1: catalog('') }],
  ])('is compared: %s', async (_, objects) => {
    const form = { formEntries: xfa, objects: [template, stream('<data>Ada</data>')] };
    expectRejected(appendRaw(await signedPdf({ signer, ...form }), { objects }));
  });

  test('cannot be added', () => {
    expectRejected(appendRaw(pdf, { objects: { 1: catalog('/XFA 60 0 R'), 60: template } }));
  });
});
