import { expect, test } from 'bun:test';
import { PdfiumFile } from '../forms/pdfium.ts';
import { readFieldsWithQpdf } from '../forms/qpdf-fields.ts';
import { darkPixels } from '../support/dark-pixels.ts';
import { describeWithPdfTools, pdfText, qpdfCheck, rasterise } from '../support/pdf.ts';
import { readQpdf } from '../support/qpdf-objects.ts';
import { sharedService } from '../support/shared-service.ts';
import { base64 } from '../support/sign-client.ts';
import { pagesPdf } from './pdf-samples.ts';

const service = sharedService();
const DPI = 144;

async function add(...fields: object[]): Promise<Buffer> {
  const { status, body } = await service().post('/v1/pdf/forms/add-fields', {
    pdf: base64(pagesPdf(1)),
    fields,
    output: 'base64',
  });
  expect([status, body.error]).toEqual([200, undefined]);
  return Buffer.from(body.data, 'base64');
}

describeWithPdfTools('a default value', () => {
  const place = { page: 0, x: 20, width: 200 };
  const text = { type: 'text', ...place };

  test('is the value, what a reset brings back, and seen, in any script', async () => {
    const options = ['Chile', 'Österreich', '日本国'];
    const pdf = await add(
      { ...text, name: 'latin', y: 5, defaultValue: 'Größe 42' },
      { ...text, name: 'chinese', y: 30, defaultValue: '王小明 Ada' },
      { ...text, name: 'lines', y: 125, height: 50, multiline: true, defaultValue: 'one\r\ntwo' },
      { ...place, name: 'country', type: 'dropdown', y: 55, options, defaultValue: '日本国' },
      { ...place, name: 'home', type: 'dropdown', y: 180, options, defaultValue: 'Österreich' },
    );
    await qpdfCheck(pdf);
    const fields = await readFieldsWithQpdf(pdf);
    const expected = {
      latin: 'Größe 42',
      chinese: '王小明 Ada',
      lines: 'one\ntwo',
      country: '日本国',
      home: 'Österreich',
    };
    expect(Object.fromEntries(fields.map(({ name, value }) => [name, value]))).toEqual(expected);
    const objects = await readQpdf(pdf);
    const form = objects.dictionary(objects.catalog['/AcroForm']);
    for (const field of objects.list(form['/Fields']).map((each) => objects.dictionary(each)))
      expect(field['/DV']).toBe(field['/V'] ?? '');
    using file = await PdfiumFile.open(pdf);
    const seen = file.textInside(fields.flatMap(({ widgets }) => widgets));
    const poppler = await pdfText(pdf);
    for (const [index, value] of Object.values(expected).entries()) {
      // Of Chinese, pdfium counts some characters to no box.
      const own = seen[index]?.replaceAll(/\s+/g, ' ').trim();
      if (!/\p{Script=Han}/u.test(value)) expect(own).toBe(value.replaceAll('\n', ' '));
      for (const line of value.split('\n')) expect(poppler).toContain(line);
    }
  }, 30_000);

  test('of a checkbox or radio button is drawn, and the others are empty boxes', async () => {
    const button = { page: 0, width: 20, height: 20 };
    const pdf = await add(
      { ...button, name: 'on', type: 'checkbox', x: 20, y: 20, defaultValue: true },
      { ...button, name: 'off', type: 'checkbox', x: 60, y: 20, defaultValue: false },
      { ...button, name: 'size', type: 'radio', option: 'S', x: 20, y: 60 },
      { ...button, name: 'size', type: 'radio', option: 'L', x: 60, y: 60, defaultValue: 'L' },
    );
    using file = await PdfiumFile.open(pdf);
    const pictures = [...(await rasterise(pdf, { dpi: DPI })), ...file.draw({ dpi: DPI })];
    expect(pictures).toHaveLength(2);
    for (const picture of pictures) {
      // The inner half of each button, where only its sign can be.
      const ink = ([x, y]: readonly [number, number]) =>
        darkPixels(picture, { x: (x + 5) * 2, y: (200 - y - 15) * 2, width: 20, height: 20 }).count;
      expect(ink([20, 20])).toBeGreaterThan(20);
      expect(ink([60, 60])).toBeGreaterThan(20);
      expect([ink([60, 20]), ink([20, 60])]).toEqual([0, 0]);
    }
  });
});
