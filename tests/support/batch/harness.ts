import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Quota } from '../../../src/accounts/quota.ts';
import { DEFAULT_PLANS } from '../../../src/accounts/plans.ts';
import { EventBus } from '../../../src/event-bus.ts';
import { createLog, type Log } from '../../../src/log.ts';
import type { JobQueue } from '../../../src/jobs/job-queue.ts';
import type { Account, Collection } from '../../../src/plugin.ts';
import { Sealer } from '../../../src/sealer.ts';
import { createSqliteStore } from '../../../src/store/sqlite.ts';
import type { Store } from '../../../src/store/store.ts';
import { generations } from '../../../plugins/render/generations/collections.ts';
import type { Generation, QueuedGenerations } from '../../../plugins/render/contract.ts';
import type { MakePdf } from '../../../plugins/render/make-pdf.ts';
import { generationInputs, type GenerationInput } from '../../../plugins/render/queued/collections.ts';
import {
  createLongRequests,
  createQueuedGenerations,
} from '../../../plugins/render/queued/queued-generations.ts';
import { createQueuedRendering } from '../../../plugins/render/queued/rendering.ts';
import { noReceipts } from '../../../plugins/render/receipt/receipts.ts';
import { batches } from '../../../plugins/batch/collections.ts';
import { Completion } from '../../../plugins/batch/completion.ts';
import type { BatchParts } from '../../../plugins/batch/batch-parts.ts';

/** An account with a quota of 100. */
export const account = { id: 'acct_1', plan: 'pro', monthlyLimit: 100 } as Account;
const requests = Array.from({ length: 4 }, () => ({ source: { html: 'x' }, output: 'url' as const }));
/** A batch of four items. */
export const request = { account, items: requests, webhook: 'https://example.com/', idempotencyKey: 'key' };

/** The parts of a service on a real database. The test runs the jobs, and replaces `makePdf`. */
export interface BatchHarness extends AsyncDisposable {
  makePdf: MakePdf;
  /** Whether the browsers are being stopped. */
  stopping: boolean;
  store: Store;
  quota: Quota;
  parts: BatchParts;
  items: QueuedGenerations;
  completion: Completion;
  jobs: Set<string>;
  /** The time at which the job of a generation was due when it was first added. */
  dueAt: ReadonlyMap<string, number>;
  sent: string[];
  files: Set<string>;
  generations: Collection<Generation>;
  inputs: Collection<GenerationInput>;
  log: Log;
}

/** Opens a harness with its own database, or on a store that the caller closes. */
export async function openBatchHarness(given?: Store): Promise<BatchHarness> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const store = given ?? createSqliteStore({ path: join(folder, 'platen.sqlite') });
  const quota = await Quota.open(store, DEFAULT_PLANS);
  const [jobs, sent, files] = [new Set<string>(), [] as string[], new Set<string>()];
  const stored = await store.collection(generations);
  const inputs = await store.collection(generationInputs);
  const log = createLog({ level: 'silent' });
  const rendering = createQueuedRendering({
    templates: undefined,
    office: undefined,
    log,
    makePdf: (job) => harness.makePdf(job),
    timeoutMs: 30_000,
    protection: { isAllowed: false },
    signing: { signer: undefined },
    stopping: () => harness.stopping,
  });
  const items = createQueuedGenerations({
    rendering,
    generations: stored,
    receipts: noReceipts,
    longRequests: createLongRequests(),
    link: async (generation) => ({ generation, url: null }),
    report() {},
    generationInputs: inputs,
    files: { delete: async (id: string) => void files.delete(id) },
    deletions: { schedule: async () => {} },
    events: new EventBus(),
    sealer: new Sealer('7f'.repeat(32)),
    accounts: { get: async () => account },
    log,
  });
  const dueAt = new Map<string, number>();
  const add: JobQueue['add'] = async (ids, times = 0) => {
    for (const [index, id] of ids.entries()) {
      if (!jobs.has(id)) dueAt.set(id, typeof times === 'number' ? times : times(index));
      jobs.add(id);
    }
  };
  const parts: BatchParts = {
    maxQueuedItems: 10_000,
    chunks: { isWaiting: async () => false, delete: async () => {} },
    bulkJobs: {
      refill: async () => {},
      ensureExpanding: async () => {},
      ensureResult: async () => {},
    },
    linkResult: async () => null,
    batches: await store.collection(batches),
    items,
    queue: {
      add,
      ensureQueued: add,
      runNow: async () => {},
      idle: async () => [],
      nextPosition: async () =>
        [...jobs].map((id) => dueAt.get(id) ?? 0).toSorted((a, b) => a - b)[0] ?? null,
    },
    quota,
    webhooks: {
      check() {},
      send: async ({ id }) => void (sent.includes(id) || sent.push(id)),
      delete: async () => {},
      edit: async () => {},
      outbox: () => ({ report() {}, store: async () => {} }),
      listOutbox: () => {
        throw new Error('batches do not change repeatedly');
      },
    },
  };
  const completion = new Completion(parts);
  const harness: BatchHarness = {
    stopping: false,
    makePdf: async ({ fileId }) => {
      files.add(fileId);
      return { fileId, pages: 1, sizeBytes: 1 };
    },
    store,
    quota,
    parts,
    items,
    completion,
    jobs,
    dueAt,
    sent,
    files,
    generations: stored,
    inputs,
    log,
    async [Symbol.asyncDispose]() {
      if (!given) await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return harness;
}

/** Returns the message of a rejection, or `none` if the promise is fulfilled. */
export const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'none',
    (error: Error) => error.message,
  );
