import { expect, test } from 'bun:test';
import { takeCensus } from '../../corpus/census.ts';
import { describeWithPdfTools, qpdfCheck, pdfInfo } from '../../support/pdf/pdf.ts';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { readQpdf } from '../../support/pdf/qpdf-objects.ts';
import { plainPdf, stream, pagesPdf } from '../../support/pdf/samples.ts';

const service = sharedService();

interface RichOptions {
  title?: string;
  tagged?: boolean;
  /** The font of the form, so that two files use the same name for different fonts. */
  font?: string;
}

/**
 * Creates a file of three pages with everything that a merge has to keep: bookmarks, links by name and by
 * page, both kinds of destinations, a field on two pages, page labels, a hidden layer, an attachment and,
 * with `tagged`, structure.
 */
function richPdf({ title = '', tagged = false, font = 'Helvetica' }: RichOptions = {}): string {
  const page = (number: number, annotations: string, resources = '') =>
    `<</Type/Page/Parent 2 0 R/StructParents ${number}/Annots[${annotations}]/Contents 25 0 R/Resources<<${resources}>>>>`;
  const link = (target: string) => `<</Type/Annot/Subtype/Link/Rect[0 0 9 9]${target}>>`;
  return plainPdf(
    [
      `<</Type/Catalog/Pages 2 0 R/Outlines 6 0 R/Dests<</chapter[4 0 R/Fit]>>/Names<</Dests 9 0 R/EmbeddedFiles 10 0 R>>/AcroForm 11 0 R/PageLabels<</Nums[0<</S/r>>2<</S/D/P(B-)>>]>>/OCProperties 16 0 R${tagged ? '/MarkInfo<</Marked true>>/StructTreeRoot 18 0 R' : ''}>>`,
      '<</Type/Pages/Kids[3 0 R 4 0 R 5 0 R]/Count 3/MediaBox[0 0 300 200]>>',
      page(0, '12 0 R 20 0 R 21 0 R', '/XObject<</Im1 22 0 R>>/Properties<</L1 17 0 R>>'),
      page(1, '13 0 R 23 0 R', '/XObject<</Im2 24 0 R>>'),
      page(2, '26 0 R'),
      '<</Type/Outlines/First 7 0 R/Last 8 0 R/Count 2>>',
      '<</Title(One)/Parent 6 0 R/Next 8 0 R/Dest(start)>>',
      '<</Title(Two)/Parent 6 0 R/Prev 7 0 R/A<</S/GoTo/D/chapter>>>>',
      '<</Names[(start)[3 0 R/Fit]]>>',
      '<</Names[(notes.txt)<</Type/Filespec/F(notes.txt)/EF<</F 19 0 R>>>>]>>',
      '<</Fields[14 0 R]/CO[14 0 R]/DR<</Font<</Fo 15 0 R>>>>/DA(/Fo 9 Tf 0 g)>>',
      '<</Subtype/Widget/Parent 14 0 R/Rect[0 0 90 20]/AP<</N 27 0 R>>>>',
      '<</Subtype/Widget/Parent 14 0 R/Rect[0 0 90 20]/AP<</N 27 0 R>>>>',
      '<</FT/Tx/T(name)/V(Ada)/DA(/Fo 12 Tf)/Kids[12 0 R 13 0 R]>>',
      `<</Type/Font/Subtype/Type1/BaseFont/${font}>>`,
      '<</OCGs[17 0 R]/D<</OFF[17 0 R]/Order[17 0 R]>>>>',
      '<</Type/OCG/Name(Draft)>>',
      '<</Type/StructTreeRoot/K 28 0 R/ParentTree<</Nums[0[28 0 R]1[28 0 R]2[28 0 R]]>>/RoleMap<</Story/Sect>>>>',
      stream('notes', '/Type/EmbeddedFile'),
      link('/Dest(start)'),
      link('/A<</S/GoTo/D[5 0 R/Fit]>>'),
      stream('image one', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]'),
      link('/Dest/chapter'),
      stream('image two', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]'),
      stream('q Q'),
      link('/A<</S/URI/URI(https://example.com/)>>'),
      stream('/Tx BMC EMC', '/Type/XObject/Subtype/Form/BBox[0 0 90 20]'),
      '<</Type/StructElem/S/Story/P 18 0 R/K[<</Type/MCR/Pg 3 0 R/MCID 0>>]>>',
      `<</Title(${title})>>`,
    ],
    '/Info 29 0 R',
  );
}

async function merge(...pdfs: string[]) {
  const { status, body } = await service().post('/v1/pdf/merge', {
    pdfs: pdfs.map(base64),
    output: 'base64',
  });
  expect(status).toBe(200);
  const pdf = Buffer.from(body.data, 'base64');
  await qpdfCheck(pdf);
  return { pdf, file: await readQpdf(pdf), census: await takeCensus(pdf) };
}

