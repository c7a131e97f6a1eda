import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { rasterise, describeWithPdfTools, qpdfCheck } from '../../support/pdf/pdf.ts';
import { drawPages } from '../../../packages/pdf/images/draw-pages.ts';
import { PdfiumDocument } from '../../../packages/pdf/pdfium/pdfium-document.ts';
import { encryptedPdf } from '../../../packages/pdf/tests/encrypted-pdf.ts';
import { OperationClient, runOn, withPdfFiles } from '../../support/pdf/pdf-operations.ts';
import { readQpdf } from '../../support/pdf/qpdf-objects.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { ENCRYPTIONS, IDENTITIES } from '../../support/pdf/odd-pdfs.ts';
import { fieldPdf, pagesPdf, plainPdf, stream } from '../../support/pdf/samples.ts';

const service = sharedService();

const FACE = '/Type/XObject/Subtype/Form/BBox[0 0 100 50]';

/**
 * A tagged page with two signatures in blue and green, one of them below a parent field, a hidden signature
 * and an unsigned field.
 */
const signed = plainPdf([
  '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 5 0 R 7 0 R 8 0 R]/SigFlags 3>>/MarkInfo<</Marked true>>/StructTreeRoot 12 0 R/Lang(en)>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[4 0 R 6 0 R 7 0 R 8 0 R]/StructParents 0>>',
  '<</Type/Annot/Subtype/Widget/FT/Sig/T(one)/TU(Signature of Ada)/F 132/V 9 0 R/Rect[20 20 120 70]/AP<</N 10 0 R>>/P 3 0 R/StructParent 1>>',
  '<</T(group)/FT/Sig/Kids[6 0 R]>>',
  '<</Type/Annot/Subtype/Widget/T(two)/Parent 5 0 R/F 132/V 9 0 R/Rect[160 100 260 150]/AP<</N 11 0 R>>/P 3 0 R>>',
  '<</Type/Annot/Subtype/Widget/FT/Sig/T(hidden)/F 2/V 9 0 R/Rect[0 0 0 0]/P 3 0 R/StructParent 2>>',
  '<</Type/Annot/Subtype/Widget/FT/Sig/T(open)/F 4/Rect[20 150 60 190]/P 3 0 R>>',
  '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/adbe.pkcs7.detached/ByteRange[0 1 2 3]/Contents<00>>>',
  stream('0 0 1 rg 0 0 100 50 re f', FACE),
  stream('0 1 0 rg 0 0 100 50 re f', FACE),
  '<</Type/StructTreeRoot/K 13 0 R/ParentTree<</Nums[0[] 1 14 0 R 2 15 0 R]>>/ParentTreeNextKey 3>>',
  '<</Type/StructElem/S/Document/P 12 0 R/K[14 0 R 15 0 R]>>',
  '<</Type/StructElem/S/Form/P 13 0 R/Pg 3 0 R/Alt(Ada)/K<</Type/OBJR/Obj 4 0 R/Pg 3 0 R>>>>',
  '<</Type/StructElem/S/Form/P 13 0 R/Pg 3 0 R/K<</Type/OBJR/Obj 7 0 R/Pg 3 0 R>>>>',
]);

const other = Buffer.from(pagesPdf(1), 'latin1').toString('base64');
const encrypted = () =>
  encryptedPdf(signed, ENCRYPTIONS['RC4, 128 bits'] ?? { version: 2, revision: 3, keyBytes: 16 }, {
    identity: IDENTITIES['two equal strings'] ?? { first: new Uint8Array(0), entry: '' },
  });

const call = (operation: string, fields: object, pdf: string | Buffer = signed) =>
  new OperationClient(service, operation).write(pdf, fields);

/** Every operation that invalidates signatures. */
const OPERATIONS: readonly (readonly [name: string, run: () => Promise<Buffer>])[] = [
  [
    'merge',
    async () => {
      const pdfs = [Buffer.from(signed, 'latin1').toString('base64'), other];
      const { status, body } = await service().post('/v1/pdf/merge', { pdfs, output: 'base64' });
      expect(status).toBe(200);
      return Buffer.from(body.data, 'base64');
    },
  ],
  [
    'split',
    async () => {
      const { parts } = await new OperationClient(service, 'split').read(signed, { output: 'base64' });
      return Buffer.from(parts[0].data, 'base64');
    },
  ],
  ['pages', () => call('pages', { pages: '1' })],
  ['compress', () => call('compress', { allow_signature_loss: true })],
  ['unlock', () => call('unlock', { password: '' }, encrypted())],
  ...['1b', '2b', '2u', '3b'].map(
    (level) => [`pdfa ${level}`, () => call('pdfa', { level, allow_signature_loss: true })] as const,
  ),
];

