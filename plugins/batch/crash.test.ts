import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import {
  account,
  failure,
  openBatchHarness,
  request,
  type BatchHarness,
} from '../../tests/support/batch/harness.ts';
import { NO_PROPERTIES } from '../files/exports.ts';
import { presentBatch } from './present.ts';
import { createBatchService } from './service.ts';

let harness: BatchHarness;

beforeEach(async () => {
  harness = await openBatchHarness();
});

afterEach(() => harness[Symbol.asyncDispose]());

async function used(): Promise<{ used: number; holds: string[] }> {
  const usage = await harness.store.collection<{ id: string; used: number; holds: object }>({
    name: 'usage',
  });
  const [record] = await usage.find();
  return { used: record?.used ?? 0, holds: Object.keys(record?.holds ?? {}) };
}

async function runJobs(): Promise<void> {
  for (const id of harness.jobs) {
    harness.jobs.delete(id);
    await harness.completion.run(id);
  }
}

/** Simulates a process that dies at a write: the call throws without writing. */
function dieAt(target: object, method: string, when = () => true): void {
  const methods = target as Record<string, (...args: unknown[]) => unknown>;
  const real = methods[method];
  methods[method] = async (...args) => {
    if (!when()) return real?.(...args);
    methods[method] = real as (...args: unknown[]) => unknown;
    throw new Error('the process died');
  };
}

const service = () => createBatchService(harness.parts, (id) => harness.completion.finish(id));

describe('a process that dies while it accepts a batch', () => {
  test('leaves no batch if it dies before the record: a sweep deletes the inputs and returns the quota', async () => {
    dieAt(harness.parts.batches, 'insert');
    expect(await failure(service().submit(request))).toBe('the process died');
    expect(await harness.inputs.count()).toBe(4);
    expect(await harness.generations.count()).toBe(0);
    expect(await used()).toMatchObject({ used: 4, holds: [expect.stringMatching(/^batch_/)] });
    await harness.quota.sweep(0);
    expect(await used()).toEqual({ used: 0, holds: [] });
    expect(await harness.inputs.count()).toBe(0);
    // The client's retry is accepted as a new batch.
    const { replayed, batch } = await service().submit(request);
    expect(replayed).toBe(false);
    await runJobs();
    expect(await harness.parts.batches.get(batch.id)).toMatchObject({ status: 'completed' });
    expect(await used()).toEqual({ used: 4, holds: [] });
  });

  test('leaves no batch if it dies between two chunks of the inputs of a large batch', async () => {
    const large = request.items.map((item) => ({ ...item, source: { html: 'x'.repeat(1_000_000) } }));
    let writes = 0;
    dieAt(harness.inputs, 'insertMany', () => (writes += 1) === 3);
    expect(await failure(service().submit({ ...request, items: large }))).toBe('the process died');
    expect(await harness.inputs.count()).toBe(2);
    expect([await harness.parts.batches.count(), await harness.generations.count()]).toEqual([0, 0]);
    await harness.quota.sweep(0);
    expect(await used()).toEqual({ used: 0, holds: [] });
    expect(await harness.inputs.count()).toBe(0);
    const { batch } = await service().submit({ ...request, items: large });
    expect(await harness.inputs.count()).toBe(4);
    await runJobs();
    expect(await harness.parts.batches.get(batch.id)).toMatchObject({ status: 'completed' });
  });

  test('leaves no batch if a sweep abandons it between two chunks: later inputs are deleted', async () => {
    const large = request.items.map((item) => ({ ...item, source: { html: 'x'.repeat(1_000_000) } }));
    const stored = { ...harness.inputs };
    let writes = 0;
    harness.inputs.insertMany = async (chunk) => {
      if ((writes += 1) === 3) await harness.quota.sweep(0);
      await stored.insertMany(chunk);
    };
    expect(await failure(service().submit({ ...request, items: large }))).toContain(
      'could not be stored in time',
    );
    expect([await harness.inputs.count(), await harness.generations.count(), harness.jobs.size]).toEqual([
      0, 0, 0,
    ]);
    expect(await used()).toEqual({ used: 0, holds: [] });
  });

  test('leaves no batch if it was suspended: an abandoned batch is not accepted later', async () => {
    const { items, quota } = harness;
    harness.parts.items = {
      ...items,
      storeInputs: async (batchId, inputs) => {
        await quota.sweep(0);
        await items.storeInputs(batchId, inputs);
      },
    };
    expect(await failure(service().submit(request))).toContain('could not be stored in time');
    expect(await used()).toEqual({ used: 0, holds: [] });
    expect([await harness.inputs.count(), await harness.generations.count(), harness.jobs.size]).toEqual([
      0, 0, 0,
    ]);
  });

  test('leaves a batch that a sweep completes if it dies after the record', async () => {
    dieAt(harness.items, 'enqueue');
    expect(await failure(service().submit(request))).toBe('the process died');
    expect(await harness.generations.count()).toBe(0);
    await harness.completion.sweep();
    await runJobs();
    const [batch] = await harness.parts.batches.find();
    expect(batch).toMatchObject({ status: 'completed' });
    expect(await harness.generations.count({ status: 'completed' })).toBe(4);
    expect(harness.sent).toEqual([`batch.completed:${batch?.id}`]);
    expect(await used()).toEqual({ used: 4, holds: [] });
  });

  test('leaves a batch that the retry of the client completes if it dies after the record', async () => {
    dieAt(harness.parts.queue, 'add');
    expect(await failure(service().submit(request))).toBe('the process died');
    const batch = await service().findByKey(account.id, 'key');
    expect(await harness.generations.count()).toBe(4);
    expect(harness.jobs.size).toBe(4);
    const { generations: inOrder } = await service().get(account.id, batch?.id ?? '');
    expect(inOrder.map(({ id }) => id)).toEqual(batch?.generations.map(({ id }) => id) ?? []);
  });
});

