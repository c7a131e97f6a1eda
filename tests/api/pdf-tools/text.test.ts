import { describe, expect, test } from 'bun:test';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { formOf } from '../../support/service/multipart.ts';
import { OperationClient } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { hostilePdfs, pagesPdf, plainPdf, stream } from '../../support/pdf/samples.ts';

const service = sharedService();
const client = new OperationClient(service, 'text');

/** Creates a page with content in Helvetica. */
const pageWith = (content: string, entries = '', more: string[] = []) =>
  plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>${entries}>>`,
    stream(content),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    ...more,
  ]);

describe('POST /v1/pdf/text', () => {
  test('returns the text of each page', async () => {
    expect(await client.read(pagesPdf(3))).toEqual({
      pages: [
        { page: 1, text: 'Page 1' },
        { page: 2, text: 'Page 2' },
        { page: 3, text: 'Page 3' },
      ],
      total: 3,
    });
    expect(await client.read(pagesPdf(3), { pages: '3, 1' })).toEqual({
      pages: [
        { page: 3, text: 'Page 3' },
        { page: 1, text: 'Page 1' },
      ],
      total: 2,
    });
  });

  test.each(['plain', 'markdown', 'json'])(
    'returns %s pages in the order of the selection',
    async (format) => {
      const { pages, total } = await client.read(pagesPdf(4), { pages: '4-3, 1, 3-', format });
      expect(pages.map(({ page, text }: { page: number; text: string }) => [page, text])).toEqual(
        [4, 3, 1, 3, 4].map((page) => [page, `Page ${page}`]),
      );
      expect(total).toBe(5);
    },
  );

  test('returns an empty text for a page without text', async () => {
    expect(await client.read(pageWith(''))).toEqual({ pages: [{ page: 1, text: '' }], total: 1 });
  });

  test.each([
    [0, { x: 20, y: 100 }],
    [90, { x: 100, y: 280 - 57 }],
  ])('returns words with their boxes on a page rotated by %d degrees', async (rotation, corner) => {
    const pdf = pageWith('BT /F 24 Tf 20 100 Td (Hello you) Tj ET', `/Rotate ${rotation}`);
    const { pages } = await client.read(pdf, { format: 'json' });
    const [hello, you] = pages[0].words;
    expect([hello.text, you.text, pages[0].words.length]).toEqual(['Hello', 'you', 2]);
    // Helvetica sets "Hello" in 54.7 points. The box includes the space above and below the letters.
    const [along, across] = rotation === 0 ? ['width', 'height'] : ['height', 'width'];
    expect(hello[along]).toBeCloseTo(54.7, 0);
    expect(hello[across]).toBeWithin(20, 32);
    expect(Math.abs(hello.x - corner.x)).toBeLessThan(8);
    expect(Math.abs(hello.y - corner.y)).toBeLessThan(8);
  });

  test('includes form fields and annotations, and leaves out text beyond the page', async () => {
    const pdf = pageWith('BT /F 12 Tf 20 100 Td (inside) Tj 900 0 Td (beyond) Tj ET', '/Annots[6 0 R]', [
      '<</Type/Annot/Subtype/Widget/FT/Tx/T(a)/F 4/Rect[20 20 120 40]/AP<</N 7 0 R>>>>',
      stream(
        'BT /F 12 Tf 2 5 Td (Ada) Tj ET',
        '/Type/XObject/Subtype/Form/BBox[0 0 100 20]/Resources<</Font<</F 5 0 R>>>>',
      ),
    ]);
    for (const format of ['plain', 'json', 'markdown']) {
      const { pages } = await client.read(pdf, { format });
      expect(pages[0].text.split(/\s+/)).toEqual(['inside', 'Ada']);
    }
  });

  test('includes annotations without an appearance, as readers draw them', async () => {
    const pdf = pageWith('BT /F 12 Tf 20 100 Td (inside) Tj ET', '/Annots[6 0 R]', [
      '<</Type/Annot/Subtype/FreeText/F 4/Rect[20 20 200 40]/DA(/Helv 12 Tf 0 g)/Contents(a remark)>>',
    ]);
    expect((await client.read(pdf)).pages[0].text.split(/\n+/)).toEqual(['inside', 'a remark']);
  });

  test('reads a ToUnicode map with a range over two rows of codes', async () => {
    const cmap =
      '/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfrange <00fe> <0101> [<0048> <0065> <0079> <0021>] endbfrange endcmap end end';
    const pdf = pageWith('BT /F 24 Tf 20 100 Td <00fe00ff01000101> Tj ET', '', [
      '<</Type/Font/Subtype/CIDFontType2/BaseFont/Arial/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 600>>',
      stream(cmap),
    ]).replace(
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      '<</Type/Font/Subtype/Type0/BaseFont/Arial/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 7 0 R>>',
    );
    expect((await client.read(pdf)).pages[0].text).toBe('Hey!');
  });

  test('leaves out glyphs whose text is empty', async () => {
    const cmap =
      '1 begincodespacerange <0000> <ffff> endcodespacerange 3 beginbfchar <03a3> <0048006900200021> <03f2> <> <0392> <> endbfchar';
    const pdf = pageWith('BT /F 24 Tf 20 100 Td <03f203a30392> Tj ET', '', [
      '<</Type/Font/Subtype/CIDFontType2/BaseFont/Arial/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 600>>',
      stream(cmap),
    ]).replace(
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      '<</Type/Font/Subtype/Type0/BaseFont/Arial/Encoding/Identity-H/DescendantFonts[6 0 R]/ToUnicode 7 0 R>>',
    );
    for (const format of ['plain', 'json', 'markdown'])
      expect((await client.read(pdf, { format })).pages[0].text).toBe('Hi !');
  });

  test.each([
    [0, { x: 20, y: 20 }],
    [90, { x: 20, y: 100 }],
  ])(
    'includes annotations without an appearance in any writing system, on a page rotated by %d degrees',
    async (rotation, corner) => {
      const hex = (text: string) => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
      const note = (text: string, flags: number) =>
        `<</Type/Annot/Subtype/FreeText/F ${flags}/Rect[20 20 200 100]/DA(/Helv 12 Tf 0 g)/Contents ${hex(text)}>>`;
      const pdf = pageWith(
        'BT /F 12 Tf 20 150 Td (inside) Tj ET',
        `/Rotate ${rotation}/Annots[6 0 R 7 0 R 8 0 R]`,
        [note('للنص العربي\nثانيا 日本語', 4), note('скрытый', 2), note('невидимый', 32)],
      );
      for (const format of ['plain', 'markdown'])
        expect((await client.read(pdf, { format })).pages[0].text.split(/\s+/)).toEqual([
          'inside',
          'للنص',
          'العربي',
          'ثانيا',
          '日本語',
        ]);
      const { pages } = await client.read(pdf, { format: 'json' });
      const [, ...words] = pages[0].words;
      expect(words.map(({ text }: { text: string }) => text)).toEqual(['للنص', 'العربي', 'ثانيا', '日本語']);
      const [width, height] = rotation === 0 ? [180, 80] : [80, 180];
      for (const word of words) {
        expect(word.x).toBeGreaterThanOrEqual(corner.x - 0.01);
        expect(word.y).toBeGreaterThanOrEqual(corner.y - 0.01);
        expect(word.x + word.width).toBeLessThanOrEqual(corner.x + width + 0.01);
        expect(word.y + word.height).toBeLessThanOrEqual(corner.y + height + 0.01);
      }
    },
  );

  test('opens encrypted files that need no password', async () => {
    expect((await client.read(hostilePdfs.ownerPassword())).pages[0].text).toBe('Page 1');
    expect(await client.rejection(hostilePdfs.userPassword(), {})).toStartWith('pdf: is encrypted');
  });

  test.each([
    [{ pages: '4' }, 'pages: names page 4: the PDF has 3 pages'],
    [{ format: 'html' }, 'format: '],
    [{ output: 'url' }, 'output: unknown field'],
  ])('rejects %j', async (fields, message) => {
    expect(await client.rejection(pagesPdf(3), fields)).toStartWith(message);
  });

  test('returns JSON even if the request accepts a PDF', async () => {
    const answer = await fetch(`${service().url}/v1/pdf/text`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service().key}`, accept: 'application/pdf' },
      body: formOf([['pdf', Buffer.from(pagesPdf(1), 'latin1')]]),
    });
    expect(answer.headers.get('content-type')).toStartWith('application/json');
  });
});

