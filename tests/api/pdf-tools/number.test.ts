import { expect, test } from 'bun:test';
import { darkBoundsOfPage } from '../../support/pdf/dark-bounds.ts';
import { base64, OperationClient, runOn } from '../../support/pdf/pdf-operations.ts';
import { describeWithPdfTools, pdfFonts, pdfStructure, pdfText, qpdfCheck } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../../support/pdf/verapdf.ts';
import { hostilePdfs, pagesPdf, plainPdf } from '../../support/pdf/samples.ts';
import { casesOfSuite } from '../../support/suite.ts';
import { isThorough } from '../../support/suite.ts';

const service = sharedService();
const number = new OperationClient(service, 'number');

const blank = (pages: number, entries = '') =>
  plainPdf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${Array.from({ length: pages }, (_, index) => `${3 + index} 0 R`).join(' ')}]/Count ${pages}/MediaBox[0 0 300 200]>>`,
    ...Array.from({ length: pages }, () => `<</Type/Page/Parent 2 0 R/Resources<<>>${entries}>>`),
  ]);

/** Returns the text of each page. */
async function textsOf(pdf: Uint8Array): Promise<string[]> {
  const pages = (await pdfText(pdf)).split('\f').slice(0, -1);
  return pages.map((text) => text.trim().replaceAll(/\s+/g, ' '));
}

describeWithPdfTools('POST /v1/pdf/number', () => {
  test('writes the number of each page and the number of pages', async () => {
    const pdf = await number.write(blank(12), {});
    await qpdfCheck(pdf);
    const texts = await textsOf(pdf);
    expect(texts.slice(0, 2)).toEqual(['1 / 12', '2 / 12']);
    expect(texts[11]).toBe('12 / 12');
    const { left, width, bottom } = await darkBoundsOfPage(pdf);
    expect(left + width / 2).toBeGreaterThan(147);
    expect(left + width / 2).toBeLessThan(153);
    expect(bottom).toBeGreaterThan(22);
    expect(bottom).toBeLessThan(32);
  });

  test('counts the selected pages from start', async () => {
    const format = 'Page {{pageNumber}} of {{totalPages}}';
    const selected = await textsOf(await number.write(blank(4), { format, pages: '2-' }));
    expect(selected).toEqual(['', 'Page 2 of 4', 'Page 3 of 4', 'Page 4 of 4']);
    const started = await textsOf(await number.write(blank(4), { format, pages: '2-', start: 1 }));
    expect(started).toEqual(['', 'Page 1 of 3', 'Page 2 of 3', 'Page 3 of 3']);
    const later = await textsOf(await number.write(blank(2), { format, start: 99 }));
    expect(later).toEqual(['Page 99 of 100', 'Page 100 of 100']);
  });

  test('writes Bates numbers', async () => {
    const bates = { prefix: 'ACME-', digits: 7, start: 998 };
    expect(await textsOf(await number.write(blank(3), { bates }))).toEqual([
      'ACME-0000998',
      'ACME-0000999',
      'ACME-0001000',
    ]);
    const both = await number.write(blank(2), { bates: {}, format: '{{bates}} ({{pageNumber}})' });
    expect(await textsOf(both)).toEqual(['000001 (1)', '000002 (2)']);
  });

  test('writes numbers in any writing system, with embedded fonts', async () => {
    const chinese = await number.write(blank(11), { format: '第 {{pageNumber}} 页，共 {{totalPages}} 页' });
    expect((await textsOf(chinese))[10]).toBe('第 11 页，共 11 页');
    const fonts = await pdfFonts(chinese);
    expect(fonts.length).toBeGreaterThan(0);
    expect(fonts.filter(({ isEmbedded }) => !isEmbedded)).toEqual([]);
    // In a right-to-left writing system, the second number is to the left of the first.
    const arabic = await number.write(blank(12), {
      format: 'صفحة {{pageNumber}} من {{totalPages}}',
      pages: '3',
    });
    const boxes = runOn(arabic, ['pdftotext', '-bbox', '{}', '-']);
    const words = [...boxes.matchAll(/xMin="([\d.]+)"[^>]*>([^<]+)</g)];
    const fromLeft = words.toSorted(([, a], [, b]) => Number(a) - Number(b)).map(([, , word]) => word);
    expect([fromLeft.length, fromLeft[0], fromLeft[2]]).toEqual([4, '12', '3']);
  });

  test.each(casesOfSuite([90, 0, 180, 270], 8))(
    'writes upright text in its place on a page rotated by %d',
    async (rotate) => {
      const pdf = await number.write(blank(1, `/Rotate ${rotate}`), {
        format: '{{pageNumber}}{{pageNumber}}{{pageNumber}}',
        position: { x: 30, y: 50 },
        font_size: 20,
        color: '#000',
      });
      const { left, bottom, width, height } = await darkBoundsOfPage(pdf);
      expect(left).toBeGreaterThanOrEqual(30);
      expect(left).toBeLessThan(36);
      expect(bottom).toBeGreaterThan(50);
      expect(bottom).toBeLessThan(62);
      expect(width).toBeGreaterThan(height);
    },
  );

  test('leaves structure tags as they are and keeps the claim of PDF/A', async () => {
    const source = await service().pdf({
      html: '<html lang="en"><title>Report</title><h1>Heading</h1><p>Text</p>',
      options: { pdfa: true },
    });
    const numbered = await number.write(source, { format: 'Page {{pageNumber}} – 第' });
    expect(runOn(numbered, ['pdfinfo', '-meta', '{}'])).toContain('pdfaid:part');
    expect(await pdfStructure(numbered)).toEqual(await pdfStructure(source));
    if (requireVeraPdf())
      expect(await validateWithVeraPdf(new Map([['numbered', numbered]]))).toEqual(
        new Map([['numbered', []]]),
      );
    const invalid = pagesPdf(1).replace('/Catalog', '/Catalog/Metadata 99 0 R');
    expect((await number.post(invalid, {})).status).toBe(200);
  });

  test('removes a claim of PDF/A-1 that does not hold', async () => {
    const source = Buffer.from(await service().pdf({ html: 'x', options: { pdfa: true } }));
    const broken = Buffer.from(
      source.toString('latin1').replace('/OutputIntents', '/OutputIntentz'),
      'latin1',
    );
    const numbered = await number.write(broken, {});
    expect(runOn(numbered, ['pdfinfo', '-meta', '{}'])).not.toContain('pdfaid:part');
  });

  test('numbers encrypted files, and files by id', async () => {
    const encrypted = await number.write(hostilePdfs.ownerPassword(), {});
    expect(runOn(encrypted, ['pdfinfo', '{}'])).toMatch(/Encrypted:\s+yes/);
    const { body } = await service().post('/v1/files', { file: base64(blank(2)) });
    expect((await service().post('/v1/pdf/number', { pdf: body.id })).status).toBe(200);
  });

  test.if(isThorough)(
    'adds at most 800 bytes for each page of a large document',
    async () => {
      const source = pagesPdf(2_000);
      const numbered = await number.write(source, {});
      expect((await textsOf(numbered))[1_999]).toContain('2000 / 2000');
      expect(numbered.length).toBeLessThan(source.length + 2_000 * 800);
    },
    60_000,
  );

  test('rejects contradictory requests and names the field', async () => {
    const rejection = (fields: object) => number.rejection(blank(3), fields);
    expect(await rejection({ format: 'Page' })).toStartWith('format: must contain {{pageNumber}}');
    expect(await rejection({ format: '{{page}}' })).toStartWith(
      'format: has the unknown placeholder {{page}}',
    );
    expect(await rejection({ format: '{{bates}}' })).toStartWith('bates: is required');
    expect(await rejection({ format: '{{pageNumber}}', bates: {} })).toStartWith(
      'format: must contain {{bates}}',
    );
    expect(await rejection({ format: '{{pageNumber}}\n' })).toStartWith('format: must not contain control');
    expect(await rejection({ bates: { prefix: 'A\u0000' } })).toStartWith('bates.prefix: must not contain');
    expect(await rejection({ bates: { digits: 99 } })).toStartWith('bates.digits: ');
    expect(await rejection({ start: -1 })).toStartWith('start: ');
    expect(await rejection({ start: 1.5 })).toStartWith('start: ');
    expect(await rejection({ pages: '4' })).toBe('pages: names page 4: the PDF has 3 pages');
    expect(await rejection({ pages: 'all' })).toStartWith('pages: must be pages');
    expect(await rejection({ position: 'middle' })).toStartWith('position: ');
    expect(await rejection({ format: '{{pageNumber}}'.repeat(50) })).toStartWith('format: ');
  });
});
