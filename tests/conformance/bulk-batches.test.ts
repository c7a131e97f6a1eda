import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { FilesUnavailableError } from '../../src/files/files.ts';
import {
  acceptBulk,
  BULK_SETTINGS,
  BULK_TOTAL,
  MAX_WAITING,
  NOTHING,
  openBulk,
  usageOf,
} from '../support/batch/bulk-harness.ts';
import { account, failure } from '../support/batch/harness.ts';
import { deployments } from '../support/jobs/job-deployment.ts';
import { DyingProcess } from '../support/service/dying-process.ts';

setDefaultTimeout(60_000);

const die = async () => {
  throw new Error('the process died');
};

describe.each(deployments)('a bulk batch on %s', (_, open) => {
  test('leaves nothing when the process dies before its record and no request is repeated', async () => {
    await using deployment = await open();
    const dying = new DyingProcess();
    await using bulk = await openBulk(dying.store(deployment.store));
    const { harness } = bulk;
    // The usage, the hold, the chunks; dead before the request that the items share.
    dying.revive({ dieAt: 4 });
    expect(await failure(acceptBulk(bulk))).toBe('the process died');
    dying.revive();
    expect(await bulk.chunks.countWaiting(account.id)).toBe(BULK_TOTAL);
    await harness.quota.sweep(0);
    expect(await bulk.remains()).toEqual(NOTHING);
    expect([...bulk.files.stored.keys()]).toEqual([]);
    expect(await usageOf(deployment.store)).toEqual([expect.objectContaining({ used: 0, holds: {} })]);
  });

  test('is refused beyond the items that may wait, and leaves nothing', async () => {
    await using deployment = await open();
    await using bulk = await openBulk(deployment.store);
    const { harness } = bulk;
    const many = { ...(await bulk.receive()), total: MAX_WAITING + 1 };
    const request = { account, settings: BULK_SETTINGS, attempt: undefined };
    expect(await failure(bulk.accept({ ...request, items: many }))).toContain('the limit of 10');
    expect([bulk.files.stored.size, await harness.parts.batches.count()]).toEqual([0, 0]);
    // Each alone would be accepted.
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => failure(acceptBulk(bulk))));
    expect(outcomes.filter((outcome) => outcome.includes('the limit of 10')).length).toBeGreaterThan(1);
    const waiting = await bulk.chunks.countWaiting(account.id);
    expect([waiting > 0, waiting <= MAX_WAITING]).toEqual([true, true]);
    for (const { id } of await harness.parts.batches.find()) await bulk.expansion.run(id);
    expect(await failure(acceptBulk(bulk))).toBe('none');
  });

  test('is refused beyond the items that may wait, also when several processes accept at once', async () => {
    await using deployment = await open();
    await using first = await openBulk(deployment.store);
    const others = await Promise.all(
      Array.from({ length: 3 }, () => openBulk(deployment.store, first.files)),
    );
    const outcomes = await Promise.all([first, ...others].map((bulk) => failure(acceptBulk(bulk))));
    const accepted = outcomes.filter((outcome) => outcome === 'none').length;
    expect(outcomes.filter((outcome) => outcome.includes('the limit of 10')).length).toBe(4 - accepted);
    expect(accepted * BULK_TOTAL).toBeLessThanOrEqual(MAX_WAITING);
    const remains = await first.remains();
    expect([remains.waiting, remains.held.length]).toEqual([accepted * BULK_TOTAL, accepted]);
    expect(remains.lines.length).toBe(first.files.stored.size);
    expect(await usageOf(deployment.store)).toEqual([
      expect.objectContaining({ used: accepted * BULK_TOTAL }),
    ]);
    for (const bulk of others) await bulk[Symbol.asyncDispose]();
  });

  test.each(['acceptance', 'end'])(
    'is accepted once when an attempt hangs at any write and resumes after the %s of its retry',
    async (moment) => {
      for (let hangAt = 1, isComplete = false; !isComplete; hangAt += 1) {
        await using deployment = await open();
        const hanging = new HangingProcess(hangAt);
        await using first = await openBulk(hanging.store(deployment.store));
        await using second = await openBulk(deployment.store, first.files);
        const attempt = { workId: 'work', isRetry: false };
        const hung = acceptBulk(first, { attempt });
        const outcome = failure(hung);
        await Promise.race([hanging.reached, outcome]);
        isComplete = !hanging.hangs;
        const id = await acceptBulk(second, { attempt: { ...attempt, isRetry: true } });
        // What the first attempt had stored does not count.
        expect([hangAt, await second.chunks.countWaiting(account.id)]).toEqual([hangAt, BULK_TOTAL]);
        if (moment === 'end') await second.work(id);
        hanging.resume();
        expect([hangAt, await outcome, await hung]).toEqual([hangAt, 'none', id]);
        await second.work(id);
        const made = await second.harness.items.ofBatch(id);
        expect([hangAt, made.map(({ status }) => status)]).toEqual([
          hangAt,
          Array(BULK_TOTAL).fill('completed'),
        ]);
        expect([hangAt, await second.remains()]).toEqual([hangAt, NOTHING]);
        expect(await usageOf(deployment.store)).toEqual([expect.objectContaining({ used: BULK_TOTAL })]);
        if (isComplete) expect(hangAt).toBeGreaterThan(4);
      }
    },
  );

  test('is accepted once by retries of an attempt that a sweep has abandoned', async () => {
    await using deployment = await open();
    const dying = new DyingProcess();
    await using bulk = await openBulk(dying.store(deployment.store));
    const attempt = { workId: 'work', isRetry: false };
    dying.revive({ dieAt: 4 });
    expect(await failure(acceptBulk(bulk, { attempt }))).toBe('the process died');
    dying.revive();
    await bulk.harness.quota.sweep(0);
    const retry = { attempt: { ...attempt, isRetry: true } };
    const [id, other] = await Promise.all([acceptBulk(bulk, retry), acceptBulk(bulk, retry)]);
    expect([id, await acceptBulk(bulk, retry)]).toEqual([other, id]);
    await bulk.work(id);
    expect(await bulk.harness.items.count(id, ['completed'])).toBe(BULK_TOTAL);
    expect(await bulk.remains()).toEqual(NOTHING);
    expect(await usageOf(deployment.store)).toEqual([expect.objectContaining({ used: BULK_TOTAL })]);
  });

  test('that is canceled while its items are put into the queue leaves none there, even after a kill', async () => {
    await using deployment = await open();
    await using bulk = await openBulk(deployment.store);
    const { harness } = bulk;
    const id = await acceptBulk(bulk);
    bulk.hooks.beforeInputs = async () => void (await bulk.service.cancel(account.id, id));
    bulk.hooks.afterEnqueue = die;
    expect(await failure(bulk.expansion.run(id))).toBe('the process died');
    bulk.hooks.beforeInputs = bulk.hooks.afterEnqueue = undefined;
    expect((await harness.parts.batches.get(id))?.status).toBe('completed');
    // The job is repeated.
    await bulk.expansion.run(id);
    expect((await harness.items.ofBatch(id)).map(({ status }) => status)).toEqual(['canceled', 'canceled']);
    expect(await bulk.remains()).toEqual(NOTHING);
  });

  test('of an account that is erased meanwhile leaves nothing, even after a kill', async () => {
    for (const hasJob of [true, false]) {
      await using deployment = await open();
      await using bulk = await openBulk(deployment.store);
      const { harness } = bulk;
      const id = await acceptBulk(bulk);
      bulk.hooks.beforeInputs = () => bulk.erase();
      bulk.hooks.afterEnqueue = die;
      expect(await failure(bulk.expansion.run(id))).toBe('the process died');
      bulk.hooks.beforeInputs = bulk.hooks.afterEnqueue = undefined;
      expect(await harness.parts.batches.count({ accountId: account.id })).toBe(0);
      if (hasJob) {
        await bulk.expansion.run(id);
        expect(await harness.generations.count()).toBe(0);
      } else {
        // The erasure has deleted the job, and deletes the generations of the account again an hour later.
        await harness.parts.batches.update({ id }, { createdAt: 0 });
        await harness.completion.sweep();
        expect(await harness.parts.batches.count()).toBe(0);
      }
      expect(await harness.inputs.count()).toBe(0);
      expect([...bulk.files.stored.keys()]).toEqual([]);
    }
  });

  test('does not end while its last chunk is put into the queue', async () => {
    await using deployment = await open();
    await using bulk = await openBulk(deployment.store);
    const { harness } = bulk;
    const id = await acceptBulk(bulk, { result: 'links' });
    let chunks = 0;
    bulk.hooks.beforeInputs = async () => {
      chunks += 1;
      if (chunks > 1) await die();
    };
    expect(await failure(bulk.expansion.run(id))).toBe('the process died');
    bulk.hooks.beforeInputs = undefined;
    // All items in the queue have been counted as ended.
    bulk.hooks.beforeIsWaiting = async () => {
      bulk.hooks.beforeIsWaiting = undefined;
      await bulk.expansion.run(id);
    };
    await bulk.makeQueued(id);
    expect((await harness.parts.batches.get(id))?.status).toBe('open');
    await bulk.makeQueued(id);
    expect(await bulk.service.get(account.id, id)).toMatchObject({ completed: BULK_TOTAL, failed: 0 });
    expect((await harness.parts.batches.get(id))?.status).toBe('completed');
    expect(await usageOf(deployment.store)).toEqual([
      expect.objectContaining({ used: BULK_TOTAL, holds: {} }),
    ]);
  });

  test('has no document in its archive that was deleted before the batch ended', async () => {
    for (const moment of ['before its end', 'at its end']) {
      await using deployment = await open();
      await using bulk = await openBulk(deployment.store);
      const { harness } = bulk;
      const id = await acceptBulk(bulk);
      await bulk.expansion.run(id);
      await bulk.makeQueued(id);
      const [deleted, ...kept] = await harness.items.ofBatch(id);
      let earlier = '';
      const deleteOne = async () => {
        bulk.hooks.beforeIsWaiting = undefined;
        earlier = (await harness.parts.batches.get(id))?.resultFileId ?? '';
        expect(bulk.files.stored.has(earlier)).toBe(true);
        await bulk.deleteItems([deleted?.id ?? '']);
      };
      bulk.hooks.afterResult = async () => {
        if (moment === 'before its end') await deleteOne();
        // The end of the batch has read its record, which names the archive.
        else bulk.hooks.beforeIsWaiting = deleteOne;
      };
      await bulk.results.run(id);
      bulk.hooks.afterResult = undefined;
      expect([moment, (await harness.parts.batches.get(id))?.status]).toEqual([moment, 'open']);
      await bulk.work(id);
      expect([moment, bulk.files.stored.has(earlier)]).toEqual([moment, false]);
      const { batch, resultUrl } = await bulk.service.get(account.id, id);
      expect(batch).toMatchObject({ status: 'completed', resultError: null });
      const archive = bulk.files.stored.get(resultUrl?.split('/').at(-1) ?? '') ?? new Uint8Array();
      expect(Object.keys(unzipSync(archive))).toEqual(kept.map(({ fileName }) => fileName ?? ''));
    }
  });

  test('ends when the data of its items is lost, which fail', async () => {
    for (const lose of ['lines', 'request'] as const) {
      await using deployment = await open();
      await using bulk = await openBulk(deployment.store);
      const { harness } = bulk;
      const id = await acceptBulk(bulk);
      if (lose === 'lines') bulk.files.stored.clear();
      else await harness.items.deleteInputs(id);
      await bulk.work(id);
      const made = await harness.items.ofBatch(id);
      expect(made.map(({ status, error }) => `${status} ${error}`)).toEqual(
        Array(BULK_TOTAL).fill('failed RENDER_FAILED: the stored request is missing or unreadable'),
      );
      expect((await harness.parts.batches.get(id))?.status).toBe('completed');
      expect(await usageOf(deployment.store)).toEqual([expect.objectContaining({ used: 0, holds: {} })]);
    }
  });

  test('keeps the names that it has chosen when a repeated attempt renders others', async () => {
    await using deployment = await open();
    await using bulk = await openBulk(deployment.store);
    const { harness } = bulk;
    const id = await acceptBulk(bulk);
    bulk.hooks.afterEnqueue = die;
    expect(await failure(bulk.expansion.run(id))).toBe('the process died');
    bulk.hooks.afterEnqueue = undefined;
    let calls = 0;
    bulk.hooks.renderNames = () => {
      calls += 1;
      return ['Item 1'];
    };
    await bulk.work(id);
    // Those of the second and the third chunk.
    expect(calls).toBe(2);
    expect((await harness.items.ofBatch(id)).map(({ fileName }) => fileName)).toEqual([
      'Item 1.pdf',
      'Item 2.pdf',
      'Item 1 (2).pdf',
      'Item 1 (3).pdf',
      '5.pdf',
    ]);
  });

  test('has no archive beyond 4 GB, or on a disk that stays full', async () => {
    for (const fault of ['size', 'disk'] as const) {
      await using deployment = await open();
      await using bulk = await openBulk(deployment.store);
      const { harness } = bulk;
      if (fault === 'size') harness.makePdf = async ({ fileId }) => ({ fileId, pages: 1, sizeBytes: 1e9 });
      const id = await acceptBulk(bulk);
      await bulk.expansion.run(id);
      await bulk.makeQueued(id);
      bulk.files.put = async () => {
        throw new FilesUnavailableError('full', 'the disk is full');
      };
      let failures = 0;
      while ((await failure(bulk.results.run(id))) !== 'none') failures += 1;
      const { batch } = await bulk.service.get(account.id, id);
      expect([fault, failures, batch.status, batch.resultError]).toEqual(
        fault === 'size'
          ? [fault, 0, 'completed', 'RESULT_FAILED: the archive would have more than 4000000000 bytes']
          : [fault, 19, 'completed', 'RESULT_FAILED: the file could not be stored'],
      );
    }
  });
});

/** A process that hangs at one of its writes. */
class HangingProcess extends DyingProcess {
  readonly #hangAt: number;
  readonly #reached = Promise.withResolvers<void>();
  readonly #resumed = Promise.withResolvers<void>();

  constructor(hangAt: number) {
    super();
    this.#hangAt = hangAt;
  }

  /** Resolves when the process hangs. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  get hangs(): boolean {
    return this.writes >= this.#hangAt;
  }

  resume(): void {
    this.#resumed.resolve();
  }

  override async write<T>(work: () => Promise<T>): Promise<T> {
    return super.write(async () => {
      if (this.writes === this.#hangAt) {
        this.#reached.resolve();
        await this.#resumed.promise;
      }
      return work();
    });
  }
}
