import { describe, expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { invoice } from '../../../packages/einvoice/tests/build-invoice.ts';
import { TestKeyClient, TEST_LIFETIME_MS } from '../../support/accounts/test-key-client.ts';
import { onePagers, submit } from '../../support/batch/batches.ts';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { describeWithPdfTools, pdfInfo } from '../../support/pdf/pdf.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';
import { expectMarked, markedPages, showsMark } from '../../support/pdf/test-marks.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../../support/pdf/verapdf.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import { storeCertificate, validateSignatures } from '../../support/signatures/certificates.ts';
import { Receiver } from '../../support/sites/receiver.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';
import { until } from '../../support/until.ts';

const service = extendedService();
const client = new TestKeyClient(service);

async function generate(options: object, html = '<h1>Invoice</h1>') {
  const answer = await client.send('/v1/generate', { html, options, output: 'base64' });
  return { answer, pdf: Buffer.from(answer.data, 'base64') };
}

async function validityOf(pdf: Uint8Array, profile: string) {
  const answer = await client.send('/v1/pdf/validate', { pdf: base64(pdf), profile });
  return answer.results.map(({ valid, findings }: { valid: boolean; findings: unknown }) => ({
    valid,
    findings,
  }));
}

const sound = { valid: true, findings: [] };
const accessible = '<!doctype html><html lang="en"><title>Invoice</title><h1>Invoice</h1></html>';

describeWithPdfTools('a generation for a test key', () => {
  test('is marked on every page and in its metadata, costs no quota, and is kept for a day', async () => {
    const keys = await client.newKeys();
    const html = '<p>one</p><p style="break-before: page">two</p>';
    const { status, body, headers } = await service().post('/v1/generate', { html }, keys.testKey);
    expect([status, body.test, headers.get('platen-quota-remaining')]).toEqual([200, true, '2000']);
    const lifetimeMs = Date.parse(body.expires_at) - Date.now();
    expect(lifetimeMs).toBeGreaterThan(TEST_LIFETIME_MS - 60_000);
    expect(lifetimeMs).toBeLessThanOrEqual(TEST_LIFETIME_MS);
    const pdf = await service().download(body.url);
    expect(await markedPages(pdf)).toEqual([true, true]);
    expect((await pdfInfo(pdf))['Keywords']).toBe('TEST');

    const other = await service().post('/v1/generate', { html }, keys.live);
    expect([other.body.test, other.body.expires_at, other.headers.get('platen-quota-remaining')]).toEqual([
      false,
      null,
      '1999',
    ]);
    const unmarked = await service().download(other.body.url);
    expect(await markedPages(unmarked)).toEqual([false, false]);
    expect((await pdfInfo(unmarked))['Keywords'] ?? '').toBe('');

    const idsIn = async (query: string) =>
      (await service().get(`/v1/generations${query}`, keys.live)).body.data.map(
        ({ id, test: isTest }: { id: string; test: boolean }) => [id, isTest],
      );
    expect(await idsIn('?test=true')).toEqual([[body.id, true]]);
    expect(await idsIn('?test=false')).toEqual([[other.body.id, false]]);
    expect(await idsIn('')).toHaveLength(2);
    expect((await service().get('/v1/usage', keys.live)).body.used).toBe(1);
  });

  test('succeeds when the quota is used up', async () => {
    const keys = await client.newKeys();
    const { body } = await service().get('/v1/integrations/auth/test', keys.live);
    await service().accounts.set(body.email, { monthlyLimit: 0 });
    expect((await service().post('/v1/generate', { html: 'x' }, keys.live)).status).toBe(403);
    expect((await service().post('/v1/generate', { html: 'x' }, keys.testKey)).status).toBe(200);
    expect((await submit(service(), onePagers(2), { key: keys.testKey })).status).toBe(202);
    const failed = await service().post('/v1/generate', { html: '{{#if}}', data: {} }, keys.testKey);
    expect(failed.status).toBe(400);
    expect((await service().get('/v1/generations?status=failed', keys.live)).body.data[0].test).toBe(true);
  });

  test('is kept as long as its request says, up to a day', async () => {
    for (const [seconds, expected] of [
      [120, 120],
      [31_536_000, TEST_LIFETIME_MS / 1000],
    ] as const) {
      const answer = await client.send('/v1/generate', { html: 'x', expires_in: seconds });
      const lifetime = (Date.parse(answer.expires_at) - Date.now()) / 1000;
      expect(Math.abs(lifetime - expected)).toBeLessThan(60);
    }
  });

  test.each(casesOfSuite(['1b', '2b', '3b'], 6))('is valid PDF/A-%s', async (pdfa) => {
    const { pdf, answer } = await generate({ pdfa, watermark: { text: 'Copy' } });
    await expectMarked(pdf);
    expect(await validityOf(pdf, `pdfa-${pdfa}`)).toEqual([sound]);
    const { body: proof } = await service().get(`/v1/generations/${answer.id}/proof`);
    expect(proof.claims).toMatchObject([{ standard: 'PDF/A', level: pdfa }]);
    expect(proof.steps.at(-1)).toEqual({ do: 'test-mark' });
  });

  test('is valid PDF/UA, and a valid e-invoice', async () => {
    const ua = await generate({ accessible: true }, accessible);
    await expectMarked(ua.pdf);
    expect(await validityOf(ua.pdf, 'pdfua-1')).toEqual([sound]);
    const made = await generate(
      { invoice: { profile: 'en16931', data: invoice() }, accessible: true },
      accessible,
    );
    await expectMarked(made.pdf);
    for (const profile of ['pdfa-3b', 'pdfua-1', 'factur-x-en16931'])
      expect([profile, await validityOf(made.pdf, profile)]).toEqual([profile, [sound]]);
  });

  test('is marked before it is encrypted', async () => {
    const { pdf } = await generate({ protect: { ownerPassword: 'owner', userPassword: 'open' } });
    const answer = await client.send('/v1/pdf/unlock', {
      pdf: base64(pdf),
      password: 'open',
      output: 'base64',
    });
    const unlocked = Buffer.from(answer.data, 'base64');
    await expectMarked(unlocked);
    const live = await service().post('/v1/pdf/unlock', {
      pdf: base64(pdf),
      password: 'open',
      output: 'base64',
    });
    await expectMarked(Buffer.from(live.body.data, 'base64'));
  });

  test('is marked before it is signed, and stays valid in later steps', async () => {
    const certificate = await storeCertificate(service(), 'rsa.p12');
    const valid = { signer: 'Ada Lovelace', valid: true, coversFile: true };
    const { pdf } = await generate({ signature: { certificate, visible: false }, pdfa: '2b' });
    await expectMarked(pdf);
    expect(await validateSignatures(pdf)).toMatchObject([valid]);
    expect(await validityOf(pdf, 'pdfa-2b')).toEqual([sound]);

    const again = { pdf: base64(pdf), certificate, visible: false, output: 'base64' };
    const second = await client.send('/v1/pdf/sign', again);
    expect(await validateSignatures(Buffer.from(second.data, 'base64'))).toMatchObject([
      { valid: true },
      { valid: true },
    ]);
    const signed = await client.send('/v1/pdf/sign', { ...again, pdf: base64(pagesPdf(2)) });
    await expectMarked(Buffer.from(signed.data, 'base64'));
    expect(await validateSignatures(Buffer.from(signed.data, 'base64'))).toMatchObject([valid]);
    const stamped = await client.send('/v1/pdf/timestamp', { pdf: signed.data, output: 'base64' });
    // poppler does not know document timestamps, which are listed after the signature.
    expect((await validateSignatures(Buffer.from(stamped.data, 'base64')))[0]?.valid).toBe(true);
    await expectMarked(Buffer.from(stamped.data, 'base64'));
  });

  test('shows its mark over everything that later steps draw', async () => {
    const answer = await client.send('/v1/pdf/pipeline', {
      generate: { html: '<h1>Offer</h1>' },
      steps: [
        { do: 'merge', pdfs: [base64(pagesPdf(1))] },
        { do: 'watermark', text: 'Draft' },
        { do: 'pdfa', level: '1b' },
      ],
      output: 'base64',
    });
    const pdf = Buffer.from(answer.data, 'base64');
    expect([answer.test, answer.pages]).toEqual([true, 2]);
    await expectMarked(pdf);
    expect(await validityOf(pdf, 'pdfa-1b')).toEqual([sound]);

    const certificate = await storeCertificate(service(), 'rsa.p12');
    const signed = await client.send('/v1/pdf/pipeline', {
      pdfs: [base64(pagesPdf(1)), base64(pagesPdf(2))],
      steps: [{ do: 'merge' }, { do: 'sign', certificate, visible: false }],
      output: 'base64',
    });
    await expectMarked(Buffer.from(signed.data, 'base64'));
    expect(await validateSignatures(Buffer.from(signed.data, 'base64'))).toMatchObject([
      { valid: true, coversFile: true },
    ]);
  });

  test('reports its webhook and its event as those of a test', async () => {
    await using receiver = new Receiver();
    const webhook = receiver.url('/test');
    const answer = await client.send('/v1/generate', { html: 'x', webhook });
    await until(() => receiver.at('/test').length > 0);
    expect(JSON.parse(receiver.at('/test')[0]?.body ?? '')).toMatchObject({
      data: { id: answer.id, test: true },
    });
  });

  test('shares no Idempotency-Key with a live key', async () => {
    const keys = await client.newKeys();
    const post = (key: string) =>
      service().request('POST', '/v1/generate', {
        key,
        body: { html: 'x' },
        headers: { 'Idempotency-Key': 'order-1' },
      });
    const tried = await post(keys.testKey);
    const made = await post(keys.live);
    expect([tried.body.test, made.body.test]).toEqual([true, false]);
    const repeated = [await post(keys.testKey), await post(keys.live)];
    expect(repeated.map(({ body }) => body.id)).toEqual([tried.body.id, made.body.id]);
    for (const { headers } of repeated) expect(headers.get('idempotent-replayed')).toBe('true');
  });

  test('is marked in previews and in the results of automation platforms', async () => {
    const preview = await client.send('/v1/templates/preview', {
      html_content: '<h1>x</h1>',
      output: 'base64',
    });
    await expectMarked(Buffer.from(preview.data, 'base64'));
    const answer = await client.send('/v1/integrations/actions/generate', { html: '<h1>x</h1>' });
    const id = answer.id ?? answer.generation_id;
    const { body } = await service().get(`/v1/generations/${id}`);
    expect([body.test, Date.parse(body.expires_at) <= Date.now() + TEST_LIFETIME_MS]).toEqual([true, true]);
    await expectMarked(await service().download(body.url));
  });
});

describe.skipIf(!isThorough || !requireVeraPdf())('a signed generation for a test key', () => {
  test.each(['1b', '2b', '3b'] as const)('is PDF/A-%s, as veraPDF confirms', async (pdfa) => {
    const certificate = await storeCertificate(service(), 'rsa.p12');
    const options = { pdfa, signature: { certificate, x: 20, y: 20 }, header: '<b>Header</b>' };
    const { pdf } = await generate(options, '<p style="opacity: 0.5">one</p>');
    expect([...(await validateWithVeraPdf(new Map([['all', pdf]]), pdfa))]).toEqual([['all', []]]);
  });

  test('is an e-invoice, PDF/A-3b and PDF/UA-1, as veraPDF confirms', async () => {
    const certificate = await storeCertificate(service(), 'rsa.p12');
    const { pdf } = await generate(
      {
        accessible: true,
        invoice: { profile: 'en16931', data: invoice() },
        signature: { certificate, x: 20, y: 20 },
      },
      accessible,
    );
    for (const level of ['3b', 'ua1'] as const)
      expect([...(await validateWithVeraPdf(new Map([['all', pdf]]), level))]).toEqual([['all', []]]);
  });
});

describe('an image for a test key', () => {
  const image = async (options: object) => {
    const answer = await client.send('/v1/images', {
      html: '<body style="background: #fff">x',
      options: { width: 400, height: 300, ...options },
      output: 'base64',
    });
    expect(answer.test).toBe(true);
    return Buffer.from(answer.data, 'base64');
  };

  test.each(casesOfSuite(['png', 'jpeg', 'webp'], 6))('is marked: %s', async (format) => {
    const made = await image({ format, ...(format !== 'png' && { quality: 100 }) });
    expect(await new Bun.Image(made).metadata()).toMatchObject({ format, width: 400, height: 300 });
    const pixels = PNG.sync.read(Buffer.from(await new Bun.Image(made).png().bytes()));
    expect(showsMark(pixels)).toBe(true);
    // The metadata of a PNG is compressed.
    expect(made.includes(format === 'png' ? 'XML:com.adobe.xmp' : '<rdf:li>TEST</rdf:li>')).toBe(true);
  });

  test('keeps its transparency', async () => {
    const answer = await client.send('/v1/images', {
      html: 'x',
      options: { width: 400, height: 300, transparent: true },
      output: 'base64',
    });
    const made = PNG.sync.read(Buffer.from(answer.data, 'base64'));
    expect(showsMark(made)).toBe(true);
    // The lower right corner is empty.
    expect(made.data.at(-1)).toBe(0);
  });
});
