import { expect, test } from 'bun:test';
import { formsClient } from '../../support/pdf/forms-client.ts';
import { OperationClient } from '../../support/pdf/pdf-operations.ts';
import {
  describeWithPdfTools,
  pdfText,
  perceivedDifference,
  qpdfCheck,
  rasterise,
} from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../../support/pdf/verapdf.ts';
import { countDarkPixels, FLAG, formPdf, widget } from '../../support/pdf/form-samples.ts';
import { plainPdf } from '../../support/pdf/samples.ts';

const service = sharedService();
const pdfa = new OperationClient(service, 'pdfa');
const { fill } = formsClient(service);

const utf16 = (text: string) => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`;
const long = 'These words take several lines, because the box is narrow, and none of them may be lost.';

/**
 * Fields that readers draw from their values, because the form sets `NeedAppearances` and has no appearances.
 */
const fields = [
  widget(`/FT/Tx/T(czech)/V${utf16('Žluťoučký kůň')}/Rect[20 740 300 760]`),
  widget(`/FT/Tx/T(chinese)/V${utf16('你好世界')}/Rect[20 710 300 730]`),
  widget(`/FT/Tx/T(signs)/V${utf16('salad ÷π')}/Rect[20 680 300 700]`),
  widget(`/FT/Tx/T(wrapped)/Ff ${FLAG.multiline}/V(${long})/DA(/Helv 10 Tf 0 g)/Rect[20 600 140 670]`),
  widget(`/FT/Tx/T(comb)/Ff ${FLAG.comb}/MaxLen 8/V(12345678)/DA(/Helv 10 Tf 0 g)/Rect[20 570 180 590]`),
  widget('/FT/Tx/T(right)/Q 2/V(Right)/DA(/Helv 10 Tf 0 g)/Rect[20 540 220 560]'),
  widget('/FT/Ch/T(list)/Opt[(Apple)(Pear)(Plum)]/V(Pear)/DA(/Helv 10 Tf 0 g)/Rect[20 480 120 530]'),
  widget('/FT/Btn/T(tick)/V/On/AS/On/MK<</CA(4)>>/Rect[20 440 40 460]'),
  widget('/FT/Btn/T(empty)/AS/Off/MK<</CA(4)/BC[0 0 0]>>/Rect[60 440 80 460]'),
  widget('/FT/Tx/T(frame)/MK<</BC[0 0 0]/BG[0.5 0.5 0.5]>>/Rect[100 440 200 460]'),
];
const form = formPdf(fields, { form: '/NeedAppearances true' });

describeWithPdfTools('POST /v1/pdf/pdfa with form fields', () => {
  test('draws every value as readers do', async () => {
    const converted = await pdfa.write(form, {});
    await qpdfCheck(converted);
    const text = await pdfText(converted);
    for (const value of ['Žluťoučký kůň', '你好世界', 'salad ÷π', 'Right', 'Apple', 'Pear', 'Plum'])
      expect(text).toContain(value);
    for (const word of long.split(' ')) expect(text).toContain(word);
    const [page] = await rasterise(converted, { dpi: 72 });
    for (let cell = 0; cell < 8; cell++)
      expect(countDarkPixels(page, [20 + 20 * cell, 570, 40 + 20 * cell, 590])).toBeGreaterThan(5);
    expect(countDarkPixels(page, [20, 540, 180, 560])).toBe(0);
    expect(countDarkPixels(page, [20, 440, 40, 460])).toBeGreaterThan(20);
    expect(countDarkPixels(page, [102, 442, 198, 458])).toBeGreaterThan(1000);
    if (requireVeraPdf())
      expect(await validateWithVeraPdf(new Map([['form', converted]]))).toEqual(new Map([['form', []]]));
  });

  test('makes a file that looks like the filled form', async () => {
    const unfilled = formPdf([...fields, widget('/FT/Tx/T(other)')], { form: '/NeedAppearances true' });
    const [converted, filled] = [await pdfa.write(unfilled, {}), await fill(unfilled, { other: ' ' })];
    const difference = perceivedDifference(await rasterise(converted), await rasterise(filled));
    expect(difference.changed).toBeLessThan(30);
  });

  test('draws missing appearances of a form without NeedAppearances', async () => {
    const converted = await pdfa.write(formPdf(fields), {});
    expect(await pdfText(converted)).toContain('Žluťoučký kůň');
  });

  test('converts a document without fields', async () => {
    const blank = plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<<>>>>',
    ]);
    expect((await pdfa.post(blank, {})).status).toBe(200);
  });
});
