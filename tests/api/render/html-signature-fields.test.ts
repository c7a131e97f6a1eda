import { beforeAll, expect, test } from 'bun:test';
import { checkPdfua } from '@platen/pdf-standards';
import { PdfDocument, readPages } from '@platen/pdf';
import { asDict } from '@platen/pdf/objects';
import { validateSignatures, storeCertificate } from '../../support/signatures/certificates.ts';
import { describeWithPdfTools, pdfText, qpdfCheck } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();
let certificate = '';
beforeAll(async () => {
  certificate = await storeCertificate(service(), 'rsa.p12');
});

const generate = (html: string, options: object = {}) =>
  service().post('/v1/generate', { html, options: { margin: '0', ...options }, output: 'base64' });
const fieldsOf = async (pdf: string) =>
  (await service().post('/v1/pdf/forms/list-fields', { pdf })).body.fields;
const valid = { signer: 'Ada Lovelace', valid: true, coversFile: true };

const contract = `<style>body { margin: 0 } input { width: 200px; height: 60px }</style>
  <p>Buyer: <input type="signature" name="buyer"> thanks</p>
  <div style="break-before: page; padding: 72px 0 0 144px">
    <INPUT TYPE=signature name="Verkäufer" style="display: block; width: 50%; height: 100px"></div>`;

describeWithPdfTools('<input type="signature" name="…">', () => {
  test('becomes an empty signature field in the same place', async () => {
    const { status, body } = await generate(contract);
    expect([status, body.error]).toEqual([200, undefined]);
    const [buyer, seller, ...others] = await fieldsOf(body.data);
    expect(others).toEqual([]);
    expect([buyer.name, buyer.type, buyer.page]).toEqual(['buyer', 'signature', 0]);
    expect([seller.name, seller.type, seller.page]).toEqual(['Verkäufer', 'signature', 1]);
    const pdf = Buffer.from(body.data, 'base64');
    await qpdfCheck(pdf);
    expect(await pdfText(pdf)).toContain('Buyer:');
    expect(pdf.toString('latin1')).not.toContain('signature.platen.invalid');
    const boxes = [...pdf.toString('latin1').matchAll(/\/Rect \[([^\]]+)\]/g)].map(([, box = '']) =>
      box.split(' ').map((side) => Math.round(Number(side))),
    );
    const sizes = boxes.map(([left = 0, bottom = 0, right = 0, top = 0]) => [right - left, top - bottom]);
    // The first is 200 x 60 pixels. The second is 100 pixels high; its width depends on the paper.
    expect(sizes[0]).toEqual([150, 45]);
    expect(sizes[1]?.[1]).toBe(75);
    expect(boxes[1]?.[0]).toBe(108);
  });

  test('can be signed by its name, with options.signature or later', async () => {
    const first = await generate(contract, { signature: { certificate, field: 'buyer' } });
    expect([first.status, first.body.error]).toEqual([200, undefined]);
    expect(await validateSignatures(Buffer.from(first.body.data, 'base64'))).toMatchObject([valid]);
    const second = await service().post('/v1/pdf/sign', {
      pdf: first.body.data,
      certificate,
      field: 'Verkäufer',
      output: 'base64',
    });
    expect([second.status, second.body.field]).toEqual([200, 'Verkäufer']);
    const validated = await validateSignatures(Buffer.from(second.body.data, 'base64'));
    expect(validated.map((each) => each.valid)).toEqual([true, true]);
    expect(await fieldsOf(second.body.data)).toHaveLength(2);
  });

  test('keeps PDF/A', async () => {
    const { status, body } = await generate(contract, { pdfa: '2b' });
    expect([status, body.error]).toEqual([200, undefined]);
    expect(await fieldsOf(body.data)).toHaveLength(2);
  });

  test('is a described form field of an accessible document', async () => {
    const labelled = `<!doctype html><html lang="en"><title>Contract</title><h1>Contract</h1>
      <p><label for="a">Signature of the buyer</label> <input type="signature" name="buyer" id="a">
      <p>Seller: <input type="signature" name="seller" aria-label="Signature of the seller">`;
    const { status, body } = await generate(labelled, { accessible: true });
    expect([status, body.error]).toEqual([200, undefined]);
    const pdf = Buffer.from(body.data, 'base64');
    expect(checkPdfua(pdf)).toEqual([]);
    const [page] = readPages(PdfDocument.open(pdf)).pages;
    const fields = (page?.dict.array('Annots') ?? []).map((field) => asDict(field));
    expect(fields.map((field) => [field?.name('FT'), field?.string('TU')?.key])).toEqual([
      ['Sig', 'Signature of the buyer'],
      ['Sig', 'Signature of the seller'],
    ]);
  });

  test('is found in a document whose forms replace the methods of `document`', async () => {
    const forms = ['querySelectorAll', 'createElement', 'getElementById', 'head'].map(
      (name) => `<form name="${name}"></form>`,
    );
    const { status, body } = await generate(`${forms.join('')}<input type="signature" name="buyer">`);
    expect([status, body.error]).toEqual([200, undefined]);
    expect((await fieldsOf(body.data)).map(({ name }: { name: string }) => name)).toEqual(['buyer']);
  });

  test('works when a script or a template creates it', async () => {
    const script = `<div id=a></div><script>a.innerHTML = '<input type="signature" name="late">'</script>`;
    const [late] = await fieldsOf((await generate(script)).body.data);
    expect(late.name).toBe('late');
    const merged = await service().post('/v1/generate', {
      html: '<input type="signature" name="{{role}}">',
      data: { role: 'seller' },
      output: 'base64',
    });
    expect((await fieldsOf(merged.body.data)).map(({ name }: { name: string }) => name)).toEqual(['seller']);
  });

  test.each([
    ['<input type="signature">', 'a signature field has no name: add the attribute name'],
    [
      '<input type="signature" name="a"><input type="signature" name="a">',
      'has two signature fields with the name "a"',
    ],
  ])('%s is a 400', async (html, message) => {
    const { status, body } = await generate(html);
    expect(status).toBe(400);
    expect(body.error.message).toContain(message);
  });
});
