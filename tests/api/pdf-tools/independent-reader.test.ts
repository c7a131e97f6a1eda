import { describe, expect, test } from 'bun:test';
import { PDFCheckBox, PDFDocument, PDFTextField } from '@cantoo/pdf-lib';
import { invoice } from '../../../packages/einvoice/tests/build-invoice.ts';
import { describeWithPdfTools } from '../../support/pdf/pdf.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import { base64, boxOnPage } from '../../support/signatures/sign-client.ts';
import { formPdf, widget } from '../../support/pdf/form-samples.ts';
import { documentedOperations, OPERATION_REQUESTS, soundPdf } from '../../support/pdf/operation-requests.ts';
import { pagesPdf, withQpdf } from '../../support/pdf/samples.ts';

// pdf-lib shares no code with Platen and throws on objects that other readers repair or ignore.
const service = extendedService();

/**
 * The page counts of the results of operations that change the number of pages, in the order of their
 * requests.
 */
const otherCounts: Record<string, number[]> = { merge: [3], pages: [4, 1] };

/** The operations that return a PDF. */
const operations = documentedOperations()
  .filter(({ mediaTypes }) => mediaTypes.includes('application/pdf'))
  .map(({ name }) => name);

const html = (pages: number) =>
  `<title>Pages</title>${'<h1 style="break-after: page">Überschrift 日本</h1>'.repeat(pages - 1)}<p>The end</p>`;

const sound = base64(soundPdf);
const form = formPdf([widget('/FT/Tx/T(name)/V(Ada)')]);

/** Requests for PDFs: a name, the route, the body and the page counts of the PDFs in the response. */
const results: [kind: string, route: string, body: object, pages: number[]][] = [
  ['generate', '/v1/generate', { html: html(3) }, [3]],
  ['generate with data', '/v1/generate', { html: '<p>{{name}}</p>', data: { name: 'Ada' } }, [1]],
  [
    'generate with a header and a footer',
    '/v1/generate',
    { html: html(2), options: { header: '<b>Top</b>', footer: '<i>{{pageNumber}}</i>' } },
    [2],
  ],
  ['generate with PDF/A', '/v1/generate', { html: html(2), options: { pdfa: true } }, [2]],
  [
    'generate with PDF/UA',
    '/v1/generate',
    { html: `<html lang="en">${html(2)}`, options: { accessible: true } },
    [2],
  ],
  [
    'generate with a watermark',
    '/v1/generate',
    { html: html(2), options: { watermark: { text: 'Copy' } } },
    [2],
  ],
  [
    'generate with an invoice',
    '/v1/generate',
    { html: html(1), options: { invoice: { profile: 'en16931', data: invoice() } } },
    [1],
  ],
  ['merge', '/v1/pdf/merge', { pdfs: [pagesPdf(2), form, pagesPdf(3)].map(base64) }, [6]],
  [
    'split',
    '/v1/pdf/split',
    {
      pdf: base64(pagesPdf(5)),
      ranges: [
        [1, 2],
        [3, 5],
      ],
    },
    [2, 3],
  ],
  ['sign', '/v1/pdf/sign', { pdf: base64(pagesPdf(2)), name: 'Ada 王', ...boxOnPage }, [2]],
  [
    'add-fields',
    '/v1/pdf/forms/add-fields',
    { pdf: base64(pagesPdf(2)), fields: [{ name: 'agree', type: 'checkbox', page: 1, x: 20, y: 20 }] },
    [2],
  ],
  ['fill', '/v1/pdf/forms/fill', { pdf: base64(form), fields: [{ name: 'name', value: 'Ada 王' }] }, [1]],
  [
    'flatten',
    '/v1/pdf/forms/fill',
    { pdf: base64(form), fields: [{ name: 'name', value: 'Grace' }], flatten: true },
    [1],
  ],
  ['pdfa', '/v1/pdf/pdfa', { pdf: base64(pagesPdf(4)) }, [4]],
];

