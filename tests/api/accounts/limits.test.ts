import { afterEach, describe, expect, setSystemTime, test } from 'bun:test';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Receiver } from '../../support/sites/receiver.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { onMongoAndS3, TestService } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';

const service = sharedService();
const statusOf = ({ status }: { status: number }) => status;
const count = (statuses: number[], status: number) => statuses.filter((other) => other === status).length;

// A limit counts per second. The clock is stopped during a burst, so that the burst falls into one second.
const DISK_FAILED = 'the disk of the service failed; its log has the cause';

describe('rate limit', () => {
  const stopClock = () => void setSystemTime(new Date());
  const nextSecond = () => void setSystemTime(new Date(Date.now() + 1_100));
  afterEach(() => void setSystemTime());

  test("enforces the plan's rate limit, with headers on every response", async () => {
    const free = await service().newKey('free');
    stopClock();
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => service().get('/v1/generations', free)),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBe(20);
    for (const { headers } of answers) {
      expect(headers.get('ratelimit-limit')).toBe('10');
      expect(Number(headers.get('ratelimit-remaining'))).toBeLessThan(10);
      expect(headers.get('ratelimit-policy')).toBe('"default";q=10;w=1');
      const remaining = headers.get('ratelimit-remaining');
      expect(headers.get('ratelimit')).toBe(`"default";r=${remaining};t=${headers.get('ratelimit-reset')}`);
    }
    for (const { headers, body } of refused) {
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(headers.get('ratelimit-remaining')).toBe('0');
      expect(body.error.code).toBe('RATE_LIMITED');
    }
    // Another account is not affected.
    expect((await service().get('/v1/generations')).status).toBe(200);
    nextSecond();
    expect((await service().get('/v1/generations', free)).status).toBe(200);
  });

  test('counts requests with test keys apart from others, under a policy of their own', async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const live = await service().newKey('free', email);
    const account = await service().accounts.findByEmail(email);
    if (!account) throw new Error('the account does not exist');
    const { key } = await service().accounts.createKey(account, 'tests', { limits: { test: true } });
    stopClock();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => service().get('/v1/generations', key)),
    );
    expect(count(answers.map(statusOf), 429)).toBe(2);
    for (const { headers } of answers) expect(headers.get('ratelimit-policy')).toBe('"test";q=10;w=1');
    const { status, headers } = await service().get('/v1/generations', live);
    expect([status, headers.get('ratelimit')]).toEqual([200, '"default";r=9;t=1']);
  });

  test('a route with a smaller limit lists both limits', async () => {
    const free = await service().newKey('free');
    stopClock();
    const send = () => service().post('/v1/templates/preview', {}, free);
    const { status, headers } = await send();
    expect(status).toBe(400);
    expect(headers.get('ratelimit-policy')).toBe('"default";q=10;w=1, "default/10";q=1;w=1');
    expect(headers.get('ratelimit')).toBe('"default";r=9;t=1, "default/10";r=0;t=1');
    const older = ['limit', 'remaining', 'reset'].map((name) => headers.get(`ratelimit-${name}`));
    expect(older).toEqual(['1', '0', '1']);
    const refused = await send();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    expect(refused.headers.get('ratelimit')).toBe('"default";r=8;t=1, "default/10";r=0;t=1');
  });

  test('limits failed authentications by address', async () => {
    nextSecond();
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => service().get('/v1/generations', 'plt_live_x')),
    );
    expect(count(answers.map(statusOf), 429)).toBeGreaterThanOrEqual(20);
    expect(count(answers.map(statusOf), 401)).toBeGreaterThanOrEqual(20);
    expect((await service().get('/v1/generations')).status).toBe(200);
  });
});

