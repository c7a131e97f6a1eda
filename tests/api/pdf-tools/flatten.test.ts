import { expect, test } from 'bun:test';
import { formsClient } from '../../support/pdf/forms-client.ts';
import { base64, OperationClient, runOn } from '../../support/pdf/pdf-operations.ts';
import {
  describeWithPdfTools,
  links,
  pdfStructure,
  pdfText,
  perceivedDifference,
  qpdfCheck,
  qpdfJson,
  rasterise,
  type QpdfDictionary,
  type QpdfValue,
} from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { TestService } from '../../support/service/service.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../../support/pdf/verapdf.ts';
import { formPdf, widget } from '../../support/pdf/form-samples.ts';
import { pagesPdf, plainPdf, stream } from '../../support/pdf/samples.ts';

const service = sharedService();
const flatten = new OperationClient(service, 'flatten');
const { fill, list } = formsClient(service);

const bytes = (pdf: string) => Buffer.from(pdf, 'latin1');
const annotation = (type: string, rect: string, entries = '', flags = 4) =>
  `<</Type/Annot/Subtype/${type}/F ${flags}/Rect[${rect}]${entries}>>`;
const paint = (color: string) =>
  stream(`${color} rg 0 0 100 100 re f`, '/Type/XObject/Subtype/Form/BBox[0 0 100 100]');

/** Lists the types of the annotations on the first page. */
async function annotationsOf(pdf: Uint8Array): Promise<unknown[]> {
  const { qpdf, pages } = await qpdfJson(pdf);
  const dictionary = (ref: QpdfValue | undefined) =>
    (qpdf[1][`obj:${typeof ref === 'string' ? ref : ''}`]?.value ?? {}) as QpdfDictionary;
  const listed = dictionary(pages[0]?.object)['/Annots'];
  return (Array.isArray(listed) ? listed : []).map((ref) => dictionary(ref)['/Subtype']);
}

