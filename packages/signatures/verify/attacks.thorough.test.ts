import { describe, expect, test } from 'bun:test';
import { PdfDocument } from '@platen/pdf/objects';
import { issue, toPem } from '../tests/certificates.ts';
import { SIGNED_PDF_OBJECTS, signedPdf, type SignedPdfRequest } from '../tests/sign-pdf.ts';
import { verify } from '../tests/verify-file.ts';
import { stream } from '../../pdf/tests/plain-pdf.ts';
import { appendRawStreams, type RawStreamUpdate } from '../../pdf/tests/raw-stream-update.ts';
import { appendRaw, type RawUpdate } from '../../pdf/tests/raw-update.ts';
import { findStructureFault } from './structure.ts';

const root = issue({ name: 'Root' });
const roots = toPem(root);
const signer = issue({ name: 'Ada', issuer: root });
const { page: PAGE, content: CONTENT, textField: TEXT_FIELD, note: NOTE } = SIGNED_PDF_OBJECTS;

const docMdp = (level: number) =>
  `/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</P ${level}/V/1.2>>>>]`;
const LEVELS = { 'not certified': '', 'certified 1': docMdp(1), 'certified 2': docMdp(2) } as const;
/** The most permissive level finds most mistakes. */
const TESTED = Object.entries(LEVELS).filter(
  ([level]) => process.env['TEST_SUITE'] === 'thorough' || level === 'not certified',
);
const FORGED = '1 0 0 rg 0 0 300 200 re f';
const HARMLESS = { 60: 'null' };

/** Expects that a file was valid, and that its update makes it invalid. */
async function expectRejected(prepared: Partial<SignedPdfRequest>, update: (pdf: Buffer) => Buffer) {
  const verdicts: Record<string, [boolean, boolean, string | undefined]> = {};
  for (const [level, entries] of TESTED) {
    const pdf = await signedPdf({ signer, entries, ...prepared });
    const changed = verify(update(pdf), { roots });
    const [first] = changed.signatures;
    verdicts[level] = [verify(pdf, { roots }).valid, changed.valid, first?.changesAfter];
    expect(first?.faults.length).toBeGreaterThan(0);
  }
  for (const verdict of Object.values(verdicts)) expect(verdict).toEqual([true, false, 'not_allowed']);
}

