import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { EventBus } from '../../src/event-bus.ts';
import { createLog } from '../../src/log.ts';
import { Quota } from '../../src/accounts/quota.ts';
import { DEFAULT_PLANS } from '../../src/accounts/plans.ts';
import { openDeletions } from '../../src/deletions.ts';
import { Sealer } from '../../src/sealer.ts';
import type { Account } from '../../src/plugin.ts';
import type { Store } from '../../src/store/store.ts';
import { createGenerationDeletion, GENERATION } from '../../plugins/render/generations/delete-generations.ts';
import { generations as generationsSpec } from '../../plugins/render/generations/collections.ts';
import { createReconciler } from '../../plugins/render/generations/reconcile-quota.ts';
import { createAsyncRequests, type AsyncParts } from '../../plugins/render/queued/async-requests.ts';
import { generationInputs } from '../../plugins/render/queued/collections.ts';
import {
  createLongRequests,
  createQueuedGenerations,
} from '../../plugins/render/queued/queued-generations.ts';
import { createQueuedRendering } from '../../plugins/render/queued/rendering.ts';
import { noReceipts } from '../../plugins/render/receipt/receipts.ts';
import { failure } from '../support/batch/harness.ts';
import { deployments } from '../support/jobs/job-deployment.ts';
import { DyingProcess } from '../support/service/dying-process.ts';

setDefaultTimeout(60_000);

const account = { id: 'acct_1', plan: 'pro', monthlyLimit: 100 } as Account;
const request = {
  account,
  source: { html: 'x' },
  output: 'url' as const,
  webhook: 'https://example.com/',
};
/** A request that is stored in two pieces. */
const longRequest = { ...request, source: { html: 'x'.repeat(2_000_000) } };

type Jobs = Parameters<AsyncParts['jobs']['define']>[0];

/** Opens the requests of a process that dies at one of its writes. The test runs its jobs. */
async function openProcess(dying: DyingProcess, real: Store) {
  const store = dying.store(real);
  const log = createLog({ level: 'silent' });
  const files = new Set<string>();
  const made: string[] = [];
  const sent: string[] = [];
  const jobs = new Set<string>();
  const quota = await Quota.open(store, DEFAULT_PLANS);
  const generations = await store.collection(generationsSpec);
  const inputs = await store.collection(generationInputs);
  const deletions = await openDeletions({ store, log });
  const fileStore = {
    delete: (id: string) => dying.write(async () => void files.delete(id)),
  };
  const webhooks = { delete: async () => {}, edit: async () => {}, check() {} };
  deletions.register(
    GENERATION,
    createGenerationDeletion({ generations, receipts: noReceipts, files: fileStore, webhooks }),
  );
  const signing = { signer: undefined };
  const rendering = createQueuedRendering({
    templates: undefined,
    office: undefined,
    log,
    timeoutMs: 30_000,
    protection: { isAllowed: false },
    signing,
    stopping: () => false,
    makePdf: ({ fileId }) =>
      dying.write(async () => {
        files.add(fileId);
        made.push(fileId);
        return { fileId, pages: 1, sizeBytes: 1 };
      }),
  });
  const queued = createQueuedGenerations({
    rendering,
    generations,
    receipts: noReceipts,
    generationInputs: inputs,
    longRequests: createLongRequests(),
    files: fileStore,
    deletions,
    events: new EventBus(),
    sealer: new Sealer('7f'.repeat(32)),
    accounts: { get: async () => account },
    link: async (generation) => ({ generation, url: null }),
    report() {},
    log,
  });
  let job: Jobs | undefined;
  let sweep: Parameters<AsyncParts['jobs']['sweep']>[1] = async () => {};
  const add = (ids: readonly string[]) => dying.write(async () => ids.forEach((id) => jobs.add(id)));
  const requests = createAsyncRequests({
    generations,
    queued,
    jobs: {
      define(spec) {
        job = spec;
        return { add, ensureQueued: add, runNow: add, idle: async () => [], nextPosition: async () => null };
      },
      sweep: (_, run) => void (sweep = run),
    },
    quota,
    deletions,
    webhooks,
    templates: undefined,
    signing,
    concurrency: 1,
    maxQueued: 10,
    maxQueuedRequests: 4,
    sendWebhook: ({ id, status }) =>
      dying.write(async () => {
        if (!sent.includes(`${id} ${status}`)) sent.push(`${id} ${status}`);
      }),
    log,
  });
  quota.registerReconciler({ ...createReconciler(generations, queued), graceMs: 0 });
  return {
    requests,
    generations,
    inputs,
    files,
    made,
    sent,
    quota,
    /** Runs the stored jobs, as a process does until they succeed. */
    async runJobs() {
      for (const id of jobs) {
        await job?.run(id);
        jobs.delete(id);
      }
    },
    /** Does what a process does when it starts and while it runs. */
    async recover() {
      dying.revive();
      await sweep(0);
      await this.runJobs();
      await quota.sweep();
      for (const { id } of await generations.find({ where: { expiresAt: 0 } }))
        await deletions.delete(GENERATION, [id]);
    },
  };
}

