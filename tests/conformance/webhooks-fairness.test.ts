import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { jobsSpec } from '../../src/jobs/job-document.ts';
import type { WebhookMessage } from '../../src/webhooks/delivery.ts';
import { Receiver, type Respond } from '../support/sites/receiver.ts';
import { onMongoAndS3 } from '../support/suite.ts';
import { onMongo, onSqlite, type Deployment } from '../support/jobs/webhook-deployment.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(60_000);

/** Longer than any test. */
const NEVER_MS = 600_000;

const hangs: Respond = ({ path }) => (path.startsWith('/hang') ? new Promise(() => {}) : new Response('ok'));

const deployments: [string, (respond?: Respond) => Promise<Deployment>][] = [
  onMongoAndS3 ? ['mongo', onMongo] : ['sqlite', onSqlite],
];

describe.each(deployments)('fair webhooks on %s', (_, open) => {
  test("a receiver that hangs delays neither another host nor another account's deliveries to it", async () => {
    await using deployment = await open(hangs);
    await using other = new Receiver();
    const allow = [deployment.receiver.host, other.host];
    const { webhooks } = await deployment.startProcess({ allow, timeoutMs: NEVER_MS });
    const send = (path: string, fields?: Partial<WebhookMessage>) =>
      webhooks.send(deployment.message(path, fields));
    await Promise.all(Array.from({ length: 100 }, (__, index) => send(`/hang${index}`)));
    await until(() => deployment.receiver.received.length === 4);
    await send('/good', { accountId: 'acct_b' });
    await send('/elsewhere', { url: other.url('/elsewhere') });
    await until(() => deployment.receiver.at('/good').length === 1 && other.received.length === 1);
    expect(deployment.receiver.received.filter(({ path }) => path.startsWith('/hang')).length).toBe(4);
  });

  test('an account whose receivers hang does not starve others, and its waiting deliveries cost nothing', async () => {
    await using deployment = await open(hangs);
    await using second = new Receiver(hangs);
    await using quick = new Receiver();
    const allow = [deployment.receiver, second, quick].map(({ host }) => host);
    const { webhooks } = await deployment.startProcess({ allow, timeoutMs: NEVER_MS });
    const hanging = [deployment.receiver, second];
    const begun = () => hanging.flatMap(({ received }) => received).length;
    for (const receiver of hanging)
      await Promise.all(
        Array.from({ length: 300 }, (__, index) =>
          webhooks.send(
            deployment.message(`/hang${index}${receiver.host}`, { url: receiver.url(`/hang${index}`) }),
          ),
        ),
      );
    await until(() => begun() === 8);
    const paths = Array.from({ length: 40 }, (__, index) => `/quick${index}`);
    for (const path of paths)
      await webhooks.send(deployment.message(path, { accountId: 'acct_b', url: quick.url(path) }));
    await until(() => quick.received.length === 40);
    expect(quick.received.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
    expect(begun()).toBe(8);
    const jobs = await deployment.store.collection(jobsSpec);
    await until(async () => (await jobs.count()) === 600);
    // The waiting deliveries have neither been attempted nor postponed.
    expect(await jobs.count({ lockedAt: { gt: 0 } })).toBe(8);
    expect(await jobs.count({ lockedAt: null, nextRunAt: { lte: Date.now() }, failCount: 0 })).toBe(592);
  });

  test('a host gets at most 16 concurrent deliveries, shared by all accounts, and other hosts are not affected', async () => {
    const gate = Promise.withResolvers<Response>();
    await using deployment = await open(async () => (await gate.promise).clone());
    await using other = new Receiver();
    const allow = [deployment.receiver.host, other.host];
    const { webhooks } = await deployment.startProcess({ allow, timeoutMs: NEVER_MS });
    const accounts = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `acct_${name}`);
    for (let round = 0; round < 4; round += 1)
      for (const accountId of accounts)
        await webhooks.send(deployment.message(`/${accountId}/${round}`, { accountId }));
    await until(() => deployment.receiver.received.length === 16);
    for (const accountId of accounts)
      await webhooks.send(
        deployment.message(`/${accountId}/other`, { accountId, url: other.url(`/${accountId}`) }),
      );
    await until(() => other.received.length === accounts.length);
    expect(deployment.receiver.received.length).toBe(16);
    gate.resolve(new Response('ok'));
    await until(() => deployment.receiver.received.length === 24);
    expect(new Set(deployment.receiver.received.map(({ path }) => path)).size).toBe(24);
  });

  test('100 deliveries to one host arrive, at most four at once', async () => {
    let running = 0;
    let mostRunning = 0;
    await using deployment = await open(async () => {
      mostRunning = Math.max(mostRunning, (running += 1));
      await Bun.sleep(5);
      running -= 1;
      return new Response('ok');
    });
    const { webhooks } = await deployment.startProcess();
    const paths = Array.from({ length: 100 }, (__, index) => `/many${index}`);
    await Promise.all(paths.map((path) => webhooks.send(deployment.message(path))));
    await until(() => deployment.receiver.received.length === 100);
    expect(deployment.receiver.received.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
    expect(mostRunning).toBeLessThanOrEqual(4);
    expect(mostRunning).toBeGreaterThan(1);
  });
});
