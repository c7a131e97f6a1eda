import { afterAll, describe, expect, test } from 'bun:test';
import { loadConfig } from '../../../src/config.ts';
import { openFiles } from '../../../src/state.ts';
import { moveClock } from '../../support/clock.ts';
import { until } from '../../support/until.ts';
import { HoldingReceiver } from '../../support/sites/holding-receiver.ts';
import { onMongoAndS3, TestService } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { isBeyondNpmTest } from '../../support/suite.ts';

// The address of an unreachable receiver.
const DOWN = '/down';
const receiver = new HoldingReceiver(({ path }) => new Response(null, { status: path === DOWN ? 503 : 204 }));
const service = sharedService({ env: { EGRESS_ALLOW: receiver.host } });
afterAll(() => receiver[Symbol.asyncDispose]());

/** Lists the files of a service in its data directory or in its bucket. */
async function storedFiles(of: TestService): Promise<string[]> {
  const config = loadConfig({ env: of.env, cwd: of.dataDir });
  const files = await openFiles(config, { sign: () => 'http://platen.test/', verify: () => 'valid' });
  return (await Array.fromAsync(files.list())).flat().map(({ id }) => id);
}

async function generate(body: object = {}, key?: string) {
  const { status, body: generation } = await service().post(
    '/v1/generate',
    { html: '<p>x</p>', ...body },
    key,
  );
  expect(status).toBe(200);
  return generation;
}

/** Submits a batch and waits until it has ended. */
async function finishedBatch(body: object, key?: string, on = service()) {
  const { body: accepted } = await on.post('/v1/generate/batch', body, key);
  const path = `/v1/batches/${accepted.batch_id}`;
  await until(async () => ['completed', 'canceled'].includes((await on.get(path, key)).body.status));
  return { path, batch: (await on.get(path, key)).body };
}

describe('names of results', () => {
  test('appear in the response, the list, the record and the webhook', async () => {
    const key = await service().newKey();
    const properties = {
      file_name: 'Rechnung für Zoë',
      reference: 'order 4711',
      metadata: { customer: '88', 'a.b$c': '😀', __proto__x: 'y' },
    };
    const expected = { ...properties, file_name: 'Rechnung für Zoë.pdf', expires_at: null };
    const request = { html: 'x', ...properties, webhook: receiver.url('/named') };
    const { body } = await service().post('/v1/generate', request, key);
    expect(body).toMatchObject(expected);
    expect((await service().get(`/v1/generations/${body.id}`, key)).body).toMatchObject(expected);
    const other = await service().post('/v1/generate', { html: 'x', reference: 'order 4712' }, key);
    const list = (await service().get('/v1/generations?reference=order%204711', key)).body;
    expect(list.data).toEqual([expect.objectContaining({ id: body.id, ...expected })]);
    expect((await service().get('/v1/generations', key)).body.data).toHaveLength(2);
    expect(other.body.reference).toBe('order 4712');
    await until(() => receiver.at('/named').length > 0);
    expect(JSON.parse(receiver.at('/named')[0]?.body ?? '').data).toMatchObject(expected);
  });

  test('are empty when they are not given', async () => {
    expect(await generate({ reference: '' })).toMatchObject({
      file_name: null,
      reference: null,
      metadata: {},
      expires_at: null,
    });
  });

  test('keep an existing extension', async () => {
    expect((await generate({ file_name: 'Report.PDF' })).file_name).toBe('Report.PDF');
  });

  test('appear for items of batches', async () => {
    const key = await service().newKey();
    const items = [{ html: 'x', reference: 'r1', metadata: { n: '1' }, file_name: 'one' }, { html: 'y' }];
    await finishedBatch({ items }, key);
    const { data } = (await service().get('/v1/generations?reference=r1', key)).body;
    expect(data).toEqual([
      expect.objectContaining({ file_name: 'one.pdf', reference: 'r1', metadata: { n: '1' } }),
    ]);
  });

  const metadata = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'x']));
  test.each<[string, object, string, string]>([
    ['a slash', { file_name: 'a/b' }, 'file_name', 'slashes'],
    ['a backslash', { file_name: 'a\\b' }, 'file_name', 'backslashes'],
    ['a control character', { file_name: 'a\nb' }, 'file_name', 'control characters'],
    ['reversed text', { file_name: 'a\u202efdp.exe' }, 'file_name', 'reverse text'],
    ['a leading dot', { file_name: '..' }, 'file_name', 'begin with a dot'],
    ['a blank name', { file_name: '  ' }, 'file_name', 'blank'],
    ['an empty name', { file_name: '' }, 'file_name', '1 to 200'],
    ['a long name', { file_name: 'x'.repeat(201) }, 'file_name', '1 to 200'],
    ['an unpaired surrogate in a name', { file_name: 'a\ud800' }, 'file_name', '1 to 200'],
    ['a long reference', { reference: 'x'.repeat(201) }, 'reference', '200'],
    ['a reference that is a number', { reference: 7 }, 'reference', 'string'],
    ['U+0000 in a reference', { reference: 'a\u0000' }, 'reference', 'U+0000'],
    ['21 keys of metadata', { metadata: metadata(21) }, 'metadata', '20 keys'],
    ['a number in metadata', { metadata: { a: 1 } }, 'metadata.a', 'string'],
    ['a number in metadata under a key of two lines', { metadata: { 'a\nb': 1 } }, 'metadata.a\nb', 'string'],
    ['a long value in metadata', { metadata: { a: 'x'.repeat(501) } }, 'metadata.a', '500'],
    ['a long key in metadata', { metadata: { ['k'.repeat(41)]: 'x' } }, 'metadata', '40'],
    ['an empty key in metadata', { metadata: { '': 'x' } }, 'metadata', '1 to 40'],
    ['a list as metadata', { metadata: [] }, 'metadata', 'object'],
    ['a lifetime of 59 s', { expires_in: 59 }, 'expires_in', '60'],
    ['a lifetime of more than a year', { expires_in: 31_536_001 }, 'expires_in', '31536000'],
    ['a lifetime that is text', { expires_in: '60' }, 'expires_in', 'integer'],
  ])('%s is a 400 that names the field', async (_, body, path, part) => {
    for (const [route, request, prefix] of [
      ['/v1/generate', { html: 'x', ...body }, ''],
      ['/v1/generate/batch', { items: [{ html: 'x' }, { html: 'x', ...body }] }, 'items[1].'],
    ] as const) {
      const { status, body: answer } = await service().post(route, request);
      expect([status, answer.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(answer.error.details[0]).toEqual({
        path: `${prefix}${path}`,
        message: expect.stringContaining(part),
      });
    }
  });
});

