import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { join } from 'node:path';
import { platen } from '../../support/service/process.ts';
import { Receiver } from '../../support/sites/receiver.ts';
import { TestService, type ApiResponse } from '../../support/service/service.ts';
import { pdfText, toolsAvailable } from '../../support/pdf/pdf.ts';
import { unzip } from '../../support/unzip.ts';
import { until } from '../../support/until.ts';

// Only ends a test that hangs: on a busy machine, a document takes seconds.
setDefaultTimeout(120_000);

const MAX_QUEUED = 3;

/** The documents of a test wait for a picture until the test opens the gate. */
let gate = Promise.withResolvers<void>();
let service: TestService;
let receiver: Receiver;
let [key, email] = ['', ''];

beforeAll(async () => {
  receiver = new Receiver(async ({ path }) => {
    if (path.startsWith('/held')) await gate.promise;
    return new Response(null, { status: 204 });
  });
  service = await TestService.start({
    env: { EGRESS_ALLOW: receiver.host, RENDER_CONCURRENCY: '1' },
    config: { plugins: { batch: false, render: { timeoutMs: 600_000, maxQueuedRequests: MAX_QUEUED } } },
  });
}, 60_000);

afterAll(async () => {
  gate.resolve();
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
}, 60_000);

beforeEach(async () => {
  gate.resolve();
  gate = Promise.withResolvers();
  email = `${crypto.randomUUID()}@example.com`;
  key = await service.newKey('pro', email);
});

const submit = (body: object, as = key) =>
  service.post('/v1/generate', { html: '<p>x</p>', ...body, async: true }, as);
const read = async (id: string, as = key) => (await service.get(`/v1/generations/${id}`, as)).body;
const remove = (id: string, as = key) => service.request('DELETE', `/v1/generations/${id}`, { key: as });
const usedBy = async (as = key) => (await service.get('/v1/usage', as)).body.used;

/** Submits a document that is being made until the gate opens. */
async function submitHeld(body: object = {}, as = key): Promise<ApiResponse['body']> {
  const path = `/held/${crypto.randomUUID()}`;
  const { body: held } = await submit({ html: `<img src="${receiver.url(path)}">`, ...body }, as);
  await until(() => receiver.at(path).length > 0);
  expect((await read(held.id, as)).status).toBe('processing');
  return held;
}

const isEnded = ({ status }: ApiResponse['body']) => status === 'completed' || status === 'failed';

async function ended(id: string, as = key): Promise<ApiResponse['body']> {
  await until(async () => isEnded(await read(id, as)));
  return read(id, as);
}

