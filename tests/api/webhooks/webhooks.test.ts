import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createHmac } from 'node:crypto';
import { platen } from '../../support/service/process.ts';
import { Receiver, verify, type Received } from '../../support/sites/receiver.ts';
import { TestService, type ApiResponse } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

setDefaultTimeout(60_000);

/** The receiver of all tests. Its response depends on the path. */
const receiver = new Receiver(({ path }, count) => {
  if (path.startsWith('/down4')) return new Response('busy', { status: count < 5 ? 500 : 200 });
  if (path.startsWith('/gone')) return new Response(null, { status: 410 });
  if (path.startsWith('/moved'))
    return new Response(null, { status: 302, headers: { location: '/moved-here' } });
  if (path.startsWith('/refusing')) return new Response(null, { status: 500 });
  if (path.startsWith('/once-refusing')) return new Response(null, { status: count === 1 ? 400 : 200 });
  return new Response('ok');
});

let service: TestService;
beforeAll(async () => {
  service = await TestService.start({
    env: { EGRESS_ALLOW: receiver.host },
    config: { webhooks: { retryDelaysMs: [100, 100, 100, 100] } },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const generate = (path: string, more: object = {}, key?: string) =>
  service.post('/v1/generate', { html: '<p>Hello</p>', webhook: receiver.url(path), ...more }, key);

const secretOf = async (email: string, ...options: string[]) => {
  const { code, stdout, stderr } = await platen(
    ['webhooks', 'secret', '--email', email, ...options],
    service.env,
  );
  expect([code, stderr]).toEqual([0, '']);
  return stdout.trim();
};

async function arrived(path: string, count = 1): Promise<[Received, ...Received[]]> {
  await until(() => receiver.at(path).length >= count);
  return receiver.at(path) as [Received, ...Received[]];
}

/** Waits until the newest delivery of an account is no longer pending. */
async function finalDelivery(key?: string): Promise<ApiResponse['body']> {
  let delivery: ApiResponse['body'];
  await until(async () => {
    const { body } = await service.get('/v1/webhooks/deliveries?limit=1', key);
    delivery = body.data[0];
    return delivery && delivery.status !== 'pending';
  });
  return delivery;
}

describe('a webhook of POST /v1/generate', () => {
  test('is signed according to Standard Webhooks', async () => {
    const { body: made } = await generate('/signed?token=secret');
    const [request] = await arrived('/signed?token=secret');
    const secret = await secretOf('admin@localhost');
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(verify(secret, request)).toBeObject();
    const {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature,
    } = request.headers;
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${request.body}`).digest('base64');
    expect(signature).toBe(`v1,${digest}`);
    expect(id).toMatch(/^msg_[0-9A-Za-z]{24}$/);
    expect(Math.abs(Number(timestamp) - Date.now() / 1000)).toBeLessThan(60);
    expect(request.headers['content-type']).toBe('application/json');

    const body = JSON.parse(request.body);
    const { body: generation } = await service.get(`/v1/generations/${made.id}`);
    const unsigned = (url: string) => url.split('?')[0];
    expect(Object.keys(body)).toEqual(['type', 'timestamp', 'data']);
    expect(body.type).toBe('generation.completed');
    expect(new Date(body.timestamp).toISOString()).toBe(body.timestamp);
    expect({ ...body.data, url: unsigned(body.data.url) }).toEqual({
      ...generation,
      url: unsigned(generation.url),
    });
    expect(Buffer.from(await service.download(body.data.url)).toString('latin1', 0, 5)).toBe('%PDF-');
  });

  test('contains a link instead of data if the output is base64', async () => {
    const { body: made } = await generate('/base64', { output: 'base64' });
    const [request] = await arrived('/base64');
    const { data } = JSON.parse(request.body);
    expect(data).toMatchObject({ id: made.id, status: 'completed', pages: 1 });
    expect(data.data).toBeUndefined();
    expect(request.body.length).toBeLessThan(1_000);
  });

  test('is sent for a failed generation, but not for a rejected request', async () => {
    const key = await service.newKey();
    const wrong = { html: 'x', options: { margin: '9in' }, webhook: receiver.url('/wrong') };
    expect((await service.post('/v1/generate', wrong, key)).status).toBe(400);
    const html = '<script>undefinedName()</script>';
    const failing = { html, options: { strict: true }, webhook: receiver.url('/failed') };
    expect((await service.post('/v1/generate', failing, key)).status).toBe(400);
    const [request] = await arrived('/failed');
    const { type, data } = JSON.parse(request.body);
    expect(type).toBe('generation.failed');
    expect(data).toMatchObject({ status: 'failed', url: null, pages: null });
    expect(data.error).toStartWith('SCRIPT_ERROR: ');
    expect((await service.get('/v1/webhooks/deliveries', key)).body.data.length).toBe(1);
    expect(receiver.at('/wrong')).toEqual([]);
  });

  test('is stored before the response is sent', async () => {
    const key = await service.newKey();
    const { body: made } = await generate('/stored', {}, key);
    expect(made.status).toBe('completed');
    expect((await service.get('/v1/webhooks/deliveries', key)).body.data.length).toBe(1);
  });
});

describe('webhook attempts', () => {
  test('a receiver that fails four times gets the fifth attempt, with the same id and a new signature', async () => {
    const key = await service.newKey('pro', 'down@example.com');
    await generate('/down4', {}, key);
    const requests = await arrived('/down4', 5);
    expect(await finalDelivery(key)).toMatchObject({
      status: 'delivered',
      attempts: 5,
      last_status: 200,
      last_error: null,
      next_attempt_at: null,
    });
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(requests.map(({ body }) => body)).size).toBe(1);
    const secret = await secretOf('down@example.com');
    for (const request of requests) expect(verify(secret, request)).toBeObject();
    for (const [index, { at }] of requests.slice(1).entries())
      expect(at - (requests[index]?.at ?? 0)).toBeGreaterThanOrEqual(100);
  });

  test('end with the retry schedule', async () => {
    const key = await service.newKey();
    await generate('/refusing', {}, key);
    expect(await finalDelivery(key)).toMatchObject({ status: 'failed', attempts: 5, last_status: 500 });
    expect(receiver.at('/refusing').length).toBe(5);
  });

  test('end at once after a 410', async () => {
    const key = await service.newKey();
    await generate('/gone', {}, key);
    expect(await finalDelivery(key)).toMatchObject({ status: 'failed', attempts: 1, last_status: 410 });
  });

  test('fail on a redirect, which is not followed', async () => {
    const key = await service.newKey();
    await generate('/moved', {}, key);
    const delivery = await finalDelivery(key);
    expect(delivery).toMatchObject({ status: 'failed', last_status: 302 });
    expect(delivery.last_error).toContain('redirects are not followed');
    expect(receiver.at('/moved-here')).toEqual([]);
  });

  test('are counted by outcome', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    for (const outcome of ['delivered', 'failed', 'retry'])
      expect(text).toMatch(new RegExp(`^platen_webhook_tries_total\\{outcome="${outcome}"\\} [1-9]`, 'm'));
  });
});

describe('a webhook to localhost', () => {
  const port = new URL(receiver.url('')).port;
  const batch = (webhook: string) => ({ items: [{ html: 'x' }], webhook });

  test.each([
    ['localhost', `http://localhost:${port}/hook`],
    ['hooks.localhost', `http://hooks.localhost:${port}/hook`],
    ['10.0.0.1', `http://10.0.0.1:${port}/hook`],
  ])('is rejected with the setting that allows it: %s', async (host, webhook) => {
    const message = `webhook: must be on a public address, and ${host} is not; the operator can allow it with EGRESS_ALLOW=${host}:${port}`;
    for (const [path, body] of [
      ['/v1/generate', { html: 'x', webhook }],
      ['/v1/generate/batch', batch(webhook)],
    ] as const) {
      const answer = await service.post(path, body);
      expect([answer.status, answer.body.error.message]).toEqual([400, message]);
      expect(answer.body.error.details[0].path).toBe('webhook');
    }
  });

  test('arrives when EGRESS_ALLOW contains it', async () => {
    await using own = await TestService.start({ env: { EGRESS_ALLOW: `localhost:${port}` } });
    const webhook = `http://localhost:${port}/local`;
    expect((await own.post('/v1/generate', { html: 'x', webhook })).status).toBe(200);
    expect((await own.post('/v1/generate/batch', batch(webhook))).status).toBe(202);
    await until(() => receiver.at('/local').length === 2);
  });
});

describe('GET /v1/webhooks/deliveries', () => {
  test('lists the deliveries with a status', async () => {
    const key = await service.newKey();
    await generate('/gone', {}, key);
    await finalDelivery(key);
    await generate('/fine', {}, key);
    await finalDelivery(key);
    const list = async (query: string) => {
      const { body } = await service.get(`/v1/webhooks/deliveries?${query}`, key);
      return body.data.map(({ url }: ApiResponse['body']) => url);
    };
    expect(await list('status=failed')).toEqual([receiver.url('/gone')]);
    expect(await list('status=delivered&limit=1')).toEqual([receiver.url('/fine')]);
    expect(await list('status=pending')).toEqual([]);
    for (const value of ['', 'Failed', 'queued']) {
      const { status, body } = await service.get(`/v1/webhooks/deliveries?status=${value}`, key);
      expect([status, body.error.details[0].path]).toEqual([400, 'status']);
    }
  });

  test('lists deliveries newest first, in pages, without the query of the URL', async () => {
    const key = await service.newKey();
    for (const name of ['a', 'b', 'c']) await generate(`/${name}?token=secret`, {}, key);
    await until(async () => {
      const { body } = await service.get('/v1/webhooks/deliveries', key);
      return body.data.every(({ status }: ApiResponse['body']) => status === 'delivered');
    });
    const { body } = await service.get('/v1/webhooks/deliveries', key);
    expect(body.has_more).toBe(false);
    expect(body.data.map(({ url }: ApiResponse['body']) => url)).toEqual(
      ['/c', '/b', '/a'].map((path) => receiver.url(path)),
    );
    const [newest] = body.data;
    expect(Object.keys(newest)).toEqual([
      'id',
      'event',
      'url',
      'endpoint_id',
      'event_id',
      'status',
      'attempts',
      'last_status',
      'last_error',
      'next_attempt_at',
      'created_at',
    ]);
    expect(newest.event).toBe('generation.completed');
    expect(newest.id).toBe(receiver.at('/c?token=secret')[0]?.headers['webhook-id']);
    const first = await service.get('/v1/webhooks/deliveries?limit=2', key);
    expect([first.body.data.length, first.body.has_more]).toEqual([2, true]);
    const rest = await service.get('/v1/webhooks/deliveries?limit=2&offset=2', key);
    expect([rest.body.data.length, rest.body.has_more]).toEqual([1, false]);
    expect(rest.body.data[0]).toEqual(body.data[2]);
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'limit=1.5', 'offset=-1', 'offset=x'])(
    'rejects ?%s',
    async (query) => {
      const { status, body } = await service.get(`/v1/webhooks/deliveries?${query}`);
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      expect(body.error.details[0].path).toBe(query.split('=')[0]);
    },
  );

  test('a retry sends a failed or delivered message again with the same id', async () => {
    const key = await service.newKey();
    await generate('/gone-again', {}, key);
    const failed = await finalDelivery(key);
    const path = `/v1/webhooks/deliveries/${failed.id}/retry`;
    const { status, body } = await service.request('POST', path, { key });
    expect([status, body.id, body.status]).toEqual([200, failed.id, 'pending']);
    await arrived('/gone-again', 2);
    await generate('/again', {}, key);
    const { id } = await finalDelivery(key);
    await service.request('POST', `/v1/webhooks/deliveries/${id}/retry`, { key });
    const requests = await arrived('/again', 2);
    expect(requests.map(({ headers }) => headers['webhook-id'])).toEqual([id, id]);
    expect(await finalDelivery(key)).toMatchObject({ id, status: 'delivered', attempts: 2 });
  });

  test('a retry sends a pending message at once', async () => {
    await using patient = await TestService.start({
      env: { EGRESS_ALLOW: receiver.host },
      config: { webhooks: { retryDelaysMs: [3_600_000] } },
    });
    await patient.post('/v1/generate', { html: 'x', webhook: receiver.url('/once-refusing') });
    const read = async () => (await patient.get('/v1/webhooks/deliveries')).body.data[0];
    await until(async () => (await read()).attempts === 1);
    const pending = await read();
    expect(pending).toMatchObject({ status: 'pending', last_status: 400, last_error: 'answered 400' });
    expect(Date.parse(pending.next_attempt_at)).toBeGreaterThan(Date.parse(pending.created_at) + 3_500_000);
    await patient.request('POST', `/v1/webhooks/deliveries/${pending.id}/retry`);
    await until(async () => (await read()).status === 'delivered');
    expect(receiver.at('/once-refusing').length).toBe(2);
  });

  test("another account's delivery gets 404", async () => {
    const [mine, other] = [await service.newKey(), await service.newKey()];
    await generate('/mine', {}, mine);
    const { id } = await finalDelivery(mine);
    expect((await service.get('/v1/webhooks/deliveries', other)).body.data).toEqual([]);
    for (const unknown of [id, 'msg_none', '%00']) {
      const answer = await service.request('POST', `/v1/webhooks/deliveries/${unknown}/retry`, {
        key: other,
      });
      expect([answer.status, answer.body.error.code]).toEqual([404, 'NOT_FOUND']);
    }
    expect(receiver.at('/mine').length).toBe(1);
  });
});