test('an item whose job is added by a sweep keeps its queue position', async () => {
  const { batch: earlier } = await service().submit({ ...request, idempotencyKey: null });
  dieAt(harness.parts.queue, 'add');
  expect(await failure(service().submit(request))).toBe('the process died');
  const batch = await harness.parts.batches.find({ where: { idempotencyKey: 'key' } });
  const ids = batch[0]?.generations.map(({ id }) => id) ?? [];
  // The first item has ended; the others keep the positions of their indexes.
  await harness.items.enqueue(batch[0] ?? earlier);
  await harness.items.complete(ids[0] ?? '');
  await harness.completion.sweep();
  const times = ids.map((id) => harness.dueAt.get(id));
  // Four items of the account were queued before.
  const place = earlier.firstPlace + 4;
  expect(times).toEqual([undefined, place + 1, place + 2, place + 3]);
});

test('a sweep ends all batches, even more than it reads at once', async () => {
  const [item] = request.items;
  const rich = {
    account: { ...account, monthlyLimit: 1_000 },
    webhook: request.webhook,
    idempotencyKey: null,
  };
  const submit = () => service().submit({ ...rich, items: item ? [item] : [] });
  await Promise.all(Array.from({ length: 110 }, submit));
  await Promise.all(Array.from(harness.jobs, (id) => harness.items.complete(id)));
  await harness.completion.sweep();
  expect(await harness.parts.batches.count({ status: 'completed' })).toBe(110);
  expect(harness.sent.length).toBe(110);
});

describe('a process that dies while it ends a batch', () => {
  const ends: [string, () => object, string, number][] = [
    ['before the quota', () => harness.parts.quota, 'settle', 1],
    ['before the inputs are deleted', () => harness.parts.items, 'deleteInputs', 1],
    ['before the record', () => harness.parts.batches, 'update', 1],
    ['before the webhook', () => harness.parts.webhooks, 'send', 1],
    ['after the webhook', () => harness.parts.batches, 'update', 2],
  ];
  test.each(ends)(
    '%s leaves the rest to a sweep, and nothing happens twice',
    async (_, target, method, nth) => {
      await service().submit(request);
      let calls = 0;
      dieAt(target(), method, () => (calls += 1) === nth);
      expect(await failure(runJobs())).toBe('the process died');
      await harness.completion.sweep();
      await harness.completion.sweep();
      const [batch] = await harness.parts.batches.find();
      expect(batch).toMatchObject({ status: 'completed' });
      expect(harness.sent).toEqual([`batch.completed:${batch?.id}`]);
      expect(await used()).toEqual({ used: 4, holds: [] });
      expect(await harness.inputs.count()).toBe(0);
    },
  );
});