describe('a queued generation, without the plugin batch,', () => {
  test('uses the version of its template that was current when it was accepted', async () => {
    const template = (html_content: string) => ({ name: 'Letter', html_content });
    const { body: created } = await service.post('/v1/templates', template('First {{name}}'), key);
    await submitHeld();
    const { body } = await submit({ html: undefined, template: created.id, data: { name: 'Ada' } });
    await service.request('PUT', `/v1/templates/${created.id}`, { key, body: template('Second {{name}}') });
    expect(await read(body.id)).toMatchObject({ status: 'queued', template_id: created.id, url: null });
    gate.resolve();
    const { url, status } = await ended(body.id);
    expect(status).toBe('completed');
    if (toolsAvailable) expect(await pdfText(await service.download(url))).toContain('First Ada');
  });

  test('is canceled by its deletion, which returns its quota; one that is being made is a conflict', async () => {
    const held = await submitHeld();
    const { body: queued } = await submit({ webhook: receiver.url('/never'), expires_in: 3600 });
    expect(await usedBy()).toBe(2);
    const foreign = await service.newKey('pro');
    expect([(await remove(queued.id, foreign)).status, (await read(queued.id)).status]).toEqual([
      404,
      'queued',
    ]);
    const conflict = await remove(held.id);
    expect([conflict.status, conflict.body.error.message]).toEqual([
      409,
      'the generation has not ended: it is being made, and can be deleted afterwards',
    ]);
    expect((await remove(queued.id)).status).toBe(204);
    expect((await service.get(`/v1/generations/${queued.id}`, key)).status).toBe(404);
    expect((await remove(queued.id)).status).toBe(404);
    expect(await usedBy()).toBe(1);
    gate.resolve();
    await ended(held.id);
    const { body: after } = await submit({});
    await ended(after.id);
    const { body: list } = await service.get('/v1/generations', key);
    expect(list.data.map(({ id }: ApiResponse['body']) => id)).toEqual([after.id, held.id]);
    expect(receiver.at('/never')).toEqual([]);
    await until(async () => (await service.get('/v1/events', key)).body.data.length === 2);
    expect((await remove(held.id)).status).toBe(204);
    expect(await usedBy()).toBe(2);
  });

  test('is one of a limited number', async () => {
    await submitHeld();
    const accepted = [];
    for (let index = 0; index < MAX_QUEUED; index += 1) accepted.push(await submit({}));
    expect(accepted.map(({ status }) => status)).toEqual(accepted.map(() => 202));
    const refused = await submit({});
    expect([refused.status, refused.body.error.code]).toEqual([429, 'RATE_LIMITED']);
    expect(refused.body.error.message).toBe(
      'the account has 3 queued requests with `async`, which is the limit',
    );
    expect(refused.headers.get('retry-after')).toBe('10');
    expect(await usedBy()).toBe(MAX_QUEUED + 1);
    expect((await submit({}, await service.newKey('pro'))).status).toBe(202);
    gate.resolve();
    for (const { body } of accepted) await ended(body.id);
  });

  test('does not wait for the documents of another account', async () => {
    const held = await submitHeld();
    for (let index = 0; index < MAX_QUEUED; index += 1) await submit({});
    const other = await service.newKey('pro');
    const { body } = await submit({}, other);
    expect(await ended(body.id, other)).toMatchObject({ status: 'completed' });
    expect(await read(held.id)).toMatchObject({ status: 'processing' });
  });

  test('fails when its account is suspended before it is made', async () => {
    const held = await submitHeld();
    const { body } = await submit({ webhook: receiver.url('/suspended') });
    const account = await service.accounts.findByEmail(email);
    await service.accounts.update(account?.id ?? '', { suspendedAt: Date.now() });
    gate.resolve();
    await until(() => receiver.at('/suspended').length > 0);
    await service.accounts.update(account?.id ?? '', { suspendedAt: null });
    expect(await read(body.id)).toMatchObject({
      status: 'failed',
      error: 'FORBIDDEN: the account was suspended before this document was made',
    });
    expect(await ended(held.id)).toMatchObject({ status: 'completed' });
    await until(async () => (await usedBy()) === 1);
  });

  test('is exported with its request, without the password of its URL, and erased with its account', async () => {
    const held = await submitHeld();
    const { body } = await submit({
      html: undefined,
      url: receiver.url('/page'),
      basic_auth: { username: 'ann', password: 'correct horse' },
    });
    const archive = join(service.dataDir, 'ann.zip');
    await platen(['accounts', 'export', '--email', email, '--out', archive], service.env);
    const entries = await unzip(await Bun.file(archive).bytes());
    const file = entries.find(({ name }) => name === 'generation-requests.json');
    const requests = JSON.parse(file?.content.toString() ?? '');
    expect(requests.map(({ id }: ApiResponse['body']) => id)).toEqual([held.id, body.id]);
    expect(requests[0].request.source.html).toContain('/held/');
    expect(JSON.stringify(requests)).not.toContain('correct horse');
    await platen(['accounts', 'delete', '--email', email, '--yes'], service.env);
    gate.resolve();
    const again = await service.newKey('pro', email);
    const { body: after } = await submit({}, again);
    await ended(after.id, again);
    expect(receiver.at('/page')).toEqual([]);
    expect((await service.get('/v1/generations', again)).body.data).toHaveLength(1);
  });
});