async function load(pdf: Uint8Array, password?: string): Promise<PDFDocument> {
  return PDFDocument.load(pdf, {
    throwOnInvalidObject: true,
    updateMetadata: false,
    ...(password && { password }),
  });
}

/** Sends a request and returns the PDFs of its response. */
async function make(route: string, body: object): Promise<Uint8Array[]> {
  const answer = await service().post(route, { ...body, output: 'base64' });
  expect([answer.status, answer.body.error]).toEqual([200, undefined]);
  const files: { data: string }[] = answer.body.parts ?? [answer.body];
  return files.map(({ data }) => Buffer.from(data, 'base64'));
}

describe('pdf-lib, an independent reader,', () => {
  test.each(results)('loads the result of %s', async (_, route, body, pages) => {
    const documents = await Promise.all((await make(route, body)).map((pdf) => load(pdf)));
    expect(documents.map((document) => document.getPageCount())).toEqual(pages);
  });

  test.each(operations)('loads the results of /v1/pdf/%s', async (name) => {
    let loaded = 0;
    for (const [index, request] of OPERATION_REQUESTS[name]?.entries() ?? []) {
      const body: { pdf?: string } = request(sound);
      const { status, body: result } = await service().post(`/v1/pdf/${name}`, body);
      expect([status, result.error]).toEqual([200, undefined]);
      // Some operations also return JSON, such as the list of attachments.
      if (!result.url) continue;
      const document = await load(await service().download(result.url), 'user');
      expect(document.getPageCount()).toBe(otherCounts[name]?.[index] ?? (body.pdf === sound ? 2 : 1));
      loaded += 1;
    }
    expect(loaded).toBeGreaterThan(0);
  });

  test('reads added fields and filled values', async () => {
    const [added] = await make('/v1/pdf/forms/add-fields', {
      pdf: base64(form),
      fields: [{ name: 'agree', type: 'checkbox', page: 0, x: 20, y: 200, defaultValue: true }],
    });
    if (!added) throw new Error('the response has no file');
    const [filled] = await make('/v1/pdf/forms/fill', {
      pdf: base64(added),
      fields: [{ name: 'name', value: 'Ada Lovelace' }],
    });
    if (!filled) throw new Error('the response has no file');
    const fields = (await load(filled)).getForm();
    expect(fields.getTextField('name')).toBeInstanceOf(PDFTextField);
    expect(fields.getTextField('name').getText()).toBe('Ada Lovelace');
    expect(fields.getCheckBox('agree')).toBeInstanceOf(PDFCheckBox);
    expect(fields.getCheckBox('agree').isChecked()).toBe(true);
  });

  test('finds no fields after flattening', async () => {
    const [flat] = await make('/v1/pdf/forms/fill', {
      pdf: base64(form),
      fields: [{ name: 'name', value: 'Ada' }],
      flatten: true,
    });
    if (!flat) throw new Error('the response has no file');
    expect((await load(flat)).getForm().getFields()).toEqual([]);
  });
});

describeWithPdfTools('pdf-lib loads results with object streams', () => {
  const compact = (pages: number) => base64(withQpdf(pagesPdf(pages), ['--object-streams=generate']));

  test.each<[route: string, body: () => object, pages: number[]]>([
    ['merge', () => ({ pdfs: [compact(2), compact(1)] }), [3]],
    ['split', () => ({ pdf: compact(2) }), [1, 1]],
    ['sign', () => ({ pdf: compact(2), name: 'Ada', ...boxOnPage }), [2]],
  ])('of %s', async (route, body, pages) => {
    const files = await make(`/v1/pdf/${route}`, body());
    for (const file of files) expect(Buffer.from(file).includes('/ObjStm')).toBe(true);
    const documents = await Promise.all(files.map((pdf) => load(pdf)));
    expect(documents.map((document) => document.getPageCount())).toEqual(pages);
  });
});
