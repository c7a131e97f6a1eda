import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'bun:test';
import { validateSignatures, storeCertificate } from '../../support/signatures/certificates.ts';
import { describeWithPdfTools, pdfText, qpdfCheck } from '../../support/pdf/pdf.ts';
import { extendedService, sharedService } from '../../support/service/shared-service.ts';
import { isThorough } from '../../support/suite.ts';
import { until } from '../../support/until.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../../support/pdf/verapdf.ts';
import { invoice } from '../../../packages/einvoice/tests/build-invoice.ts';

const service = sharedService();
let certificate = '';
beforeAll(async () => {
  certificate = await storeCertificate(service(), 'rsa.p12');
});

const generate = (options: object, more: object = {}) =>
  service().post('/v1/generate', {
    html: '<html lang="en"><title>Contract</title><h1>Contract</h1>',
    options,
    output: 'base64',
    ...more,
  });
const bytesOf = (data: string) => Buffer.from(data, 'base64');
const valid = { signer: 'Ada Lovelace', valid: true, coversFile: true };

describeWithPdfTools('options.signature', () => {
  test('signs the document after all other options', async () => {
    const { status, body } = await generate({
      signature: { certificate, visible: false, reason: 'Issued' },
      properties: { title: 'Contract 7' },
      watermark: { text: 'Copy' },
      attachments: [{ name: 'a.txt', data: 'QQ==' }],
      pdfa: '3b',
      accessible: true,
    });
    expect([status, body.error]).toEqual([200, undefined]);
    const pdf = bytesOf(body.data);
    expect(await validateSignatures(pdf)).toMatchObject([valid]);
    await qpdfCheck(pdf);
    const validated = await service().post('/v1/pdf/validate', { pdf: body.data, profile: 'pdfa-3b' });
    expect(validated.body.results).toMatchObject([{ profile: 'pdfa-3b', valid: true }]);
    const { body: proof } = await service().get(`/v1/generations/${body.id}/proof`);
    expect(proof.claims.map(({ standard, level }: Record<string, string>) => `${standard} ${level}`)).toEqual(
      ['PDF/A 3b', 'PDF/UA 1', 'PAdES B-B'],
    );
    expect(proof.sha256).toBe(createHash('sha256').update(pdf).digest('hex'));
  });

  test.each([['1b'], ['2b']])('a visible signature keeps PDF/A-%s', async (pdfa) => {
    const { status, body } = await generate({ signature: { certificate, x: 20, y: 20 }, pdfa });
    expect([status, body.error]).toEqual([200, undefined]);
    const pdf = bytesOf(body.data);
    expect(await validateSignatures(pdf)).toMatchObject([valid]);
    const validated = await service().post('/v1/pdf/validate', { pdf: body.data, profile: `pdfa-${pdfa}` });
    expect(validated.body.results).toMatchObject([{ valid: true, findings: [] }]);
  });

  test('signs the items of a batch', async () => {
    const { body } = await service().post('/v1/generate/batch', {
      items: [
        { html: 'one', options: { signature: { certificate, visible: false } }, output: 'base64' },
        { html: 'two', options: { signature: { certificate: 'cert_unknown', visible: false } } },
      ],
    });
    const batch = () => service().get(`/v1/batches/${body.batch_id}`);
    await until(async () => (await batch()).body.status === 'completed');
    const [first, second] = (await batch()).body.generations;
    const signed = await service().get(`/v1/generations/${first.id}`);
    expect(await validateSignatures(bytesOf(signed.body.data))).toMatchObject([valid]);
    const failed = await service().get(`/v1/generations/${second.id}`);
    expect(failed.body.error).toBe(
      'RENDER_FAILED: options.signature.certificate: certificate cert_unknown not found',
    );
  });

  test('allows further signatures in a pipeline, and no other steps', async () => {
    const request = { html: 'x', options: { signature: { certificate, visible: false } } };
    const post = (steps: object[]) =>
      service().post('/v1/pdf/pipeline', { generate: request, steps, output: 'base64' });
    const twice = await post([{ do: 'sign', certificate, visible: false }]);
    expect((await validateSignatures(bytesOf(twice.body.data))).map((each) => each.valid)).toEqual([
      true,
      true,
    ]);
    const changed = await post([{ do: 'watermark', text: 'x' }]);
    expect([changed.status, changed.body.error.message]).toEqual([
      400,
      'steps.0.do: watermark cannot follow generate.options.signature: it would invalidate the signature. Make sign the last step',
    ]);
  });

  test('does not sign a preview', async () => {
    const { status, body } = await service().post('/v1/templates/preview', {
      html_content: '<p>Draft</p>',
      options: { signature: { certificate } },
      output: 'base64',
    });
    expect(status).toBe(200);
    const pdf = bytesOf(body.data);
    expect(await validateSignatures(pdf)).toEqual([]);
    expect(await pdfText(pdf)).toContain('Draft');
  });

  test.each([
    [{ level: 'b-t' }, 400, 'options.signature.level: b-t needs a timestamp authority'],
    [{ level: 'high' }, 400, 'options.signature.level: must be one of'],
    [{ page: 3 }, 400, 'options.signature.page: must be an integer from 0 to 0'],
    [{ x: 5_000 }, 400, 'options.signature.x: the box of'],
    [{ name: '\u200b' }, 400, 'options.signature.name: must contain a visible character'],
    [
      { certificate: 'cert_unknown' },
      404,
      'options.signature.certificate: certificate cert_unknown not found',
    ],
    [{ certificate: undefined }, 400, 'options.signature.certificate: is required'],
    [{ font_size: 7 }, 400, 'options.signature.font_size: unknown field'],
  ])('rejects %j', async (fields, status, message) => {
    const { status: given, body } = await generate({ signature: { certificate, ...fields } });
    expect([given, body.error.message]).toEqual([status, expect.stringContaining(message)]);
  });
});

describe.skipIf(!isThorough || !requireVeraPdf())('with every standard at once', () => {
  test('one request makes a signed e-invoice that is PDF/A-3b and PDF/UA-1, as veraPDF confirms', async () => {
    const { status, body } = await generate({
      accessible: true,
      invoice: { profile: 'en16931', data: invoice() },
      signature: { certificate, x: 20, y: 20 },
    });
    expect([status, body.error]).toEqual([200, undefined]);
    const pdf = bytesOf(body.data);
    expect(await validateSignatures(pdf)).toMatchObject([valid]);
    for (const level of ['3b', 'ua1'] as const)
      expect([...(await validateWithVeraPdf(new Map([['all', pdf]]), level))]).toEqual([['all', []]]);
    const read = await service().post('/v1/pdf/invoice/read', { pdf: body.data });
    expect([read.body.found, read.body.valid]).toEqual([true, true]);
  });
});

describe.skipIf(!isThorough)('with protect', () => {
  const protecting = extendedService();

  test('options.signature cannot be combined with protect', async () => {
    const { status, body } = await protecting().post('/v1/generate', {
      html: 'x',
      options: { signature: { certificate: 'cert_x' }, protect: { ownerPassword: 'owner' } },
    });
    expect(status).toBe(400);
    expect(body.error.message).toStartWith(
      'options.signature: cannot be combined with protect: encrypting would invalidate the signature.',
    );
  });
});
