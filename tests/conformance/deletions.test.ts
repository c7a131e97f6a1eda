import { afterEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RenderService } from '../../plugins/render/contract.ts';
import { assemble } from '../../src/assembly.ts';
import { loadConfig } from '../../src/config.ts';
import { openDeletions, type DeleteRecords } from '../../src/deletions.ts';
import { createLog } from '../../src/log.ts';
import { openFiles, openState } from '../../src/state.ts';
import type { Store } from '../../src/store/store.ts';
import { failure } from '../support/batch/harness.ts';
import { moveClock } from '../support/clock.ts';
import { deployments } from '../support/jobs/job-deployment.ts';
import { DyingProcess } from '../support/service/dying-process.ts';
import { Receiver } from '../support/sites/receiver.ts';
import { onMongoAndS3, serversEnv, TestService } from '../support/service/service.ts';
import { until } from '../support/until.ts';
import { isBeyondNpmTest } from '../support/suite.ts';

setDefaultTimeout(120_000);
const log = createLog({ level: 'silent' });

let clock: Disposable | undefined;
afterEach(() => {
  clock?.[Symbol.dispose]();
  clock = undefined;
});

/** Opens the deletions of one process, which deletes the records from a set. */
async function openProcess(store: Store, run?: DeleteRecords) {
  const records = new Set(['a', 'b', 'c', 'd']);
  const deletions = await openDeletions({ store, log, pollMs: 10 });
  const deleteAll: DeleteRecords = async (ids) => {
    for (const id of ids) records.delete(id);
    return [];
  };
  deletions.register('thing', run ?? deleteAll);
  return { ...deletions, records, [Symbol.asyncDispose]: () => deletions.stop() };
}

const rowsOf = async (store: Store) =>
  (await (await store.collection<{ id: string }>({ name: 'deletions' })).find())
    .map(({ id }) => id)
    .toSorted();

