import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Quota } from '../../src/accounts/quota.ts';
import { DEFAULT_PLANS } from '../../src/accounts/plans.ts';
import { EventBus } from '../../src/events.ts';
import { createLog } from '../../src/log.ts';
import { FilesUnavailableError, type Account, type Collection } from '../../src/plugin.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { createBackground, type BackgroundParts } from '../render/background.ts';
import { generationInputs, generations, type GenerationInput } from '../render/collections.ts';
import type { BackgroundGenerations, Generation } from '../render/contract.ts';
import type { Produce } from '../render/produce.ts';
import { batches } from './collections.ts';
import { Completion } from './completion.ts';
import { createBatchService, type BatchParts } from './service.ts';

const account = { id: 'acct_1', plan: 'pro', monthlyLimit: 100 } as Account;
const items = Array.from({ length: 4 }, () => ({ source: { html: 'x' }, output: 'url' as const }));
const request = { account, items, webhook: 'https://example.com/', idempotencyKey: 'key' };

/** A service's parts on a real database, whose jobs are run by hand and whose renderer is the test's. */
interface Bench {
  folder: string;
  store: Store;
  quota: Quota;
  parts: BatchParts;
  background: BackgroundGenerations;
  completion: Completion;
  jobs: Set<string>;
  sent: string[];
  files: Set<string>;
  generations: Collection<Generation>;
  inputs: Collection<GenerationInput>;
}

let bench: Bench;
let produce: Produce;
let stopping = false;

beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const store = createSqliteStore({ path: join(folder, 'platen.sqlite') });
  const quota = await Quota.open(store, DEFAULT_PLANS);
  const [jobs, sent, files] = [new Set<string>(), [] as string[], new Set<string>()];
  const stored = await store.collection(generations);
  const inputs = await store.collection(generationInputs);
  stopping = false;
  produce = async (_, { fileId }) => {
    files.add(fileId);
    return { fileId, pages: 1, sizeBytes: 1 };
  };
  const background = createBackground(
    {
      generations: stored,
      generationInputs: inputs,
      files: { delete: async (id: string) => void files.delete(id) },
      events: new EventBus(),
      log: createLog('silent'),
      concurrency: 2,
      stopping: () => stopping,
    } as unknown as BackgroundParts,
    (...words) => produce(...words),
  );
  const parts: BatchParts = {
    batches: await store.collection(batches),
    generations: background,
    queue: { add: async (ids) => ids.forEach((id) => jobs.add(id)), hurry: async () => {} },
    quota,
    webhooks: { check() {}, send: async ({ id }) => void (sent.includes(id) || sent.push(id)) },
  };
  const completion = new Completion(parts);
  bench = {
    folder,
    store,
    quota,
    parts,
    background,
    completion,
    jobs,
    sent,
    files,
    generations: stored,
    inputs,
  };
});

afterEach(async () => {
  await bench.store.close();
  await rm(bench.folder, { recursive: true, force: true });
});

async function used(): Promise<{ used: number; holds: string[] }> {
  const usage = await bench.store.collection<{ id: string; used: number; holds: object }>({ name: 'usage' });
  const [record] = await usage.find();
  return { used: record?.used ?? 0, holds: Object.keys(record?.holds ?? {}) };
}

/** Runs the jobs that are stored, as many times as it takes. */
async function runJobs(): Promise<void> {
  for (const id of bench.jobs) {
    bench.jobs.delete(id);
    await bench.completion.run(id);
  }
}

/** Lets the process die at a write: whatever comes after it is not done. */
function dieAt(target: object, method: string, when = () => true): void {
  const methods = target as Record<string, (...words: unknown[]) => unknown>;
  const real = methods[method];
  methods[method] = async (...words) => {
    if (!when()) return real?.(...words);
    methods[method] = real as (...words: unknown[]) => unknown;
    throw new Error('the process died');
  };
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: Error) => error.message,
  );
const service = () => createBatchService(bench.parts);

describe('a process that dies while it accepts a batch leaves', () => {
  test('none, when it dies before the record: inputs and quota come back', async () => {
    dieAt(bench.parts.batches, 'insert');
    expect(await failure(service().submit(request))).toBe('the process died');
    expect(await bench.inputs.count()).toBe(4);
    expect(await bench.generations.count()).toBe(0);
    expect(await used()).toMatchObject({ used: 4, holds: [expect.stringMatching(/^batch_/)] });
    await bench.quota.sweep(0);
    expect(await used()).toEqual({ used: 0, holds: [] });
    expect(await bench.inputs.count()).toBe(0);
    // The client tries again and is not told of the one that was given up.
    const { replayed, batch } = await service().submit(request);
    expect(replayed).toBe(false);
    await runJobs();
    expect(await bench.parts.batches.get(batch.id)).toMatchObject({ status: 'completed' });
    expect(await used()).toEqual({ used: 4, holds: [] });
  });

  test('none, when it only hung: what was given up is not accepted after all', async () => {
    const { background, quota } = bench;
    bench.parts.generations = {
      ...background,
      storeInputs: async (batchId, inputs) => {
        await quota.sweep(0);
        await background.storeInputs(batchId, inputs);
      },
    };
    expect(await failure(service().submit(request))).toContain('could not be stored in time');
    expect(await used()).toEqual({ used: 0, holds: [] });
    expect([await bench.inputs.count(), await bench.generations.count(), bench.jobs.size]).toEqual([0, 0, 0]);
  });

  test('the whole batch, when it dies after the record: by a sweep', async () => {
    dieAt(bench.background, 'enqueue');
    expect(await failure(service().submit(request))).toBe('the process died');
    expect(await bench.generations.count()).toBe(0);
    await bench.completion.sweep();
    await runJobs();
    const [batch] = await bench.parts.batches.find();
    expect(batch).toMatchObject({ status: 'completed' });
    expect(await bench.generations.count({ status: 'completed' })).toBe(4);
    expect(bench.sent).toEqual([`batch.completed:${batch?.id}`]);
    expect(await used()).toEqual({ used: 4, holds: [] });
  });

  test('the whole batch, when it dies after the record: by the client that tries again', async () => {
    dieAt(bench.parts.queue, 'add');
    expect(await failure(service().submit(request))).toBe('the process died');
    const batch = await service().findByKey(account.id, 'key');
    expect(await bench.generations.count()).toBe(4);
    expect(bench.jobs.size).toBe(4);
    const { generations: inOrder } = await service().get(account.id, batch?.id ?? '');
    expect(inOrder.map(({ id }) => id)).toEqual(batch?.generations.map(({ id }) => id) ?? []);
  });
});