test('a receiver that reads the batch on its webhook finds it completed and its quota settled', async () => {
  const stored = { ...harness.parts.webhooks };
  const seen: object[] = [];
  harness.parts.webhooks.send = async (message) => {
    const [batch] = await harness.parts.batches.find();
    const { status, completed } = presentBatch(await service().get(account.id, batch?.id ?? ''));
    seen.push({ status, completed, held: (await used()).holds.length });
    expect(message.data).toMatchObject({ status, completed });
    await stored.send(message);
  };
  await service().submit(request);
  await runJobs();
  expect(seen).toEqual([{ status: 'completed', completed: 4, held: 0 }]);
});

test('a key can be used again after 24 hours', async () => {
  const { batch } = await service().submit(request);
  await harness.parts.batches.update(
    { id: batch.id },
    {
      createdAt: Date.now() - 24 * 3_600_000,
    },
  );
  expect(await service().findByKey(account.id, 'key')).toBeNull();
  const second = await service().submit(request);
  expect(second.replayed).toBe(false);
  expect(second.batch.id).not.toBe(batch.id);
});

test('when two processes accept the same key at once, one accepts it, the other returns the same batch and reserves nothing', async () => {
  const [one, other] = await Promise.all([service().submit(request), service().submit(request)]);
  expect(one.batch.id).toBe(other.batch.id);
  expect(one.replayed).not.toBe(other.replayed);
  expect(await harness.generations.count()).toBe(4);
  expect((await used()).holds).toEqual([one.batch.id]);
});

test('two processes with the same key and quota for one batch both return the batch', async () => {
  const tight = { ...request, account: { ...account, monthlyLimit: 5 } };
  const [one, other] = await Promise.all([service().submit(tight), service().submit(tight)]);
  expect(one.batch.id).toBe(other.batch.id);
  expect(await used()).toMatchObject({ used: 4 });
});

test('a batch over quota is rejected at once when no other batch is being accepted', async () => {
  await service().submit({ ...request, idempotencyKey: 'other' });
  const stored = { ...harness.parts.batches };
  let lookups = 0;
  harness.parts.batches.find = (query) => {
    lookups += 1;
    return stored.find(query);
  };
  const poor = { ...request, account: { ...account, monthlyLimit: 5 } };
  expect(await failure(service().submit(poor))).toContain('limit of 5');
  expect(lookups).toBe(1);
});

describe('a batch for a test key', () => {
  const items = request.items.map((item) => ({
    ...item,
    properties: { ...NO_PROPERTIES, test: true as const },
  }));
  const testRequest = { ...request, items };

  test('is still one when another process makes its items', async () => {
    dieAt(harness.parts.items, 'enqueue');
    expect(await failure(service().submit(testRequest))).toBe('the process died');
    await harness.completion.sweep();
    const marked: boolean[] = [];
    const { makePdf } = harness;
    harness.makePdf = async (job) => {
      marked.push(job.isTest);
      return makePdf(job);
    };
    await runJobs();
    expect(marked).toEqual([true, true, true, true]);
    const [batch] = await harness.parts.batches.find();
    expect([batch?.status, batch?.test]).toEqual(['completed', true]);
    expect((await harness.generations.find()).map(({ test: isTest }) => isTest)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(await used()).toEqual({ used: 0, holds: [] });
  });

  test('counts nothing if the process dies before it settles the quota', async () => {
    await service().submit(testRequest);
    dieAt(harness.quota, 'settle');
    expect(await failure(runJobs())).toBe('the process died');
    await harness.quota.sweep(0);
    expect(await used()).toMatchObject({ used: 0 });
    await harness.completion.sweep();
    await harness.quota.sweep(0);
    expect(await used()).toEqual({ used: 0, holds: [] });
  });

  test('leaves nothing behind if the process dies before its record', async () => {
    dieAt(harness.parts.batches, 'insert');
    expect(await failure(service().submit(testRequest))).toBe('the process died');
    expect(await harness.inputs.count()).toBe(4);
    await harness.quota.sweep(0);
    expect(await used()).toEqual({ used: 0, holds: [] });
    expect(await harness.inputs.count()).toBe(0);
  });
});
