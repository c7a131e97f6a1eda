import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { jobsSpec } from '../../src/jobs/job-document.ts';
import { deployments, ids, kind } from '../support/jobs/job-deployment.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(60_000);

describe.each(deployments)('job order on %s', (_, open) => {
  test('a job that failed stays ahead of jobs that were added later', async () => {
    await using deployment = await open();
    const jobs = await deployment.process();
    const begun: string[] = [];
    const newcomers = ids(10);
    const failed = new Set<string>();
    const collection = await deployment.store.collection(jobsSpec);
    const isRetryDue = async () => {
      const [retry] = await collection.find({ where: { recordId: 'failed' } });
      return (retry?.nextRunAt ?? 0) <= Date.now();
    };
    const queue = jobs.define(
      kind(async (id) => {
        begun.push(id);
        if (id === 'failed' && !failed.has(id)) {
          failed.add(id);
          // These become due before the retry.
          await queue.add(newcomers, (index) => Date.now() - 500_000 + index);
          throw new Error('bad luck');
        }
        // The third newcomer ends when the retry is due.
        if (id === newcomers[2]) await until(isRetryDue);
      }, 1),
    );
    await queue.add(['failed', 'released'], (index) => Date.now() - 1_000_000 + index);
    await jobs.start();
    await until(async () => (await deployment.countJobs()) === 0);
    const [first, second, ...others] = begun;
    expect([first, second]).toEqual(['failed', 'released']);
    // On a busy machine, the retry may be due before the third newcomer begins.
    expect(others.indexOf('failed')).toBeLessThanOrEqual(3);
    expect(others.filter((id) => id !== 'failed')).toEqual(newcomers);
  });

  test('nextPosition returns the due time of the next job, or null if none is due', async () => {
    await using deployment = await open();
    const jobs = await deployment.process();
    const other = jobs.define({ ...kind(async () => {}), name: 'test.other' });
    const queue = jobs.define(kind(async () => {}));
    const now = Date.now();
    await other.add(['x'], now - 9_000_000);
    await queue.add(['later'], now + 9_000_000);
    expect(await queue.nextPosition()).toBeNull();
    await queue.add(['b', 'a', 'c'], (index) => [now - 2_000, now - 3_000, now - 1_000][index] ?? 0);
    expect(await queue.nextPosition()).toBe(now - 3_000);
    const collection = await deployment.store.collection(jobsSpec);
    await collection.update({ recordId: 'a' }, { lockedAt: now, owner: 'another' });
    expect(await queue.nextPosition()).toBe(now - 2_000);
  });

  test('jobs whose lease expired run before newer ones, in their original order', async () => {
    await using deployment = await open();
    const jobs = await deployment.process();
    const begun: string[] = [];
    const queue = jobs.define(kind(async (id) => void begun.push(id), 1));
    await queue.add(['old-1', 'old-2'], (index) => Date.now() - 1_000_000 + index);
    await queue.add(['new-1', 'new-2'], (index) => Date.now() - 500_000 + index);
    const collection = await deployment.store.collection(jobsSpec);
    const held = { lockedAt: 1, owner: 'dead', nextRunAt: null };
    for (const recordId of ['old-2', 'old-1']) await collection.update({ recordId }, held);
    await jobs.start();
    await until(async () => (await deployment.countJobs()) === 0);
    expect(begun).toEqual(['old-1', 'old-2', 'new-1', 'new-2']);
  });
});
