import { describe, expect, test } from 'bun:test';
import french from '../../../starters/samples/e-invoice-fr.json' with { type: 'json' };
import { invoice } from '../../../packages/einvoice/tests/build-invoice.ts';
import { plainInvoice } from '../../../packages/einvoice/tests/plain-invoices.ts';
import { completed, statusesOf, submit } from '../../support/batch/batches.ts';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { OperationClient, rejectionOf } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { isThorough } from '../../support/suite.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../../support/pdf/verapdf.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';

const service = sharedService();
const client = new OperationClient(service, 'invoice');
const reader = new OperationClient(service, 'invoice/read');
const archiver = new OperationClient(service, 'pdfa');
const profile = 'en16931';
const data = invoice();
const template =
  '<h1>{{invoice.[ubl:Invoice].[cbc:ID]}}</h1><p>Due: {{invoice.[ubl:Invoice].[cac:LegalMonetaryTotal].[cbc:PayableAmount]}}</p>';

async function generate(options: object, body: object = { html: '<h1>Invoice</h1>' }) {
  return service().post('/v1/generate', { ...body, options, output: 'base64' });
}

const accessible = '<!doctype html><html lang="en"><title>Invoice</title><h1>Invoice</h1></html>';

async function generated(options: object, body?: object): Promise<Buffer> {
  const { status, body: answer } = await generate(options, body);
  expect([status, answer.error]).toEqual([200, undefined]);
  return Buffer.from(answer.data, 'base64');
}

describe('options.invoice', () => {
  test('makes an e-invoice whose printed totals are the computed ones', async () => {
    const pdf = await generated(
      { invoice: { profile } },
      { html: template, data: { invoice: data, extra: 1 } },
    );
    expect(await pdfText(pdf)).toContain('Due: 1785.00');
    expect(await reader.read(pdf)).toMatchObject({ found: true, valid: true, profile });
  });

  test('takes the data separately from the template, also in a batch', async () => {
    const options = { invoice: { profile: 'xrechnung', data } };
    expect(await reader.read(await generated(options))).toMatchObject({
      file_name: 'xrechnung.xml',
      valid: true,
    });
    const batch = await completed(service(), await submit(service(), [{ html: '<p>1</p>', options }]));
    expect(statusesOf(batch)).toEqual(['completed']);
  });

  test('takes a plain invoice, which templates get with its totals', async () => {
    const html =
      '<h1>{{invoice.number}}</h1><p>{{invoice.lines.[0].amount}}, due: {{invoice.totals.due}}</p>';
    const pdf = await generated({ invoice: { profile } }, { html, data: { invoice: plainInvoice() } });
    expect(await pdfText(pdf)).toContain('1500.00, due: 1785.00');
    expect(await reader.read(pdf)).toMatchObject({
      valid: true,
      data: { 'ubl:Invoice': { 'cbc:ID': 'R-2026-0042' } },
    });
    const apart = await generated({ invoice: { profile: 'xrechnung', data: plainInvoice() } });
    expect(await reader.read(apart)).toMatchObject({ file_name: 'xrechnung.xml', valid: true });
  });

  test('gives templates the completed invoice of the options, unless their data has an invoice', async () => {
    const html = '<p>{{name}} due: {{invoice.totals.due}} {{invoice.note}}</p>';
    const options = { invoice: { profile, data: plainInvoice() } };
    const printed = async (body: object) => pdfText(await generated(options, body));
    expect(await printed({ html, data: { name: 'Ann' } })).toContain('Ann due: 1785.00');
    expect(await printed({ html, data: { invoice: { note: 'own' } } })).toMatch(/due:\s+own/);
    const { body } = await service().post('/v1/templates', {
      name: 'Invoice of options',
      html_content: html,
    });
    expect(await printed({ template: body.id })).toContain('due: 1785.00');
    const react = 'export default ({ invoice }) => <p>due: {invoice?.totals?.due}</p>;';
    expect(await printed({ react })).toContain('due: 1785.00');
    // Data in the shape of UBL is only for the XML.
    const ofUbl = { html: '<p>{{#if invoice}}invoice{{else}}none{{/if}}</p>', data: { name: 'Ann' } };
    expect(await pdfText(await generated({ invoice: { profile, data } }, ofUbl))).toContain('none');
    expect(await printed({ html: '<p>{{invoice.totals.due}}</p>' })).toContain('{{invoice.totals.due}}');
  });

  test('names the field of a plain invoice', async () => {
    const lines = [{ name: 'Consulting', quantity: 1, unit: 'hour', vat: 19 }];
    const { status, body } = await generate(
      { invoice: { profile } },
      { html: template, data: { invoice: plainInvoice({ lines }) } },
    );
    expect([status, body.error.details]).toEqual([
      400,
      [
        {
          path: 'data.invoice.lines[0].price',
          code: 'BR-26',
          message: 'BR-26: Each line must have the net price of the item (BT-146)',
        },
      ],
    ]);
  });

  test.each(['German', 'French'])('prints the starter e-invoice with the %s sample', async (language) => {
    const {
      html_content: html,
      sample_data: german,
      options,
    } = (await service().get('/v1/starter-templates/e-invoice')).body;
    const sample = language === 'German' ? german : french;
    const pdf = await generated(options, { html, data: sample });
    expect(await pdfText(pdf)).toContain(language === 'German' ? '7.970,90' : 'Net à payer');
    expect(await reader.read(pdf)).toMatchObject({
      valid: true,
      data: { 'ubl:Invoice': { 'cbc:ID': sample.invoice.number } },
    });
  });

  test('names the rule and the path of each fault', async () => {
    const faulty = invoice({ 'cbc:DueDate': undefined });
    const detail = (path: string) => ({
      path: `${path}.ubl:Invoice.cbc:DueDate`,
      code: 'BR-CO-25',
      message: expect.stringContaining('BR-CO-25: '),
    });
    const apart = await generate({ invoice: { profile, data: faulty } });
    expect([apart.status, apart.body.error.details]).toEqual([400, [detail('options.invoice.data')]]);
    expect(apart.body.error.message).toContain('INVOICE_INVALID');
    const inside = await generate({ invoice: { profile } }, { html: template, data: { invoice: faulty } });
    expect([inside.status, inside.body.error.details]).toEqual([400, [detail('data.invoice')]]);
    const none = await generate({ invoice: { profile } });
    expect(rejectionOf(none)).toStartWith('data.invoice: FORMAT: ');
  });

  test('rejects options that exclude it, with an alternative', async () => {
    const rejection = async (options: object) =>
      rejectionOf(await generate({ invoice: { profile, data }, ...options }));
    for (const pdfa of [true, '1b', '2b', '3u'])
      expect(await rejection({ pdfa })).toStartWith(
        `options.pdfa: cannot be ${JSON.stringify(pdfa)} with invoice`,
      );
    expect(await rejection({ invoice: { profile, data, document: 'ubl' } })).toContain(
      'POST /v1/pdf/invoice',
    );
    const attachments = [{ name: 'factur-x.xml', data: '' }];
    expect(await rejection({ attachments })).toStartWith('options.attachments[0].name: ');
    expect(await rejection({ protect: { ownerPassword: 'x' } })).toStartWith('options.protect: ');
  });
});

