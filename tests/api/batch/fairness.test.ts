import { expect, setDefaultTimeout, test } from 'bun:test';
import { completed, onePagers, submit } from '../../support/batch/batches.ts';
import { Receiver } from '../../support/sites/receiver.ts';
import { TestService, type ApiResponse } from '../../support/service/service.ts';
import { until } from '../../support/until.ts';
import { isBeyondNpmTest } from '../../support/suite.ts';

// Only ends a test that hangs: on a busy machine, an item takes seconds.
setDefaultTimeout(300_000);

const CONCURRENCY = 2;
/** More items than the service makes at once. */
const WAITING_ITEMS = 8;

const contexts = new URL('../../fixtures/plugins/batch-contexts.ts', import.meta.url).pathname;

/** Starts a service whose documents can wait for an image until the test opens the gate. */
async function openService(env: Record<string, string>) {
  const gate = Promise.withResolvers<void>();
  const receiver = new Receiver(async () => {
    await gate.promise;
    return new Response(null, { status: 404 });
  });
  const service = await TestService.start({
    env: { RENDER_CONCURRENCY: `${CONCURRENCY}`, ...env, EGRESS_ALLOW: receiver.host },
    config: { plugins: { render: { timeoutMs: 600_000 }, [contexts]: {} } },
  });
  const picture = `<img src="${receiver.url('/picture')}">`;
  return {
    service,
    waiting: (count: number) => Array.from({ length: count }, () => ({ html: picture })),
    openGate: () => gate.resolve(),
    read: async ({ body }: ApiResponse, key: string) =>
      (await service.get(`/v1/batches/${body.batch_id}`, key)).body,
    async [Symbol.asyncDispose]() {
      gate.resolve();
      await service[Symbol.asyncDispose]();
      await receiver[Symbol.asyncDispose]();
    },
  };
}

const countOf = ({ generations }: ApiResponse['body'], status: string) =>
  generations.filter((generation: ApiResponse['body']) => generation.status === status).length;

test('a batch of documents that wait for a server does not delay the batches of other accounts', async () => {
  await using bench = await openService({});
  const [slow, ...quick] = await Promise.all(
    (['pro', 'pro', 'free'] as const).map((plan) => bench.service.newKey(plan)),
  );
  if (slow === undefined) throw new Error('no key');
  const first = await submit(bench.service, bench.waiting(WAITING_ITEMS), { key: slow });
  await until(async () => countOf(await bench.read(first, slow), 'processing') >= CONCURRENCY);
  for (const key of quick) {
    const other = await submit(bench.service, onePagers(5), { key });
    expect(await completed(bench.service, other, key)).toMatchObject({ completed: 5, failed: 0 });
  }
  const batch = await bench.read(first, slow);
  expect([batch.completed, batch.failed]).toEqual([0, 0]);
  expect(countOf(batch, 'processing')).toBe(CONCURRENCY);
  bench.openGate();
  const ended = await completed(bench.service, first, slow);
  expect(ended).toMatchObject({ completed: WAITING_ITEMS, failed: 0 });
});

test.if(isBeyondNpmTest)('an account makes no more items at once than its plan allows', async () => {
  await using bench = await openService({ RENDER_CONCURRENCY: '4' });
  const [free, pro] = [await bench.service.newKey('free'), await bench.service.newKey('pro')];
  const limited = await submit(bench.service, bench.waiting(6), { key: free });
  await until(async () => countOf(await bench.read(limited, free), 'processing') === 2);
  const other = await submit(bench.service, bench.waiting(6), { key: pro });
  await until(async () => countOf(await bench.read(other, pro), 'processing') === 2);
  expect(countOf(await bench.read(limited, free), 'processing')).toBe(2);
});

test.if(isBeyondNpmTest)('an item runs in the background with the work context of its account', async () => {
  await using bench = await openService({});
  const accepted = await submit(bench.service, onePagers(1));
  await completed(bench.service, accepted);
  const seen = (await bench.service.get('/v1/contexts')).body;
  expect(seen).toEqual([
    {
      generation: accepted.body.generations[0].id,
      account: expect.stringMatching(/^acct_/),
      accountOfGeneration: seen[0].account,
      urgency: 'batch',
    },
  ]);
});
