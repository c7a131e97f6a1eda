import { beforeAll, describe, expect, test } from 'bun:test';
import { validateSignatures, storeCertificate } from '../../support/signatures/certificates.ts';
import { describeWithPdfTools, qpdfCheck, rasterise } from '../../support/pdf/pdf.ts';
import { extendedService, sharedService } from '../../support/service/shared-service.ts';
import { base64, signClient } from '../../support/signatures/sign-client.ts';
import { isThorough } from '../../support/suite.ts';
import { hostileNames, hostilePdfs, pagesPdf, withQpdf } from '../../support/pdf/samples.ts';
import { docMdp, signedPdf } from '../../support/pdf/signed-samples.ts';

const service = sharedService();
const { post } = signClient(service);

let ada = '';
let wang = '';
beforeAll(async () => {
  ada = await storeCertificate(service(), 'rsa.p12');
  wang = await storeCertificate(service(), 'ec.p12');
});

/** Signs without a stamp unless `more` requests one. @throws {Error} if the service rejects the request. */
async function sign(pdf: string | Uint8Array, more: object = {}): Promise<Buffer> {
  const { status, body } = await post({
    pdf: base64(pdf),
    certificate: ada,
    visible: false,
    output: 'base64',
    ...more,
  });
  if (status !== 200) throw new Error(`${status} ${body.error?.message}`);
  return Buffer.from(body.data, 'base64');
}

async function refusal(request: object): Promise<string> {
  const { status, body } = await post({
    pdf: base64(pagesPdf(1)),
    certificate: ada,
    visible: false,
    ...request,
  });
  expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
  return body.error.message;
}

const valid = { type: 'ETSI.CAdES.detached', valid: true };

