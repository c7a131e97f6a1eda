import { describe, expect, test } from 'bun:test';
import { issue, toPem } from '../tests/certificates.ts';
import {
  SIGNED_PDF_OBJECTS,
  signaturePlaceholder,
  signedPdf,
  signPlaceholder,
  type SignedPdfRequest,
} from '../tests/sign-pdf.ts';
import { verify } from '../tests/verify-file.ts';
import { plainPdf, stream } from '../../pdf/tests/plain-pdf.ts';
import { appendRaw, type RawUpdate } from '../../pdf/tests/raw-update.ts';

const root = issue({ name: 'Root' });
const roots = toPem(root);
const signer = issue({ name: 'Ada', issuer: root });
const { page: PAGE, textField: TEXT_FIELD } = SIGNED_PDF_OBJECTS;
const FORGED = '1 0 0 rg 0 0 300 200 re f';
const HARMLESS = { objects: { 60: 'null' } };
const CATALOG = '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]/SigFlags 3>>>>';
const FIELD = '<</Type/Annot/Subtype/Widget/FT/Sig/T(S)/Rect[0 0 0 0]/F 132/P 3 0 R/V 6 0 R>>';
const PAGE_OBJECT =
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<<>>/Contents 4 0 R/Annots[5 0 R]>>';
const forbidding = (level: number) =>
  `/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</P ${level}/V/1.2>>>>]`;
const sign = (text: string) => signPlaceholder(Buffer.from(text, 'latin1'), { signer });

/** Expects that a file is valid, and that an update makes it invalid. Returns the fault. */
function expectRejected(pdf: Buffer, update: RawUpdate): string {
  expect(verify(pdf, { roots })).toMatchObject({ valid: true });
  const { valid, signatures } = verify(appendRaw(pdf, update), { roots });
  expect([valid, signatures[0]?.changesAfter]).toEqual([false, 'not_allowed']);
  return signatures[0]?.faults[0] ?? '';
}

describe('a linearization dictionary', () => {
  /**
   * Writes a file whose first object states a length. The section that follows it names another page content.
   */
  function linearized(lengthBytes: number, { isForged }: { isForged: boolean }): string {
    const start = '%PDF-1.4\n';
    const first = `7 0 obj\n<</Linearized 1/L ${String(lengthBytes).padStart(8, '0')}/H[0 0]/O 3/E 9/N 1/T 9>>\nendobj\n`;
    const bodies: [number, string][] = [
      ...(isForged ? ([[4, stream(FORGED)]] as [number, string][]) : []),
      [1, CATALOG],
      [2, '<</Type/Pages/Kids[3 0 R]/Count 1>>'],
      [3, PAGE_OBJECT],
      [5, FIELD],
      [6, signaturePlaceholder(forbidding(1))],
      [4, stream('0 0 100 100 re f')],
    ];
    const trailer = 'trailer\n<</Root 1 0 R/Size 8>>\nstartxref\n';
    const sectionBytes = 'xref\n0 8\n'.length + 8 * 20 + `${trailer}0\n%%EOF\n`.length;
    const earliest = new Map([[7, start.length]]);
    const latest = new Map([[7, start.length]]);
    let body = '';
    for (const [number, object] of bodies) {
      const at = start.length + first.length + sectionBytes + body.length;
      if (!earliest.has(number)) earliest.set(number, at);
      latest.set(number, at);
      body += `${number} 0 obj\n${object}\nendobj\n`;
    }
    const section = (places: Map<number, number>) =>
      `xref\n0 8\n0000000000 65535 f \n${[1, 2, 3, 4, 5, 6, 7]
        .map((number) => `${String(places.get(number) ?? 0).padStart(10, '0')} 00000 n \n`)
        .join('')}`;
    const head = `${start}${first}${section(earliest)}${trailer}0\n%%EOF\n${body}`;
    if (!isForged) return `${head}startxref\n${start.length + first.length}\n%%EOF\n`;
    return `${head}${section(latest)}${trailer}${head.length}\n%%EOF\n`;
  }

  test('with the length of the updated file, so that readers begin with another section, is reported', async () => {
    const draft = await sign(linearized(0, { isForged: true }));
    const pdf = await sign(linearized(appendRaw(draft, HARMLESS).length, { isForged: true }));
    expect(expectRejected(pdf, HARMLESS)).toContain('linearization');
  });

  test('with the length of the signed file, whose section readers leave after the update, is reported', async () => {
    const { length } = linearized(0, { isForged: true });
    const pdf = await sign(linearized(length, { isForged: true }));
    expect(expectRejected(pdf, HARMLESS)).toContain('linearization');
  });

  test('of a linearized file is allowed', async () => {
    const { length } = linearized(0, { isForged: false });
    for (const stated of [length, length - 1000]) {
      const pdf = await sign(linearized(stated, { isForged: false }));
      const { valid, signatures } = verify(appendRaw(pdf, HARMLESS), { roots });
      expect([valid, signatures[0]?.faults]).toEqual([true, []]);
    }
  });
});

