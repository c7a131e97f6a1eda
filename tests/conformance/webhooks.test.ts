import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { jobsSpec } from '../../src/jobs/job-document.ts';
import { deliveriesSpec } from '../../src/webhooks/delivery.ts';
import { WebhookSecrets } from '../../src/webhooks/secrets.ts';
import { until, verify, type Respond } from '../support/receiver.ts';
import { mongoServer } from '../support/servers.ts';
import { onMongo, onSqlite, type Deployment } from '../support/webhook-deployment.ts';

setDefaultTimeout(60_000);
const NEVER = 10_000_000;

/** Sends chunks for as long as somebody reads. */
function endless(chunk: string, pauseMs: number): Response {
  let open = true;
  const pull = async (controller: ReadableStreamDefaultController) => {
    await Bun.sleep(pauseMs);
    if (open) controller.enqueue(new TextEncoder().encode(chunk));
  };
  return new Response(new ReadableStream({ pull, cancel: () => void (open = false) }));
}

const deployments: [string, (respond?: Respond) => Promise<Deployment>][] = [['sqlite', onSqlite]];
if (await mongoServer()) deployments.push(['mongo', onMongo]);

describe.each(deployments)('webhooks on %s', (_, open) => {
  test('a message that is sent twice, also at once, also after it was delivered, arrives once', async () => {
    await using deployment = await open();
    const { webhooks, secrets } = await deployment.started();
    await Promise.all([1, 2, 3].map(() => webhooks.send(deployment.message('/once'))));
    const { createdAt, expiresAt } = await deployment.settled('delivered');
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

  test('a delivery without a job, or with one that was put off, is found by the sweep of the next start', async () => {
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
      else await jobs.update({ recordId: id }, { nextRunAt: Date.now() + NEVER });
    }
    await deployment.started();
    await until(() => deployment.receiver.received.length === 2);
  });

  test('a try that a crash kept from being recorded is made again', async () => {
    await using deployment = await open();
    const dead = await deployment.process();
    await dead.webhooks.send(deployment.message('/crash'));
    // What `kill -9` leaves: a lease that nobody renews.
    const jobs = await deployment.store.collection(jobsSpec);
    await jobs.update({}, { lockedAt: Date.now(), owner: 'dead', nextRunAt: null });
    await deployment.started({ leaseMs: 600 });
    await deployment.settled('delivered');
  });

  test('a retry by hand during a try is made after it, and the try is counted', async () => {
    const gate = Promise.withResolvers<void>();
    await using deployment = await open(async (__, count) => {
      if (count === 1) await gate.promise;
      return new Response(null, { status: count === 1 ? 410 : 204 });
    });
    const { webhooks } = await deployment.started();
    await webhooks.send(deployment.message('/again'));
    await until(() => deployment.receiver.received.length === 1);
    const [{ id } = { id: '' }] = await deployment.deliveries();
    await webhooks.retry('acct_a', id);
    gate.resolve();
    expect(await deployment.settled('delivered')).toMatchObject({ attempts: 2, lastStatus: 204 });
  });

  test('a try that ends after another process delivered the same changes nothing but the count', async () => {
    const gate = Promise.withResolvers<void>();
    await using deployment = await open(async () => {
      await gate.promise;
      return new Response(null, { status: 410 });
    });
    const { webhooks } = await deployment.started();
    await webhooks.send(deployment.message('/hung'));
    await until(() => deployment.receiver.received.length === 1);
    const deliveries = await deployment.store.collection(deliveriesSpec);
    // What the other process wrote.
    await deliveries.update({}, { status: 'delivered', attempts: 1, lastStatus: 204, nextAttemptAt: null });
    gate.resolve();
    await until(async () => (await deployment.deliveries())[0]?.attempts === 2);
    expect(await deployment.settled('delivered')).toMatchObject({ lastStatus: 204, nextAttemptAt: null });
  });

  test('a receiver that does not answer in time has failed the try; one that does not end its answer has not', async () => {
    await using deployment = await open(({ path }) =>
      path === '/hang' ? new Promise(() => {}) : endless('.', 50),
    );
    const { webhooks } = await deployment.started({ retryDelaysMs: [], timeoutMs: 500 });
    await webhooks.send(deployment.message('/hang'));
    expect(await deployment.settled('failed')).toMatchObject({
      lastStatus: null,
      lastError: 'no complete answer within 0.5 s',
    });
    await webhooks.send(deployment.message('/drip'));
    const drip = async () => (await deployment.deliveries()).find(({ url }) => url.endsWith('/drip'));
    await until(async () => (await drip())?.attempts === 1);
    expect(await drip()).toMatchObject({ status: 'delivered', lastStatus: 200, lastError: null });
  });

  test('an answer without end is dropped after its beginning', async () => {
    await using deployment = await open(() => endless('x'.repeat(50_000), 0));
    const { webhooks } = await deployment.started();
    await webhooks.send(deployment.message('/huge'));
    expect(await deployment.settled('delivered')).toMatchObject({ lastStatus: 200, attempts: 1 });
  });

  test.each([
    ['seconds', 429, '2'],
    ['a date', 503, () => new Date(Date.now() + 3_000).toUTCString()],
  ])('Retry-After in %s is waited for when it is later than the schedule', async (__, status, after) => {
    await using deployment = await open((___, count) => {
      const headers = { 'retry-after': typeof after === 'string' ? after : after() };
      return count === 1 ? new Response(null, { status, headers }) : new Response('ok');
    });
    const { webhooks } = await deployment.started({ retryDelaysMs: [10] });
    await webhooks.send(deployment.message('/busy'));
    await deployment.settled('delivered');
    const [first, second] = deployment.receiver.received;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_900);
  });

  test.each([
    ['is read whatever the status', 500, '3600', 3_600_000],
    ['is believed up to a day', 503, '99999999999999999999', 24 * 3_600_000],
  ])('Retry-After %s', async (__, status, after, atMostMs) => {
    await using deployment = await open(
      () => new Response(null, { status, headers: { 'retry-after': after } }),
    );
    const { webhooks } = await deployment.started({ retryDelaysMs: [30_000] });
    await webhooks.send(deployment.message('/busy'));
    await until(async () => (await deployment.deliveries())[0]?.attempts === 1);
    const { nextAttemptAt } = await deployment.settled('pending');
    const waitMs = (nextAttemptAt ?? 0) - Date.now();
    expect(waitMs).toBeGreaterThan(atMostMs / 2 - 5_000);
    expect(waitMs).toBeLessThanOrEqual(atMostMs);
  });

  test('a name that leads to a private address is refused when it is resolved; one that leads nowhere fails', async () => {
    await using deployment = await open();
    const { webhooks } = await deployment.started({ retryDelaysMs: [] });
    webhooks.check('webhook', 'http://private.example/hook');
    const url = 'http://private.example/hook?token=secret';
    await webhooks.send(deployment.message('/a', { url }));
    await webhooks.send(deployment.message('/b', { url: 'https://private.example/hook' }));
    await webhooks.send(deployment.message('/c', { url: 'https://nowhere.example/hook' }));
    await until(async () => (await deployment.deliveries()).every(({ status }) => status === 'failed'));
    const errors = new Map(
      (await deployment.deliveries()).map((delivery) => [delivery.url, delivery.lastError]),
    );
    expect(errors.get(url)).toBe('refused: the host has an address that is not public');
    expect(errors.get('https://private.example/hook')).toBe(
      'refused: the host has an address that is not public',
    );
    expect(errors.get('https://nowhere.example/hook')).toBe('the host name has no address');
    expect([...errors.values()].join()).not.toContain('10.0.0.7');
  });

  test('nobody at the port is a failure with a reason', async () => {
    await using deployment = await open();
    // Of the port of a server that is gone another test may make use.
    const host = '127.0.0.1:1';
    const { webhooks } = await deployment.started({ retryDelaysMs: [], allow: [host] });
    await webhooks.send(deployment.message('/gone', { url: `http://${host}/` }));
    expect(await deployment.settled('failed')).toMatchObject({
      lastStatus: null,
      lastError: 'no connection could be made',
    });
  });

  test.each([
    ['closes the connection', ''],
    ['answers what is no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
  ])('a receiver that %s has not answered, which is no failure to connect', async (__, answer) => {
    await using deployment = await open();
    using receiver = Bun.listen({
      hostname: '127.0.0.1',
      port: 0,
      socket: { data: (socket) => void socket.end(answer) },
    });
    const host = `127.0.0.1:${receiver.port}`;
    const { webhooks } = await deployment.started({ retryDelaysMs: [], allow: [host] });
    await webhooks.send(deployment.message('/rude', { url: `http://${host}/` }));
    expect(await deployment.settled('failed')).toMatchObject({
      lastStatus: null,
      lastError: 'the connection ended without an HTTP answer',
    });
  });

  test('a rotated secret signs beside the new one for a day, and no longer; a third drops the first', async () => {
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

  test('two that need the first secret at once get the same', async () => {
    await using deployment = await open();
    const { secrets } = await deployment.process();
    const found = await Promise.all([1, 2, 3, 4].map(() => secrets.read('acct_n')));
    expect(new Set(found.flat()).size).toBe(1);
  });

  test('under another PLATEN_SECRET a delivery fails with the reason, and rotating helps', async () => {
    await using deployment = await open();
    const foreign = await WebhookSecrets.open(deployment.store, 'ee'.repeat(32));
    await foreign.read('acct_a');
    const { webhooks, secrets } = await deployment.started({ retryDelaysMs: [] });
    await webhooks.send(deployment.message('/foreign'));
    const { id, lastError } = await deployment.settled('failed');
    expect(lastError).toContain('PLATEN_SECRET was changed');
    const fresh = await secrets.rotate('acct_a');
    expect(await secrets.read('acct_a')).toEqual([fresh]);
    await webhooks.retry('acct_a', id);
    await deployment.settled('delivered');
  });
});
