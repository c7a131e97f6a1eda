import { expect, test } from 'bun:test';
import { takeCensus } from '../../corpus/census.ts';
import { describeWithPdfTools, pdfText, qpdfCheck, rasterise } from '../../support/pdf/pdf.ts';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { readQpdf } from '../../support/pdf/qpdf-objects.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { pagesPdf, plainPdf, repeatedPagePdf, stream } from '../../support/pdf/samples.ts';
import { isThorough } from '../../support/suite.ts';

const service = sharedService();
const post = (operation: string, body: object) => service().post(`/v1/pdf/${operation}`, body);

const TREE = '<</Type/Pages/Kids[3 0 R]/Count 1>>';
const onePage = (box: string) => plainPdf(['<</Type/Catalog/Pages 2 0 R>>', TREE, `<</Type/Page${box}>>`]);

async function mergeCopies(pdf: string, copies = 2) {
  const answer = await post('merge', { pdfs: Array(copies).fill(base64(pdf)), output: 'base64' });
  expect(answer.status).toBe(200);
  return Buffer.from(answer.body.data, 'base64');
}

function formPdf(fields: readonly string[]): string {
  const references = fields.map((_, index) => `${4 + index} 0 R`).join(' ');
  return plainPdf([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${references}]>>>>`,
    TREE,
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[${references}]>>`,
    ...fields.map((name) => `<</Subtype/Widget/FT/Tx/T(${name})/Rect[0 0 90 20]>>`),
  ]);
}