describe('attributes that a page inherits from outside the page tree', () => {
  const rotated = '<</Type/Pages/Kids[3 0 R]/Count 1/Rotate 90>>';
  const outside = rotated.replace('/Rotate 90', '');
  const file = (tree: string, page = PAGE_OBJECT) =>
    plainPdf([
      CATALOG.replace('2 0 R', '7 0 R'),
      outside,
      page,
      stream(''),
      FIELD,
      signaturePlaceholder(forbidding(1)),
      tree,
    ]);

  test.each([
    ['of the parent of a page', file(outside)],
    ['of the parent of the root', file(`${outside.slice(0, -2)}/Parent 2 0 R>>`)],
    [
      'of the parent of the root, which the page names',
      file(`${outside.slice(0, -2)}/Parent 2 0 R>>`, PAGE_OBJECT.replace('/Parent 2', '/Parent 7')),
    ],
  ])('%s cannot change', async (_, text) => {
    expectRejected(await sign(text), { objects: { 2: rotated } });
  });
});

describe('object streams that still contain objects', () => {
  /** Writes a file whose page and resources are in an object stream with indirect entries. */
  async function packedFile(entries: string) {
    const packed = [PAGE_OBJECT.replace('<<>>', '9 0 R'), '<</ColorSpace<</C/DeviceGray>>>>'];
    const head = `3 0 9 ${(packed[0]?.length ?? 0) + 1} `;
    const data = `${head}${packed.join(' ')}`;
    const bodies: [number, string][] = [
      [1, CATALOG],
      [2, '<</Type/Pages/Kids[3 0 R]/Count 1>>'],
      [4, stream('/C cs 0 0 9 9 re f')],
      [5, FIELD],
      [6, signaturePlaceholder(forbidding(1))],
      [7, String(data.length)],
      [8, `<</Type/ObjStm/N 2/First ${head.length}${entries}>>stream\n${data}\nendstream`],
    ];
    const places = new Map<number, number[]>([
      [0, [0, 0, 0, 0, 0]],
      [3, [2, 0, 0, 8, 0]],
      [9, [2, 0, 0, 8, 1]],
    ]);
    let text = '%PDF-1.5\n';
    for (const [number, body] of [...bodies, [10, ''] as const]) {
      places.set(number, [1, text.length >>> 16, (text.length >>> 8) & 255, text.length & 255, 0]);
      if (number < 10) text += `${number} 0 obj\n${body}\nendobj\n`;
    }
    const table = Array.from({ length: 11 }, (_, number) =>
      String.fromCharCode(...(places.get(number) ?? [])),
    );
    const section = `<</Type/XRef/Root 1 0 R/Size 11/W[1 3 1]/Length 55>>stream\n${table.join('')}\nendstream`;
    return sign(`${text}10 0 obj\n${section}\nendobj\nstartxref\n${text.length}\n%%EOF\n`);
  }

  test('cannot change their length', async () => {
    expect(expectRejected(await packedFile('/Length 7 0 R'), { objects: { 7: '40' } })).toContain(
      'object stream',
    );
  });

  test('cannot be replaced, even by a stream with the same objects', async () => {
    const swapped = `9 0 3 33 <</ColorSpace<</C/DeviceGray>>>> ${PAGE_OBJECT.replace('<<>>', '9 0 R')}`;
    const update = { objects: { 8: stream(swapped, '/N 2/First 9') } };
    const pdf = await packedFile('/Length 7 0 R');
    expect(verify(appendRaw(pdf, update), { roots }).valid).toBe(false);
  });

  test('may remain as they are', async () => {
    expect(verify(appendRaw(await packedFile('/Length 7 0 R'), HARMLESS), { roots }).valid).toBe(true);
  });
});