describeWithPdfTools('POST /v1/pdf/sign with a certificate', () => {
  test('adds a signature that covers the file', async () => {
    const pdf = Buffer.from(pagesPdf(2), 'latin1');
    const { status, body } = await post({
      pdf: base64(pdf),
      certificate: ada,
      visible: false,
      output: 'base64',
    });
    expect([status, body.signed, body.signature_annotation_added, body.level, body.field]).toEqual([
      200,
      true,
      false,
      'b-b',
      'Signature1',
    ]);
    const signed = Buffer.from(body.data, 'base64');
    expect(signed.subarray(0, pdf.length).equals(pdf)).toBe(true);
    expect(await validateSignatures(signed)).toEqual([
      { ...valid, signer: 'Ada Lovelace', coversFile: true },
    ]);
    await qpdfCheck(signed);
  });

  test('an invisible signature changes no pixel', async () => {
    const [before] = await rasterise(Buffer.from(pagesPdf(1), 'latin1'), { dpi: 20 });
    const [after] = await rasterise(await sign(pagesPdf(1)), { dpi: 20 });
    if (!before || !after) throw new Error('no page');
    expect(after.data.equals(before.data)).toBe(true);
  });

  test('a changed byte makes the signature invalid', async () => {
    const signed = await sign(pagesPdf(1));
    const at = signed.indexOf('/MediaBox');
    signed[at + 1] = 'N'.charCodeAt(0);
    const [signature] = await validateSignatures(signed);
    expect(signature?.valid).toBe(false);
  });

  test('a second signer keeps the first signature valid', async () => {
    const first = await sign(pagesPdf(1), { reason: 'I wrote it' });
    const second = await sign(first, { certificate: wang, reason: 'I approve' });
    expect(second.subarray(0, first.length).equals(first)).toBe(true);
    expect(await validateSignatures(second)).toEqual([
      { ...valid, signer: 'Ada Lovelace', coversFile: false },
      { ...valid, signer: '王 Änne', coversFile: true },
    ]);
    await qpdfCheck(second);
  });

  test('the signature dictionary has the texts and the time of the request', async () => {
    const signed = (
      await sign(pagesPdf(1), { name: 'A. Lovelace', reason: 'Agreed', location: 'London', contact: 'a@x' })
    ).toString('latin1');
    for (const entry of [
      '/Name (A. Lovelace)',
      '/Reason (Agreed)',
      '/Location (London)',
      '/ContactInfo (a@x)',
    ])
      expect(signed).toContain(entry);
    expect(signed).toMatch(/\/M \(D:\d{14}Z\)/);
    expect(signed).toContain('/SubFilter /ETSI.CAdES.detached');
  });

  test('shows the signature in its box by default', async () => {
    const signed = await sign(pagesPdf(1), { visible: undefined, x: 20, y: 20, width: 160, height: 60 });
    const [before] = await rasterise(Buffer.from(pagesPdf(1), 'latin1'), { dpi: 40 });
    const [after] = await rasterise(signed, { dpi: 40 });
    if (!before || !after) throw new Error('no page');
    expect(after.data.equals(before.data)).toBe(false);
    expect(await validateSignatures(signed)).toEqual([
      { ...valid, signer: 'Ada Lovelace', coversFile: true },
    ]);
    await qpdfCheck(signed);
  });

  test.each([
    ['no_changes', 1],
    ['form_filling', 2],
    ['annotations', 3],
  ])('certifies with %s', async (certify, level) => {
    const signed = await sign(pagesPdf(1), { certify });
    expect(signed.toString('latin1')).toMatch(
      new RegExp(`/TransformMethod /DocMDP\\s+/TransformParams <</Type /TransformParams\\s+/P ${level}\\b`),
    );
    expect(await validateSignatures(signed)).toMatchObject([valid]);
    const again = await post({ pdf: base64(signed), certificate: wang, visible: false, output: 'base64' });
    if (level === 1) {
      expect(again.status).toBe(400);
      expect(again.body.error.message).toStartWith(
        'pdf: has a signature that allows no changes (DocMDP, P = 1)',
      );
    } else {
      expect(again.status).toBe(200);
      const both = await validateSignatures(Buffer.from(again.body.data, 'base64'));
      expect(both.map((each) => each.valid)).toEqual([true, true]);
      const visible = await post({ pdf: base64(signed), certificate: wang, x: 20, y: 20, width: 100 });
      expect(visible.body.error.message).toStartWith('visible: must be false');
    }
  });

  test('signs an empty field of the PDF in its place', async () => {
    const { body } = await service().post('/v1/pdf/forms/add-fields', {
      pdf: base64(pagesPdf(1)),
      fields: [{ name: 'buyer', type: 'signature', page: 0, x: 30, y: 30, width: 120, height: 50 }],
      output: 'base64',
    });
    const pdf = Buffer.from(body.data, 'base64');
    const signed = await post({ pdf: body.data, certificate: ada, field: 'buyer', output: 'base64' });
    expect([signed.status, signed.body.field]).toEqual([200, 'buyer']);
    const result = Buffer.from(signed.body.data, 'base64');
    expect(result.subarray(0, pdf.length).equals(pdf)).toBe(true);
    expect(await validateSignatures(result)).toMatchObject([{ ...valid, coversFile: true }]);
    const fields = await service().post('/v1/pdf/forms/list-fields', { pdf: signed.body.data });
    expect(fields.body.fields).toHaveLength(1);
    const mistyped = await post({ pdf: body.data, certificate: ada, field: 'byuer' });
    expect([mistyped.status, mistyped.body.error.message]).toEqual([
      400,
      'field: "byuer" does not exist: the fields to sign are "buyer". Leave out "field" to add a new one',
    ]);
    const added = await post({ pdf: signed.body.data, certificate: wang, field: 'seller', visible: false });
    expect([added.status, added.body.field]).toEqual([200, 'seller']);
    const again = await post({ pdf: signed.body.data, certificate: wang, field: 'buyer', visible: false });
    expect(again.body.error.message).toBe('field: "buyer" is already signed');
  });

  test('signs encrypted files whose permissions allow it', async () => {
    const encrypt = (...permissions: string[]) =>
      withQpdf(pagesPdf(1), ['--encrypt', '', 'owner', '256', ...permissions, '--']);
    const signed = await sign(encrypt());
    expect(await validateSignatures(signed)).toEqual([
      { ...valid, signer: 'Ada Lovelace', coversFile: true },
    ]);
    await qpdfCheck(signed);
    const closed = encrypt('--modify=none', '--annotate=n', '--form=n');
    expect(await refusal({ pdf: base64(closed) })).toBe(
      'pdf: is encrypted, and its permissions do not allow signatures',
    );
  });

  test('signs files with cross-reference streams and damaged files', async () => {
    for (const pdf of [
      withQpdf(pagesPdf(2), ['--object-streams=generate']),
      pagesPdf(2).replace(/startxref\s+\d+/, 'startxref\n7'),
    ]) {
      const signed = await sign(pdf);
      expect(await validateSignatures(signed)).toMatchObject([{ ...valid, coversFile: true }]);
      await qpdfCheck(signed);
    }
  });
});