type Draw = (pdf: Uint8Array) => PNG | Promise<PNG>;

/** Draws the first page at 72 dots per inch. */
const READERS: Readonly<Record<string, Draw>> = {
  poppler: async (pdf) => (await rasterise(pdf, { dpi: 72 }))[0] ?? new PNG(),
  mutool: (pdf) =>
    withPdfFiles([pdf], ([path], folder) => {
      const image = join(folder, 'page.png');
      const { exitCode, stderr } = Bun.spawnSync(['mutool', 'draw', '-r', '72', '-o', image, path, '1']);
      if (exitCode !== 0) throw new Error(stderr.toString());
      return PNG.sync.read(readFileSync(image));
    }),
  pdfium: async (pdf) => {
    using document = await PdfiumDocument.open(pdf);
    for await (const { image } of drawPages(document, { pages: [0], type: 'png', dpi: 72 }))
      return PNG.sync.read(Buffer.from(image));
    throw new Error('PDFium drew no page');
  },
};

/** Returns the colour at a point of the page, which is 200 points high. */
function colourAt({ width, data }: PNG, x: number, y: number): number[] {
  return [...data.subarray(((200 - y) * width + x) * 4, ((200 - y) * width + x) * 4 + 3)];
}

const isNear = (colour: readonly number[], channel: number) =>
  colour.every((value, index) => (index === channel ? value > 200 : value < 80));

describeWithPdfTools('a signature that loses its value', () => {
  test.each(OPERATIONS)(
    'stays visible in every reader: %s',
    async (_, run) => {
      const result = await run();
      await qpdfCheck(result);
      for (const [reader, draw] of Object.entries(READERS)) {
        if (reader === 'mutool' && !Bun.which('mutool')) continue;
        const image = await draw(result);
        const colours = [70, 110, 30].flatMap((x) => [25, 45, 65].map((y) => colourAt(image, x, y)));
        expect([reader, colours.filter((colour) => !isNear(colour, 2))]).toEqual([reader, []]);
        expect([reader, isNear(colourAt(image, 210, 125), 1)]).toEqual([reader, true]);
      }
    },
    60_000,
  );

  test.each(OPERATIONS)(
    'is a stamp and no longer a field: %s',
    async (_, run) => {
      const file = await readQpdf(await run());
      const [page = {}] = file.pages;
      const annotations = file.list(page['/Annots']).map((annotation) => file.dictionary(annotation));
      const stamps = annotations.filter((annotation) => annotation['/Subtype'] === '/Stamp');
      expect(stamps.map((stamp) => stamp['/Contents'])).toEqual(['u:Signature of Ada', 'u:Signature']);
      for (const stamp of stamps)
        for (const key of ['/FT', '/T', '/V', '/Parent', '/TU']) expect(stamp[key]).toBeUndefined();
      const fields = file.list(file.dictionary(file.catalog['/AcroForm'])['/Fields']);
      expect(fields.map((field) => file.dictionary(field)['/T'])).toEqual(['u:open']);
      expect(annotations.filter((annotation) => annotation['/Subtype'] === '/Widget')).toHaveLength(1);
      const elements = file.typed('/StructElem').map((element) => element['/S']);
      expect(elements).not.toContain('/Form');
      if (file.catalog['/StructTreeRoot'] !== undefined) expect(elements).toContain('/Annot');
    },
    60_000,
  );

  test('leaves no form if no other field exists', async () => {
    const only = signed.replace('[4 0 R 5 0 R 7 0 R 8 0 R]/Sig', '[4 0 R 5 0 R 7 0 R      ]/Sig');
    const info = new OperationClient(service, 'info');
    for (const pages of ['1', '1, 1']) {
      const result = await call('pages', { pages }, only.replace('7 0 R 8 0 R]/Str', '7 0 R      ]/Str'));
      expect(await info.read(result)).toMatchObject({ has_form: false, has_signatures: false });
    }
  });

  test('keeps other fields', async () => {
    const result = await call('pages', { pages: '1' }, fieldPdf);
    expect(runOn(result, ['qpdf', '--json', '--json-key=acroform', '{}'])).toContain('"fullname": "a"');
  });
});