describe('a process that dies while it ends a batch', () => {
  const ends: [string, () => object, string][] = [
    ['before the webhook', () => bench.parts.webhooks, 'send'],
    ['before the quota', () => bench.parts.quota, 'settle'],
    ['before the record', () => bench.parts.batches, 'update'],
  ];
  test.each(ends)('%s leaves the end to a sweep, and nothing happens twice', async (_, target, method) => {
    await service().submit(request);
    dieAt(target(), method);
    expect(await failure(runJobs())).toBe('the process died');
    await bench.completion.sweep();
    await bench.completion.sweep();
    const [batch] = await bench.parts.batches.find();
    expect(batch).toMatchObject({ status: 'completed' });
    expect(bench.sent).toEqual([`batch.completed:${batch?.id}`]);
    expect(await used()).toEqual({ used: 4, holds: [] });
    expect(await bench.inputs.count()).toBe(0);
  });
});

describe('an item', () => {
  const first = async () => (await bench.generations.find({ where: { index: 0 } }))[0];

  test('that three processes died over fails, and says so', async () => {
    await service().submit(request);
    const { id = '' } = (await first()) ?? {};
    // What `kill -9` leaves of an attempt: a claim, and a file.
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const died = Promise.withResolvers<never>();
      produce = async (_, { fileId }) => {
        bench.files.add(fileId);
        return died.promise;
      };
      void bench.background.complete(id);
      await Bun.sleep(20);
      expect(bench.files.size).toBe(1);
    }
    await bench.background.complete(id);
    expect(await first()).toMatchObject({ status: 'failed', attempts: 3, fileId: null });
    expect((await first())?.error).toBe('RENDER_FAILED: the service ended 3 times while it made this');
    expect(bench.files.size).toBe(0);
  });

  test('that two processes make ends once, by the later one, and the other leaves no file', async () => {
    await service().submit(request);
    const { id = '' } = (await first()) ?? {};
    const usual = produce;
    const hang = Promise.withResolvers<void>();
    produce = async (...words) => {
      const made = await usual(...words);
      await hang.promise;
      bench.files.add(words[1].fileId);
      return made;
    };
    const hung = bench.background.complete(id);
    await Bun.sleep(20);
    produce = usual;
    const ended = await bench.background.complete(id);
    hang.resolve();
    expect(await hung).toEqual(ended);
    expect(Array.from(bench.files)).toEqual([ended?.fileId ?? '']);
  });

  test('is tried again when the file store is away or the service stops, and that is no attempt', async () => {
    await service().submit(request);
    const { id = '' } = (await first()) ?? {};
    const usual = produce;
    for (let round = 0; round < 5; round += 1) {
      produce = () => Promise.reject(new FilesUnavailableError('unreachable', 'away'));
      expect(await failure(bench.background.complete(id))).toContain('away');
    }
    stopping = true;
    produce = () => Promise.reject(new Error('the browser is stopped'));
    expect(await failure(bench.background.complete(id))).toContain('stopped');
    expect(await first()).toMatchObject({ status: 'queued', attempts: 0 });
    stopping = false;
    produce = usual;
    expect(await bench.background.complete(id)).toMatchObject({ status: 'completed', attempts: 1 });
  });
});

test('a key is free again after 24 hours', async () => {
  const { batch } = await service().submit(request);
  await bench.parts.batches.update(
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

test('of two processes that accept the same key at once one does, and the other has the same answer and holds nothing', async () => {
  const [one, other] = await Promise.all([service().submit(request), service().submit(request)]);
  expect(one.batch.id).toBe(other.batch.id);
  expect(one.replayed).not.toBe(other.replayed);
  expect(await bench.generations.count()).toBe(4);
  expect((await used()).holds).toEqual([one.batch.id]);
});

test('of two processes with one key and quota for one of them, both get the answer', async () => {
  const tight = { ...request, account: { ...account, monthlyLimit: 5 } };
  const [one, other] = await Promise.all([service().submit(tight), service().submit(tight)]);
  expect(one.batch.id).toBe(other.batch.id);
  expect(await used()).toMatchObject({ used: 4 });
});
