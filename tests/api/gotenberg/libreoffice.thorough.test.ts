import { describe, expect, test } from 'bun:test';
import { GotenbergClient, type GotenbergPart } from '../../support/gotenberg.ts';
import { runOn } from '../../support/pdf/pdf-operations.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
const client = new GotenbergClient(service, 'forms/libreoffice/');
const rejection = (parts: readonly GotenbergPart[]) => client.rejection('convert', parts);
const document: GotenbergPart = ['files', 'Hello', 'hello.txt'];

describe('the fields of /forms/libreoffice/convert', () => {
  const notBoolean = 'strconv.ParseBool: parsing "foo": invalid syntax';

  test.each([
    ['landscape', 'foo', notBoolean],
    ['exportFormFields', 'foo', notBoolean],
    ['singlePageSheets', 'foo', notBoolean],
    ['initialView', '5', 'value is not 0, 1 or 2'],
    ['initialPage', '-1', 'value is inferior to 1'],
    ['magnification', '9', 'value is not 0, 1, 2, 3 or 4'],
    ['zoom', '-1', 'value is inferior to 1'],
    ['pageLayout', '7', 'value is not 0, 1, 2 or 3'],
    ['openBookmarkLevels', '15', 'value is not -1 or between 1 and 10'],
    ['quality', '-1', 'value is inferior to 1'],
    ['quality', '101', 'value is superior to 100'],
    ['maxImageResolution', '10', 'value is not 75, 150, 300, 600 or 1200'],
    ['nativeWatermarkFontHeight', '-1', 'value is inferior to 0'],
    ['merge', 'foo', notBoolean],
    ['splitMode', 'foo', "wrong value, expected either 'intervals' or 'pages'"],
  ])('%s does not take %s', async (field, value, reason) => {
    expect(await rejection([document, [field, value]])).toBe(
      `400 Invalid form data: form field '${field}' is invalid (got '${value}', resulting to ${reason})`,
    );
  });

  test('need a file of a known type', async () => {
    const text = await rejection([['files', 'x', 'a.exe']]);
    expect(text).toStartWith(
      '400 Invalid form data: no form file found for extensions: [.123 .602 .abw .bib .bmp',
    );
    expect(text).toEndWith('.xlw .xml .xpm .zabw]');
  });

  test('exclude each other like those of the PDF routes', async () => {
    expect(await rejection([document, ['pdfa', 'PDF/A-1b'], ['userPassword', 'x']])).toBe(
      '400 Invalid form data: PDF/A format is incompatible with encryption',
    );
    expect(await rejection([document, ['stampSource', 'image']])).toBe(
      '400 Invalid form data: a stamp file is required for image or pdf source',
    );
    expect(await rejection([document, ['pdfa', 'foo']])).toBe(
      "400 The PDF format 'foo' is not supported. Valid formats include PDF/A-1b, PDF/A-2b, PDF/A-3b, and PDF/UA.",
    );
  });
});

describe('/forms/libreoffice/convert', () => {
  const made = (parts: readonly GotenbergPart[]) => client.made('convert', parts);
  const textOf = (pdf: Buffer) =>
    runOn(pdf, ['pdftotext', '{}', '-'])
      .split('\f')
      .map((page) => page.trim())
      .filter((page) => page !== '');
  const other: GotenbergPart = ['files', String.raw`{\rtf1 World\page Second}`, 'world.rtf'];

  test('converts a document', async () => {
    const [file] = await made([document, ['landscape', 'true']]);
    expect(file?.name).toBe('hello.txt.pdf');
    expect(textOf(file!.content)).toEqual(['Hello']);
    const [, width = 0, height = 0] =
      /Page size: +([\d.]+) x ([\d.]+)/.exec(runOn(file!.content, ['pdfinfo', '{}'])) ?? [];
    expect(Number(width)).toBeGreaterThan(Number(height));
  });

  test('converts several documents, merges them with PDFs, and splits the result', async () => {
    const each = await made([document, other]);
    expect(each.map(({ name }) => name)).toEqual(['hello.txt.pdf', 'world.rtf.pdf']);
    const pdf: GotenbergPart = ['files', pagesPdf(1), 'a.pdf'];
    const [merged] = await made([document, other, pdf, ['merge', 'true'], ['rotateAngle', '90']]);
    expect(textOf(merged!.content)).toEqual(['Page 1', 'Hello', 'World', 'Second']);
    const parts = await made([other, ['splitMode', 'intervals'], ['splitSpan', '1']]);
    expect(parts.map(({ name, content }) => [name, textOf(content).join()])).toEqual([
      ['world.rtf_0.pdf', 'World'],
      ['world.rtf_1.pdf', 'Second'],
    ]);
  });

  test('makes PDF/A and PDF/UA with metadata, and encrypts', async () => {
    const [file] = await made([
      other,
      ['pdfa', 'PDF/A-2b'],
      ['pdfua', 'true'],
      ['metadata', '{"Author":"Ada"}'],
    ]);
    const metadata = runOn(file!.content, ['pdfinfo', '-meta', '{}']);
    expect(metadata).toContain('<pdfaid:part>2</pdfaid:part>');
    expect(metadata).toContain('<pdfuaid:part>1</pdfuaid:part>');
    expect(runOn(file!.content, ['pdfinfo', '{}'])).toMatch(/Author: +Ada/);
    const { files } = await client.post('convert', [document, ['userPassword', 'x']]);
    expect(runOn(files[0]!.content, ['pdfinfo', '-upw', 'x', '{}'])).toMatch(/Encrypted: +yes/);
  });

  test('names the document and the field in its errors', async () => {
    expect(await rejection([document, ['nativePageRanges', 'foo']])).toBe(
      "400 LibreOffice could not apply the page ranges 'foo' to the document 'hello.txt'. Check the 'nativePageRanges' form field; valid values look like '1-4', '2' or '1,3,5-7'.",
    );
    expect(await rejection([document, ['password', 'x']])).toBe(
      "400 The document 'hello.txt' is not password-protected. Remove the 'password' form field.",
    );
    expect(await rejection([['files', 'PK\u0003\u0004', 'a.docx']])).toStartWith(
      "400 LibreOffice could not read the document 'a.docx'. Ensure the file is not corrupted and that its extension matches its actual format.",
    );
    expect(await rejection([['files', 'no PDF', 'a.pdf'], document])).toStartWith("400 The file 'a.pdf' ");
  });
});
