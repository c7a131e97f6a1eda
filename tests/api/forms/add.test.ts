import { describe, expect, test } from 'bun:test';
import { readFieldsWithQpdf, type Rect } from '../../forms/qpdf-fields.ts';
import { addFieldsClient } from '../../support/pdf/forms-client.ts';
import { describeWithPdfTools, qpdfCheck, pdfText, rasterise } from '../../support/pdf/pdf.ts';
import { readQpdf, type QpdfDictionary } from '../../support/pdf/qpdf-objects.ts';
import { resultKeys } from '../../support/service/results.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { base64 } from '../../support/signatures/sign-client.ts';
import { formPdf, widget } from '../../support/pdf/form-samples.ts';
import { pagesPdf, plainPdf } from '../../support/pdf/samples.ts';
import { PdfiumFile } from '../../forms/pdfium.ts';
import { darkPixels } from '../../support/pdf/dark-pixels.ts';

const service = sharedService();

const { post, add, refusal } = addFieldsClient(service);

const at = { page: 0, x: 20, y: 20 };
const text = { name: 'name', type: 'text', ...at };

describeWithPdfTools('POST /v1/pdf/forms/add-fields', () => {
  test('adds fields of every type in an incremental update', async () => {
    const pdf = pagesPdf(2);
    const radio = { name: 'size', type: 'radio', page: 1, y: 50 };
    const filled = await add(
      pdf,
      text,
      { name: 'agree', type: 'checkbox', page: 1, x: 0, y: 0 },
      { name: 'sent', type: 'checkbox', page: 1, x: 20, y: 0, defaultValue: true },
      { name: 'country', type: 'dropdown', page: 1, x: 50, y: 0, options: ['Chile', '日本'] },
      { ...radio, x: 0, option: 'small' },
      { ...radio, x: 20, option: 'größer', defaultValue: true },
      { name: 'signature', type: 'signature', page: 1, x: 50, y: 100 },
    );
    await qpdfCheck(filled);
    expect(filled.subarray(0, pdf.length).toString('latin1')).toBe(pdf);
    const fields = await readFieldsWithQpdf(filled);
    expect(fields.map(({ name, type, value }) => [name, type, value])).toEqual([
      ['name', 'text', ''],
      ['agree', 'checkbox', false],
      ['sent', 'checkbox', true],
      ['country', 'dropdown', ''],
      ['size', 'radio', 'größer'],
      ['signature', 'signature', ''],
    ]);
    expect(fields.map(({ widgets }) => widgets.map(({ page, rect }) => [page, ...rect]))).toEqual([
      [[1, 20, 20, 220, 40]],
      [[2, 0, 0, 14, 14]],
      [[2, 20, 0, 34, 14]],
      [[2, 50, 0, 250, 20]],
      [
        [2, 0, 50, 14, 64],
        [2, 20, 50, 34, 64],
      ],
      [[2, 50, 100, 250, 160]],
    ]);
    expect(fields[3]?.options.map(({ value }) => value)).toEqual(['Chile', '日本']);
  });

  test('gives buttons an appearance for each state, and text fields a default appearance', async () => {
    const objects = await readQpdf(
      await add(
        pagesPdf(1),
        { ...text, font_size: 9, multiline: true, required: true, tooltip: 'Your name' },
        { name: 'agree', type: 'checkbox', ...at, defaultValue: true },
        { name: 'size', type: 'radio', ...at, option: 'S' },
      ),
    );
    const form = objects.dictionary(objects.catalog['/AcroForm']);
    const [first, checkbox, radio] = objects.list(form['/Fields']).map((field) => objects.dictionary(field));
    expect(first).toMatchObject({ '/Ff': 4098, '/DA': 'u:/Helv 9 Tf 0 g', '/TU': 'u:Your name', '/F': 4 });
    const fonts = objects.dictionary(objects.dictionary(form['/DR'])['/Font']);
    expect(objects.dictionary(fonts['/Helv'])).toMatchObject({
      '/BaseFont': '/Helvetica',
      '/Encoding': '/WinAnsiEncoding',
    });
    expect(objects.dictionary(fonts['/ZaDb'])['/BaseFont']).toBe('/ZapfDingbats');
    expect(checkbox).toMatchObject({ '/V': '/Yes', '/DV': '/Yes', '/AS': '/Yes' });
    const states = (owner: QpdfDictionary = {}) =>
      Object.keys(objects.dictionary(objects.dictionary(owner['/AP'])['/N']));
    expect(states(checkbox)).toEqual(expect.arrayContaining(['/Yes', '/Off']));
    const [button] = objects.list(radio?.['/Kids']).map((kid) => objects.dictionary(kid));
    expect([button?.['/AS'], radio?.['/V']]).toEqual(['/Off', '/Off']);
    expect(states(button)).toEqual(expect.arrayContaining(['/S', '/Off']));
  });

  test.each([0, 90, 180, 270])('places fields on a page rotated by %d', async (rotation) => {
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      `<</Type/Pages/Kids[3 0 R]/Count 1/Rotate ${rotation}>>`,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 500 400]/CropBox[50 30 350 230]/UserUnit 2/Resources<<>>>>',
    ]);
    const place = { x: 30, y: 40, width: 100, height: 20 };
    const filled = await add(pdf, { ...text, ...place });
    await qpdfCheck(filled);
    const listed = await service().post('/v1/pdf/forms/list-fields', { pdf: base64(filled) });
    expect(listed.body.fields[0].rect).toEqual(place);
    const [field] = await readFieldsWithQpdf(filled);
    const height = rotation % 180 === 0 ? 400 : 600;
    // A unit of the page is two points.
    const inUnits = [30, height - 60, 130, height - 40].map((points) => points / 2);
    expect(field?.widgets[0]?.shown).toEqual(inUnits as Rect);
    const objects = await readQpdf(filled);
    const [annotation] = objects.list(objects.pages[0]?.['/Annots']).map((each) => objects.dictionary(each));
    expect(objects.dictionary(annotation?.['/MK'])['/R'] ?? 0).toBe(rotation);
  });

  test('returns a link with output url', async () => {
    const { status, body } = await post(pagesPdf(1), [text], { output: 'url' });
    expect([status, Object.keys(body).sort()]).toEqual([200, resultKeys('url')]);
    const file = await (await fetch(body.url)).bytes();
    expect(file.length).toBe(body.file_size);
    expect((await readFieldsWithQpdf(file)).map(({ name }) => name)).toEqual(['name']);
  });
});