describeWithPdfTools('unusual files', () => {
  test('a truncated file is rejected unless all its visible content is present', async () => {
    const html = '<p>one <b>two</b> <i style="font-family: monospace">three</i> żółć</p>'.repeat(40);
    const whole = Buffer.from(await service().pdf({ html }));
    const text = await pdfText(whole, { page: 1 });
    const rejected: number[] = [];
    for (let percent = 5; percent < 100; percent += 5) {
      const cut = whole.subarray(0, Math.floor((whole.length * percent) / 100)).toString('base64');
      const { status, body } = await post('split', { pdf: cut, ranges: [[1]], output: 'base64' });
      if (status === 400) {
        expect(body.error.message).toMatch(/^pdf: is (damaged|truncated)/);
        rejected.push(percent);
      } else {
        const [part] = body.parts;
        expect(await pdfText(Buffer.from(part.data, 'base64'))).toBe(text);
      }
    }
    expect(rejected).toContain(30);
    expect(rejected).toContain(80);
  });

  test('equal streams and fonts of merged documents are stored once', async () => {
    const noise = Buffer.from(crypto.getRandomValues(new Uint8Array(60_000))).toString('latin1');
    const document = (color: string) =>
      plainPdf([
        '<</Type/Catalog/Pages 2 0 R>>',
        TREE,
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</XObject<</I 5 0 R/F 7 0 R>>/Font<</T 6 0 R>>>>>>',
        stream('/F Do 50 0 0 50 0 0 cm /I Do BT /T 0.2 Tf (Text) Tj ET'),
        stream(
          noise,
          '/Type/XObject/Subtype/Image/Width 200/Height 100/BitsPerComponent 8/ColorSpace/DeviceRGB',
        ),
        '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding 8 0 R>>',
        stream(`${color} rg 60 60 30 30 re f`, '/Type/XObject/Subtype/Form/BBox[0 0 100 100]'),
        '<</Type/Encoding/Differences[65/B]>>',
      ]);
    const [red, blue] = [document('1 0 0'), document('0 0 1')];
    const { body } = await post('merge', { pdfs: [red, red, blue].map(base64), output: 'base64' });
    const merged = Buffer.from(body.data, 'base64');
    await qpdfCheck(merged);
    expect(merged.length).toBeLessThan(red.length + 3_000);
    const objects = await readQpdf(merged);
    expect(objects.typed('/Font')).toHaveLength(1);
    const [first, second, third] = await rasterise(merged);
    const [alone] = await rasterise(Buffer.from(blue, 'latin1'));
    if (!first || !alone) throw new Error('a page is missing');
    expect(second?.data.equals(first.data)).toBeTrue();
    expect(third?.data.equals(alone.data)).toBeTrue();
  });

  test('a form XObject with tagged content is not shared between merged documents', async () => {
    const tagged = plainPdf([
      '<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R>>',
      TREE,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>',
      stream('/F Do'),
      stream('/P<</MCID 0>>BDC 0 0 9 9 re f EMC', '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/StructParents 0'),
      '<</Type/StructTreeRoot/K 7 0 R/ParentTree<</Nums[0[7 0 R]]>>/ParentTreeNextKey 1>>',
      '<</Type/StructElem/S/P/P 6 0 R/Pg 3 0 R/K<</Type/MCR/Pg 3 0 R/Stm 5 0 R/MCID 0>>>>',
    ]);
    const merged = await mergeCopies(tagged);
    await qpdfCheck(merged);
    const forms = merged.toString('latin1').match(/\/StructParents \d+/g) ?? [];
    expect(new Set(forms).size).toBe(2);
  });

  test('fields of one document that share a name still share a name after a merge', async () => {
    const { fields } = await takeCensus(await mergeCopies(formPdf(['a', 'a', 'b'])));
    expect(fields.toSorted()).toEqual(['a', 'a', 'a-2', 'a-2', 'b', 'b-2']);
  });

  test('widgets that are missing from the form are kept as fields', async () => {
    const face = (text: string) => stream(`% ${text}`, '/Type/XObject/Subtype/Form/BBox[0 0 9 9]');
    const stray = (fields: string, kids: string) =>
      plainPdf([
        `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${fields}]>>>>`,
        '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2/MediaBox[0 0 300 200]>>',
        '<</Type/Page/Parent 2 0 R/Annots[5 0 R]>>',
        '<</Type/Page/Parent 2 0 R/Annots[6 0 R]>>',
        '<</Subtype/Widget/Rect[0 0 90 20]/Parent 7 0 R/AP<</N 8 0 R>>>>',
        '<</Subtype/Widget/Rect[0 0 90 20]/Parent 7 0 R/AP<</N 9 0 R>>>>',
        `<</FT/Tx/T(name)/V(Ada)/Kids[${kids}]>>`,
        face('one'),
        face('two'),
      ]);
    for (const pdf of [stray('', '5 0 R 6 0 R'), stray('7 0 R', '5 0 R')]) {
      const { fields } = await takeCensus(await mergeCopies(pdf));
      expect(fields.toSorted()).toEqual(['name', 'name', 'name-2', 'name-2']);
      const { body } = await post('split', { pdf: base64(pdf), output: 'base64' });
      for (const [page, other] of [
        [0, 'two'],
        [1, 'one'],
      ] as const) {
        const part = Buffer.from(body.parts[page].data, 'base64');
        expect((await takeCensus(part)).fields).toEqual(['name']);
        expect(part.toString('latin1')).not.toContain(`% ${other}`);
      }
    }
  });

  test('layers with another intent than View keep their visibility', async () => {
    const layered = (intent: string) =>
      plainPdf([
        `<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[4 0 R]/D<</OFF[4 0 R]${intent}>>>>>>`,
        TREE,
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Properties<</L 4 0 R>>>>>>',
        '<</Type/OCG/Name(Draft)/Intent/Design>>',
      ]);
    const pdfs = [base64(layered('')), base64(layered('/Intent[/View/Design]'))];
    const { body } = await post('merge', { pdfs, output: 'base64' });
    const file = await readQpdf(Buffer.from(body.data, 'base64'));
    const layers = file.dictionary(file.catalog['/OCProperties']);
    const config = file.dictionary(layers['/D']);
    // The first document shows its layer, because its configuration ignores the intent Design.
    expect(config['/Intent']).toEqual(['/View', '/Design']);
    expect(config['/OFF']).toEqual([file.list(layers['/OCGs'])[1] ?? null]);
  });

  test('numbers that are too large for readers are written as the largest integer', async () => {
    for (const width of ['1'.repeat(20), '1'.repeat(400), `${'1'.repeat(40)}.5`]) {
      const pdf = onePage(`/MediaBox[0 0 ${width} 200]`);
      const { body } = await post('info', { pdf: base64(pdf) });
      expect(body.page_sizes).toEqual([{ width: Number.MAX_SAFE_INTEGER, height: 200, count: 1 }]);
      const merged = await mergeCopies(pdf);
      await qpdfCheck(merged);
      expect((await readQpdf(merged)).pages.map((page) => page['/MediaBox'])).toEqual(
        Array.from({ length: 2 }, () => [0, 0, Number.MAX_SAFE_INTEGER, 200]),
      );
    }
  });

  test('a page with an unreadable size gets the Letter size that readers show', async () => {
    for (const box of ['', '/MediaBox[0 0 1e400 200]', '/MediaBox[0 0 300]', '/MediaBox[0 0 0 0]']) {
      const merged = await mergeCopies(onePage(box));
      const split = await post('split', { pdf: base64(onePage(box)), output: 'base64' });
      const part = Buffer.from(split.body.parts[0].data, 'base64');
      for (const page of [...(await readQpdf(merged)).pages, ...(await readQpdf(part)).pages])
        expect(page['/MediaBox']).toEqual([0, 0, 612, 792]);
    }
  });
});

