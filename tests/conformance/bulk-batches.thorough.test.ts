import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { acceptBulk, BULK_TOTAL, NOTHING, openBulk, usageOf } from '../support/batch/bulk-harness.ts';
import { account, failure } from '../support/batch/harness.ts';
import { deployments } from '../support/jobs/job-deployment.ts';
import { DyingProcess } from '../support/service/dying-process.ts';

setDefaultTimeout(120_000);

type Bulk = Awaited<ReturnType<typeof openBulk>>;

/** Lets a process die at each write of some work in turn. Returns the number of writes. */
async function atEveryWrite(
  open: (typeof deployments)[number][1],
  steps: {
    /** Prepares the work. Nothing dies. */
    prepare: (bulk: Bulk) => Promise<string>;
    work: (bulk: Bulk, id: string) => Promise<unknown>;
    /** Checks the state after the process died and was started again. */
    check: (bulk: Bulk, id: string, dieAt: number) => Promise<void>;
  },
): Promise<number> {
  for (let dieAt = 1; ; dieAt += 1) {
    await using deployment = await open();
    const dying = new DyingProcess();
    await using bulk = await openBulk(dying.store(deployment.store));
    const id = await steps.prepare(bulk);
    dying.revive({ dieAt });
    const outcome = await failure(steps.work(bulk, id));
    bulk.hooks.beforeInputs = bulk.hooks.afterResult = undefined;
    if (outcome !== 'none') expect(outcome).toBe('the process died');
    dying.revive();
    await steps.check(bulk, id, dieAt);
    if (outcome === 'none') return dieAt;
  }
}

async function archiveOf(bulk: Bulk, id: string): Promise<string[]> {
  const { resultUrl } = await bulk.service.get(account.id, id);
  const archive = bulk.files.stored.get(resultUrl?.split('/').at(-1) ?? '');
  return archive ? Object.keys(unzipSync(archive)) : [];
}

const namesOf = async ({ harness }: Bulk, id: string) =>
  (await harness.items.ofBatch(id)).map(({ fileName }) => fileName ?? '');

/** Works on the second chunk, while its items are put into the queue. */
function onSecondChunk(bulk: Bulk, work: () => Promise<unknown>): void {
  let chunks = 0;
  bulk.hooks.beforeInputs = async () => {
    chunks += 1;
    if (chunks === 2) await work();
  };
}