describe.each(deployments)('deletions on %s', (_, open) => {
  test('run when they are due, even if they were scheduled before the start', async () => {
    await using deployment = await open();
    const { store } = deployment;
    await using scheduling = await openProcess(store);
    const now = Date.now();
    await scheduling.schedule('thing', [
      { id: 'a', at: now - 1 },
      { id: 'b', at: now + 3_600_000 },
      { id: 'c', at: now + 7_200_000 },
    ]);
    await using running = await openProcess(store);
    running.start();
    await until(async () => (await rowsOf(store)).length === 2);
    expect([...running.records]).toEqual(['b', 'c', 'd']);
    clock = moveClock(now + 3_600_001);
    await until(async () => (await rowsOf(store)).length === 1);
    expect([...running.records]).toEqual(['c', 'd']);
  });

  test('can be scheduled again for an earlier or a later time', async () => {
    await using deployment = await open();
    const { store } = deployment;
    await using process = await openProcess(store);
    const now = Date.now();
    const both = (at: number) => ['a', 'b'].map((id) => ({ id, at }));
    await process.schedule('thing', both(now + 3_600_000));
    await process.schedule('thing', [
      { id: 'a', at: now - 1 },
      { id: 'b', at: now + 7_200_000 },
      { id: 'c', at: now - 1 },
    ]);
    clock = moveClock(now + 3_600_001);
    process.start();
    await until(async () => (await rowsOf(store)).length === 1);
    expect([...process.records]).toEqual(['b', 'd']);
  });

  test('run at once on request, whether they were scheduled or not', async () => {
    await using deployment = await open();
    const { store } = deployment;
    await using process = await openProcess(store);
    await process.schedule('thing', [{ id: 'a', at: Date.now() + 3_600_000 }]);
    await process.delete('thing', ['a', 'b']);
    expect([...process.records]).toEqual(['c', 'd']);
    expect(await rowsOf(store)).toEqual([]);
  });

  test('are forgotten when they are canceled', async () => {
    await using deployment = await open();
    const { store } = deployment;
    await using process = await openProcess(store);
    await process.schedule('thing', [
      { id: 'a', at: 1 },
      { id: 'b', at: 1 },
    ]);
    await process.cancel('thing', ['a']);
    process.start();
    await until(async () => (await rowsOf(store)).length === 0);
    expect([...process.records]).toEqual(['a', 'c', 'd']);
  });

  test('that come too early are retried', async () => {
    await using deployment = await open();
    const { store } = deployment;
    const seen: string[] = [];
    let isEarly = true;
    await using process = await openProcess(store, async (ids) => {
      seen.push(...ids);
      return isEarly ? ids.filter((id) => id === 'b') : [];
    });
    const now = Date.now();
    await process.schedule(
      'thing',
      ['a', 'b', 'c'].map((id) => ({ id, at: now - 1 })),
    );
    process.start();
    await until(async () => (await rowsOf(store)).length === 1);
    isEarly = false;
    // Later searches delete what is due, but not the postponed record.
    await process.schedule('thing', [{ id: 'd', at: now - 1 }]);
    await until(() => seen.includes('d'));
    expect(seen.toSorted()).toEqual(['a', 'b', 'c', 'd']);
    clock = moveClock(now + 120_000);
    await until(async () => (await rowsOf(store)).length === 0);
    expect(seen.toSorted()).toEqual(['a', 'b', 'b', 'c', 'd']);
  });

  test('that fail do not delay others, and are retried', async () => {
    await using deployment = await open();
    const { store } = deployment;
    let isBroken = true;
    const deleted = new Set<string>();
    await using process = await openProcess(store, async (ids) => {
      if (isBroken && ids.includes('r150')) throw new Error('the disk is full');
      for (const id of ids) deleted.add(id);
      return [];
    });
    const now = Date.now();
    await process.schedule(
      'thing',
      Array.from({ length: 450 }, (__, n) => ({ id: `r${n}`, at: now - 1 })),
    );
    process.start();
    await until(async () => (await rowsOf(store)).length === 1);
    expect(deleted.size).toBe(449);
    isBroken = false;
    clock = moveClock(now + 120_000);
    await until(async () => (await rowsOf(store)).length === 0);
    expect(deleted).toContain('r150');
  });

  test('run in two processes at once without errors until all are done', async () => {
    await using deployment = await open();
    const { store } = deployment;
    const deleted = new Set<string>();
    const run: DeleteRecords = async (ids) => {
      await Bun.sleep(1);
      for (const id of ids) deleted.add(id);
      return [];
    };
    await using one = await openProcess(store, run);
    await using other = await openProcess(store, run);
    await one.schedule(
      'thing',
      Array.from({ length: 1_000 }, (__, n) => ({ id: `r${n}`, at: 1 })),
    );
    one.start();
    other.start();
    await Promise.all([one.delete('thing', ['r1', 'r2']), other.delete('thing', ['r2', 'r3'])]);
    await until(async () => (await rowsOf(store)).length === 0);
    expect(deleted.size).toBe(1_000);
  });
});

/** The number of generations of each kind. It is larger than the number of writes of a deletion. */
const COUNT = 24;

