import { describe, expect, test } from 'bun:test';
import { describeWithPdfTools, pageSizes, pdfText, qpdfCheck, rasterise } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite } from '../../support/suite.ts';

const service = sharedService();
const DPI = 96;

interface SinglePage {
  pages: number;
  /** The size in CSS pixels. */
  width: number;
  height: number;
  /** The white rows above the first and below the last mark. */
  above: number;
  below: number;
  text: string;
}

async function print(html: string, options: object): Promise<SinglePage> {
  const pdf = await service().pdf({ html, options: { singlePage: true, ...options } });
  await qpdfCheck(pdf);
  const sizes = await pageSizes(pdf);
  const [image] = await rasterise(pdf, { dpi: DPI });
  if (!image) throw new Error('no page');
  const { width, height } = image;
  const isWhite = (row: number) =>
    image.data.subarray(row * width * 4, (row + 1) * width * 4).every((byte) => byte > 200);
  const rows = Array.from({ length: height }, (_, row) => row);
  return {
    pages: sizes.length,
    width: Math.round(((sizes[0]?.width ?? 0) * 96) / 72),
    height: Math.round(((sizes[0]?.height ?? 0) * 96) / 72),
    above: rows.findIndex((row) => !isWhite(row)),
    below: height - 1 - rows.findLastIndex((row) => !isWhite(row)),
    text: await pdfText(pdf),
  };
}

const block = (height: number) => `<div style="height:${height}px;background:#000"></div>`;
const bare = '<style>body { margin: 0 }</style>';
const sentence = 'Flat white with oat milk, extra hot, and a slice of carrot cake to take away. ';

describeWithPdfTools('options.singlePage', () => {
  const heights: [string, number][] = [
    ['a short document', 100],
    ['a document longer than a page of its format', 3_000],
    ['a very long document', 15_000],
  ];
  test.each(casesOfSuite(heights, 6))('fits %s exactly', async (_, height) => {
    const page = await print(`<!doctype html>${bare}${block(height)}`, { margin: '0.5in', format: 'A4' });
    expect([page.pages, page.width, page.above]).toEqual([1, 795, 48]);
    expect(Math.abs(page.height - height - 96)).toBeLessThanOrEqual(3);
  });

  const documents: [string, string][] = [
    ['quirks mode', `${bare}${block(200)}`],
    ['margins of the body', `<!doctype html><style>body { margin: 0 0 0 40px }</style>${block(200)}`],
    [
      'a body of the height of the window',
      `<!doctype html>${bare}<style>html, body { height: 100% } body { min-height: 100vh }</style>${block(200)}`,
    ],
    [
      'page breaks',
      `<!doctype html>${bare}${block(100)}<div style="break-before:page">${block(50)}</div><div style="page-break-before:always">${block(50)}</div>`,
    ],
    [
      'named pages',
      `<!doctype html>${bare}<style>@page a { size: A5 } .a { page: a }</style>${block(100)}<div class=a>${block(100)}</div>`,
    ],
    [
      "the size of the document's pages",
      `<!doctype html>${bare}<style>@page { size: A5 landscape }</style>${block(200)}`,
    ],
    [
      'print styles',
      `<!doctype html>${bare}<style>@media print { .screen { display: none } }</style>${block(200)}<div class=screen>${block(999)}</div>`,
    ],
    [
      'an absolute box',
      `<!doctype html>${bare}<div style="position:absolute;top:0;left:0;width:50px;height:200px;background:#000"></div>`,
    ],
  ];
  test.each(casesOfSuite(documents, 8))('has the height of its content with %s', async (_, html) => {
    const page = await print(html, { margin: '0' });
    expect([page.pages, page.above]).toEqual([1, 0]);
    expect(Math.abs(page.height - 200)).toBeLessThanOrEqual(3);
  });

  test("has the margins of the document's @page rules", async () => {
    const html = `<!doctype html>${bare}<style>@page { size: 80mm 200mm; margin: 10px 0 30px }</style>${block(200)}`;
    const page = await print(html, { format: { width: '80mm' } });
    expect([page.pages, page.above]).toEqual([1, 10]);
    expect(Math.abs(page.height - 240)).toBeLessThanOrEqual(3);
  });

  test.each(casesOfSuite(['58mm', '72.1mm', '210mm'], 6))(
    'has no blank tail below text on paper that is %s wide',
    async (width) => {
      const items = Array.from(
        { length: 40 },
        (_, at) => `<p>${at} ${sentence.repeat(1 + (at % 4))}</p>`,
      ).join('');
      const html = `<!doctype html>${bare}<style>p { margin: 0; font: 9.5pt/1.2 sans-serif }</style>${items}<div style="height:2px;background:#000">`;
      const page = await print(html, { format: { width }, margin: '3mm' });
      expect(page.pages).toBe(1);
      expect(page.text).toContain('39 Flat');
      // The margin is 11 pixels.
      expect(page.below).toBeLessThanOrEqual(18);
    },
  );

  test('has room for header and footer', async () => {
    const page = await print(`<!doctype html>${bare}${block(200)}`, {
      header: '<div style="height:96px">head</div>',
      footer: 'foot {{pageNumber}}/{{totalPages}}',
      margin: '0',
    });
    expect([page.pages, page.text.includes('head'), page.text.includes('foot 1/1')]).toEqual([1, true, true]);
    expect(page.height).toBeGreaterThan(200 + 96);
    expect(page.height).toBeLessThan(200 + 96 + 120);
  });

  test('is scaled', async () => {
    const page = await print(`<!doctype html>${bare}${block(1_000)}`, { margin: '0', scale: 0.5 });
    expect(Math.abs(page.height - 500)).toBeLessThanOrEqual(3);
  });

  test('has the width of the orientation', async () => {
    const page = await print(`<!doctype html>${bare}${block(100)}`, {
      format: 'A4',
      orientation: 'landscape',
    });
    expect(page.width).toBe(1123);
  });

  test('waits for scripts before it is measured', async () => {
    const html = `<!doctype html>${bare}<div id=d></div><script>setTimeout(() => { d.innerHTML = '${block(300)}'; d.className = 'done' }, 200)</script>`;
    const page = await print(html, { margin: '0', waitFor: { selector: '.done' } });
    expect(Math.abs(page.height - 300)).toBeLessThanOrEqual(3);
  });

  test('does not affect the next document of the account', async () => {
    await print(`<script></script>${block(50)}`, {});
    const sizes = await pageSizes(
      await service().pdf({ html: `<script></script><p>a<p style="break-before:page">b` }),
    );
    expect(sizes.map(({ height }) => Math.round(height))).toEqual([842, 842]);
  });
});

