import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { samplePdf } from '../../../plugins/pdf-tools/examples.ts';
import { collectionsWith } from '../../support/accounts/filled-account.ts';
import { extendedService } from '../../support/service/shared-service.ts';
import type { ApiResponse } from '../../support/service/service.ts';
import { Receiver, verify } from '../../support/sites/receiver.ts';
import { until } from '../../support/until.ts';

setDefaultTimeout(60_000);
const service = extendedService();
const receiver = new Receiver(({ path }, count) => {
  if (path.startsWith('/gone')) return new Response(null, { status: 410 });
  return new Response(null, { status: path.startsWith('/fails') && count === 1 ? 500 : 200 });
});
afterAll(() => receiver[Symbol.asyncDispose]());

const PATH = '/v1/webhook-endpoints';
type Options = { key: string; headers?: Record<string, string> };
const create = (body: object, key: string) => service().post(PATH, body, key);
const patch = (id: string, body: object, key: string) =>
  service().request('PATCH', `${PATH}/${id}`, { body, key });
const remove = (id: string, key: string) => service().request('DELETE', `${PATH}/${id}`, { key });
const read = (id: string, key: string) => service().get(`${PATH}/${id}`, key);
const subscription = (path: string, events = ['generation.*']) => ({ url: receiver.url(path), events });
const generate = (key: string, more: object = {}) =>
  service().post('/v1/generate', { html: 'x', ...more }, key);
const deliveries = async (key: string): Promise<ApiResponse['body'][]> =>
  (await service().get('/v1/webhooks/deliveries', key)).body.data;
/** Waits until every delivery of an account has ended, and returns them. */
const endedDeliveries = async (key: string, count: number) => {
  await until(async () => {
    const found = await deliveries(key);
    return found.length === count && found.every(({ status }) => status !== 'pending');
  });
  return deliveries(key);
};
const expectFault = ({ status, body }: ApiResponse, path: string) =>
  expect([status, body.error?.code, body.error?.details[0]?.path]).toEqual([400, 'VALIDATION_ERROR', path]);