describeWithPdfTools('an e-invoice', () => {
  test('that is also accessible keeps its claims', async () => {
    const { status, body } = await service().post('/v1/generate', {
      html: accessible,
      options: { invoice: { profile, data }, accessible: true },
    });
    expect([status, body.error]).toEqual([200, undefined]);
    const proof = (await service().get(`/v1/generations/${body.id}/proof`)).body;
    expect(
      proof.claims.map(({ standard, level }: { standard: string; level: string }) => `${standard} ${level}`),
    ).toEqual(['PDF/A 3b', 'Factur-X EN 16931', 'PDF/UA 1']);
    expect(proof.claims[1].rules).toContain('BR-CO-10');
  });

  test.if(isThorough && requireVeraPdf())(
    'of each profile and its conversions are accepted by veraPDF',
    async () => {
      const files = new Map<string, Uint8Array>();
      for (const name of ['minimum', 'basic_wl', 'basic', 'en16931', 'extended', 'xrechnung'])
        files.set(
          name,
          await generated({
            invoice: { profile: name, data },
            attachments: [{ name: 'a.csv', data: 'YQ==' }],
          }),
        );
      files.set(
        'accessible',
        await generated({ invoice: { profile, data }, accessible: true }, { html: accessible }),
      );
      const operation = await client.write(pagesPdf(1), { profile, data });
      files.set('operation', operation);
      files.set('archived', await archiver.write(operation, { level: '3b', title: 'Archived' }));
      expect([...(await validateWithVeraPdf(files, '3b')).values()].flat()).toEqual([]);
      const archived = await archiver.write(operation, { level: '3u', title: 'Archived' });
      const violations = await validateWithVeraPdf(new Map([['archived', archived]]), '3u');
      expect([...violations.values()].flat()).toEqual([]);
    },
  );
});