describe('a single page is rejected', () => {
  const rejection = async (html: string, options: object) => {
    const { status, body } = await service().post('/v1/generate', { html, options });
    const [{ path, message }] = body.error?.details ?? [{}];
    return `${status} ${path}: ${message}`;
  };

  test.each([
    [{ pageRanges: '1' }, 'options.pageRanges: cannot be combined with singlePage'],
    [{ firstPage: { header: 'x' } }, 'options.firstPage: cannot be combined with singlePage'],
    [{ preferCssPageSize: true }, 'options.preferCssPageSize: cannot be combined with singlePage'],
    [
      { format: { width: '80mm', height: '200mm' } },
      'options.format.height: cannot be combined with singlePage, which has the height of the content',
    ],
    [
      { format: { width: '80mm' }, orientation: 'landscape' },
      'options.orientation: cannot be combined with singlePage and a width',
    ],
  ])('with %p', async (options, message) => {
    expect(await rejection('x', { singlePage: true, ...options })).toBe(`400 ${message}`);
  });

  test('when it would be taller than 200in', async () => {
    expect(await rejection(block(19_300), { singlePage: true })).toMatch(
      /^400 options\.singlePage: the content needs a page that is 20\d\.\din high; the limit is 200in$/,
    );
  });

  test('when its height depends on the page', async () => {
    const html = '<!doctype html><div style="height:100vh">a</div><div style="height:100vh">b</div>';
    expect(await rejection(html, { singlePage: true })).toContain('by the unit vh');
  });

  test('without the option, if its format has no height', async () => {
    expect(await rejection('x', { format: { width: '80mm' } })).toBe(
      '400 options.format.height: is required',
    );
  });
});
