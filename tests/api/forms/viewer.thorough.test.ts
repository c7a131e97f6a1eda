import { expect, test } from 'bun:test';
import { PdfiumFile } from '../../forms/pdfium.ts';
import { readFieldsWithQpdf } from '../../forms/qpdf-fields.ts';
import { describeWithPdfTools, pdfText, qpdfCheck } from '../../support/pdf/pdf.ts';
import { PdfjsViewer } from '../../support/pdf/pdfjs-viewer.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { base64 } from '../../support/signatures/sign-client.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';

// Uses the added fields as a reader does, in pdf.js in Chromium and in pdfium, Chrome's PDF engine.
const service = sharedService();

const place = { page: 0, x: 20 };
const radio = { name: 'size', type: 'radio', page: 0, y: 10 };
const definitions = [
  { name: 'applicant.name', type: 'text', ...place, y: 160 },
  { name: 'notes', type: 'text', multiline: true, ...place, y: 90 },
  { name: 'agree', type: 'checkbox', ...place, y: 60 },
  { name: 'sent', type: 'checkbox', page: 0, x: 60, y: 60, defaultValue: true },
  { name: 'country', type: 'dropdown', ...place, y: 30, options: ['Chile', 'Japan', 'Österreich'] },
  { ...radio, x: 20, option: 'small', defaultValue: true },
  { ...radio, x: 60, option: 'größer' },
];

async function createBlankForm(): Promise<Buffer> {
  const { status, body } = await service().post('/v1/pdf/forms/add-fields', {
    pdf: base64(pagesPdf(1)),
    fields: definitions,
    output: 'base64',
  });
  expect([status, body.error]).toEqual([200, undefined]);
  return Buffer.from(body.data, 'base64');
}

/** Returns the values that qpdf and the service read from a file. */
async function valuesOf(pdf: Uint8Array): Promise<{ qpdf: object; listed: object }> {
  const fields = await readFieldsWithQpdf(pdf);
  const { body } = await service().post('/v1/pdf/forms/list-fields', { pdf: base64(pdf) });
  const entries: { name: string; value: unknown }[] = body.fields;
  return {
    qpdf: Object.fromEntries(fields.map(({ name, value }) => [name, value])),
    listed: Object.fromEntries(entries.map(({ name, value }) => [name, value])),
  };
}

describeWithPdfTools('added fields', () => {
  test('can be filled in pdf.js, and the saved file has the values', async () => {
    await using viewer = await PdfjsViewer.open(await createBlankForm());
    await viewer.control('applicant.name').click();
    await viewer.page.keyboard.type('Zoë Łuczak');
    await viewer.control('notes').click();
    await viewer.page.keyboard.type('one');
    await viewer.page.keyboard.press('Enter');
    await viewer.page.keyboard.type('two');
    await viewer.control('agree').check();
    await viewer.control('sent').uncheck();
    await viewer.control('country').selectOption('Österreich');
    await viewer.control('size').nth(1).check();
    expect(await viewer.control('size').nth(0).isChecked()).toBe(false);
    const saved = await viewer.save();
    await qpdfCheck(saved);
    const { qpdf, listed } = await valuesOf(saved);
    expect(qpdf).toEqual({
      'applicant.name': 'Zoë Łuczak',
      notes: 'one\ntwo',
      agree: true,
      sent: false,
      country: 'Österreich',
      size: 'größer',
    });
    expect(listed).toEqual(qpdf);
    expect(await pdfText(saved)).toContain('Österreich');
  }, 60_000);

  test('can be filled in pdfium, and the saved file has the values', async () => {
    using file = await PdfiumFile.open(await createBlankForm());
    file.typeAt(0, { x: 60, y: 170 }, 'Zoë');
    file.clickAt(0, { x: 27, y: 67 });
    file.clickAt(0, { x: 67, y: 67 });
    file.chooseAt(0, { x: 60, y: 40 }, 1);
    file.clickAt(0, { x: 67, y: 17 });
    const saved = file.save();
    await qpdfCheck(saved);
    expect((await valuesOf(saved)).listed).toEqual({
      'applicant.name': 'Zoë',
      notes: '',
      agree: true,
      sent: false,
      country: 'Japan',
      size: 'größer',
    });
    expect(await pdfText(saved)).toContain('Zoë');
  });
});