describeWithPdfTools('names with dots', () => {
  const existing = formPdf([
    '<</T(address)/Kids[7 0 R]>>',
    `<</T(city)/Parent 6 0 R/FT/Tx${widget('').slice(2)}`,
    widget('/FT/Tx/T(name)'),
  ]).replace('/Fields[6 0 R 7 0 R 8 0 R]', '/Fields[6 0 R 8 0 R]      ');
  const names = async (pdf: Uint8Array) => (await readFieldsWithQpdf(pdf)).map(({ name }) => name);

  test('create a field tree or extend an existing one', async () => {
    expect(await names(Buffer.from(existing, 'latin1'))).toEqual(['address.city', 'name']);
    const filled = await add(
      existing,
      { ...text, name: 'address.street.line 1' },
      { ...text, name: 'address.street.line 2' },
      { ...text, name: 'address.zip' },
      { ...text, name: 'größe.東京' },
    );
    await qpdfCheck(filled);
    expect((await names(filled)).sort()).toEqual(
      [
        'address.city',
        'address.street.line 1',
        'address.street.line 2',
        'address.zip',
        'größe.東京',
        'name',
      ].sort(),
    );
    const objects = await readQpdf(filled);
    expect(objects.list(objects.dictionary(objects.catalog['/AcroForm'])['/Fields'])).toHaveLength(3);
  });

  test.each([
    ['name', '"name" is already the name of a field'],
    ['address', '"address" is the name of a group of fields'],
    ['address.city', '"address.city" is already the name of a field'],
    ['name.first', '"name" is the name of a field, which cannot contain other fields'],
    ['', 'fields[0].name'],
    ['a..b', 'must consist of non-blank names separated by single dots'],
    ['.a', 'must consist of non-blank names separated by single dots'],
    [' ', 'must consist of non-blank names separated by single dots'],
    ['a\nb', 'must be text without control characters'],
    ['\ud800', 'must be text without control characters'],
  ])('%j is rejected', async (name, says) => {
    const message = await refusal(existing, { ...text, name });
    expect(message).toStartWith('fields[0].name');
    expect(message).toContain(says);
  });

  test('must be unique, except for radio buttons', async () => {
    const twice = await refusal(pagesPdf(1), text, { ...text, type: 'checkbox' });
    expect(twice).toStartWith('fields[1].name: "name" occurs twice');
    const below = await refusal(pagesPdf(1), text, { ...text, name: 'name.first' });
    expect(below).toStartWith('fields[1].name: "name" is the name of a field');
    const radio = { ...text, type: 'radio', option: 'a' };
    expect(await refusal(pagesPdf(1), radio, radio)).toStartWith('fields[1].option: "a" occurs twice');
  });
});