describe('a deletion whose process dies', () => {
  test.if(isBeyondNpmTest)(
    'is completed after the next start, at whichever write the process dies',
    async () => {
      await using receiver = new Receiver(() => new Response(null, { status: 503 }));
      const dataDir = await mkdtemp(join(tmpdir(), 'platen-test-'));
      const env = {
        ...(onMongoAndS3 && (await serversEnv())),
        DATA_DIR: dataDir,
        EGRESS_ALLOW: receiver.host,
        PUBLIC_URL: 'http://platen.test',
      };
      const key = await (async () => {
        await using service = await TestService.start({ env });
        for (let n = 0; n < COUNT; n += 1)
          await service.post('/v1/generate', { html: 'x', expires_in: 86_400, webhook: receiver.url('/') });
        const items = Array.from({ length: COUNT }, () => ({ html: 'x' }));
        const { body } = await service.post('/v1/generate/batch', { items });
        const path = `/v1/batches/${body.batch_id}`;
        await until(async () => (await service.get(path)).body.status === 'completed');
        return service.key;
      })();

      const config = loadConfig({ env: { ...env, LOG_LEVEL: 'silent' }, cwd: dataDir });
      const files = await openFiles(config, {
        sign: (id) => `http://platen.test/files/${id}`,
        verify: () => 'valid',
      });
      const dying = new DyingProcess();
      const ids: string[] = [];
      const fileIds: string[] = [];
      {
        await using assembly = await assemble(config, log, () => '', {
          state: async (of) => {
            const state = await openState(of);
            return { ...state, store: dying.store(state.store) };
          },
          files: async () => dying.files(files),
        });
        const render = assembly.registry.services['render'] as RenderService;
        const accountId = (await assembly.accounts.authenticate(key))?.account.id ?? '';
        const all = (await render.list(accountId, { limit: 100 })).records.map(
          ({ generation }) => generation,
        );
        expect(all).toHaveLength(2 * COUNT);
        for (const kind of [
          all.filter(({ batchId }) => batchId === null),
          all.filter(({ batchId }) => batchId),
        ]) {
          let deaths = 0;
          let outcome = '';
          for (const { id, fileId } of kind) {
            dying.revive({ dieAt: deaths + 1 });
            outcome = await failure(render.delete(accountId, id));
            ids.push(id);
            fileIds.push(fileId ?? '');
            if (outcome === 'none') break;
            expect(outcome).toBe('the process died');
            deaths += 1;
          }
          // The schedule, the end of the lifetime, the schedule again, the file, the receipt, the deliveries,
          // the event, the record.
          expect(deaths).toBeGreaterThanOrEqual(8);
          // The last deletion found no further write to die at.
          expect(outcome).toBe('none');
        }
        dying.revive();
      }

      await using service = await TestService.start({ env });
      const isGone = async (id: string) => (await service.get(`/v1/generations/${id}`, key)).status === 404;
      // A process that died before the deletion was scheduled deletes nothing: its caller got no response and
      // repeats the request. This holds for three deletions: one of a batch item, and two of generations with a
      // lifetime, whose existing schedule takes a second write to change.
      const repeated: string[] = [];
      await until(async () => {
        const { data } = (await service.get('/v1/generations?limit=100', key)).body;
        const remaining = data
          .map((each: { id: string }) => each.id)
          .filter((id: string) => ids.includes(id));
        repeated.splice(0, Infinity, ...remaining);
        return remaining.length === 3;
      });
      for (const id of repeated)
        expect((await service.request('DELETE', `/v1/generations/${id}`, { key })).status).toBe(204);
      for (const id of ids) {
        expect(await isGone(id)).toBe(true);
        expect((await service.get(`/v1/generations/${id}?receipt=true`, key)).status).toBe(404);
        expect((await service.request('DELETE', `/v1/generations/${id}`, { key })).status).toBe(404);
      }
      await until(async () => {
        const listed = (await Array.fromAsync(files.list())).flat();
        return !listed.some(({ id }) => fileIds.includes(id));
      });
      const { data } = (await service.get('/v1/generations?limit=100', key)).body;
      expect(data).toHaveLength(2 * COUNT - ids.length);
      // The batch keeps its counts, and shows which of its items were deleted.
      const { batch_id: batchId } = data.find((each: { batch_id?: string }) => each.batch_id);
      const { body: batch } = await service.get(`/v1/batches/${batchId}`, key);
      expect([batch.total, batch.completed]).toEqual([COUNT, COUNT]);
      for (const { id, status } of batch.generations)
        expect(status).toBe(ids.includes(id) ? 'deleted' : 'completed');
      const deliveries = (await service.get('/v1/webhooks/deliveries?limit=100', key)).body.data;
      expect(deliveries).toHaveLength(data.filter((each: { batch_id?: string }) => !each.batch_id).length);
      if (!onMongoAndS3) {
        const { store } = await openState(config);
        const receipts = await store.collection<{ id: string }>({ name: 'receipts' });
        expect((await receipts.find()).filter(({ id }) => ids.includes(id))).toEqual([]);
        await store.close();
        expect(
          (await readdir(join(dataDir, 'files'), { recursive: true })).filter((name) =>
            /file_\w+$/.test(name),
          ),
        ).toHaveLength(data.length);
      }
      await rm(dataDir, { recursive: true, force: true });
    },
  );

  test('one of three concurrent deletions of a generation succeeds, and the others do not find it', async () => {
    await using service = await TestService.start();
    for (let round = 0; round < 3; round += 1) {
      const { body } = await service.post('/v1/generate', { html: 'x' });
      const remove = () => service.request('DELETE', `/v1/generations/${body.id}`);
      const statuses = (await Promise.all([remove(), remove(), remove()])).map(({ status }) => status);
      expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 404, 404]);
    }
  });
});