describe('the lifetime of results', () => {
  test('ends after expires_in: record, receipt, list and link', async () => {
    const key = await service().newKey();
    const { id, url, expires_at: expiresAt } = await generate({ expires_in: 60 }, key);
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 60_000)).toBeLessThan(20_000);
    expect((await fetch(url)).status).toBe(200);
    expect((await service().get(`/v1/generations/${id}?receipt=true`, key)).body.receipt).not.toBeNull();
    using _ = moveClock(Date.parse(expiresAt) + 1);
    expect((await service().get(`/v1/generations/${id}?receipt=true`, key)).status).toBe(404);
    expect((await service().get('/v1/generations', key)).body.data).toEqual([]);
    expect((await service().request('DELETE', `/v1/generations/${id}`, { key })).status).toBe(404);
    // A link never outlives its file.
    if (!onMongoAndS3) expect((await fetch(url)).status).toBe(404);
  });

  test.if(isBeyondNpmTest)('ends at once for an item in its batch', async () => {
    const key = await service().newKey();
    const { path, batch } = await finishedBatch(
      { items: [{ html: '{{', data: {}, expires_in: 60 }, { html: 'x' }] },
      key,
    );
    expect(batch.generations[0].error).toContain('TEMPLATE_ERROR');
    using _ = moveClock(Date.now() + 61_000);
    const { failed, generations } = (await service().get(path, key)).body;
    expect(failed).toBe(1);
    expect(generations[0]).toMatchObject({ status: 'deleted', error: null });
    expect(generations[1]).toMatchObject({ status: 'completed' });
  });

  test('removes the bytes soon after its end', async () => {
    await using own = await TestService.start();
    await own.post('/v1/generate', { html: 'x' });
    await own.post('/v1/generate', { html: 'x', expires_in: 60 });
    const items = [
      { html: 'x', expires_in: 60 },
      { html: '{{', data: {}, expires_in: 60 },
    ];
    await finishedBatch({ items }, own.key, own);
    expect(await storedFiles(own)).toHaveLength(3);
    using _ = moveClock(Date.now() + 61_000);
    await until(async () => (await own.get('/v1/generations')).body.data.length === 1);
    await until(async () => (await storedFiles(own)).length === 1);
  });

  test.if(isBeyondNpmTest)(
    'follows the retention of the deployment and of the plan unless the request sets one',
    async () => {
      await using own = await TestService.start({
        env: { RETENTION_DAYS: '30' },
        config: { plans: { free: { retentionDays: 2 }, pro: { retentionDays: null } } },
      });
      const daysOf = async (plan: 'free' | 'starter' | 'pro', more: object = {}) => {
        const { body } = await own.post('/v1/generate', { html: 'x', ...more }, await own.newKey(plan));
        if (body.expires_at === null) return null;
        return Math.round((Date.parse(body.expires_at) - Date.now()) / 86_400_000);
      };
      expect(await daysOf('free')).toBe(2);
      expect(await daysOf('starter')).toBe(30);
      expect(await daysOf('pro')).toBeNull();
      expect(await daysOf('pro', { expires_in: 86_400 })).toBe(1);
    },
  );
});

