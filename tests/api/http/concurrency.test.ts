import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test';
import { join } from 'node:path';
import { samplePdf } from '../../../plugins/pdf-tools/examples.ts';
import { ConfigError } from '../../../src/config.ts';
import { ConcurrencyLimit } from '../../../src/http/concurrency-limit.ts';
import { until } from '../../support/until.ts';
import { TestService } from '../../support/service/service.ts';
import { isThorough } from '../../support/suite.ts';

/** Counts the requests that the limit has seen. A request beyond it waits in this call. */
const entered = spyOn(ConcurrencyLimit.prototype, 'enter');

let service: TestService;
beforeAll(async () => {
  const plugin = join(import.meta.dir, '..', '..', 'fixtures', 'plugins', 'working.ts');
  service = await TestService.start({
    config: { plugins: { [plugin]: true }, plans: { free: { concurrency: 1 } } },
  });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  entered.mockRestore();
});

/** How long a request waits for an earlier request of its account. */
const WAIT_MS = 5_000;

/** Sends a request that lasts until its caller disconnects. */
function sendLasting(key: string): { caller: AbortController; answer: Promise<unknown> } {
  const caller = new AbortController();
  const answer = service
    .send('/v1/working/wait', {}, { key, signal: caller.signal })
    .catch((error: unknown) => error);
  return { caller, answer };
}

/** Starts a request that lasts until its caller disconnects. */
async function work(key: string): Promise<AbortController> {
  const waits = async () => (await service.get('/v1/working/waits')).body.begun;
  const before = await waits();
  const { caller } = sendLasting(key);
  await until(async () => (await waits()) > before);
  return caller;
}

test.if(isThorough)("a request beyond the plan's limit waits, then gets 429 with the limit", async () => {
  const key = await service.newKey('free');
  const caller = await work(key);
  try {
    const sentAt = performance.now();
    const [generate, info] = await Promise.all([
      service.post('/v1/generate', { html: 'x' }, key),
      service.post('/v1/pdf/info', { pdf: samplePdf }, key),
    ]);
    expect(performance.now() - sentAt).toBeGreaterThan(WAIT_MS - 100);
    for (const { status, body, headers } of [generate, info]) {
      expect([status, body.error.code]).toEqual([429, 'RATE_LIMITED']);
      expect(body.error.message).toContain('the plan free allows 1 concurrent request');
      expect(headers.get('retry-after')).toBe('5');
    }
    // A refused document is not recorded. Reads and batches are not limited.
    expect((await service.get('/v1/generations', key)).body.data).toEqual([]);
    expect((await service.post('/v1/generate/batch', { items: [{ html: 'x' }] }, key)).status).toBe(202);
  } finally {
    caller.abort();
  }
});

test('a waiting request starts when an earlier one ends', async () => {
  const key = await service.newKey('free');
  const caller = await work(key);
  const before = entered.mock.calls.length;
  const waiting = service.post('/v1/generate', { html: 'x' }, key);
  await until(() => entered.mock.calls.length > before);
  caller.abort();
  expect((await waiting).status).toBe(200);
});

test('a caller that disconnects while waiting leaves the queue', async () => {
  const key = await service.newKey('free');
  const caller = await work(key);
  const { body: before } = await service.get('/v1/working/waits');
  const earlier = entered.mock.calls.length;
  const waiting = sendLasting(key);
  await until(() => entered.mock.calls.length > earlier);
  waiting.caller.abort();
  await waiting.answer;
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

test('an invalid limit stops the service', async () => {
  const start = TestService.start({ config: { plans: { free: { concurrency: 0 } } } });
  const error = await start.catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).message).toBe(
    'platen.config.json.plans.free.concurrency: must be a whole number of at least 1, or null for no limit',
  );
});