describe('a default appearance that is added to the form', () => {
  const form = (entries: string) => ({
    1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 6 0 R]/SigFlags 3${entries}>>>>`,
  });

  test.each<[string, Partial<SignedPdfRequest>, string]>([
    ['its colour', {}, '/DA(/Helv 12 Tf 1 1 1 rg)'],
    ['its font', { fieldEntries: '/DA(/F 12 Tf)' }, '/DR<</Font<</F<</BaseFont/ZapfDingbats>>>>>>'],
    [
      'its colour, if readers draw all fields',
      { formEntries: '/NeedAppearances true', fieldEntries: '/AP<</N 4 0 R>>' },
      '/NeedAppearances true/DA(/Helv 12 Tf 1 1 1 rg)',
    ],
  ])('cannot change %s in a field that readers draw', async (_, prepared, entries) => {
    expectRejected(await signedPdf({ signer, ...prepared }), { objects: form(entries) });
  });

  test('is allowed if this field is filled in too', async () => {
    const field =
      '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[10 10 100 30]/F 4/P 3 0 R/V(Bob)/AP<</N 60 0 R>>>>';
    const appearance = stream('', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]');
    const objects = { ...form('/DA(/Helv 12 Tf 0 g)'), [TEXT_FIELD]: field, 60: appearance };
    const { valid, signatures } = verify(appendRaw(await signedPdf({ signer }), { objects }), { roots });
    expect([valid, signatures[0]?.faults]).toEqual([true, []]);
  });
});

describe('a widget that the form does not list', () => {
  const widget = (parent: string) => `<</Type/Annot/Subtype/Widget/Rect[10 100 290 190]/F 4${parent}>>`;
  const fill = {
    objects: {
      [TEXT_FIELD]: '<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/Rect[10 10 100 30]/F 4/P 3 0 R/V(Bob)>>',
    },
  };
  const prepare = (parent: string) =>
    signedPdf({ signer, objects: [widget(parent), '<</T(x)>>'], annotations: '5 0 R 6 0 R 8 0 R 9 0 R' });

  test('cannot show the new value of a field', async () => {
    expect(expectRejected(await prepare(`/Parent ${TEXT_FIELD} 0 R`), fill)).toContain('widget');
  });

  test('may belong to another field', async () => {
    const { valid } = verify(appendRaw(await prepare('/Parent 10 0 R'), fill), { roots });
    expect(valid).toBe(true);
  });
});

describe('an annotation that is added where the signature allows annotations', () => {
  const add = async (annotation: string) => {
    const page = `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources <<>>/Annots[5 0 R 6 0 R 8 0 R 60 0 R]>>`;
    const pdf = await signedPdf({ signer, entries: forbidding(3) });
    const objects = { [PAGE]: page, 60: `<</Type/Annot/Rect[0 0 9 9]${annotation}>>` };
    return verify(appendRaw(pdf, { objects }), { roots }).valid;
  };

  test.each([
    '/Subtype/Watermark',
    '/Subtype/PrinterMark',
    '/Subtype/RichMedia',
    '/Subtype/Widget',
    '',
    '/Subtype/Stamp/AA<</PO<</S/JavaScript/JS(a)>>>>',
    '/Subtype/Link/A<</S/Launch/F(a)>>',
    '/Subtype/Link/A<</S/URI/URI(https://example.com)/Next<</S/JavaScript/JS(a)>>>>',
  ])('is reported: %s', async (annotation) => {
    expect(await add(annotation)).toBe(false);
  });

  test.each(['/Subtype/Stamp', '/Subtype/Text', '/Subtype/Link/A<</S/URI/URI(https://example.com)>>'])(
    'is allowed: %s',
    async (annotation) => {
      expect(await add(annotation)).toBe(true);
    },
  );
});
