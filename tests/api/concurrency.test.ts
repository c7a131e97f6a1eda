import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplePdf } from '../../plugins/pdf-tools/examples.ts';
import { assemble } from '../../src/assembly.ts';
import { ConfigError, loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { until } from '../support/until.ts';
import { TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  const plugin = join(import.meta.dir, '..', 'fixtures', 'plugins', 'working.ts');
  service = await TestService.start({
    config: { plugins: { [plugin]: true }, plans: { free: { concurrency: 1 } } },
  });
});
afterAll(() => service[Symbol.asyncDispose]());

/** Starts a request that lasts until its caller disconnects. */
async function work(key: string): Promise<AbortController> {
  const waits = async () => (await service.get('/v1/working/waits')).body.begun;
  const before = await waits();
  const caller = new AbortController();
  void fetch(`${service.url}/v1/working/wait`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
    signal: caller.signal,
  }).catch(() => {});
  await until(async () => (await waits()) > before);
  return caller;
}

test("a request beyond the plan's limit waits, then gets 429 with the limit", async () => {
  const key = await service.newKey('free');
  const caller = await work(key);
  try {
    const sentAt = performance.now();
    const [generate, info] = await Promise.all([
      service.post('/v1/generate', { html: 'x' }, key),
      service.post('/v1/pdf/info', { pdf: samplePdf }, key),
    ]);
    expect(performance.now() - sentAt).toBeGreaterThan(4_900);
    for (const { status, body, headers } of [generate, info]) {
      expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED']);
      expect(body.error.message).toContain('the plan free allows 1 concurrent request');
      expect(headers.get('retry-after')).toBe('5');
    }
    // A refused document does not count against the quota. Reads and batches are not limited.
    expect((await service.get('/v1/generations', key)).body.data).toEqual([]);
    expect((await service.post('/v1/generate/batch', { items: [{ html: 'x' }] }, key)).status).toBe(202);
  } finally {
    caller.abort();
  }
});

test('a waiting request starts when an earlier one ends', async () => {
  const key = await service.newKey('free');
  const caller = await work(key);
  const waiting = service.post('/v1/generate', { html: 'x' }, key);
  await Bun.sleep(100);
  caller.abort();
  expect((await waiting).status).toBe(200);
});

test('a caller that disconnects while waiting leaves the queue', async () => {
  const key = await service.newKey('free');
  const caller = await work(key);
  const gone = new AbortController();
  const left = fetch(`${service.url}/v1/working/wait`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: '{}',
    signal: gone.signal,
  }).catch((error: unknown) => error);
  await Bun.sleep(100);
  gone.abort();
  await left;
  const { body: before } = await service.get('/v1/working/waits');
  caller.abort();
  expect((await service.post('/v1/generate', { html: 'x' }, key)).status).toBe(200);
  expect((await service.get('/v1/working/waits')).body.begun).toBe(before.begun);
});

test('other accounts and plans without a limit do not wait', async () => {
  const callers = [await work(await service.newKey('free'))];
  for (let count = 0; count < 12; count += 1) callers.push(await work(service.key));
  expect((await service.post('/v1/generate', { html: 'x' })).status).toBe(200);
  expect((await service.post('/v1/generate', { html: 'x' }, await service.newKey('free'))).status).toBe(200);
  for (const caller of callers) caller.abort();
});

test('every writing route counts against the limit, except those that only store or look up', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-routes-'));
  try {
    const config = loadConfig({ env: { PATH: process.env['PATH'], DATA_DIR: dataDir }, cwd: dataDir });
    await using assembly = await assemble(config, createLog({ level: 'silent' }), () => '');
    const uncounted = assembly.routes.filter(
      // The studio's own routes only store and look up.
      ({ method, path, spec }) =>
        method !== 'get' && spec.worksOnDocument !== true && !path.startsWith('/studio/'),
    );
    expect(uncounted.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
      'delete /v1/assets/:name',
      'delete /v1/certificates/:id',
      'delete /v1/files/:id',
      'delete /v1/generations/:id',
      'delete /v1/templates/:id',
      'post /v1/batches/:id/cancel',
      'post /v1/generate/batch',
      'post /v1/marketplace/:id/publish',
      'post /v1/marketplace/:id/unpublish',
      'post /v1/templates/:id/versions/:version/restore',
      'post /v1/webhooks/deliveries/:id/retry',
    ]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test('an invalid limit stops the service', async () => {
  const start = TestService.start({ config: { plans: { free: { concurrency: 0 } } } });
  const error = await start.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).message).toBe(
    'platen.config.json.plans.free.concurrency: must be a whole number of at least 1, or null for no limit',
  );
});