describe('/v1/webhook-endpoints', () => {
  test('creates, reads, lists, changes and deletes endpoints', async () => {
    const key = await service().newKey();
    const made = await create({ ...subscription('/crud?token=1'), description: 'Shop' }, key);
    expect(made.status).toBe(201);
    expect(made.headers.get('cache-control')).toBe('no-store');
    const { secret, ...endpoint } = made.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(endpoint).toEqual({
      id: expect.stringMatching(/^we_[0-9A-Za-z]{24}$/),
      url: receiver.url('/crud?token=1'),
      events: ['generation.*'],
      description: 'Shop',
      enabled: true,
      disabled_reason: null,
      disabled_at: null,
      failing_since: null,
      created_at: expect.any(String),
      updated_at: endpoint.created_at,
    });
    expect((await read(endpoint.id, key)).body).toEqual(endpoint);

    const other = (await create({ ...subscription('/crud-2'), enabled: false }, key)).body;
    expect([other.enabled, other.disabled_reason, other.description]).toEqual([false, 'request', null]);
    const list = (await service().get(`${PATH}?include=total`, key)).body;
    expect([list.data.map(({ id }: ApiResponse['body']) => id), list.has_more, list.total]).toEqual([
      [other.id, endpoint.id],
      false,
      2,
    ]);
    expect(list.data[1]).toEqual(endpoint);
    const rest = (await service().get(`${PATH}?limit=1&starting_after=${other.id}`, key)).body;
    expect(rest).toEqual({ data: [endpoint], has_more: false });

    const events = ['batch.completed', 'generation.failed', 'batch.completed'];
    const changed = await patch(endpoint.id, { events, description: null }, key);
    expect(changed.status).toBe(200);
    expect(changed.body).toEqual({
      ...endpoint,
      events: ['batch.completed', 'generation.failed'],
      description: null,
      updated_at: changed.body.updated_at,
    });
    const disabled = (await patch(endpoint.id, { enabled: false }, key)).body;
    expect([disabled.enabled, disabled.disabled_reason]).toEqual([false, 'request']);
    expect(disabled.disabled_at).toBe(disabled.updated_at);
    const enabled = (await patch(endpoint.id, { enabled: true }, key)).body;
    expect([enabled.enabled, enabled.disabled_reason, enabled.disabled_at]).toEqual([true, null, null]);

    expect((await remove(endpoint.id, key)).status).toBe(204);
    expect((await remove(endpoint.id, key)).status).toBe(404);
    expect((await read(endpoint.id, key)).status).toBe(404);
  });

  test('rejects invalid fields and names them', async () => {
    const key = await service().newKey();
    const valid = subscription('/valid');
    const { id } = (await create(valid, key)).body;
    for (const [path, fields] of [
      ['url', { url: 'no url' }],
      ['url', { url: 'ftp://example.com/' }],
      ['url', { url: 'https://user:pass@example.com/' }],
      ['url', { url: 'http://10.0.0.1/' }],
      ['url', { url: `https://example.com/${'x'.repeat(2048)}` }],
      ['events', { events: [] }],
      ['events', { events: 'generation.*' }],
      ['events[1]', { events: ['generation.*', 'generation.started'] }],
      ['events[0]', { events: ['*'] }],
      ['events[0]', { events: ['.*'] }],
      ['events[0]', { events: ['generation'] }],
      ['events[0]', { events: [7] }],
      ['description', { description: '' }],
      ['description', { description: 'x'.repeat(501) }],
      ['enabled', { enabled: 'yes' }],
      ['colour', { colour: 'red' }],
    ] as const) {
      expectFault(await create({ ...valid, ...fields }, key), path);
      expectFault(await patch(id, fields, key), path);
    }
    expectFault(await create({ events: ['generation.*'] }, key), 'url');
    expectFault(await create({ url: valid.url }, key), 'events');
    expect((await service().get(PATH, key)).body.data).toHaveLength(1);
    // Characters that a URL must encode are stored encoded, so that a change finds the endpoint.
    const odd = (await create({ ...valid, url: receiver.url('/\u0000\ud800 ä') }, key)).body;
    expect(odd.url).toBe(receiver.url('/%00%EF%BF%BD%20%C3%A4'));
    expect((await patch(odd.id, { enabled: false }, key)).body.enabled).toBe(false);
  });

  test('allows 20 endpoints, also when they are created at once', async () => {
    const key = await service().newKey();
    const answers = await Promise.all(
      Array.from({ length: 24 }, () => create({ ...subscription('/many'), enabled: false }, key)),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([...Array(20).fill(201), ...Array(4).fill(409)]);
    const full = await create(subscription('/many'), key);
    expect(full.body.error.message).toContain('20 webhook endpoints');
    const created = answers.find(({ status }) => status === 201);
    await remove(created?.body.id, key);
    expect((await create(subscription('/many'), key)).status).toBe(201);
  });

  test("shows no account another's endpoints", async () => {
    const [owner, other] = [await service().newKey(), await service().newKey()];
    const { id } = (await create(subscription('/owned'), owner)).body;
    expect((await service().get(PATH, other)).body.data).toEqual([]);
    const answers = await Promise.all([
      read(id, other),
      patch(id, { enabled: false }, other),
      remove(id, other),
      service().get(`${PATH}/${id}/secret`, other),
      service().request('POST', `${PATH}/${id}/rotate-secret`, { key: other }),
      service().post(`${PATH}/${id}/test`, {}, other),
      service().get(`${PATH}?starting_after=${id}`, other),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 400]);
    expect((await read(id, owner)).body.enabled).toBe(true);
    await generate(other);
    expect(await deliveries(owner)).toEqual([]);
    expect(receiver.at('/owned')).toEqual([]);
  });

  test('a repeated request with an Idempotency-Key creates one endpoint', async () => {
    const key = await service().newKey();
    const options: Options = { key, headers: { 'idempotency-key': 'endpoint-1' } };
    const send = () => service().request('POST', PATH, { body: subscription('/kept'), ...options });
    const [first, second] = [await send(), await send()];
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect((await service().get(PATH, key)).body.data).toHaveLength(1);
  });

  test('needs the scope webhooks', async () => {
    const limited = await service().newKeyOfAccount({ scopes: ['generate'] });
    const answer = await create(subscription('/scope'), limited);
    expect([answer.status, answer.body.error.message]).toEqual([
      403,
      'the API key lacks the scope "webhooks"',
    ]);
  });
});

describe('the events of an account', () => {
  test('are sent to the endpoints that subscribe, each signed with its own secret', async () => {
    const key = await service().newKey();
    const all = (await create(subscription('/all', ['generation.*', 'batch.*']), key)).body;
    const failed = (await create(subscription('/failed', ['generation.failed']), key)).body;
    await create({ ...subscription('/off'), enabled: false }, key);
    const made = (await generate(key)).body;
    const refused = await generate(key, { react: 'no component', html: undefined });
    expect(refused.status).toBe(400);
    const log = await endedDeliveries(key, 3);
    expect(log.map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(Array(3).fill('delivered 1'));
    const events = (await service().get('/v1/events', key)).body.data;
    const completed = events.find(({ type }: ApiResponse['body']) => type === 'generation.completed');
    const ofAll = log.filter(({ endpoint_id: id }) => id === all.id);
    expect(ofAll.map(({ event_id: id }): string => id).toSorted()).toEqual(
      events.map(({ id }: ApiResponse['body']): string => id).toSorted(),
    );
    expect(log.filter(({ endpoint_id: id }) => id === failed.id).map(({ event }) => event)).toEqual([
      'generation.failed',
    ]);
    const request = receiver.at('/all').find(({ body }) => body.includes('generation.completed'));
    if (!request) throw new Error('the event has not arrived');
    expect(verify(all.secret, request)).toBeObject();
    expect(() => verify(failed.secret, request)).toThrow();
    const body = JSON.parse(request.body);
    expect({ ...body, data: { ...body.data, url: null } }).toEqual({
      type: completed.type,
      timestamp: completed.timestamp,
      data: completed.data,
    });
    // The event has no link; the message does.
    expect(Buffer.from(await service().download(body.data.url)).toString('latin1', 0, 5)).toBe('%PDF-');
    expect(body.data.id).toBe(made.id);
    expect(receiver.at('/failed').map(({ body: text }) => JSON.parse(text).data.url)).toEqual([null]);
    expect(receiver.at('/off')).toEqual([]);
  });

  test('have deliveries that are listed by event', async () => {
    const [key, other] = [await service().newKey(), await service().newKey()];
    for (const path of ['/by-event-1', '/by-event-2']) await create(subscription(path, ['file.*']), key);
    for (const file of [samplePdf, samplePdf])
      expect((await service().post('/v1/files', { file }, key)).status).toBe(201);
    const log = await endedDeliveries(key, 4);
    const [event] = (await service().get('/v1/events', key)).body.data;
    const list = async (query: string, as = key): Promise<ApiResponse['body'][]> =>
      (await service().get(`/v1/webhooks/deliveries?${query}`, as)).body.data;
    const found = await list(`event_id=${event.id}`);
    expect(found).toEqual(log.filter(({ event_id: id }) => id === event.id));
    expect(found.map(({ url }): string => url).toSorted()).toEqual([
      receiver.url('/by-event-1'),
      receiver.url('/by-event-2'),
    ]);
    expect(await list(`event_id=${event.id}&limit=1&starting_after=${found[0].id}`)).toEqual([found[1]]);
    expect(await list(`event_id=${event.id}&status=failed`)).toEqual([]);
    expect(await list('event_id=evt_unknown')).toEqual([]);
    expect(await list(`event_id=${event.id}`, other)).toEqual([]);
    expectFault(await service().get(`/v1/webhooks/deliveries?event_id=${'x'.repeat(101)}`, key), 'event_id');
  });

  test('are sent in addition to the webhook of a request', async () => {
    const key = await service().newKey();
    await create(subscription('/both'), key);
    await generate(key, { webhook: receiver.url('/own-webhook') });
    const log = await endedDeliveries(key, 2);
    expect(new Set(log.map(({ id }) => id)).size).toBe(2);
    expect(log.filter(({ endpoint_id: id }) => id === null).map(({ event_id: id }) => id)).toEqual([null]);
    expect([receiver.at('/both').length, receiver.at('/own-webhook').length]).toEqual([1, 1]);
  });

  test('are deleted with their generation', async () => {
    const key = await service().newKey();
    await create(subscription('/deleted'), key);
    const { id } = (await generate(key)).body;
    await endedDeliveries(key, 1);
    await service().request('DELETE', `/v1/generations/${id}`, { key });
    expect(await deliveries(key)).toEqual([]);
  });

  test('of a disabled or deleted endpoint cannot be sent again', async () => {
    const key = await service().newKey();
    const { id } = (await create(subscription('/again'), key)).body;
    await generate(key);
    const [delivery] = await endedDeliveries(key, 1);
    const retry = () => service().request('POST', `/v1/webhooks/deliveries/${delivery?.id}/retry`, { key });
    await patch(id, { enabled: false }, key);
    expect((await retry()).status).toBe(409);
    await patch(id, { enabled: true, url: receiver.url('/moved') }, key);
    expect((await retry()).body.url).toBe(receiver.url('/moved'));
    await until(() => receiver.at('/moved').length === 1);
    await endedDeliveries(key, 1);
    await remove(id, key);
    expect((await retry()).status).toBe(409);
    expect(receiver.at('/again')).toHaveLength(1);
  });
});

describe('an endpoint', () => {
  test('whose receiver is gone is disabled at once, and the others get an event', async () => {
    const key = await service().newKey();
    const gone = (await create(subscription('/gone?token=1'), key)).body;
    const watching = (await create(subscription('/watching', ['webhook_endpoint.*']), key)).body;
    await generate(key);
    await endedDeliveries(key, 2);
    const now = (await read(gone.id, key)).body;
    expect([now.enabled, now.disabled_reason]).toEqual([false, 'gone']);
    const [event] = (await service().get('/v1/events?type=webhook_endpoint.*', key)).body.data;
    expect(event).toMatchObject({ type: 'webhook_endpoint.disabled', timestamp: now.disabled_at });
    expect(event.data).toEqual({ ...now, url: receiver.url('/gone') });
    const [request] = receiver.at('/watching');
    if (!request) throw new Error('the event has not arrived');
    expect(verify(watching.secret, request)).toMatchObject({ data: { id: gone.id } });
    await generate(key);
    expect(await deliveries(key)).toHaveLength(2);
    expect(receiver.at('/gone?token=1')).toHaveLength(1);
  });

  test('that fails says since when, until it succeeds', async () => {
    const key = await service().newKey();
    const { id } = (await create(subscription('/fails'), key)).body;
    await generate(key);
    const failing = async () => (await read(id, key)).body.failing_since;
    await until(async () => (await failing()) !== null);
    const [delivery] = await deliveries(key);
    await until(async () => (await deliveries(key))[0]?.attempts === 1);
    await service().request('POST', `/v1/webhooks/deliveries/${delivery?.id}/retry`, { key });
    await until(async () => (await failing()) === null);
    expect((await endedDeliveries(key, 1))[0]).toMatchObject({ status: 'delivered', attempts: 2 });
  });

  test('has a secret that can be read and replaced', async () => {
    const key = await service().newKey();
    const { id, secret } = (await create(subscription('/rotated'), key)).body;
    const readSecret = async () => {
      const answer = await service().get(`${PATH}/${id}/secret`, key);
      expect(answer.headers.get('cache-control')).toBe('no-store');
      return answer.body.secret;
    };
    expect(await readSecret()).toBe(secret);
    const rotated = await service().request('POST', `${PATH}/${id}/rotate-secret`, { key });
    expect(rotated.body.secret).not.toBe(secret);
    expect(await readSecret()).toBe(rotated.body.secret);
    for (const each of [secret, rotated.body.secret])
      expect(await collectionsWith(service(), each)).toEqual([]);
    await generate(key);
    await until(() => receiver.at('/rotated').length === 1);
    for (const each of [secret, rotated.body.secret])
      for (const request of receiver.at('/rotated')) expect(verify(each, request)).toBeObject();
  });

  test('gets a sample of a type to which it subscribes', async () => {
    const key = await service().newKey();
    const { id, secret } = (await create(subscription('/sample', ['batch.*', 'generation.failed']), key))
      .body;
    const sample = (body: object) => service().post(`${PATH}/${id}/test`, body, key);
    const answer = await sample({});
    expect(answer.status).toBe(202);
    expect(answer.body).toMatchObject({
      event: 'batch.completed',
      status: 'pending',
      endpoint_id: id,
      event_id: null,
    });
    expect((await sample({ type: 'generation.failed' })).body.event).toBe('generation.failed');
    const log = await endedDeliveries(key, 2);
    expect(log.map(({ status }) => status)).toEqual(['delivered', 'delivered']);
    for (const request of receiver.at('/sample'))
      expect(verify(secret, request)).toMatchObject({ test: true, data: { status: expect.any(String) } });
    for (const type of ['generation.completed', 'batch.*', 'nothing', ''])
      expectFault(await sample({ type }), 'type');
    expect((await service().get('/v1/events', key)).body.data).toEqual([]);
    await patch(id, { enabled: false }, key);
    expect((await sample({})).status).toBe(409);
  });
});