async function split(pdf: string, ranges: number[][]) {
  const { status, body } = await service().post('/v1/pdf/split', {
    pdf: base64(pdf),
    ranges,
    output: 'base64',
  });
  expect(status).toBe(200);
  const parts: Buffer[] = body.parts.map(({ data }: { data: string }) => Buffer.from(data, 'base64'));
  for (const part of parts) await qpdfCheck(part);
  return Promise.all(
    parts.map(async (part) => ({ pdf: part, file: await readQpdf(part), census: await takeCensus(part) })),
  );
}

describeWithPdfTools('merge', () => {
  test('keeps the target of every link', async () => {
    const { file } = await merge(richPdf(), richPdf());
    expect(file.pages.map((page) => file.linkTargets(page))).toEqual([
      [1, 3],
      [2],
      [undefined],
      [4, 6],
      [5],
      [undefined],
    ]);
  });

  test('puts the bookmarks of each document under its title or number', async () => {
    const { file, census } = await merge(richPdf({ title: 'Report' }), richPdf());
    expect(file.outline()).toEqual([
      {
        title: 'Report',
        page: 1,
        kids: [
          { title: 'One', page: 1, kids: [] },
          { title: 'Two', page: 2, kids: [] },
        ],
      },
      {
        title: 'Document 2',
        page: 4,
        kids: [
          { title: 'One', page: 4, kids: [] },
          { title: 'Two', page: 5, kids: [] },
        ],
      },
    ]);
    expect(census.bookmarks).toBe(6);
  });

  test('renames fields and fonts whose names conflict', async () => {
    const { file, census } = await merge(richPdf(), richPdf({ font: 'Courier' }), richPdf());
    expect(census.fields).toEqual(['name', 'name', 'name-2', 'name-2', 'name-3', 'name-3']);
    const form = file.dictionary(file.catalog['/AcroForm']);
    const fonts = file.dictionary(file.dictionary(form['/DR'])['/Font']);
    expect(Object.entries(fonts).map(([key, font]) => [key, file.dictionary(font)['/BaseFont']])).toEqual([
      ['/Fo', '/Helvetica'],
      ['/Fo-2', '/Courier'],
    ]);
    const fields = file.list(form['/Fields']).map((field) => file.dictionary(field));
    expect(fields.map((field) => [field['/V'], field['/DA']])).toEqual([
      ['u:Ada', 'u:/Fo 12 Tf'],
      ['u:Ada', 'u:/Fo-2 12 Tf'],
      ['u:Ada', 'u:/Fo 12 Tf'],
    ]);
    expect(file.list(form['/CO']).length).toBe(3);
  });

  test('keeps page labels, and numbers a document without labels from 1', async () => {
    const { census } = await merge(richPdf(), plainPages, richPdf());
    expect(census.labels).toEqual(['/r1', '/r2', 'B-1', '1', '2', '/r1', '/r2', 'B-1']);
  });

  test('keeps hidden layers hidden, and renames attachments', async () => {
    const { file } = await merge(richPdf(), richPdf());
    const layers = file.dictionary(file.catalog['/OCProperties']);
    expect(file.list(layers['/OCGs']).length).toBe(2);
    expect(file.dictionary(layers['/D'])['/OFF']).toEqual(layers['/OCGs'] ?? null);
    const attachments = file.dictionary(file.dictionary(file.catalog['/Names'])['/EmbeddedFiles']);
    expect(
      file.list(attachments['/Names']).filter((item) => typeof item === 'string' && item.startsWith('u:')),
    ).toEqual(['u:notes.txt', 'u:notes.txt-2']);
  });

  test('keeps the structure if all documents are tagged, and otherwise removes it', async () => {
    const { file } = await merge(richPdf({ tagged: true }), richPdf({ tagged: true }));
    const root = file.dictionary(file.catalog['/StructTreeRoot']);
    expect(file.list(root['/K']).length).toBe(2);
    expect(file.pages.map((page) => page['/StructParents'])).toEqual([0, 1, 2, 3, 4, 5]);
    const keys = file
      .list(file.dictionary(root['/ParentTree'])['/Nums'])
      .filter((item) => typeof item === 'number');
    expect(keys).toEqual([0, 1, 2, 3, 4, 5]);

    const { file: mixed } = await merge(richPdf({ tagged: true }), richPdf());
    expect([mixed.catalog['/StructTreeRoot'], mixed.catalog['/MarkInfo']]).toEqual([undefined, undefined]);
    expect(mixed.typed('/StructElem')).toEqual([]);
  });

  test('writes no unreachable objects', async () => {
    const { file } = await merge(richPdf(), richPdf());
    expect(file.unreached()).toEqual([]);
    expect(file.typed('/Pages').length).toBe(1);
    expect(file.typed('/Catalog').length).toBe(1);
  });
});

