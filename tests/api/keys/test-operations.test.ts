import { expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { TestKeyClient, TEST_LIFETIME_MS } from '../../support/accounts/test-key-client.ts';
import { completed, onePagers, submit } from '../../support/batch/batches.ts';
import { documentedOperations, OPERATION_REQUESTS, soundPdf } from '../../support/pdf/operation-requests.ts';
import { base64, rejectionOf } from '../../support/pdf/pdf-operations.ts';
import { describeWithPdfTools } from '../../support/pdf/pdf.ts';
import { pagesPdf, withQpdf } from '../../support/pdf/samples.ts';
import { expectMarked, markedPages, showsMark } from '../../support/pdf/test-marks.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import { storeCertificate, validateSignatures } from '../../support/signatures/certificates.ts';
import { Receiver } from '../../support/sites/receiver.ts';
import { unzip } from '../../support/unzip.ts';
import { casesOfSuite } from '../../support/suite.ts';
import { until } from '../../support/until.ts';

const service = extendedService();
const client = new TestKeyClient(service);

/** The operations whose results are PDFs, and requests of them that have one. */
const operations = documentedOperations()
  .filter(({ name, mediaTypes }) => mediaTypes.includes('application/pdf') || name === 'split')
  .flatMap(({ name }) => (OPERATION_REQUESTS[name] ?? []).map((request, index) => ({ name, index, request })))
  .filter(
    ({ name, request }) =>
      !['attachments', 'outline', 'properties'].includes(name) ||
      ['add', 'remove', 'set'].some((field) => field in request('')),
  );

describeWithPdfTools('an operation with a test key', () => {
  test.each(casesOfSuite(operations, 12))('marks the result of $name ($index)', async ({ name, request }) => {
    const locked = withQpdf(soundPdf, ['--encrypt', 'open', 'owner', '256', '--']);
    const given = base64(name === 'unlock' ? locked : soundPdf);
    const answer = await client.send(`/v1/pdf/${name}`, { ...request(given), output: 'base64' });
    const parts: { data: string; file_id: string; test: boolean; expires_at: string }[] = answer.parts ?? [
      answer,
    ];
    expect(parts.length).toBeGreaterThan(0);
    for (const { data, test: isTest, expires_at: expiresAt } of parts) {
      expect([isTest, Date.parse(expiresAt) <= Date.now() + TEST_LIFETIME_MS]).toEqual([true, true]);
      if (name !== 'protect') await expectMarked(Buffer.from(data, 'base64'));
    }
    if (name !== 'protect') return;
    const open = { pdf: answer.data, password: 'correct horse' };
    const passwords = ['owner', 'correct horse'].map((password) => ({ ...open, password }));
    for (const body of passwords) {
      const { status, body: opened } = await service().post('/v1/pdf/unlock', { ...body, output: 'base64' });
      if (status === 200) await expectMarked(Buffer.from(opened.data, 'base64'));
    }
  });

  test('marks images of pages, and of differences between pages', async () => {
    const answer = await client.send('/v1/pdf/images', { pdf: base64(pagesPdf(2)) });
    expect(answer.test).toBe(true);
    const pages = await unzip(await service().download(answer.url));
    for (const { content } of pages) {
      expect(showsMark(PNG.sync.read(content))).toBe(true);
      expect(content.includes('XML:com.adobe.xmp')).toBe(true);
    }
    const compared = await client.send('/v1/pdf/compare', { pdfs: [base64(pagesPdf(1)), base64(soundPdf)] });
    const urls = compared.pages.flatMap((page: { image_url?: string }) => page.image_url ?? []);
    expect(urls.length).toBeGreaterThan(0);
    for (const url of urls)
      expect(showsMark(PNG.sync.read(Buffer.from(await service().download(url))))).toBe(true);
  });

  test('stores an upload as it is, for a day, and marks what is made of it', async () => {
    const upload = await service().post('/v1/files', { file: base64(pagesPdf(1)) }, await client.key());
    expect([upload.status, upload.body.test]).toEqual([201, true]);
    expect(Date.parse(upload.body.expires_at)).toBeLessThanOrEqual(Date.now() + TEST_LIFETIME_MS);
    expect(await markedPages(await service().download(upload.body.url))).toEqual([false]);
    const answer = await client.send('/v1/pdf/number', { pdf: upload.body.id, format: '{{pageNumber}}' });
    await expectMarked(await service().download(answer.url));
    const listed = await service().get('/v1/files?test=true&limit=2');
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([answer.file_id, upload.body.id]);
    const { data } = (await service().get('/v1/files?test=false')).body;
    expect(data.some(({ test: isTest }: { test: boolean }) => isTest)).toBe(false);
    expect(rejectionOf(await service().get('/v1/files?test=maybe'))).toStartWith('test: ');
  });

  test('keeps the signatures of a PDF, unless they forbid changes', async () => {
    const certificate = await storeCertificate(service(), 'rsa.p12');
    const open = await service().post('/v1/pdf/sign', {
      pdf: base64(pagesPdf(1)),
      certificate,
      visible: false,
      output: 'base64',
    });
    for (const [path, fields] of [
      ['sign', { certificate, visible: false }],
      ['attachments', { add: [{ name: 'a.txt', data: 'QQ==' }] }],
    ] as const) {
      const answer = await client.send(`/v1/pdf/${path}`, {
        pdf: open.body.data,
        ...fields,
        output: 'base64',
      });
      const changed = Buffer.from(answer.data, 'base64');
      await expectMarked(changed);
      for (const { valid } of await validateSignatures(changed)) expect(valid).toBe(true);
    }

    const live = await service().post('/v1/pdf/sign', {
      pdf: base64(pagesPdf(1)),
      certificate,
      visible: false,
      certify: 'no_changes',
      output: 'base64',
    });
    if (live.status !== 200) throw new Error(JSON.stringify(live.body));
    const { status, body } = await service().post(
      '/v1/pdf/timestamp',
      { pdf: live.body.data },
      await client.key(),
    );
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.details[0].path).toBe('pdf');
  });
});