describe.each(deployments)('a request with async on %s', (_, open) => {
  test('is made once or not at all, whichever write the process dies at', async () => {
    let dieAt = 0;
    for (let isComplete = false; !isComplete;) {
      dieAt += 1;
      await using deployment = await open();
      const dying = new DyingProcess();
      const process = await openProcess(dying, deployment.store);
      const { requests, generations, quota } = process;
      dying.revive({ dieAt });
      const outcome = await failure(requests.submit(longRequest).then(() => process.runJobs()));
      isComplete = outcome === 'none' && dying.writes < dieAt;
      await process.recover();

      const stored = await generations.find();
      const [first] = stored;
      // Before the record is inserted, the request is not accepted.
      expect(stored.length).toBeLessThanOrEqual(1);
      const statuses = stored.map(({ status, openSince, webhook }) => ({ status, openSince, webhook }));
      const complete = { status: 'completed' as const, openSince: null, webhook: null };
      expect([dieAt, statuses]).toEqual([dieAt, first ? [complete] : []]);
      expect(process.sent).toEqual(first ? [`${first.id} completed`] : []);
      expect([...process.files]).toEqual(first?.fileId ? [first.fileId] : []);
      expect(await process.inputs.count()).toBe(0);
      expect([await quota.usedBy(account), await quota.heldFor(account)]).toEqual([stored.length, []]);
    }
    // The quota, two pieces of the request, the record, the job, the claim, the PDF and the end.
    expect(dieAt).toBeGreaterThan(8);
  });

  test('is made once when the client repeats it with its Idempotency-Key', async () => {
    let dieAt = 0;
    for (let isComplete = false; !isComplete;) {
      dieAt += 1;
      await using deployment = await open();
      const dying = new DyingProcess();
      const process = await openProcess(dying, deployment.store);
      const { requests, generations, quota } = process;
      const attempt = { workId: 'one', isRetry: false };
      dying.revive({ dieAt });
      const outcome = await failure(requests.submit({ ...request, attempt }));
      isComplete = outcome === 'none' && dying.writes < dieAt;
      dying.revive();
      const repeated = await requests.submit({ ...request, attempt: { ...attempt, isRetry: true } });
      expect([dieAt, repeated.id]).toEqual([dieAt, 'gen_one']);
      await process.recover();
      expect(await generations.find()).toMatchObject([{ id: 'gen_one', status: 'completed' }]);
      expect(process.made).toHaveLength(1);
      expect(await process.inputs.count()).toBe(0);
      expect([await quota.usedBy(account), await quota.heldFor(account)]).toEqual([1, []]);
    }
    expect(dieAt).toBeGreaterThan(3);
  });

  test('leaves nothing once its deletion has been accepted', async () => {
    let dieAt = 0;
    for (let isComplete = false; !isComplete;) {
      dieAt += 1;
      await using deployment = await open();
      const dying = new DyingProcess();
      const process = await openProcess(dying, deployment.store);
      const { requests, generations, quota } = process;
      const generation = await requests.submit(request);
      dying.revive({ dieAt });
      const outcome = await failure(requests.cancel(generation));
      isComplete = outcome === 'none' && dying.writes < dieAt;
      const isAccepted = dieAt > 1;
      await process.recover();
      expect([dieAt, await generations.count()]).toEqual([dieAt, isAccepted ? 0 : 1]);
      expect(process.sent).toHaveLength(isAccepted ? 0 : 1);
      expect(await process.inputs.count()).toBe(0);
      expect([await quota.usedBy(account), await quota.heldFor(account)]).toEqual([isAccepted ? 0 : 1, []]);
    }
    expect(dieAt).toBeGreaterThan(5);
  });

  test('is refused if too many are queued, of which items of batches count only as documents', async () => {
    await using deployment = await open();
    const { requests, generations, quota } = await openProcess(new DyingProcess(), deployment.store);
    const queued = await requests.submit(request);
    const storeItems = (ids: readonly string[]) =>
      generations.insertMany(ids.map((id) => ({ ...queued, id, batchId: 'batch_1' })));
    const refusal = () =>
      requests.submit(request).then(
        () => 'none',
        ({ code, message }) => [code, message],
      );
    await storeItems(['gen_1', 'gen_2', 'gen_3', 'gen_4', 'gen_5']);
    for (let count = 2; count <= 4; count += 1) expect(await refusal()).toBe('none');
    expect(await refusal()).toEqual([
      'RATE_LIMITED',
      'the account has 4 queued requests with `async`, which is the limit',
    ]);
    await storeItems(['gen_6']);
    expect(await refusal()).toEqual([
      'RATE_LIMITED',
      'the account has 10 queued documents, which is the limit',
    ]);
    expect(await quota.heldFor(account)).toHaveLength(4);
  });

  test('keeps its unit of quota however long it waits', async () => {
    await using deployment = await open();
    const process = await openProcess(new DyingProcess(), deployment.store);
    await process.requests.submit(request);
    // The reconciler of this test has no grace period.
    await process.quota.sweep();
    expect(await process.quota.heldFor(account)).toHaveLength(1);
    await process.recover();
    expect(await process.quota.heldFor(account)).toEqual([]);
    expect(await process.quota.usedBy(account)).toBe(1);
  });
});
