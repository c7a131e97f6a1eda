import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { jobsSpec } from '../../src/jobs/job-document.ts';
import { nameLeaseOwner } from '../../src/jobs/lease-owner.ts';
import { deployments, ids, kind, until } from '../support/job-deployment.ts';

setDefaultTimeout(60_000);

describe.each(deployments)('the order of jobs on %s', (_, open) => {
  test('what failed, or lost its process, keeps its place before those that came later', async () => {
    await using deployment = await open();
    const jobs = await deployment.process();
    const begun: string[] = [];
    const newcomers = ids(10);
    const failed = new Set<string>();
    const queue = jobs.define(
      kind(async (id) => {
        begun.push(id);
        if (id === 'failed' && !failed.has(id)) {
          failed.add(id);
          // As many as come while it waits for its next try are all due before it.
          await queue.add(newcomers, (index) => Date.now() - 500_000 + index);
          throw new Error('bad luck');
        }
        // Long enough that the next try comes before the last of them.
        if (newcomers.includes(id)) await Bun.sleep(200);
      }, 1),
    );
    await queue.add(['failed', 'released'], (index) => Date.now() - 1_000_000 + index);
    await jobs.start();
    await until(async () => (await deployment.left()) === 0);
    const [first, second, ...others] = begun;
    expect([first, second]).toEqual(['failed', 'released']);
    expect(others.indexOf('failed')).toBeLessThan(newcomers.length);
    expect(others.filter((id) => id !== 'failed')).toEqual(newcomers);
  });

  test('the front of a queue is the place of the job that is next, and nothing when none waits', async () => {
    await using deployment = await open();
    const jobs = await deployment.process();
    const other = jobs.define({ ...kind(async () => {}), name: 'test.other' });
    const queue = jobs.define(kind(async () => {}));
    const now = Date.now();
    await other.add(['x'], now - 9_000_000);
    await queue.add(['later'], now + 9_000_000);
    expect(await queue.front()).toBeNull();
    await queue.add(['b', 'a', 'c'], (index) => [now - 2_000, now - 3_000, now - 1_000][index] ?? 0);
    expect(await queue.front()).toBe(now - 3_000);
    const collection = await deployment.store.collection(jobsSpec);
    await collection.update({ recordId: 'a' }, { lockedAt: now, owner: 'another' });
    expect(await queue.front()).toBe(now - 2_000);
  });

  test.if(process.platform === 'linux')(
    'what is released goes before newcomers, in the order in which it was added',
    async () => {
      await using deployment = await open();
      const jobs = await deployment.process();
      const begun: string[] = [];
      const queue = jobs.define(kind(async (id) => void begun.push(id), 1));
      await queue.add(['old-1', 'old-2'], (index) => Date.now() - 1_000_000 + index);
      await queue.add(['new-1', 'new-2'], (index) => Date.now() - 500_000 + index);
      const collection = await deployment.store.collection(jobsSpec);
      const [place, pid] = nameLeaseOwner().split('/');
      const owner = [place, pid, 'another start', 'x'].join('/');
      const held = { lockedAt: Date.now(), owner, nextRunAt: null };
      for (const recordId of ['old-2', 'old-1']) await collection.update({ recordId }, held);
      await jobs.start();
      await until(async () => (await deployment.left()) === 0);
      expect(begun).toEqual(['old-1', 'old-2', 'new-1', 'new-2']);
    },
  );
});
