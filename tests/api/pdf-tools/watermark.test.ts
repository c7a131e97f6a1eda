import { describe, expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { completed, submit } from '../../support/batch/batches.ts';
import { darkBoundsOfPage } from '../../support/pdf/dark-bounds.ts';
import { describeWithPdfTools, pdfText, qpdfCheck } from '../../support/pdf/pdf.ts';
import { base64, OperationClient, rejectionOf, runOn } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../../support/pdf/verapdf.ts';
import { hostilePdfs, pagesPdf, plainPdf } from '../../support/pdf/samples.ts';

const service = sharedService();
const watermark = new OperationClient(service, 'watermark');
const stamp = new OperationClient(service, 'stamp');

/** Creates an opaque black picture of 40 x 20 pixels. */
function picture(): string {
  const png = new PNG({ width: 40, height: 20 });
  for (let at = 3; at < png.data.length; at += 4) png.data[at] = 255;
  return PNG.sync.write(png).toString('base64');
}

const blank = (rotate = 0) =>
  plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Rotate ${rotate}/Resources<<>>>>`,
  ]);

const generate = (options: object) => service().pdf({ html: '<h1>Invoice</h1>', options });

describe('POST /v1/pdf/watermark and stamp', () => {
  test('draw a mark as a fraction of the page, along its diagonal or with a margin', async () => {
    const boundsOf = async (fields: object) =>
      darkBoundsOfPage(await stamp.write(blank(), { image: picture(), ...fields }));
    expect(await boundsOf({ relative_size: 0.5, position: 'bottom-left', margin: 0 })).toEqual({
      left: 0,
      bottom: 0,
      width: 150,
      height: 75,
    });
    const { left, bottom } = await boundsOf({ position: 'top-left', margin: 10, offset: { x: 5, y: -60 } });
    expect([left, bottom]).toEqual([15, 115]);
    const up = await boundsOf({ relative_size: 0.3, rotation: 'diagonal-up' });
    // 90 x 45 points, turned by 33.7 degrees.
    expect(Math.abs(up.width - 100)).toBeLessThan(3);
    expect(Math.abs(up.height - 87)).toBeLessThan(3);
  });

  test('reject contradictory requests and name the field', async () => {
    const pdf = pagesPdf(3);
    expect(await watermark.rejection(pdf, {})).toBe('text: is required, or image or overlay');
    expect(await watermark.rejection(pdf, { text: 'x', image: picture() })).toBe(
      'image: cannot be combined with text',
    );
    expect(await stamp.rejection(pdf, { image: picture(), font_size: 9 })).toBe(
      'font_size: is only for text',
    );
    expect(await stamp.rejection(pdf, { text: 'x', tile: true, position: 'top' })).toStartWith('position: ');
    expect(await stamp.rejection(pdf, { text: 'x', tile: true, margin: 9 })).toStartWith('margin: ');
    expect(await stamp.rejection(pdf, { text: 'x', relative_size: 0.5, font_size: 9 })).toBe(
      'relative_size: cannot be combined with font_size',
    );
    expect(await stamp.rejection(pdf, { text: 'x', rotation: 'diagonal' })).toStartWith('rotation: must be');
    expect(await stamp.rejection(pdf, { text: ' \n' })).toStartWith('text: must contain a visible');
    expect(await stamp.rejection(pdf, { text: 'x', pages: '2-4' })).toBe(
      'pages: names page 4: the PDF has 3 pages',
    );
    expect(await stamp.rejection(pdf, { text: 'x', pages: 'odd' })).toStartWith('pages: must be pages');
    expect(await stamp.rejection(pdf, { text: 'x', color: 'red;}' })).toStartWith('color: ');
    expect(await stamp.rejection(pdf, { text: 'x', position: 'middle' })).toStartWith('position: ');
    const formats = 'send a PNG, JPEG, WebP or GIF image in base64';
    expect(await stamp.rejection(pdf, { image: 'data:image/svg+xml;base64,PHN2Zy8+' })).toBe(
      `image: is a data URL of another type: ${formats}`,
    );
    expect(await stamp.rejection(pdf, { image: '<svg/>' })).toBe(`image: is not valid base64: ${formats}`);
    expect(await stamp.rejection(pdf, { image: 'AAAA' })).toStartWith('image: is not a PNG');
    expect(
      await stamp.rejection(pdf, { image: base64('\u0089PNG\r\n\u001a\n\u0000\u0000\u0000\rIHDRxxxx') }),
    ).toStartWith('image: cannot be drawn');
    expect(await stamp.rejection(pdf, { overlay: base64('no PDF at all') })).toStartWith(
      'overlay: is not a PDF',
    );
  });
});

describeWithPdfTools('a mark', () => {
  test('of text can be extracted in any writing system, on the selected pages', async () => {
    const pdf = await watermark.write(pagesPdf(4), {
      text: 'Entwurf – 草稿 – مسودة',
      rotation: 0,
      pages: '2, 4-',
    });
    await qpdfCheck(pdf);
    const pages = (await pdfText(pdf)).split('\f');
    expect(pages.slice(0, 4).map((text) => text.includes('草稿'))).toEqual([false, true, false, true]);
    expect(pages[1]).toContain('Entwurf');
    expect(pages[1]).toContain('Page 2');
  });

  test.each([0, 90, 180, 270])('is upright on a page rotated by %d', async (rotate) => {
    const pdf = await stamp.write(blank(rotate), { image: picture(), position: { x: 30, y: 50 } });
    const { left, bottom, width, height } = await darkBoundsOfPage(pdf);
    expect([left, bottom, width, height].map(Math.round)).toEqual([30, 50, 30, 15]);
  });

  test('is placed, rotated and scaled', async () => {
    const corner = await darkBoundsOfPage(
      await stamp.write(blank(), { image: picture(), position: 'top-right' }),
    );
    expect([corner.left, corner.bottom].map(Math.round)).toEqual([300 - 24 - 30, 200 - 24 - 15]);
    const turned = await darkBoundsOfPage(
      await stamp.write(blank(), { image: picture(), rotation: 90, scale: 2 }),
    );
    expect([turned.left, turned.bottom, turned.width, turned.height].map(Math.round)).toEqual([
      135, 70, 30, 60,
    ]);
  });

  test('of another PDF shows its pages in turn', async () => {
    const pdf = await stamp.write(pagesPdf(3), {
      overlay: base64(pagesPdf(2).replaceAll('(Page', '(Letter')),
      position: { x: 0, y: -50 },
    });
    const pages = (await pdfText(pdf)).split('\f').slice(0, 3);
    expect(pages.map((text) => /Letter \d/.exec(text)?.[0])).toEqual(['Letter 1', 'Letter 2', 'Letter 2']);
  });

  test('covers the page with tiles, and is faint with a low opacity', async () => {
    const tiled = await watermark.write(blank(), { image: picture(), tile: true, opacity: 1 });
    const { width, height } = await darkBoundsOfPage(tiled);
    expect(width).toBeGreaterThan(290);
    expect(height).toBeGreaterThan(190);
    expect(
      await darkBoundsOfPage(await watermark.write(blank(), { image: picture(), opacity: 0.1 })),
    ).toEqual({
      left: 0,
      bottom: 0,
      width: 0,
      height: 0,
    });
  });

  test('can be added twice, to an encrypted file and to a file given by its id', async () => {
    const once = await stamp.write(hostilePdfs.ownerPassword(), { text: 'first' });
    const twice = await stamp.write(once, { text: 'second', opacity: 0.5 });
    await qpdfCheck(twice);
    expect(runOn(twice, ['pdfinfo', '{}'])).toMatch(/Encrypted:\s+yes/);
    expect(await pdfText(twice)).toMatch(/first[^]*second|second[^]*first/);
    const { body } = await service().post('/v1/pdf/split', { pdf: base64(pagesPdf(1)) });
    const id = body.parts[0].file_id as string;
    const byId = await service().post('/v1/pdf/stamp', { pdf: id, overlay: id });
    expect([byId.status, byId.body.error]).toEqual([200, undefined]);
  });
});

describeWithPdfTools('options.watermark', () => {
  test('marks generated PDFs', async () => {
    const pdf = await generate({
      watermark: { text: 'ENTWURF', rotation: 0, fontSize: 60, color: '#ff0000' },
    });
    await qpdfCheck(pdf);
    expect(await pdfText(pdf)).toContain('ENTWURF');
    const image = await generate({ watermark: { image: picture(), layer: 'over', position: 'bottom' } });
    await qpdfCheck(image);
  });

  test('is rejected, and the error names the field', async () => {
    const rejection = async (options: object) =>
      rejectionOf(await service().post('/v1/generate', { html: 'x', options: { watermark: options } }));
    expect(await rejection({})).toStartWith('options.watermark.text: is required');
    expect(await rejection({ image: picture(), fontSize: 3 })).toBe(
      'options.watermark.fontSize: is only for text',
    );
    expect(await rejection({ text: 'x', font_size: 3 })).toStartWith('options.watermark.font_size: ');
    expect(await rejection({ text: 'x', pages: '2' })).toContain('options.watermark.pages');
    expect(await rejection({ overlay: 'AAAA' })).toContain('options.watermark.overlay');
  });

  test('can overlay a generation of the same account', async () => {
    const { body: letterhead } = await service().post('/v1/generate', { html: '<p>Letterhead' });
    const options = { watermark: { overlay: letterhead.id } };
    expect(await pdfText(await generate(options))).toContain('Letterhead');
    const preview = await service().post('/v1/templates/preview', {
      html_content: 'x',
      options,
      output: 'base64',
    });
    expect(await pdfText(Buffer.from(preview.body.data, 'base64'))).toContain('Letterhead');
    const other = await service().post('/v1/generate', { html: 'x', options }, await service().newKey());
    expect([other.status, other.body.error.message]).toEqual([
      404,
      `options.watermark.overlay: ${letterhead.id} not found`,
    ]);
    const items = [
      { html: 'x', options },
      { html: 'x', options: { watermark: { overlay: 'gen_unknown' } } },
    ];
    const batch = await completed(service(), await submit(service(), items));
    const errors = batch.generations.map(({ error }: { error?: string }) => error ?? null);
    expect(errors).toEqual([null, 'RENDER_FAILED: options.watermark.overlay: gen_unknown not found']);
  });

  test('is flattened in a PDF/A file', async () => {
    const pdf = await generate({ watermark: { text: 'DRAFT', rotation: 0 }, pdfa: true });
    expect(await pdfText(pdf)).toContain('DRAFT');
    if (requireVeraPdf())
      expect(await validateWithVeraPdf(new Map([['pdfa', pdf]]))).toEqual(new Map([['pdfa', []]]));
  }, 60_000);
});
