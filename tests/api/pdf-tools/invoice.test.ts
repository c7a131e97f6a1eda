import { describe, expect, test } from 'bun:test';
import { invoice, line } from '../../../packages/einvoice/tests/build-invoice.ts';
import { base64, OperationClient, rejectionOf, runOn } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { hostilePdfs, pagesPdf, plainPdf, stream } from '../../support/pdf/samples.ts';

const service = sharedService();
const client = new OperationClient(service, 'invoice');
const reader = new OperationClient(service, 'invoice/read');
const archiver = new OperationClient(service, 'pdfa');
const profile = 'en16931';
const data = invoice();

describe('POST /v1/pdf/invoice', () => {
  test('embeds an invoice, which read returns', async () => {
    const made = await client.read(pagesPdf(2), { profile, data, output: 'base64' });
    const { claims, steps } = (await service().get(`/v1/files/${made.file_id}/proof`)).body;
    expect([claims, steps]).toMatchObject([
      [{ level: '3b' }, { standard: 'Factur-X', level: 'EN 16931' }],
      [{ do: 'invoice' }],
    ]);
    const pdf = Buffer.from(made.data, 'base64');
    const read = await reader.read(pdf);
    expect(read).toMatchObject({
      found: true,
      profile,
      file_name: 'factur-x.xml',
      valid: true,
      findings: [],
      data: { 'ubl:Invoice': { 'cac:LegalMonetaryTotal': { 'cbc:PayableAmount': '1785.00' } } },
    });
    expect(read.xml).toContain('<ram:DuePayableAmount>1785.00</ram:DuePayableAmount>');
    // The data that was read makes the same invoice.
    const again = await reader.read(await client.write(pdf, { profile, data: read.data }));
    expect(again.xml).toBe(read.xml);
  });

  test('names the rule and the path of each fault', async () => {
    const faulty = invoice({ 'cac:InvoiceLine': [line({ price: '-1' })], 'cbc:ID': undefined });
    const { status, body } = await client.post(pagesPdf(1), { profile, data: faulty });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.details).toEqual(
      expect.arrayContaining([
        {
          path: 'data.ubl:Invoice.cbc:ID',
          code: 'BR-02',
          message: 'BR-02: An invoice must have a number (BT-1)',
        },
        {
          path: 'data.ubl:Invoice.cac:InvoiceLine[0].cac:Price.cbc:PriceAmount',
          code: 'BR-27',
          message: 'BR-27: The net price of an item (BT-146) must not be negative',
        },
      ]),
    );
  });

  test('rounds the noise of binary fractions, and rejects texts with too many decimals', async () => {
    const priced = (price: unknown) =>
      invoice({ 'cac:InvoiceLine': [line({ more: { 'cac:Price': { 'cbc:PriceAmount': price } } })] });
    const post = (price: unknown) =>
      service().post('/v1/pdf/invoice', { profile, document: 'cii', data: priced(price) });
    const { body } = await post(0.1 + 0.2);
    expect(body.xml).toContain('<ram:ChargeAmount>0.3</ram:ChargeAmount>');
    expect(rejectionOf(await post(String(0.1 + 0.2)))).toBe(
      'data.ubl:Invoice.cac:InvoiceLine[0].cac:Price.cbc:PriceAmount: FORMAT: must have at most 10 decimals',
    );
  });

  test('computes the amounts of an exempt invoice, as the guide describes', async () => {
    const guide = await Bun.file(new URL('../../../docs/invoices.md', import.meta.url)).text();
    const blocks = [...guide.matchAll(/^```json\n([^`]*)^```/gm)].map(([, block = '']) => block);
    const exempt = blocks.filter((block) => block.includes('"exempt"'));
    expect(exempt.length).toBe(1);
    const example = JSON.parse(blocks[0] ?? '').data.invoice;
    const all = { ...example, ...JSON.parse(exempt[0] ?? '') };
    const pdf = await client.write(pagesPdf(1), { profile, data: all });
    const read = await reader.read(pdf);
    expect([read.valid, read.findings]).toEqual([true, []]);
    expect(read.data['ubl:Invoice']).toMatchObject({
      'cac:TaxTotal': [
        {
          'cac:TaxSubtotal': [
            { 'cac:TaxCategory': { 'cbc:TaxExemptionReason': expect.stringContaining('§ 19 UStG') } },
          ],
        },
      ],
      'cac:LegalMonetaryTotal': { 'cbc:PayableAmount': '1500.00' },
    });
  });

  test('rejects an amount that its currency cannot express', async () => {
    const yen = {
      'cbc:DocumentCurrencyCode': 'JPY',
      'cac:LegalMonetaryTotal': { 'cbc:PrepaidAmount': 100.5 },
    };
    const request = { profile, document: 'cii', data: invoice(yen) };
    expect(rejectionOf(await service().post('/v1/pdf/invoice', request))).toBe(
      'data.ubl:Invoice.cac:LegalMonetaryTotal.cbc:PrepaidAmount: FORMAT: must be a whole number, because JPY has no decimals',
    );
  });

  test('returns plain XML in both syntaxes', async () => {
    for (const [document, root] of [
      ['cii', '<rsm:CrossIndustryInvoice'],
      ['ubl', '<Invoice '],
    ] as const) {
      const { status, body } = await service().post('/v1/pdf/invoice', {
        profile: 'xrechnung',
        document,
        data,
      });
      expect([status, body.profile, body.document]).toEqual([200, 'xrechnung', document]);
      expect(body.xml).toContain(root);
      const request = { profile: 'xrechnung', document, data, output: 'binary' };
      const file = await service().send('/v1/pdf/invoice', request);
      expect(file.headers.get('content-type')).toBe('application/xml');
      expect(await file.text()).toBe(body.xml);
    }
  });

  test('rejects data whose XML would be many times as large', async () => {
    const many = Array.from({ length: 70 }, (_, index) =>
      line({ id: `${index}`, item: { 'cbc:Name': '&'.repeat(95_000) } }),
    );
    const request = { profile, document: 'ubl', data: invoice({ 'cac:InvoiceLine': many }) };
    expect(rejectionOf(await service().post('/v1/pdf/invoice', request))).toStartWith(
      'data: FORMAT: must make an XML file of at most 30000000 bytes',
    );
  });

  test('embeds a finished invoice as it is, after a check that can be left out', async () => {
    const { body } = await service().post('/v1/pdf/invoice', { profile, document: 'cii', data });
    const xml = `<!-- ours -->${body.xml.replace(/^<\?xml[^>]*\?>/, '')}`;
    const encoded = (text: string) => Buffer.from(text).toString('base64');
    const pdf = await client.write(pagesPdf(1), { profile, xml: encoded(xml) });
    expect(await reader.read(pdf)).toMatchObject({ found: true, profile, valid: true, xml });
    expect(await client.rejection(pagesPdf(1), { profile: 'basic', xml: encoded(xml) })).toBe(
      'xml: FORMAT: must have the specification identifier urn:cen.eu:en16931:2017#compliant#urn:factur-x.eu:1p0:basic',
    );
    expect(await client.rejection(pagesPdf(1), { profile, xml: encoded('<a/>') })).toStartWith(
      'xml: FORMAT: must be a Cross Industry Invoice',
    );
    const unchecked = await client.write(pagesPdf(1), {
      profile,
      xml: encoded('<a/>'),
      check: false,
      document_type: 'ORDER',
      version: '2.1',
    });
    expect(await reader.read(unchecked)).toMatchObject({ found: true, xml: '<a/>', valid: false });
    const metadata = runOn(unchecked, ['pdfinfo', '-meta', '{}']);
    expect(metadata).toContain('<fx:DocumentType>ORDER</fx:DocumentType>');
    expect(metadata).toContain('<fx:Version>2.1</fx:Version>');
  });

  test('rejects fields that exclude each other, with an alternative', async () => {
    const rejection = async (fields: object) =>
      rejectionOf(await service().post('/v1/pdf/invoice', { profile, data, ...fields }));
    const pdf = base64(pagesPdf(1));
    expect(await rejection({ pdf, xml: 'PGEvPg==' })).toBe('xml: cannot be combined with data');
    expect(await rejection({ pdf, check: false })).toBe('check: is only for xml');
    expect(await rejection({ pdf, data: undefined })).toBe('data: is required, or xml');
    expect(await rejection({ data: undefined, xml: 'PGEvPg==', document: 'cii' })).toBe(
      'document: is only for data: xml is embedded in a PDF',
    );
    expect(await rejection({})).toBe('pdf: is required, unless document is "cii" or "ubl" for plain XML');
    expect(await rejection({ pdf, document: 'cii' })).toStartWith(
      'document: "cii" is plain XML without a PDF. Leave out pdf',
    );
    expect(await rejection({ document: 'ubl', profile: 'basic' })).toContain(
      'Use the profile en16931 or xrechnung',
    );
    expect(await rejection({ document: 'cii', output: 'url' })).toStartWith('output: ');
    expect(await rejection({ document: 'cii', reference: 'x' })).toStartWith('reference: ');
    expect(await rejection({ pdf, profile: 'zugferd' })).toStartWith('profile: must be one of "minimum"');
    expect(await rejection({ pdf, data: 'x' })).toStartWith('data: ');
    expect(await rejection({ pdf, data: {} })).toBe(
      'data: FORMAT: must be an invoice: an object with number, date, seller, buyer and lines, or with the property "ubl:Invoice"',
    );
  });

  test('rejects files that are not PDFs', async () => {
    expect(await client.rejection('no PDF', { profile, data })).toStartWith('pdf: ');
    expect(await client.rejection(hostilePdfs.userPassword(), { profile, data })).toStartWith('pdf: ');
    expect(await reader.rejection('no PDF', {})).toStartWith('pdf: ');
  });

  test('finds no invoice in another PDF', async () => {
    expect(await reader.read(pagesPdf(1))).toEqual({
      found: false,
      profile: null,
      file_name: null,
      xml: null,
      data: null,
      valid: null,
      findings: [],
    });
  });

  test('lists the faults of invoices that other programs wrote', async () => {
    const pdf = await client.write(pagesPdf(1), { profile, data });
    const { xml } = await reader.read(pdf);
    const attachments = new OperationClient(service, 'attachments');
    const replaced = async (text: string) => {
      const bare = await attachments.write(pdf, { remove: ['factur-x.xml'] });
      const added = {
        name: 'factur-x.xml',
        data: Buffer.from(text).toString('base64'),
        mime_type: 'text/xml',
      };
      return reader.read(await attachments.write(bare, { add: [added] }));
    };
    expect(
      await replaced(xml.replace('<ram:DuePayableAmount>1785', '<ram:DuePayableAmount>1784')),
    ).toMatchObject({
      valid: false,
      findings: [{ rule: 'BR-CO-16', path: 'ubl:Invoice.cac:LegalMonetaryTotal.cbc:PayableAmount' }],
    });
    expect(await replaced('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>')).toMatchObject({
      found: true,
      valid: false,
      data: null,
      findings: [{ rule: 'FORMAT' }],
    });
  });

  test.each([
    [
      'XRechnung 2.3',
      (xml: string) =>
        xml.replace('urn:xeinkauf.de:kosit:xrechnung_3.0', 'urn:xoev-de:kosit:standard:xrechnung_2.3'),
    ],
    [
      'ZUGFeRD 1.0',
      () => '<rsm:CrossIndustryDocument xmlns:rsm="urn:ferd:CrossIndustryDocument:invoice:1p0"/>',
    ],
  ])('does not judge an invoice of %s', async (_, convert) => {
    const pdf = await client.write(pagesPdf(1), { profile: 'xrechnung', data });
    const { xml } = await reader.read(pdf);
    expect(convert(xml)).not.toBe(xml);
    const attachments = new OperationClient(service, 'attachments');
    const bare = await attachments.write(pdf, { remove: ['xrechnung.xml'] });
    const replaced = await attachments.write(bare, {
      add: [
        { name: 'xrechnung.xml', data: Buffer.from(convert(xml)).toString('base64'), mime_type: 'text/xml' },
      ],
    });
    expect(await reader.read(replaced)).toMatchObject({
      found: true,
      profile: null,
      valid: null,
      message: expect.stringContaining('cannot be checked'),
      findings: [],
    });
    const { results } = await new OperationClient(service, 'validate').read(replaced);
    expect(results).toContainEqual({
      profile: 'factur-x-xrechnung',
      valid: null,
      findings: [],
      message: expect.stringContaining('cannot be checked'),
    });
  });

  test('reports a damaged invoice', async () => {
    const pdf = plainPdf([
      '<</Type/Catalog/Pages 2 0 R/Names<</EmbeddedFiles<</Names[(factur-x.xml)4 0 R]>>>>>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
      '<</Type/Filespec/F(factur-x.xml)/EF<</F 5 0 R>>>>',
      stream('not deflated', '/Type/EmbeddedFile/Filter/FlateDecode'),
    ]);
    expect(await reader.read(pdf)).toMatchObject({
      found: true,
      data: null,
      valid: false,
      findings: [{ rule: 'FORMAT' }],
    });
    const repaired = await client.write(pdf, { profile, data });
    expect(await reader.read(repaired)).toMatchObject({ valid: true });
  });

  test('can be a step of a pipeline', async () => {
    const base = { pdfs: [pagesPdf(1), pagesPdf(1)].map(base64) };
    const steps = [{ do: 'merge' }, { do: 'invoice', profile, data }];
    const { status, body } = await service().post('/v1/pdf/pipeline', { ...base, steps, output: 'base64' });
    expect([status, body.steps]).toEqual([200, [{ do: 'merge' }, { do: 'invoice', profile }]]);
    expect(await reader.read(Buffer.from(body.data, 'base64'))).toMatchObject({ valid: true });
    const rejection = async (...all: object[]) =>
      rejectionOf(await service().post('/v1/pdf/pipeline', { pdf: base.pdfs[0], steps: all }));
    expect(await rejection(steps[1] ?? {}, { do: 'pdfa' })).toStartWith(
      'steps.1.do: pdfa cannot follow invoice',
    );
    expect(await rejection(steps[1] ?? {}, { do: 'watermark', text: 'x' })).toStartWith('steps.1.do: ');
    expect(await rejection({ do: 'invoice', profile, data: {} })).toStartWith('steps.0.data: FORMAT');
  });
});

describe('POST /v1/pdf/pdfa of an e-invoice', () => {
  test('keeps the invoice and its claim at 3u', async () => {
    const pdf = await client.write(pagesPdf(1), { profile, data });
    // Without new metadata, a conforming file is returned unchanged.
    const { status, body } = await archiver.post(pdf, { level: '3u', title: 'Archived', output: 'base64' });
    expect([status, body.level, body.invoice]).toEqual([200, '3u', 'kept']);
    const archived = Buffer.from(body.data, 'base64');
    expect(await reader.read(archived)).toMatchObject({ file_name: 'factur-x.xml', valid: true });
    const attachments = await new OperationClient(service, 'attachments').read(archived);
    expect(attachments.attachments).toMatchObject([{ name: 'factur-x.xml', relationship: 'alternative' }]);
    const { results } = await new OperationClient(service, 'validate').read(archived);
    const valid = (name: string) => ({ profile: name, valid: true, findings: [] });
    expect(results).toEqual([valid('pdfa-3u'), valid('factur-x-en16931')]);
    const proof = (await service().get(`/v1/files/${body.file_id}/proof`)).body;
    expect(proof.claims).toMatchObject([
      { standard: 'PDF/A', level: '3u' },
      { standard: 'Factur-X', level: 'EN 16931' },
    ]);
  });

  test('reports that other levels remove the invoice', async () => {
    const pdf = await client.write(pagesPdf(1), { profile, data });
    for (const level of ['1b', '2b']) {
      const { status, body } = await archiver.post(pdf, { level, output: 'base64' });
      expect([status, body.invoice]).toEqual([200, 'removed']);
      const archived = Buffer.from(body.data, 'base64');
      expect((await reader.read(archived)).found).toBe(false);
      const { claims } = await new OperationClient(service, 'validate').read(archived);
      expect(claims).toEqual([`pdfa-${level}`]);
    }
    expect(await archiver.read(pagesPdf(1), { level: '3b' })).not.toHaveProperty('invoice');
  });
});