describeWithPdfTools('a batch for a test key', () => {
  test('marks its items, costs no quota, and shares no Idempotency-Key with a live key', async () => {
    const keys = await client.newKeys();
    await using receiver = new Receiver();
    const post = (key: string, webhook?: string) =>
      submit(service(), onePagers(2), {
        key,
        headers: { 'Idempotency-Key': 'batch-1' },
        ...(webhook !== undefined && { webhook }),
      });
    const tried = await post(keys.testKey, receiver.url('/batch'));
    const made = await post(keys.live);
    expect([tried.status, made.status]).toEqual([202, 202]);
    expect(made.body.batch_id).not.toBe(tried.body.batch_id);
    expect((await post(keys.testKey)).body).toEqual(tried.body);
    expect((await post(keys.live)).body).toEqual(made.body);

    const batches = [
      await completed(service(), tried, keys.live),
      await completed(service(), made, keys.live),
    ];
    expect(batches.map(({ test: isTest }) => isTest)).toEqual([true, false]);
    await until(() => receiver.at('/batch').length > 0);
    expect(JSON.parse(receiver.at('/batch')[0]?.body ?? '').data.test).toBe(true);
    for (const [batch, isTest] of [
      [tried, true],
      [made, false],
    ] as const)
      for (const { id } of batch.body.generations) {
        const { body } = await service().get(`/v1/generations/${id}`, keys.live);
        expect([body.test, body.expires_at !== null]).toEqual([isTest, isTest]);
        expect(await markedPages(await service().download(body.url))).toEqual([isTest]);
      }
    expect((await service().get('/v1/usage', keys.live)).body.used).toBe(2);
    const listed = (await service().get('/v1/batches?test=true', keys.live)).body.data;
    expect(listed.map(({ batch_id: id }: { batch_id: string }) => id)).toEqual([tried.body.batch_id]);
  });
});

test('a test key changes a public template only in a draft', async () => {
  const { live, testKey } = await client.newKeys();
  const { id } = (await service().post('/v1/templates', { name: 'T', html_content: 'one' }, live)).body;
  const path = `/v1/templates/${id}`;
  const put = (body: object, key = testKey) => service().request('PUT', path, { body, key });
  const draft = async () => (await put({ html_content: 'draft', draft: true })).body.version;
  expect((await put({ html_content: 'two' })).status).toBe(200);
  expect((await service().post(`${path}/versions/${await draft()}/promote`, {}, testKey)).status).toBe(200);
  expect((await service().post(`${path}/versions/1/restore`, {}, testKey)).status).toBe(201);
  await service().post(`/v1/marketplace/${id}/publish`, {}, live);

  const version = await draft();
  expect(version).toBeNumber();
  const before = (await service().get(path, live)).body;
  for (const refused of [
    await put({ html_content: 'three' }),
    await put({ name: 'Other' }),
    await service().post(`${path}/versions/1/restore`, {}, testKey),
    await service().post(`${path}/versions/${version}/promote`, {}, testKey),
  ])
    expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
      403,
      'FORBIDDEN',
      'a test key does not change public templates; use a live key',
    ]);
  expect((await service().get(path, live)).body).toEqual(before);
  expect((await service().post(`${path}/versions/${version}/promote`, {}, live)).status).toBe(200);
  expect((await put({ name: 'Other' }, live)).status).toBe(200);
  const { testKey: foreign } = await client.newKeys();
  expect((await put({ name: 'x' }, foreign)).status).toBe(404);
});

test('a test key does not publish templates', async () => {
  const created = await service().post(
    '/v1/templates',
    { name: 'Invoice', html_content: '<h1>Invoice</h1>' },
    await client.key(),
  );
  expect(created.status).toBe(201);
  const path = `/v1/marketplace/${created.body.id}`;
  expect((await service().post(`${path}/publish`, {}, await client.key())).status).toBe(403);
  expect((await service().post(`${path}/publish`, {})).status).toBe(200);
  expect((await service().post(`${path}/unpublish`, {}, await client.key())).status).toBe(200);
});