describe('quota', () => {
  test('is never exceeded by concurrent requests, and failures return their unit', async () => {
    const key = await service().newKey('starter', 'quota@example.com');
    await service().accounts.set('quota@example.com', { monthlyLimit: 7 });
    const statuses = (
      await Promise.all(Array.from({ length: 20 }, () => service().post('/v1/generate', { html: 'x' }, key)))
    ).map(statusOf);
    expect([count(statuses, 200), count(statuses, 403)]).toEqual([7, 13]);

    await service().accounts.set('quota@example.com', { monthlyLimit: 8 });
    expect((await service().post('/v1/generate', { html: '{{#if}}', data: {} }, key)).status).toBe(400);
    expect((await service().post('/v1/generate', { template: 'tmpl_x' }, key)).status).toBe(404);
    expect((await service().post('/v1/generate', { html: 'x' }, key)).status).toBe(200);
    const { status, body } = await service().post('/v1/generate', { html: 'x' }, key);
    expect([status, body.error.code]).toEqual([403, 'USAGE_LIMIT_EXCEEDED']);
    expect(body.error.message).toContain('limit of 8 PDFs');
  });

  // tests/chaos/s3-away.servers.test.ts covers an outage of S3.
  test.skipIf(onMongoAndS3)(
    'a PDF that cannot be stored is a failed generation and returns its unit',
    async () => {
      await using own = await TestService.start();
      const key = await own.newKey('free', 'storage@example.com');
      await own.accounts.set('storage@example.com', { monthlyLimit: 1 });
      await own.post('/v1/generate', { html: 'warm' });
      const files = join(own.dataDir, 'files');
      await rename(files, `${files}.away`);
      await writeFile(files, '');
      const { status, body } = await own.post('/v1/generate', { html: 'x' }, key);
      expect([status, body.error.code, body.error.details]).toEqual([
        503,
        'UNAVAILABLE',
        [{ path: 'html', code: 'STORAGE_ERROR', message: DISK_FAILED }],
      ]);
      const { body: list } = await own.get('/v1/generations', key);
      expect(list.data[0]).toMatchObject({ status: 'failed', url: null });
      const { body: read } = await own.get(`/v1/generations/${list.data[0].id}`, key);
      expect(read).toMatchObject({ url: null, error: `STORAGE_ERROR: ${DISK_FAILED}` });
      await rm(files);
      await rename(`${files}.away`, files);
      expect((await own.post('/v1/generate', { html: 'x' }, key)).status).toBe(200);
    },
  );

  test('a limit of 0 rejects the first request', async () => {
    const key = await service().newKey('free', 'none@example.com');
    await service().accounts.set('none@example.com', { monthlyLimit: 0 });
    expect((await service().post('/v1/generate', { html: 'x' }, key)).status).toBe(403);
  });

  test('is set by the plans in the configuration', async () => {
    await using own = await TestService.start({
      config: { plans: { free: { monthlyLimit: 1, requestsPerSecond: 3 } } },
    });
    const key = await own.newKey('free');
    expect((await own.post('/v1/generate', { html: 'x' }, key)).status).toBe(200);
    const answer = await own.post('/v1/generate', { html: 'x' }, key);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('ratelimit-limit')).toBe('3');
  });
});

describe('backpressure', () => {
  test('a full queue gets 429 with Retry-After', async () => {
    const gate = Promise.withResolvers<void>();
    await using receiver = new Receiver(async () => {
      await gate.promise;
      return new Response(null, { status: 404 });
    });
    await using own = await TestService.start({
      env: { EGRESS_ALLOW: receiver.host },
      config: { plugins: { render: { concurrency: 1, queueLimit: 2 } } },
    });
    const waiting = `<img src="${receiver.url('/image')}">`;
    let answered = 0;
    const sent = Array.from({ length: 8 }, () =>
      own.post('/v1/generate', { html: waiting }).finally(() => (answered += 1)),
    );
    await until(() => answered === 5);
    gate.resolve();
    const answers = await Promise.all(sent);
    expect([count(answers.map(statusOf), 200), count(answers.map(statusOf), 429)]).toEqual([3, 5]);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.error.code).toBe('RATE_LIMITED');
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await own.post('/v1/generate', { html: 'x' })).status).toBe(200);
  });
});