describe('bytes after the signature that readers understand in different ways', () => {
  const hidden = `${CONTENT} 0 obj\n${stream(FORGED)}\nendobj\n`;
  const update = (parts: Partial<RawUpdate>) => (pdf: Buffer) =>
    appendRaw(pdf, { objects: HARMLESS, ...parts });

  test.each<[string, (pdf: Buffer) => Buffer]>([
    ['an object that no section names', update({ before: hidden })],
    ['an object that no section names, before the table', update({ beforeTable: hidden })],
    [
      'an object that no section names, and a long comment at the end',
      update({ before: hidden, after: `%${'x'.repeat(5000)}\n` }),
    ],
    ['an object after the end', update({ after: hidden })],
    ['white space at the end', update({ after: '\n'.repeat(2000) })],
    ['a long comment at the end', update({ after: `%${'x'.repeat(70_000)}` })],
    ['a long comment before the objects', update({ before: `%${'x'.repeat(500)}\n` })],
    ['a comment with an object', update({ before: `%4 0 obj\n` })],
    ['entries of 19 bytes', update({ entry: (at) => `${String(at).padStart(10, '0')} 00000 n\n` })],
    ['entries of 21 bytes', update({ entry: (at) => `${String(at).padStart(10, '0')} 00000 n  \n` })],
    ['unpadded offsets', update({ entry: (at) => `${at} 0 n \n` })],
    [
      'an offset at white space before the object',
      update({ entry: (at) => `${String(at - 1).padStart(10, '0')} 00000 n \n` }),
    ],
    ['another generation', update({ entry: (at) => `${String(at).padStart(10, '0')} 00001 n \n` })],
    ['an entry for an object that is not there', update({ entry: () => `0000000000 00000 n \n` })],
    ['a trailer without /Size', update({ size: '' })],
    ['a trailer with a /Size that is too low', update({ size: '/Size 1' })],
    ['a trailer with a /Size that leaves out the new object', update({ size: '/Size 60' })],
    ['a trailer with a real /Size', update({ size: '/Size 61.5' })],
    ['a trailer that repeats /Size', update({ size: '/Size 61/Size 1' })],
    ['a trailer without /Root', update({ trailerEntries: '' })],
    [
      'a trailer with another /Root',
      update({
        objects: { 60: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R]/SigFlags 3>>>>' },
        trailerEntries: '/Root 60 0 R',
      }),
    ],
    ['a trailer with a hybrid stream', update({ trailerEntries: '/Root 1 0 R/XRefStm 15' })],
    ['a trailer with a wrong /Prev', update({ previous: 15 })],
    ['a pointer to a comment before the table', update({ beforeTable: '%a\n', startxref: -3 })],
    ['a pointer to white space before the table', update({ beforeTable: '\n', startxref: -1 })],
    ['two pointers', update({ afterTrailer: 'startxref\n9\n' })],
    ['an object twice', update({ before: '60 0 obj\n1\nendobj\n' })],
    ['an object within a dictionary', update({ objects: { 60: `<</A 1 4 0 obj<</B 2>>endobj>>` } })],
    ['a comment within an object', update({ objects: { 60: `<</A 1 %4 0 obj\n>>` } })],
    ['a repeated key', update({ objects: { 60: '<</A 1/#41 2>>' } })],
    ['a stream with a wrong length', update({ objects: { 60: '<</Length 3>>stream\n4 0 obj\nendstream' } })],
    ['a stream in an external file', update({ objects: { 60: '<</Length 0/F(a)>>stream\n\nendstream' } })],
    ['an object without an end', update({ objects: { 60: 'null\n61 0 obj\nnull' } })],
    [
      'no line end before the update',
      (pdf) =>
        Buffer.concat([pdf.subarray(0, -1), appendRaw(pdf, { objects: HARMLESS }).subarray(pdf.length + 1)]),
    ],
    ['no pointer', (pdf) => Buffer.concat([pdf, Buffer.from('\n60 0 obj\nnull\nendobj\n%%EOF\n')])],
    ['a truncated update', (pdf) => appendRaw(pdf, { objects: HARMLESS }).subarray(0, -9)],
  ])('%s', async (_, change) => {
    await expectRejected({}, change);
  });

  test.each<[string, Partial<RawUpdate>]>([
    ['a plain update', {}],
    ['a comment with the name of the writer', { afterTrailer: '%iText-Core-8.0.5\n' }],
    ['white space between objects', { before: '\n\r\n  ', beforeTable: '\r\n\n' }],
    ['an entry with CR and LF', { entry: (at) => `${String(at).padStart(10, '0')} 00000 n\r\n` }],
    ['a /Size with gaps', { size: '/Size 100' }],
  ])('%s is allowed', async (_, parts) => {
    const pdf = await signedPdf({ signer });
    const changed = appendRaw(pdf, { objects: HARMLESS, ...parts });
    expect(verify(changed, { roots })).toMatchObject({
      valid: true,
      signatures: [{ changesAfter: 'allowed' }],
    });
  });
});

describe('updates with object streams and cross-reference streams', () => {
  const packed = { 60: 'null', 61: '<</A(b)>>' };

  test('are allowed', async () => {
    const pdf = await signedPdf({ signer });
    const once = appendRawStreams(pdf, { packed, objects: { 70: stream('') } });
    const twice = appendRaw(appendRawStreams(once, { packed: { 60: '[1]' } }), { objects: HARMLESS });
    for (const changed of [once, twice]) {
      const { valid, signatures } = verify(changed, { roots });
      expect([valid, signatures[0]?.faults]).toEqual([true, []]);
    }
  });

  test.each<[string, Partial<RawStreamUpdate>]>([
    ['an object in the stream that no section names', { alter: (entries) => entries.delete(61) }],
    [
      'an object outside the stream that no section names',
      { objects: { 4: 'null' }, alter: (entries) => entries.delete(4) },
    ],
    ['an object stream that no section names', { alter: (entries) => entries.delete(62) }],
    ['a wrong index', { alter: (entries) => entries.set(61, [2, 62, 0]) }],
    ['a wrong stream', { alter: (entries) => entries.set(61, [2, 4, 1]) }],
    ['a wrong place', { alter: (entries) => entries.set(61, [1, 15, 0]) }],
    ['an unknown type', { alter: (entries) => entries.set(61, [3, 0, 0]) }],
    ['an old object at another place', { alter: (entries) => entries.set(4, [1, 15, 0]) }],
    ['an old object in the stream', { alter: (entries) => entries.set(4, [2, 62, 1]) }],
    ['a freed object', { alter: (entries) => entries.set(4, [0, 0, 1]) }],
    ['a /Size that is too low', { size: 60 }],
    ['an object stream that extends another one', { packedEntries: '/Extends 4 0 R' }],
    ['a stream whose filter is unknown', { packedEntries: '/Filter/X' }],
    ['a malformed object in the stream', { packed: { 60: '<</A 1' } }],
  ])('%s', async (_, change) => {
    await expectRejected({}, (pdf) => appendRawStreams(pdf, { packed, ...change }));
  });
});