describeWithPdfTools('POST /v1/pdf/flatten', () => {
  test('removes usage rights, which are not a signature, and rejects a signed file', async () => {
    const signature = '<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>/Reference[<</TransformMethod/UR3>>]>>';
    const document = (entries: string) =>
      plainPdf([
        `<</Type/Catalog/Pages 2 0 R/AcroForm<</SigFlags 2/Fields[]>>/Perms<<${entries}>>>>`,
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]>>',
        signature,
      ]);
    const flattened = await flatten.write(document('/UR3 4 0 R'), {});
    await qpdfCheck(flattened);
    expect(flattened.toString('latin1')).not.toContain('/UR3');
    expect(await flatten.rejection(document('/DocMDP 4 0 R'), {})).toBe(
      'pdf: is signed, and flattening would invalidate the signature',
    );
  });

  test('turns fields and annotations into content with the same look', async () => {
    const fields = [
      widget('/FT/Tx/T(name)/Rect[20 700 220 720]/MK<</BC[0 0 1]>>'),
      widget('/FT/Tx/T(script)/Rect[20 650 220 680]'),
      widget(`/FT/Btn/T(tick)/Rect[20 600 40 620]/MK<</BC[0 0 0]>>`),
    ];
    const objects = [
      annotation('Stamp', '10 640 120 690', '/AP<</N 13 0 R>>'),
      annotation('Square', '10 500 60 550', '/AP<</N 14 0 R>>/Popup 11 0 R'),
      annotation('Popup', '100 500 160 550', '/Parent 10 0 R/Open true'),
      annotation('Link', '20 700 220 720', '/Border[0 0 0]/A<</S/URI/URI(https://example.com)>>'),
      paint('1 0.8 0.8'),
      paint('0 0 1'),
    ];
    const form = formPdf(fields, { objects, shown: '9 0 R 6 0 R 7 0 R 8 0 R 10 0 R 11 0 R 12 0 R' });
    const filled = await fill(form, { name: 'Ada Lovelace', script: '你好 שלום', tick: true });
    const flattened = await flatten.write(filled, {});
    await qpdfCheck(flattened);
    expect(perceivedDifference(await rasterise(filled), await rasterise(flattened)).changed).toBe(0);
    expect(await annotationsOf(flattened)).toEqual(['/Link']);
    expect(await links(flattened)).toEqual(['https://example.com']);
    expect(await list(flattened)).toEqual([]);
    const text = await pdfText(flattened);
    for (const value of ['Ada Lovelace', '你好', 'שלום']) expect(text).toContain(value);
    expect(flattened.toString('latin1')).not.toMatch(/\/(?:AcroForm|Widget|Popup)\b/);
  });

  test('draws fields that have no appearance, in any writing system', async () => {
    const value = `<feff${Buffer.from('你好', 'utf16le').swap16().toString('hex')}>`;
    const pdf = formPdf([widget(`/FT/Tx/T(a)/V${value}`)], { form: '/NeedAppearances true' });
    expect(await pdfText(await flatten.write(pdf, {}))).toContain('你好');
  });

  test.each([
    ['Square', '/C[1 0 0]/IC[0 1 0]/BS<</W 3>>'],
    ['Circle', '/C[1 0 0]/BS<</W 2/S/D/D[4 2]>>/CA 0.5'],
    ['Line', '/C[0 0 1]/L[105 105 190 190]'],
    ['Polygon', '/C[0 0 1]/IC[1 1 0]/Vertices[105 105 190 190 190 105]'],
    ['PolyLine', '/C[0 0 1]/Vertices[105 105 190 190 190 105]'],
    ['Ink', '/C[0 0 1]/InkList[[105 105 190 190][105 190 190 105]]'],
    ['Highlight', '/C[1 1 0]/QuadPoints[105 150 190 150 105 130 190 130]'],
    ['StrikeOut', '/C[1 0 0]/QuadPoints[105 150 190 150 105 130 190 130]'],
  ])('draws %s annotations without an appearance as readers do', async (type, entries) => {
    const pdf = formPdf([], { objects: [annotation(type, '100 100 200 200', entries)], shown: '6 0 R' });
    const flattened = await flatten.write(pdf, {});
    await qpdfCheck(flattened);
    expect(await annotationsOf(flattened)).toEqual([]);
    const [before, after] = [await rasterise(bytes(pdf)), await rasterise(flattened)];
    const empty = await rasterise(bytes(formPdf([])));
    expect(perceivedDifference(empty, after).changed).toBeGreaterThan(20);
    expect(perceivedDifference(before, after).changed).toBeLessThan(120);
  });

  test('removes hidden annotations, and keeps attached files and annotations whose look is unknown', async () => {
    const pdf = formPdf([], {
      objects: [
        annotation('Square', '100 100 200 200', '/AP<</N 9 0 R>>', 2),
        annotation('Stamp', '100 300 200 400', '/Name/Draft'),
        annotation('FileAttachment', '100 500 120 520', '/FS<</Type/Filespec/F(a.txt)>>/AP<</N 9 0 R>>'),
        paint('1 0 0'),
      ],
      shown: '6 0 R 7 0 R 8 0 R',
    });
    expect(await annotationsOf(await flatten.write(pdf, {}))).toEqual(['/Stamp', '/FileAttachment']);
  });

  test('keeps the tags: a field becomes text in its structure element', async () => {
    const objects = [
      '<</Type/StructTreeRoot/K 9 0 R/ParentTree<</Nums[0 10 0 R 1 11 0 R]>>>>',
      '<</Type/StructElem/S/Document/P 8 0 R/K[10 0 R 11 0 R]>>',
      '<</Type/StructElem/S/Form/P 9 0 R/K<</Type/OBJR/Obj 6 0 R/Pg 3 0 R>>>>',
      '<</Type/StructElem/S/Form/P 9 0 R/K[<</Type/OBJR/Obj 7 0 R/Pg 3 0 R>>]>>',
    ];
    const pdf = formPdf(
      [
        widget('/FT/Tx/T(first)/V(Alpha)/StructParent 0'),
        widget('/FT/Tx/T(second)/V(Beta)/StructParent 1/Rect[10 50 110 70]'),
      ],
      { objects, shown: '6 0 R 7 0 R' },
    ).replace('/AcroForm', '/MarkInfo<</Marked true>>/StructTreeRoot 8 0 R/AcroForm');
    const flattened = await flatten.write(pdf, {});
    await qpdfCheck(flattened);
    const structure = (await pdfStructure(flattened)).join('\n');
    expect(structure).toMatch(/Span[^]*"Alpha"[^]*Span[^]*"Beta"/);
    expect(structure).not.toContain('Form');
  });

  test('keeps a form in PDF/A valid', async () => {
    const pdfa = new OperationClient(service, 'pdfa');
    const form = formPdf([widget('/FT/Tx/T(a)/V(Ada)')], { form: '/NeedAppearances true' });
    const flattened = await flatten.write(await pdfa.write(form, {}), {});
    expect(runOn(flattened, ['pdfinfo', '-meta', '{}'])).toContain('pdfaid:part');
    expect(await pdfText(flattened)).toContain('Ada');
    if (requireVeraPdf())
      expect(await validateWithVeraPdf(new Map([['flattened', flattened]]))).toEqual(
        new Map([['flattened', []]]),
      );
  });

  test('rejects a signed form', async () => {
    const signed = formPdf([widget('/FT/Sig/T(s)/V<</Type/Sig/ByteRange[0 1 2 3]/Contents<00>>>')]);
    expect(await flatten.rejection(signed, {})).toBe(
      'pdf: is signed, and flattening would invalidate the signature',
    );
  });

  test('stores a large appearance that many annotations share once', async () => {
    const count = 2_000;
    const noise = Array.from({ length: 5_000 }, (_, index) => `${index * 7919} ${index} m`).join('\n');
    const shown = Array.from({ length: count }, (_, index) => `${7 + index} 0 R`).join(' ');
    const pdf = formPdf([], {
      objects: [
        stream(noise, '/Type/XObject/Subtype/Form/BBox[0 0 10 10]'),
        ...Array.from({ length: count }, () => annotation('Stamp', '10 10 20 20', '/AP<</N 6 0 R>>')),
      ],
      shown,
    });
    expect((await flatten.write(pdf, {})).length).toBeLessThan(pdf.length);
  });

  test('keeps the look of a PDF without fields and annotations, given as a file id', async () => {
    const pdf = pagesPdf(2);
    const { body } = await service().post('/v1/files', { file: base64(pdf) });
    const answer = await service().post('/v1/pdf/flatten', { pdf: body.id, output: 'base64' });
    expect([answer.status, answer.body.error]).toEqual([200, undefined]);
    const flattened = Buffer.from(answer.body.data, 'base64');
    expect(perceivedDifference(await rasterise(bytes(pdf)), await rasterise(flattened)).changed).toBe(0);
  });
});

test('without the plugin render, flatten draws Latin text and returns 501 for other text', async () => {
  await using bare = await TestService.start({
    env: { PLATEN_PLUGINS: '-render,-batch,-ai,-integrations,-gotenberg,-browserless,-template-tests' },
  });
  const client = new OperationClient(() => bare, 'flatten');
  const form = (value: string) => formPdf([widget(`/FT/Tx/T(a)/V${value}`)]);
  expect((await client.post(form('(Ada)'), {})).status).toBe(200);
  expect((await client.post(form('<feff4f60>'), {})).status).toBe(501);
});