describe('DELETE /v1/generations/:id', () => {
  test('removes the record, the receipt, the link and the bytes', async () => {
    await using own = await TestService.start();
    const { body: kept } = await own.post('/v1/generate', { html: 'kept' });
    const { body } = await own.post('/v1/generate', { html: 'x' });
    const response = await fetch(`${own.url}/v1/generations/${body.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${own.key}` },
    });
    expect([response.status, await response.text()]).toEqual([204, '']);
    expect((await own.get(`/v1/generations/${body.id}?receipt=true`)).status).toBe(404);
    expect((await fetch(body.url)).status).toBe(404);
    expect((await own.get('/v1/generations')).body.data.map(({ id }: { id: string }) => id)).toEqual([
      kept.id,
    ]);
    expect(await storedFiles(own)).toHaveLength(1);
    expect((await own.request('DELETE', `/v1/generations/${body.id}`)).status).toBe(404);
    expect((await fetch(kept.url)).status).toBe(200);
  });

  test.if(isBeyondNpmTest)('removes deliveries to an unreachable receiver', async () => {
    const key = await service().newKey();
    const sent = receiver.at(DOWN).length;
    const { id } = await generate({ webhook: receiver.url(DOWN) }, key);
    await until(() => receiver.at(DOWN).length > sent);
    expect((await service().get('/v1/webhooks/deliveries', key)).body.data).toHaveLength(1);
    await service().request('DELETE', `/v1/generations/${id}`, { key });
    expect((await service().get('/v1/webhooks/deliveries', key)).body.data).toEqual([]);
  });

  test("does not delete another account's generation", async () => {
    const { id } = await generate();
    const key = await service().newKey();
    expect((await service().request('DELETE', `/v1/generations/${id}`, { key })).status).toBe(404);
    expect((await service().get(`/v1/generations/${id}`)).status).toBe(200);
  });

  test.if(isBeyondNpmTest)('keeps the counts of a batch and lists the item as deleted', async () => {
    const key = await service().newKey();
    const { path, batch } = await finishedBatch(
      { items: [{ html: 'x' }, { html: '{{', data: {} }, { html: 'y' }] },
      key,
    );
    const [first, second] = batch.generations;
    for (const { id } of [first, second])
      expect((await service().request('DELETE', `/v1/generations/${id}`, { key })).status).toBe(204);
    const after = (await service().get(path, key)).body;
    expect(after).toMatchObject({ status: 'completed', total: 3, completed: 2, failed: 1 });
    expect(after.generations.map(({ status }: { status: string }) => status)).toEqual([
      'deleted',
      'deleted',
      'completed',
    ]);
    expect(after.generations[1].error).toBeNull();
    for (const query of ['', `?batch_id=${batch.batch_id}`])
      expect((await service().get(`/v1/generations${query}`, key)).body.data).toHaveLength(1);
    expect((await service().get(`/v1/generations/${first.id}`, key)).status).toBe(404);
  });

  test.if(isBeyondNpmTest)('removes the item from the message of its batch', async () => {
    const key = await service().newKey();
    const messages = () => receiver.at(DOWN);
    const before = messages().length;
    const items = [1, 2, 3].map(() => ({ html: '{{', data: {} }));
    const request = { items, webhook: receiver.url(DOWN) };
    const { body } = await service().post('/v1/generate/batch', request, key);
    await until(() => messages().length > before);
    const [first, second, third] = body.generations;
    await Promise.all(
      [first, second].map(({ id }) => service().request('DELETE', `/v1/generations/${id}`, { key })),
    );
    const [delivery] = (await service().get('/v1/webhooks/deliveries', key)).body.data;
    const sent = messages().length;
    await service().post(`/v1/webhooks/deliveries/${delivery.id}/retry`, {}, key);
    await until(() => messages().length > sent);
    const { data } = JSON.parse(messages().at(-1)?.body ?? '');
    expect(data).toEqual((await service().get(`/v1/batches/${body.batch_id}`, key)).body);
    const gone = { status: 'deleted', error: null };
    expect(data.generations).toEqual([
      { id: first.id, index: 0, ...gone },
      { id: second.id, index: 1, ...gone },
      { id: third.id, index: 2, status: 'failed', error: expect.stringContaining('TEMPLATE_ERROR') },
    ]);
  });

  test('is a conflict for an item that has not ended', async () => {
    const key = await service().newKey();
    const { held, release } = receiver.hold();
    const items = Array.from({ length: 20 }, () => held);
    const { body } = await service().post('/v1/generate/batch', { items }, key);
    const { id } = body.generations.at(-1);
    const { status, body: answer } = await service().request('DELETE', `/v1/generations/${id}`, { key });
    expect([status, answer.error.code]).toEqual([409, 'CONFLICT']);
    expect(answer.error.message).toContain(`/v1/batches/${body.batch_id}/cancel`);
    await service().post(`/v1/batches/${body.batch_id}/cancel`, {}, key);
    expect((await service().request('DELETE', `/v1/generations/${id}`, { key })).status).toBe(204);
    release();
  });
});