test.if(isThorough)('chains of thousands of references are accepted', async () => {
  const links = Array.from({ length: 20_000 }, (_, index) => `${index + 5} 0 R`);
  const pdf = base64(
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      TREE,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Far 4 0 R>>',
      ...links,
      '(the end)',
    ]),
  );
  expect((await post('merge', { pdfs: [pdf, pdf] })).status).toBe(200);
  expect((await post('split', { pdf })).status).toBe(200);
});

test.if(isThorough)(
  '500 documents with the same destination names can be merged',
  async () => {
    const names = Array.from({ length: 300 }, (_, index) => `/d${index}[5 0 R/Fit]`).join('');
    await mergeCopies(pagesPdf(1, { catalog: `/Dests<<${names}>>` }), 500);
  },
  60_000,
);

test.if(isThorough)(
  '20,000 fields with the same name can be merged',
  async () => {
    await mergeCopies(formPdf(Array(20_000).fill('a')));
  },
  60_000,
);

test.if(isThorough)(
  'a page listed 200,000 times is rejected, and a page listed 1,001 times is accepted',
  async () => {
    const pdf = base64(repeatedPagePdf(200_000));
    const field = { name: 'a', type: 'text', page: 0, x: 0, y: 0, width: 50, height: 20 };
    const requests: [operation: string, body: object, path: string][] = [
      ['info', { pdf }, 'pdf'],
      ['merge', { pdfs: [base64(pagesPdf(1)), pdf] }, 'pdfs[1]'],
      ['split', { pdf, ranges: [[1]] }, 'pdf'],
      ['pdfa', { pdf }, 'pdf'],
      ['sign', { pdf, name: 'Ada' }, 'pdf'],
      ['forms/list-fields', { pdf }, 'pdf'],
      ['forms/fill', { pdf, fields: [{ name: 'a', value: 'x' }] }, 'pdf'],
      ['forms/add-fields', { pdf, fields: [field] }, 'pdf'],
    ];
    for (const [operation, body, path] of requests) {
      const answer = await post(operation, body);
      expect([operation, answer.status]).toEqual([operation, 400]);
      expect(answer.body.error.details[0]).toEqual({
        path,
        message: 'lists pages again more than 1000 times',
      });
    }
    const info = await post('info', { pdf: base64(repeatedPagePdf(1_001)) });
    expect(info.body).toMatchObject({ pages: 1_001 });
  },
);

test.if(isThorough)('a file with more than 50,000 pages is rejected', async () => {
  const many = (count: number) => {
    const kids = Array.from({ length: count }, (_, page) => `${page + 3} 0 R`).join(' ');
    const pages = Array.from({ length: count }, () => '<</Type/Page>>');
    return base64(plainPdf(['<</Type/Catalog/Pages 2 0 R>>', `<</Type/Pages/Kids[${kids}]>>`, ...pages]));
  };
  const { status, body } = await post('info', { pdf: many(50_001) });
  expect(status).toBe(400);
  expect(body.error.message).toBe('pdf: has more than 50000 pages');
  expect((await post('info', { pdf: many(50_000) })).body).toMatchObject({ pages: 50_000 });
});
