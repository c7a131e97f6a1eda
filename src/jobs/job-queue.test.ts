import { expect, test } from 'bun:test';
import { createSqliteStore } from '../store/sqlite.ts';
import type { Collection } from '../store/store.ts';
import { createJobQueue } from './job-queue.ts';
import { dueJobs, jobsSpec, type JobDocument } from './job-document.ts';

const LATER_MS = 1_000_000;

type Step = (jobs: Collection<JobDocument>) => Promise<unknown>;

const claim: Step = (jobs) =>
  jobs.update({ recordId: 'a' }, { lockedAt: Date.now(), owner: 'another', nextRunAt: null });

const postpone: Step = (jobs) => {
  const later = Date.now() + LATER_MS;
  return jobs.update(
    { recordId: 'a' },
    { lockedAt: null, owner: null, hurriedAt: null, place: later, nextRunAt: later },
  );
};

/**
 * Calls `runNow` for a due job while another process claims it and postpones it, each after a number of
 * updates of the queue. Returns whether the job is due afterwards, or will be when it is released.
 */
async function runNowDuringClaim(claimedAfter: number, postponedAfter: number): Promise<boolean> {
  const store = createSqliteStore({ path: ':memory:' });
  const jobs = await store.collection(jobsSpec);
  let updates = 0;
  const watched: Collection<JobDocument> = {
    ...jobs,
    async update(...args) {
      const updated = await jobs.update(...args);
      updates += 1;
      if (updates === claimedAfter) await claim(jobs);
      if (updates === postponedAfter && (await jobs.count({ hurriedAt: { gt: 0 } })) === 0)
        await postpone(jobs);
      return updated;
    },
  };
  const queue = createJobQueue({ jobs: watched, name: 'test', onDue() {} });
  await queue.add(['a']);
  await queue.runNow(['a']);
  const isDue = (await jobs.count(dueJobs('test', Date.now()))) === 1;
  const willBe = (await jobs.count({ lockedAt: { gt: 0 }, hurriedAt: { gt: 0 } })) === 1;
  await store.close();
  return isDue || willBe;
}

test.each([
  [1, 2],
  [1, 3],
  [1, 4],
  [2, 3],
])(
  'runNow makes a job due that another process claims after %i updates and postpones after %i',
  async (claimed, postponed) => {
    expect(await runNowDuringClaim(claimed, postponed)).toBe(true);
  },
);