describe.each(deployments)('a bulk batch on %s, whichever write the process dies at,', (_, open) => {
  test('is made exactly once', async () => {
    const attempt = { workId: 'work', isRetry: false };
    const writes = await atEveryWrite(open, {
      prepare: async () => '',
      work: async (bulk) => bulk.work(await acceptBulk(bulk, { attempt })),
      async check(bulk, _id, dieAt) {
        // The client repeats its request, as it got no response.
        const id = await acceptBulk(bulk, { attempt: { ...attempt, isRetry: true } });
        await bulk.work(id);
        const { items, sent, store } = bulk.harness;
        const made = await items.ofBatch(id);
        expect([dieAt, made.map(({ status, index, fileName }) => [status, index, fileName])]).toEqual([
          dieAt,
          ['Item 1', 'Item 2', 'Item 0', 'Item 1 (2)', 'Item 2 (2)'].map((name, index) => [
            'completed',
            index,
            `${name}.pdf`,
          ]),
        ]);
        const { batch } = await bulk.service.get(account.id, id);
        expect([batch.status, sent]).toEqual(['completed', [`batch.completed:${id}`]]);
        expect(await archiveOf(bulk, id)).toEqual(await namesOf(bulk, id));
        expect([dieAt, await bulk.remains()]).toEqual([dieAt, NOTHING]);
        expect(await usageOf(store)).toEqual([expect.objectContaining({ used: BULK_TOTAL, holds: {} })]);
      },
    });
    expect(writes).toBeGreaterThan(30);
  });

  test('is canceled as a whole while its items are put into the queue', async () => {
    const writes = await atEveryWrite(open, {
      prepare: (bulk) => acceptBulk(bulk),
      async work(bulk, id) {
        onSecondChunk(bulk, () => bulk.service.cancel(account.id, id));
        await bulk.expansion.run(id);
      },
      async check(bulk, id, dieAt) {
        await bulk.service.cancel(account.id, id);
        await bulk.work(id);
        const { batch, canceled } = await bulk.service.get(account.id, id);
        expect([dieAt, batch.status, canceled]).toEqual([dieAt, 'completed', BULK_TOTAL]);
        expect(await bulk.service.items(account.id, id, { limit: 10, offset: 0 })).toMatchObject({
          records: Array.from({ length: BULK_TOTAL }, () => ({ status: 'canceled' })),
        });
        expect([dieAt, await bulk.remains()]).toEqual([dieAt, NOTHING]);
        expect(await usageOf(bulk.harness.store)).toEqual([expect.objectContaining({ used: 0 })]);
        expect(bulk.harness.sent).toEqual([`batch.completed:${id}`]);
      },
    });
    expect(writes).toBeGreaterThan(12);
  });

  test('leaves nothing when its account is erased while its items are put into the queue', async () => {
    for (const hasJob of [true, false]) {
      const writes = await atEveryWrite(open, {
        prepare: (bulk) => acceptBulk(bulk),
        async work(bulk, id) {
          onSecondChunk(bulk, () => bulk.erase());
          await bulk.expansion.run(id);
        },
        async check(bulk, id, dieAt) {
          const { batches } = bulk.harness.parts;
          await bulk.erase();
          // The end of the erasure deletes the job, if it has not run before.
          if (hasJob) await bulk.expansion.run(id);
          await batches.update({ id }, { createdAt: 0 });
          await bulk.harness.completion.sweep();
          expect([dieAt, await batches.count(), await bulk.harness.inputs.count()]).toEqual([dieAt, 0, 0]);
          expect([dieAt, [...bulk.files.stored.keys()]]).toEqual([dieAt, []]);
          if (hasJob) expect(await bulk.harness.generations.count()).toBe(0);
        },
      });
      expect(writes).toBeGreaterThan(10);
    }
  });

  test('has no deleted document in its archive', async () => {
    for (const moment of ['stored', 'recorded'] as const) {
      const writes = await atEveryWrite(open, {
        async prepare(bulk) {
          const id = await acceptBulk(bulk);
          await bulk.expansion.run(id);
          await bulk.makeQueued(id);
          return id;
        },
        async work(bulk, id) {
          const [first] = await bulk.harness.items.ofBatch(id);
          const deleteFirst = async () => void (await bulk.deleteItems([first?.id ?? '']));
          const { put } = bulk.files;
          if (moment === 'recorded') bulk.hooks.afterResult = deleteFirst;
          else
            bulk.files.put = async (...given) => {
              bulk.files.put = put;
              const sizeBytes = await put(...given);
              await deleteFirst();
              return sizeBytes;
            };
          await failure(bulk.results.run(id));
          await bulk.results.run(id);
        },
        async check(bulk, id, dieAt) {
          const [first] = await bulk.harness.items.ofBatch(id);
          // Deletions are repeated until they succeed.
          await bulk.deleteItems([first?.id ?? '']);
          await bulk.work(id);
          const { batch } = await bulk.service.get(account.id, id);
          const names = await archiveOf(bulk, id);
          // A batch that had ended has lost its archive.
          const isLost = batch.resultError?.startsWith('RESULT_DELETED') === true;
          expect([dieAt, batch.status, names]).toEqual([
            dieAt,
            'completed',
            isLost ? [] : (await namesOf(bulk, id)).slice(1),
          ]);
          expect([dieAt, await bulk.remains()]).toEqual([dieAt, NOTHING]);
        },
      });
      expect(writes).toBeGreaterThan(5);
    }
  });
});