describe('POST /v1/pdf/sign with a certificate rejects', () => {
  test.each([
    [{ level: 'b-t' }, 'level: b-t needs a timestamp authority'],
    [{ level: 'b-lta' }, 'level: b-lta needs a timestamp authority'],
    [{ level: 'b-c' }, 'level: must be one of b-b, b-t, b-lt, b-lta'],
    [{ certify: 'all' }, 'certify: must be null or one of no_changes, form_filling, annotations'],
    [{ visible: 'yes' }, 'visible: must be true or false'],
    [{ field: '' }, 'field: must be a string of 1 to 200 characters'],
    [{ certificate: 7 }, 'certificate: must be the id of a certificate'],
    [{ name: '\u200b' }, 'name: must contain a visible character'],
    [{ visible: true, page: 4 }, 'page: must be an integer from 0 to 0'],
    [{ visible: true, x: 5_000 }, 'x: the box of'],
    [{ pdf: base64(signedPdf('', docMdp('/P 1'))) }, 'pdf: has a signature that allows no changes'],
    [{ pdf: base64(signedPdf('', '')), certify: 'annotations' }, 'certify: must be null: the PDF is signed'],
    [{ pdf: base64(signedPdf('/Lock<</Action/All>>', '')) }, 'field: "Signature1" is locked by a signature'],
    [{ pdf: base64(signedPdf('', '')), field: 's' }, 'field: "s" is already signed'],
    [{ pdf: 'JVBERi0xLjQK' }, 'pdf: '],
  ])('%j', async (request, message) => {
    expect(await refusal(request)).toStartWith(message);
  });

  test.each([{ level: 'b-b' }, { visible: false }, { certify: null }, { field: 'a' }])(
    '%j without a certificate',
    async (fields) => {
      const [field] = Object.keys(fields);
      const message = await refusal({ certificate: undefined, visible: undefined, name: 'Ada', ...fields });
      expect(message).toStartWith(`${field}: needs certificate`);
    },
  );

  test("an unknown certificate, and another account's certificate", async () => {
    const pdf = base64(pagesPdf(1));
    const stranger = await service().newKey();
    for (const certificate of ['cert_unknown', ada]) {
      const { status, body } = await service().post('/v1/pdf/sign', { pdf, certificate }, stranger);
      const message = `certificate ${certificate} not found`;
      expect([status, body.error]).toMatchObject([
        404,
        { code: 'NOT_FOUND', message, details: [{ path: 'certificate', message }] },
      ]);
    }
  });
});