describe('an invalid field is rejected:', () => {
  const dropdown = { ...text, type: 'dropdown', options: ['a', 'b'] };
  const radio = { ...text, type: 'radio', option: 'a' };
  test.each([
    ['fields[0].page', { ...text, page: 1 }],
    ['fields[0].page', { ...text, page: -1 }],
    ['fields[0].page', { ...text, page: '0' }],
    ['fields[0].x', { ...text, x: 300 }],
    ['fields[0].x', { ...text, x: -1 }],
    ['fields[0].y', { ...text, y: 200 }],
    ['fields[0].width', { ...text, x: 200 }],
    ['fields[0].height', { ...text, height: 181 }],
    ['fields[0].height', { ...text, height: 0 }],
    ['fields[0].type', { ...text, type: 'button' }],
    ['fields[0].options', { ...dropdown, options: [] }],
    ['fields[0].options', { ...dropdown, options: undefined }],
    ['fields[0].options[1]', { ...dropdown, options: ['a', 'a'] }],
    ['fields[0].options', { ...text, options: ['a'] }],
    ['fields[0].defaultValue', { ...dropdown, defaultValue: 'c' }],
    ['fields[0].defaultValue', { ...dropdown, defaultValue: true }],
    ['fields[0].defaultValue', { ...text, defaultValue: true }],
    ['fields[0].defaultValue', { ...text, defaultValue: 'two\nlines' }],
    ['fields[0].defaultValue', { ...text, type: 'checkbox', defaultValue: 'Yes' }],
    ['fields[0].defaultValue', { ...radio, defaultValue: 'b' }],
    ['fields[0].defaultValue', { ...text, type: 'signature', defaultValue: 'Ada' }],
    ['fields[0].option', { ...radio, option: undefined }],
    ['fields[0].option', { ...radio, option: 'Off' }],
    ['fields[0].option', { ...radio, option: ' ' }],
    ['fields[0].multiline', { ...dropdown, multiline: true }],
    ['fields[0].font_size', { ...radio, font_size: 10 }],
    ['fields[0].tooltip', { ...text, tooltip: 'a\u0000b' }],
    ['fields[0].color', { ...text, color: 'red' }],
  ])('%s of %j', async (field, definition) => {
    expect(await refusal(pagesPdf(1), definition)).toStartWith(field);
  });

  test('an empty list, and a list of 1,001 fields', async () => {
    expect(await refusal(pagesPdf(1))).toStartWith('fields: ');
    expect(await refusal(pagesPdf(1), ...Array.from({ length: 1001 }, () => text))).toStartWith('fields: ');
  });
});

const DPI = 144;

describeWithPdfTools('a default value', () => {
  const place = { page: 0, x: 20, width: 200 };
  const textField = { type: 'text', ...place };

  test('is the current value, the value after a reset, and visible in any writing system', async () => {
    const options = ['Chile', 'Österreich', '日本国'];
    const pdf = await add(
      pagesPdf(1),
      { ...textField, name: 'latin', y: 5, defaultValue: 'Größe 42' },
      { ...textField, name: 'chinese', y: 30, defaultValue: '王小明 Ada' },
      { ...textField, name: 'lines', y: 125, height: 50, multiline: true, defaultValue: 'one\r\ntwo' },
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
    const pdfiumTexts = file.textInside(fields.flatMap(({ widgets }) => widgets));
    const poppler = await pdfText(pdf);
    for (const [index, value] of Object.values(expected).entries()) {
      // pdfium assigns some Chinese characters to no box.
      const pdfiumText = pdfiumTexts[index]?.replaceAll(/\s+/g, ' ').trim();
      if (!/\p{Script=Han}/u.test(value)) expect(pdfiumText).toBe(value.replaceAll('\n', ' '));
      for (const line of value.split('\n')) expect(poppler).toContain(line);
    }
  });

  test('of a checkbox or radio button is visible, and the other buttons are empty', async () => {
    const button = { page: 0, width: 20, height: 20 };
    const pdf = await add(
      pagesPdf(1),
      { ...button, name: 'on', type: 'checkbox', x: 20, y: 20, defaultValue: true },
      { ...button, name: 'off', type: 'checkbox', x: 60, y: 20, defaultValue: false },
      { ...button, name: 'size', type: 'radio', option: 'S', x: 20, y: 60 },
      { ...button, name: 'size', type: 'radio', option: 'L', x: 60, y: 60, defaultValue: 'L' },
    );
    using file = await PdfiumFile.open(pdf);
    const images = [...(await rasterise(pdf, { dpi: DPI })), ...file.draw({ dpi: DPI })];
    expect(images).toHaveLength(2);
    for (const image of images) {
      // The inner half of each button, which contains only its mark.
      const markPixels = ([x, y]: readonly [number, number]) =>
        darkPixels(image, { x: (x + 5) * 2, y: (200 - y - 15) * 2, width: 20, height: 20 }).count;
      expect(markPixels([20, 20])).toBeGreaterThan(20);
      expect(markPixels([60, 60])).toBeGreaterThan(20);
      expect([markPixels([60, 20]), markPixels([20, 60])]).toEqual([0, 0]);
    }
  });
});
