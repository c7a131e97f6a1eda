import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { jobsSpec } from '../../src/jobs/job-document.ts';
import { deliveriesSpec } from '../../src/webhooks/delivery.ts';
import { WebhookSecrets } from '../../src/webhooks/secrets.ts';
import { verify, type Respond } from '../support/sites/receiver.ts';
import { onMongoAndS3 } from '../support/suite.ts';
import { onMongo, onSqlite, type Deployment } from '../support/jobs/webhook-deployment.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(60_000);
/** Longer than any test. */
const NEVER_MS = 10_000_000;

/** Responds with chunks until the client stops reading. */
function endless(chunk: string): Response {
  let open = true;
  const pull = async (controller: ReadableStreamDefaultController) => {
    await Bun.sleep(1);
    if (open) controller.enqueue(new TextEncoder().encode(chunk));
  };
  return new Response(new ReadableStream({ pull, cancel: () => void (open = false) }));
}

const deployments: [string, (respond?: Respond) => Promise<Deployment>][] = [
  onMongoAndS3 ? ['mongo', onMongo] : ['sqlite', onSqlite],
];

describe.each(deployments)('webhooks on %s', (_, open) => {
  test('deliveries are listed by status, newest first, in pages', async () => {
    await using deployment = await open(
      ({ path }) => new Response(null, { status: path === '/b' ? 410 : 200 }),
    );
    const { webhooks } = await deployment.startProcess();
    for (const [path, accountId] of [
      ['/a', 'acct_a'],
      ['/b', 'acct_a'],
      ['/other', 'acct_b'],
      ['/c', 'acct_a'],
    ]) {
      await webhooks.send(deployment.message(path ?? '', { accountId: accountId ?? '' }));
      await Bun.sleep(2);
    }
    await until(async () => (await deployment.deliveries()).every(({ status }) => status !== 'pending'));
    const list = async (query: {
      limit?: number;
      offset?: number;
      status?: 'delivered' | 'failed' | 'pending';
    }) => {
      const { records } = await webhooks.list('acct_a', { limit: 10, offset: 0, ...query });
      return records.map(({ url }) => new URL(url).pathname);
    };
    expect(await list({})).toEqual(['/c', '/b', '/a']);
    expect(await list({ status: 'delivered' })).toEqual(['/c', '/a']);
    expect(await list({ status: 'delivered', limit: 1, offset: 1 })).toEqual(['/a']);
    expect(await list({ status: 'failed' })).toEqual(['/b']);
    expect(await list({ status: 'pending' })).toEqual([]);
  });

  test('a message sent several times, concurrently or after delivery, arrives once', async () => {
    await using deployment = await open();
    const { webhooks, secrets } = await deployment.startProcess();
    await Promise.all([1, 2, 3].map(() => webhooks.send(deployment.message('/once'))));
    const { createdAt, expiresAt } = await deployment.waitForStatus('delivered');
    expect(expiresAt - createdAt).toBe(30 * 24 * 3_600_000);
    await webhooks.send(deployment.message('/once', { data: 'another' }));
    await webhooks.send(deployment.message('/last'));
    await until(() => deployment.receiver.at('/last').length === 1);
    const [request] = deployment.receiver.at('/once');
    expect(deployment.receiver.received.length).toBe(2);
    expect(JSON.parse(request?.body ?? '')).toEqual({
      type: 'generation.completed',
      timestamp: '2026-09-21T14:13:20.000Z',
      data: { path: '/once' },
    });
    const [secret] = await secrets.read('acct_a');
    if (request) expect(verify(secret, request)).toBeObject();
  });

  test('the sweep at startup finds a delivery without a job and a delivery whose job was postponed', async () => {
    await using deployment = await open();
    const dead = await deployment.process();
    await dead.webhooks.send(deployment.message('/jobless'));
    await dead.webhooks.send(deployment.message('/put-off'));
    const jobs = await deployment.store.collection(jobsSpec);
    const deliveries = await deployment.store.collection(deliveriesSpec);
    const longAgo = Date.now() - 3_600_000;
    for (const { id, url } of await deployment.deliveries()) {
      await deliveries.update({ id }, { nextAttemptAt: longAgo });
      if (url.endsWith('/jobless')) await jobs.delete({ recordId: id });
      else await jobs.update({ recordId: id }, { nextRunAt: Date.now() + NEVER_MS });
    }
    await deployment.startProcess();
    await until(() => deployment.receiver.received.length === 2);
    expect(deployment.receiver.received.map(({ path }) => path).toSorted()).toEqual(['/jobless', '/put-off']);
  });

  test('an attempt that was not recorded because of a crash is repeated', async () => {
    await using deployment = await open();
    const dead = await deployment.process();
    await dead.webhooks.send(deployment.message('/crash'));
    // State after `kill -9`: a lease that is no longer renewed.
    const jobs = await deployment.store.collection(jobsSpec);
    await jobs.update({}, { lockedAt: Date.now(), owner: 'dead', nextRunAt: null });
    await deployment.startProcess({ leaseMs: 600 });
    expect(await deployment.waitForStatus('delivered')).toMatchObject({ lastStatus: 204, lastError: null });
    expect(deployment.receiver.at('/crash')).toHaveLength(1);
  });

  test('a manual retry during an attempt runs after it, and the attempt counts', async () => {
    const gate = Promise.withResolvers<void>();
    await using deployment = await open(async (__, count) => {
      if (count === 1) await gate.promise;
      return new Response(null, { status: count === 1 ? 410 : 204 });
    });
    const { webhooks } = await deployment.startProcess();
    await webhooks.send(deployment.message('/again'));
    await until(() => deployment.receiver.received.length === 1);
    const [{ id } = { id: '' }] = await deployment.deliveries();
    await webhooks.retry('acct_a', id);
    gate.resolve();
    expect(await deployment.waitForStatus('delivered')).toMatchObject({ attempts: 2, lastStatus: 204 });
  });

  test('an attempt that ends after another process has delivered the message changes only the count', async () => {
    const gate = Promise.withResolvers<void>();
    await using deployment = await open(async () => {
      await gate.promise;
      return new Response(null, { status: 410 });
    });
    const { webhooks } = await deployment.startProcess();
    await webhooks.send(deployment.message('/hung'));
    await until(() => deployment.receiver.received.length === 1);
    const deliveries = await deployment.store.collection(deliveriesSpec);
    // Written by the other process.
    await deliveries.update({}, { status: 'delivered', attempts: 1, lastStatus: 204, nextAttemptAt: null });
    gate.resolve();
    await until(async () => (await deployment.deliveries())[0]?.attempts === 2);
    expect(await deployment.waitForStatus('delivered')).toMatchObject({
      lastStatus: 204,
      nextAttemptAt: null,
    });
  });

  test('the next attempt contains all concurrent changes of a message; changing an event without a delivery does nothing', async () => {
    await using deployment = await open();
    const { webhooks } = await deployment.startProcess();
    const message = deployment.message('/list', { data: { names: ['a', 'b', 'c', 'd'] } });
    await webhooks.edit(message.id, () => ({}));
    await webhooks.send(message);
    const { id } = await deployment.waitForStatus('delivered');
    const remove = (name: string) =>
      webhooks.edit(message.id, (data) => ({
        names: (data as { names: string[] }).names.filter((each) => each !== name),
      }));
    await Promise.all(['a', 'b', 'c'].map(remove));
    await webhooks.retry('acct_a', id);
    await until(() => deployment.receiver.received.length === 2);
    const [before, after] = deployment.receiver.received.map(({ body }) => JSON.parse(body));
    expect(after).toEqual({ ...before, data: { names: ['d'] } });
  });

  test('an attempt fails if the receiver does not respond in time, but not if its response never ends', async () => {
    await using deployment = await open(({ path }) =>
      path === '/hang' ? new Promise(() => {}) : endless('.'),
    );
    const { webhooks } = await deployment.startProcess({ retryDelaysMs: [], timeoutMs: 3_000 });
    await webhooks.send(deployment.message('/hang'));
    expect(await deployment.waitForStatus('failed')).toMatchObject({
      lastStatus: null,
      lastError: 'no complete answer within 3 s',
    });
    await webhooks.send(deployment.message('/drip'));
    const drip = async () => (await deployment.deliveries()).find(({ url }) => url.endsWith('/drip'));
    await until(async () => (await drip())?.attempts === 1);
    expect(await drip()).toMatchObject({ status: 'delivered', lastStatus: 200, lastError: null });
  });

  test('an endless response body is not read to its end', async () => {
    await using deployment = await open(() => endless('x'.repeat(50_000)));
    const { webhooks } = await deployment.startProcess();
    await webhooks.send(deployment.message('/huge'));
    expect(await deployment.waitForStatus('delivered')).toMatchObject({ lastStatus: 200, attempts: 1 });
  });

  test.each([
    ['seconds', 429, '2'],
    ['a date', 503, () => new Date(Date.now() + 3_000).toUTCString()],
  ])('Retry-After in %s is obeyed if it is later than the schedule', async (__, status, after) => {
    await using deployment = await open((___, count) => {
      const headers = { 'retry-after': typeof after === 'string' ? after : after() };
      return count === 1 ? new Response(null, { status, headers }) : new Response('ok');
    });
    const { webhooks } = await deployment.startProcess({ retryDelaysMs: [10] });
    await webhooks.send(deployment.message('/busy'));
    await deployment.waitForStatus('delivered');
    const [first, second] = deployment.receiver.received;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_900);
  });

  test.each([
    ['is read for any status', 500, '3600', 3_600_000],
    ['is limited to a day', 503, '99999999999999999999', 24 * 3_600_000],
  ])('Retry-After %s', async (__, status, after, atMostMs) => {
    await using deployment = await open(
      () => new Response(null, { status, headers: { 'retry-after': after } }),
    );
    const { webhooks } = await deployment.startProcess({ retryDelaysMs: [30_000] });
    await webhooks.send(deployment.message('/busy'));
    await until(async () => (await deployment.deliveries())[0]?.attempts === 1);
    const { nextAttemptAt } = await deployment.waitForStatus('pending');
    const waitMs = (nextAttemptAt ?? 0) - Date.now();
    expect(waitMs).toBeGreaterThan(atMostMs / 2 - 5_000);
    expect(waitMs).toBeLessThanOrEqual(atMostMs);
  });

  test('a delivery fails if its host name resolves to a private address, or to none', async () => {
    await using deployment = await open();
    const { webhooks } = await deployment.startProcess({ retryDelaysMs: [] });
    webhooks.check('webhook', 'http://private.example/hook');
    const url = 'http://private.example/hook?token=secret';
    await webhooks.send(deployment.message('/a', { url }));
    await webhooks.send(deployment.message('/b', { url: 'https://private.example/hook' }));
    await webhooks.send(deployment.message('/c', { url: 'https://nowhere.example/hook' }));
    await until(async () => (await deployment.deliveries()).every(({ status }) => status === 'failed'));
    const errors = new Map(
      (await deployment.deliveries()).map((delivery) => [delivery.url, delivery.lastError]),
    );
    expect(errors.get(url)).toBe('refused: the address is not public');
    expect(errors.get('https://private.example/hook')).toBe('refused: the address is not public');
    expect(errors.get('https://nowhere.example/hook')).toBe('the host has no address');
    expect([...errors.values()].join()).not.toContain('10.0.0.7');
  });

  test('a refused connection is a failure with a reason', async () => {
    await using deployment = await open();
    // The port of a stopped server could be reused by another test.
    const host = '127.0.0.1:1';
    const { webhooks } = await deployment.startProcess({ retryDelaysMs: [], allow: [host] });
    await webhooks.send(deployment.message('/gone', { url: `http://${host}/` }));
    expect(await deployment.waitForStatus('failed')).toMatchObject({
      lastStatus: null,
      lastError: 'no connection could be made',
    });
  });

  test.each([
    ['closes the connection', ''],
    ['does not speak HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
  ])('a receiver that %s is not reported as a failed connection', async (__, bytes) => {
    await using deployment = await open();
    using receiver = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { data: (socket) => void socket.end(bytes) },
    });
    const host = `127.0.0.1:${receiver.port}`;
    const { webhooks } = await deployment.startProcess({ retryDelaysMs: [], allow: [host] });
    await webhooks.send(deployment.message('/rude', { url: `http://${host}/` }));
    expect(await deployment.waitForStatus('failed')).toMatchObject({
      lastStatus: null,
      lastError: 'the connection ended without an HTTP answer',
    });
  });

  test('after a rotation the old secret also signs for a day, and a second rotation drops it', async () => {
    await using deployment = await open();
    const { secrets } = await deployment.process();
    const [first] = await secrets.read('acct_r');
    const second = await secrets.rotate('acct_r');
    expect(await secrets.read('acct_r')).toEqual([second, first]);
    const third = await secrets.rotate('acct_r');
    expect(await secrets.read('acct_r')).toEqual([third, second]);
    const stored = await deployment.store.collection<{ id: string; previousUntil: number }>({
      name: 'webhook_secrets',
    });
    const previousUntil = (await stored.get('acct_r'))?.previousUntil ?? 0;
    expect(Math.abs(previousUntil - Date.now() - 24 * 3_600_000)).toBeLessThan(60_000);
    await stored.update({ id: 'acct_r' }, { previousUntil: Date.now() - 1 });
    expect(await secrets.read('acct_r')).toEqual([third]);
  });

  test('concurrent readers of a new account get the same secret', async () => {
    await using deployment = await open();
    const { secrets } = await deployment.process();
    const found = await Promise.all([1, 2, 3, 4].map(() => secrets.read('acct_n')));
    expect(new Set(found.flat()).size).toBe(1);
  });

  test('after PLATEN_SECRET changes, a delivery fails with a reason until the secret is rotated', async () => {
    await using deployment = await open();
    const foreign = await WebhookSecrets.open(deployment.store, 'ee'.repeat(32));
    await foreign.read('acct_a');
    const { webhooks, secrets } = await deployment.startProcess({ retryDelaysMs: [] });
    await webhooks.send(deployment.message('/foreign'));
    const { id, lastError } = await deployment.waitForStatus('failed');
    expect(lastError).toContain('PLATEN_SECRET has changed');
    const fresh = await secrets.rotate('acct_a');
    expect(await secrets.read('acct_a')).toEqual([fresh]);
    await webhooks.retry('acct_a', id);
    await deployment.waitForStatus('delivered');
  });
});