describeWithPdfTools('sign with a certificate as a step of a pipeline', () => {
  const pipeline = (body: object) =>
    service().post('/v1/pdf/pipeline', { pdf: base64(pagesPdf(1)), output: 'base64', ...body });
  const step = () => ({ do: 'sign', certificate: ada, visible: false });

  test('can be the last step, for one signer or several', async () => {
    const { status, body } = await pipeline({
      steps: [{ do: 'stamp', text: 'PAID' }, step(), { ...step(), certificate: wang }],
    });
    expect([status, body.error]).toEqual([200, undefined]);
    const signatures = await validateSignatures(Buffer.from(body.data, 'base64'));
    expect(signatures.map((each) => [each.signer, each.valid])).toEqual([
      ['Ada Lovelace', true],
      ['王 Änne', true],
    ]);
    expect(body.steps.at(-1)).toEqual({
      do: 'sign',
      signed: true,
      signature_annotation_added: false,
      level: 'b-b',
      field: 'Signature2',
    });
  });

  test('may follow pdfa, and precede a step that only reads', async () => {
    const steps = [{ do: 'pdfa', level: '2b' }, step(), { do: 'info' }];
    const { status, body } = await pipeline({ steps, output: undefined });
    expect([status, body.has_signatures]).toEqual([200, true]);
  });

  test.each([
    { do: 'merge', pdfs: [base64(pagesPdf(1))] },
    { do: 'pages', pages: '1' },
    { do: 'watermark', text: 'x' },
    { do: 'stamp', text: 'x' },
    { do: 'number', format: '{{pageNumber}}' },
    { do: 'outline', set: [] },
    { do: 'properties', set: { title: 'x' } },
    { do: 'attachments', add: [{ name: 'a.txt', data: 'QQ==' }] },
    { do: 'compress' },
    { do: 'flatten' },
    { do: 'pdfa' },
    { do: 'unlock', password: 'x' },
  ])('rejects a later step that changes the file: %j', async (later) => {
    const { status, body } = await pipeline({ steps: [step(), later] });
    expect([status, body.error.code, body.error.message]).toEqual([
      400,
      'VALIDATION_ERROR',
      `steps.1.do: ${later.do} cannot follow sign (steps.0): it would invalidate the signature. Make sign the last step`,
    ]);
  });

  test.each([
    [
      { do: 'sign', name: 'Ada' },
      'steps.1.do: sign cannot follow sign (steps.0): the stamp is an annotation, which the signature does not allow. Stamp first, then sign with the certificate',
    ],
    [{ do: 'protect', owner_password: 'owner' }, 'steps.1.do: password protection is switched off'],
  ])('rejects %j after a signature', async (later, message) => {
    const { status, body } = await pipeline({ steps: [step(), later] });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toStartWith(message);
  });

  test('rejects a certification after a signature', async () => {
    const { status, body } = await pipeline({ steps: [step(), { ...step(), certify: 'form_filling' }] });
    expect([status, body.error.message]).toEqual([
      400,
      expect.stringContaining('only the first signature can certify it. Certify before the other signatures'),
    ]);
  });
});

describe.skipIf(!isThorough)('protecting and signing', () => {
  const protecting = extendedService();
  test('works in two requests, and the error of a pipeline suggests them', async () => {
    const certificate = await storeCertificate(protecting(), 'ec.p12');
    const pdf = base64(pagesPdf(1));
    const protect = { owner_password: 'owner', permissions: { modifying: true } };
    const closed = await protecting().post('/v1/pdf/protect', { pdf, ...protect, output: 'base64' });
    const request = { certificate, visible: false, output: 'base64' };
    const signed = await protecting().post('/v1/pdf/sign', { pdf: closed.body.data, ...request });
    expect(await validateSignatures(Buffer.from(signed.body.data, 'base64'))).toMatchObject([valid]);
    const steps = [
      { do: 'protect', ...protect },
      { do: 'sign', certificate },
    ];
    for (const order of [steps, steps.toReversed()]) {
      const { status, body } = await protecting().post('/v1/pdf/pipeline', { pdf, steps: order });
      expect(status).toBe(400);
      expect(body.error.message).toEndWith(
        'Protect the PDF in another request, with permissions.modifying, and sign its result',
      );
    }
  });
});

describe.skipIf(!isThorough)('signing a hostile file returns 200 or 400:', () => {
  test.each([false, true].flatMap((slow) => hostileNames({ slow })))('%s', async (name) => {
    const pdf = hostilePdfs[name]();
    const { status } = await post({ pdf: base64(pdf), certificate: ada, visible: false });
    expect([200, 400]).toContain(status);
  });
});