describeWithPdfTools('split', () => {
  test('keeps links within a part and removes the others', async () => {
    const [one, two] = await split(richPdf(), [[1, 2], [3]]);
    expect(one?.file.pages.map((page) => one.file.linkTargets(page))).toEqual([[1], [2]]);
    expect(two?.file.pages.map((page) => two.file.linkTargets(page))).toEqual([[undefined]]);
  });

  test("keeps the bookmarks, labels and fields of a part's pages", async () => {
    const [one, two, three] = await split(richPdf(), [[1], [2, 3], [3]]);
    expect(one?.file.outline()).toEqual([{ title: 'One', page: 1, kids: [] }]);
    expect(two?.file.outline()).toEqual([{ title: 'Two', page: 1, kids: [] }]);
    expect(three?.file.outline()).toEqual([]);
    expect([one, two, three].map((part) => part?.census.labels)).toEqual([['/r1'], ['/r2', 'B-1'], ['B-1']]);
    expect([one, two, three].map((part) => part?.census.fields)).toEqual([['name'], ['name'], []]);
  });

  test('writes no objects of other pages and no unreachable objects', async () => {
    const parts = await split(richPdf({ tagged: true }), [[1], [2], [3]]);
    expect(parts.map(({ file }) => file.typed('/Page').length)).toEqual([1, 1, 1]);
    // The appearance of the field and the image of the page.
    expect(parts.map(({ file }) => file.typed('/XObject').length)).toEqual([2, 2, 0]);
    expect(parts.map(({ file }) => file.typed('/OCG').length)).toEqual([1, 0, 0]);
    expect(parts.map(({ file }) => file.typed('/StructElem').length)).toEqual([1, 0, 0]);
    for (const { file } of parts) expect(file.unreached()).toEqual([]);
  });

  test('keeps only the shared resources that the page uses', async () => {
    const shared = '/Resources<</XObject<</A 7 0 R/B 8 0 R>>>>';
    const form = stream('', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]');
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]${shared}>>`,
      '<</Type/Page/Parent 2 0 R/Contents 5 0 R>>',
      '<</Type/Page/Parent 2 0 R/Contents 6 0 R>>',
      stream('/A Do'),
      stream('/B Do /A#20 gs'),
      form,
      form,
    ]);
    const parts = await split(pdf, [[1], [2]]);
    const used = parts.map(({ file }) =>
      Object.keys(file.dictionary(file.dictionary(file.pages[0]?.['/Resources'])['/XObject'])),
    );
    expect(used).toEqual([['/A'], ['/B']]);
  });
});

const plainPages = plainPdf([
  '<</Type/Catalog/Pages 2 0 R>>',
  '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
  '<</Type/Page/Parent 2 0 R>>',
  '<</Type/Page/Parent 2 0 R>>',
]);

const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/" xmlns:dc="http://purl.org/dc/elements/1.1/" pdfaid:part="2">
<pdfaid:conformance>b</pdfaid:conformance><dc:title>Kept</dc:title></rdf:Description></rdf:RDF></x:xmpmeta>`;

/** A tagged file with a signed field, a title in Info and a PDF/A-2b identification. */
const claimingPdf = plainPdf(
  [
    '<</Type/Catalog/Pages 2 0 R/Lang(de)/Metadata 4 0 R/AcroForm<</SigFlags 3/Fields[5 0 R]>>/MarkInfo<</Marked true>>/StructTreeRoot<</Type/StructTreeRoot>>>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 200]>>',
    '<</Type/Page/Parent 2 0 R/Annots[5 0 R]>>',
    stream(xmp, '/Type/Metadata/Subtype/XML'),
    '<</FT/Sig/T(sig)/Subtype/Widget/Rect[0 0 9 9]/P 3 0 R/V 6 0 R>>',
    '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 9 9 9]/Contents<00>>>',
    '<</Title(First)/Author(Ada)>>',
  ],
  '/Info 7 0 R',
);

test('info reports forms, signatures, tags and the PDF/A identification', async () => {
  const { body } = await service().post('/v1/pdf/info', { pdf: base64(claimingPdf) });
  expect(body).toMatchObject({
    has_form: true,
    has_signatures: true,
    tagged: true,
    pdfa: '2B',
    title: 'First',
  });
});

describeWithPdfTools('the metadata of a merged file', () => {
  test('comes from the first document, without its PDF/A identification and signature', async () => {
    const { pdf: merged, file } = await merge(
      claimingPdf,
      pagesPdf(1, { info: '/Title (Second) /Subject (Other)' }),
    );
    const info = await pdfInfo(merged);
    expect([info['Title'], info['Author'], info['Subject'], info['Pages']]).toEqual([
      'First',
      'Ada',
      undefined,
      '2',
    ]);
    const { body } = await service().post('/v1/pdf/info', { pdf: merged.toString('base64') });
    expect(body).toMatchObject({ has_form: false, has_signatures: false, tagged: false, pdfa: null });
    expect(file.catalog['/Lang']).toBe('u:de');
    expect(file.typed('/Sig')).toEqual([]);
    expect(merged.includes('Kept')).toBe(true);
    expect(merged.includes('pdfaid:part=')).toBe(false);
  });

  test('is empty if the first document has none, and the version is the highest', async () => {
    const { pdf: merged } = await merge(pagesPdf(1), claimingPdf.replace('%PDF-1.4', '%PDF-1.6'));
    const info = await pdfInfo(merged);
    expect([info['Title'], info['PDF version']]).toEqual([undefined, '1.6']);
  });
});
