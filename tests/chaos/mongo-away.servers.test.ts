import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { startMongo } from '../../scripts/servers/mongo.mjs';
import { mongoServer } from '../support/service/servers.ts';
import { TestService } from '../support/service/service.ts';
import { Receiver } from '../support/sites/receiver.ts';
import { until } from '../support/until.ts';

const available = (await mongoServer()) !== undefined;
const sweepPlugin = join(import.meta.dir, '..', 'fixtures', 'plugins', 'quota-sweep.ts');

describe.if(available)('a service whose MongoDB hangs', () => {
  test('answers 503 with Retry-After, is not ready, counts no unit twice, and recovers', async () => {
    const mongo = await startMongo();
    const gate = Promise.withResolvers<void>();
    await using site = new Receiver(async () => {
      await gate.promise;
      return new Response(null, { status: 404 });
    });
    const env = {
      MONGODB_URL: `${mongo.url}/away`,
      PLATEN_SECRET: 'a secret of the tests',
      EGRESS_ALLOW: site.host,
    };
    const config = { plugins: { [sweepPlugin]: true } };
    await using service = await TestService.start({ env, config });
    const key = await service.newKey('pro', 'ann@example.com');
    await service.accounts.set('ann@example.com', { monthlyLimit: 1 });
    await service.post('/v1/generate', { html: 'warm' });

    // The database is suspended while the document loads.
    const html = `<script></script><img src="${site.url('/image')}">`;
    const rendering = service.post('/v1/generate', { html }, key);
    await until(() => site.received.length > 0);
    process.kill(mongo.pid, 'SIGSTOP');
    gate.resolve();
    const askedAt = performance.now();
    const answers = await Promise.all([
      service.get('/v1/generations', key),
      service.post('/v1/generate', { html: 'x' }, key),
      rendering,
    ]);
    // The failure of the database is reported within five seconds, plus the time of a busy machine; the
    // driver would wait for thirty.
    expect(performance.now() - askedAt).toBeLessThan(25_000);
    for (const { status, headers, body } of answers) {
      expect([status, body.error.code]).toEqual([503, 'UNAVAILABLE']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(JSON.stringify(body)).not.toContain(mongo.url);
    }
    const { status, body } = await service.get('/readyz', null);
    expect(status).toBe(503);
    expect(body.parts.store).not.toBe('ok');
    expect(body.parts.files).toBe('ok');

    process.kill(mongo.pid, 'SIGCONT');
    while ((await service.get('/readyz', null)).status !== 200) await Bun.sleep(50);
    // The record may or may not have been written, but a limit of 1 never allows a second one.
    const made = await service.post('/v1/generate', { html: 'x' }, key);
    await service.post('/v1/quota-sweep', {});
    const again = await service.post('/v1/generate', { html: 'x' }, key);
    const third = await service.post('/v1/generate', { html: 'x' }, key);
    const { body: list } = await service.get('/v1/generations', key);
    expect(list.data.length).toBe(1);
    expect([made, again, third].filter((answer) => answer.status === 200).length).toBeLessThanOrEqual(1);
    expect(third.status).toBe(403);
    await mongo.stop();
  }, 60_000);
});