describe('signed revisions that readers understand in different ways', () => {
  const prepare = async (change: (text: string) => string) => {
    const text = (await signedPdf({ signer })).toString('latin1');
    return Buffer.from(change(text), 'latin1');
  };

  test.each<[string, (text: string) => string]>([
    ['entries of 19 bytes', (text) => text.replaceAll(' n \n', ' n\n')],
    ['a wrong /Size', (text) => text.replace(/Size 9/, 'Size 2')],
    ['an object that no section names', (text) => text.replace('xref\n0', '4 0 obj\nnull\nendobj\nxref\n0')],
    ['bytes before the header', (text) => `\n${text}`],
    ['a wrong offset', (text) => text.replace(/(\d{10}) 00000 n \ntrailer/, '0000000015 00000 n \ntrailer')],
  ])('%s', async (_, change) => {
    expect(findStructureFault(PdfDocument.open(await prepare((text) => text)))).toBeUndefined();
    expect(findStructureFault(PdfDocument.open(await prepare(change)))).toBeString();
  });
});

describe('unsigned content over the page', () => {
  const appearance = stream(FORGED, '/Type/XObject/Subtype/Form/BBox[0 0 300 200]');
  const field = (entries: string) =>
    `<</Type/Annot/FT/Sig/T(x)/Rect[0 0 300 200]/F 4/AP<</N 61 0 R>>${entries}>>`;
  const catalog = (fields: string) =>
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R ${fields}]/SigFlags 3>>>>`;
  const page = (annotations: string) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources <<>>/Annots[${annotations}]>>`;
  const withField = (objects: Record<number, string>, annotations = '5 0 R 6 0 R 8 0 R 60 0 R') => ({
    objects: { 1: catalog('60 0 R'), [PAGE]: page(annotations), ...objects, 61: appearance },
  });

  test.each<[string, RawUpdate]>([
    ['a signature field without a signature', withField({ 60: field('/Subtype/Widget') })],
    ['a signature field with an empty value', withField({ 60: field('/Subtype/Widget/V null') })],
    ['a signature field that is a stamp', withField({ 60: field('/Subtype/Stamp') })],
    ['a signature field with the earlier signature', withField({ 60: field('/Subtype/Widget/V 7 0 R') })],
    [
      'a stamp among the widgets of a field',
      withField(
        { 60: '<</FT/Sig/T(x)/Kids[62 0 R]/V 7 0 R>>', 62: field('/Subtype/Stamp') },
        '5 0 R 6 0 R 8 0 R 62 0 R',
      ),
    ],
    ['a field of another type', withField({ 60: field('/Subtype/Widget').replace('Sig', 'Btn') })],
    [
      'a stamp',
      {
        objects: {
          [PAGE]: page('5 0 R 6 0 R 8 0 R 60 0 R'),
          60: field('/Subtype/Stamp').replace('/FT/Sig/T(x)', ''),
          61: appearance,
        },
      },
    ],
    [
      'a direct stamp',
      { objects: { [PAGE]: page(`5 0 R 6 0 R 8 0 R ${field('/Subtype/Stamp')}`), 61: appearance } },
    ],
    ['another direct list of annotations', { objects: { [PAGE]: page('5 0 R 6 0 R 8 0 R 8 0 R') } }],
  ])('%s', async (_, update) => {
    await expectRejected({}, (pdf) => appendRaw(pdf, update));
  });

  test.each([
    ['a push button', '/FT/Btn/Ff 65536'],
    ['a field without a value', '/FT/Tx'],
    ['a check box', '/FT/Btn/V/Off/AS/Off/AP<</N<</On 4 0 R>>>>'],
    ['a field of an unknown type', '/FT/X/V(a)'],
    ['a field without a type', '/V(a)'],
    ['a signature field', '/FT/Sig'],
  ])('the appearance of %s', async (_, entries) => {
    const shared = `<</Type/Annot/Subtype/Widget/T(name)/Rect[0 0 300 200]/F 4/P 3 0 R${entries}`;
    const forged = shared.replace(/\/AP<<.*>>>>/, '');
    await expectRejected(
      { objects: [`${shared}>>`], formEntries: '/X 0', annotations: '5 0 R 6 0 R 8 0 R 9 0 R' },
      (pdf) => appendRaw(pdf, { objects: { 9: `${forged}/AP<</N 61 0 R>>>>`, 61: appearance } }),
    );
  });
});

