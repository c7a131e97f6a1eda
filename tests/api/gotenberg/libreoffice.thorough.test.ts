import { describe, expect, test } from 'bun:test';
import { GotenbergClient, type GotenbergPart } from '../../support/gotenberg.ts';
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
    expect(await rejection([document, ['pdfa', 'foo']])).toStartWith(
      '400 The requested PDF format is not supported',
    );
  });
});