describe('Markdown', () => {
  test('has headings, lists and paragraphs', async () => {
    const html = `<style>body { font: 12px/1.4 Liberation Sans } h1 { font-size: 28px } h2 { font-size: 19px } p { width: 300px }</style>
      <h1>Annual report</h1><p>The first paragraph is longer than one line, so that its lines are joined *here*.</p>
      <h2>Results</h2><ol><li>Revenue</li><li>Profit</li></ol><p>• One<br>• Two</p><p>The second paragraph.</p>`;
    const pdf = Buffer.from(await service().pdf({ html }));
    const { pages } = await client.read(pdf, { format: 'markdown' });
    expect(pages[0].text).toBe(
      [
        '# Annual report',
        String.raw`The first paragraph is longer than one line, so that its lines are joined \*here\*.`,
        '## Results',
        '1. Revenue\n2. Profit\n- One\n- Two',
        'The second paragraph.',
      ].join('\n\n'),
    );
  });
});

describeWithPdfTools('the text', () => {
  test('is the same as with poppler in several writing systems', async () => {
    const html = '<p>Zażółć gęślą jaźń</p><p>Съешь ещё этих булок</p><p>日本語の文章</p><p>fi ffl office</p>';
    const pdf = Buffer.from(await service().pdf({ html }));
    const words = (text: string) => text.normalize('NFKC').split(/\s+/).filter(Boolean);
    const { pages } = await client.read(pdf);
    expect(words(pages[0].text)).toContain('gęślą');
    expect(words(pages[0].text)).toEqual(words(await pdfText(pdf)));
  });
});