describe('documents that were prepared to change after signing', () => {
  const forged = stream(FORGED, '/Type/XObject/Subtype/Form/BBox[0 0 300 200]');
  const xobject = (name: string, object: string) => ({
    content: `/${name} Do`,
    resources: `<</XObject ${object}>>`,
  });
  const widget = (entries: string) => `<</Type/Annot/Subtype/Widget/FT/Tx/T(f)/Rect[0 0 9 9]${entries}>>`;

  test.each<[string, Partial<SignedPdfRequest>, Record<number, string>]>([
    [
      'the content of a page that is also the information',
      { trailerEntries: '/Info 4 0 R' },
      { [CONTENT]: stream(FORGED) },
    ],
    [
      'the annotations of a page that is also a resource',
      {
        ...xobject('Annots', '9 0 R'),
        objects: ['<</Type/Page/Parent 2 0 R/Annots 10 0 R>>', stream('', '/Subtype/Form/BBox[0 0 9 9]')],
      },
      { 9: '<</Type/Page/Parent 2 0 R/Annots 60 0 R>>', 60: forged },
    ],
    [
      'the extensions of a catalog that is also a resource',
      {
        ...xobject('Extensions', '1 0 R'),
        catalogEntries: '/Extensions 9 0 R',
        objects: [stream('', '/Subtype/Form/BBox[0 0 9 9]')],
      },
      {
        1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R]/SigFlags 3>>/Extensions 60 0 R>>',
        60: forged,
      },
    ],
    [
      'the validation data of a catalog that is also a resource',
      xobject('DSS', '1 0 R'),
      {
        1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R]/SigFlags 3>>/DSS 60 0 R>>',
        60: forged,
      },
    ],
    [
      'an entry of a field that is also a resource',
      {
        ...xobject('M', '6 0 R'),
        fieldEntries: '/M 9 0 R',
        objects: [stream('', '/Subtype/Form/BBox[0 0 9 9]')],
      },
      {
        [TEXT_FIELD]:
          '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[10 10 100 30]/F 4/P 3 0 R/V(Ada)/M 60 0 R>>',
        60: forged,
      },
    ],
    [
      'the value of a field that is also a resource',
      { ...xobject('V', '6 0 R') },
      {
        [TEXT_FIELD]: '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[10 10 100 30]/F 4/P 3 0 R/V 60 0 R>>',
        60: forged,
      },
    ],
    [
      'a list of annotations that is also an array of a resource',
      { ...xobject('P', '<</P 8 0 R>>') },
      { [NOTE]: stream(FORGED, '/Type/XObject/Subtype/Form/BBox[0 0 300 200]') },
    ],
    [
      'an appearance that a link entry names',
      { objects: [widget('/P 10 0 R'), stream('', '/Subtype/Form/BBox[0 0 9 9]')], ...xobject('P', '9 0 R') },
      { 10: forged },
    ],
    [
      'the order of annotations',
      { annotations: '5 0 R 6 0 R 8 0 R' },
      {
        [PAGE]:
          '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources <<>>/Annots[5 0 R 6 0 R 8 0 R 6 0 R]>>',
      },
    ],
    [
      'appearances that readers draw anew',
      { fieldEntries: '/AP<</N 4 0 R>>' },
      { 1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R]/SigFlags 3/NeedAppearances true>>>>' },
    ],
    [
      'appearances that readers no longer draw anew',
      { fieldEntries: '/AP<</N 4 0 R>>', formEntries: '/NeedAppearances true' },
      { 1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R]/SigFlags 3>>>>' },
    ],
    ['the count of pages', {}, { 2: '<</Type/Pages/Kids[3 0 R]/Count 0>>' }],
    ['an inherited attribute', {}, { 2: '<</Type/Pages/Kids[3 0 R]/Count 1/Rotate 180>>' }],
    [
      'layers',
      { catalogEntries: '/OCProperties 9 0 R', objects: ['<</D<</ON[6 0 R]>>>>'] },
      { 9: '<</D<</OFF[6 0 R]>>>>' },
    ],
  ])('%s', async (_, prepared, objects) => {
    await expectRejected(prepared, (pdf) => appendRaw(pdf, { objects }));
  });
});

describe('a certification', () => {
  test('that a later update adds does not permit more', async () => {
    const pdf = await signedPdf({ signer });
    const second = {
      objects: {
        1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[9 0 R 5 0 R 6 0 R]/SigFlags 3>>>>',
        9: `<</FT/Sig/T(x)/V<</Type/Sig${docMdp(3)}>>>>`,
        [PAGE]:
          '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources <<>>/Annots[5 0 R 6 0 R 8 0 R 60 0 R]>>',
        60: '<</Type/Annot/Subtype/Square/Rect[0 0 300 200]/IC[1 1 1]>>',
      },
    };
    const { valid, signatures } = verify(appendRaw(pdf, second), { roots });
    expect(valid).toBe(false);
    expect(signatures.find(({ field }) => field === 'Signature1')?.changesAfter).toBe('not_allowed');
  });
});