describe('POST /v1/batches/:id/cancel', () => {
  test('cancels the queued items, releases their quota, and sends one webhook', async () => {
    const hook = '/canceled';
    const key = await service().newKey('free');
    const { held, release } = receiver.hold();
    const items = Array.from({ length: 40 }, () => held);
    const request = { items, webhook: receiver.url(hook) };
    const { body } = await service().post('/v1/generate/batch', request, key);
    const path = `/v1/batches/${body.batch_id}`;
    const canceled = await service().post(`${path}/cancel`, {}, key);
    expect([canceled.status, canceled.body.status]).toEqual([200, 'canceled']);
    expect(canceled.body.canceled).toBeGreaterThan(20);
    release();
    await until(() => receiver.at(hook).length > 0);
    const done = (await service().get(path, key)).body;
    expect(done.completed + done.failed + done.canceled).toBe(40);
    expect(JSON.parse(receiver.at(hook)[0]?.body ?? '').data).toEqual(done);
    // 40 units were reserved of the 50 of the plan. After the release, 40 more fit.
    const second = await service().post(
      '/v1/generate/batch',
      { items: items.slice(0, 40 - done.completed) },
      key,
    );
    expect(second.status).toBe(202);
    await service().post(`/v1/batches/${second.body.batch_id}/cancel`, {}, key);
    expect((await service().post(`${path}/cancel`, {}, key)).body).toEqual(done);
    expect(receiver.at(hook)).toHaveLength(1);
    const states = (await service().get(`/v1/generations?status=canceled&batch_id=${body.batch_id}`, key))
      .body.data;
    expect(states).toHaveLength(done.canceled);
  });

  test('changes nothing in a batch that has ended', async () => {
    const { path, batch } = await finishedBatch({ items: [{ html: 'x' }] });
    const { status, body } = await service().post(`${path}/cancel`, {});
    expect([status, body]).toEqual([200, batch]);
  });

  test("is a 404 for an unknown batch and for another account's batch", async () => {
    const { path } = await finishedBatch({ items: [{ html: 'x' }] });
    const key = await service().newKey();
    expect((await service().post(`${path}/cancel`, {}, key)).status).toBe(404);
    expect((await service().post('/v1/batches/batch_unknown/cancel', {})).status).toBe(404);
  });
});
