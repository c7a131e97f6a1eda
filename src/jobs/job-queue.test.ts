import { expect, test } from 'bun:test';
import { createSqliteStore } from '../store/sqlite.ts';
import type { Collection } from '../store/store.ts';
import { createJobQueue } from './job-queue.ts';
import { dueJobs, jobsSpec, type JobDocument } from './job-document.ts';

const LATER_MS = 1_000_000;

type Step = (jobs: Collection<JobDocument>) => Promise<unknown>;

const take: Step = (jobs) =>
  jobs.update({ recordId: 'a' }, { lockedAt: Date.now(), owner: 'another', nextRunAt: null });

const putOff: Step = (jobs) => {
  const later = Date.now() + LATER_MS;
  return jobs.update(
    { recordId: 'a' },
    { lockedAt: null, owner: null, hurriedAt: null, place: later, nextRunAt: later },
  );
};

/**
 * Hurries a job that is due, while another takes it and puts it off: each after so many updates of the queue. Tells whether it is due
 * afterwards, or will be as soon as it is released.
 */
async function hurryBeside(takenAfter: number, putOffAfter: number): Promise<boolean> {
  const store = createSqliteStore({ path: ':memory:' });
  const jobs = await store.collection(jobsSpec);
  let updates = 0;
  const watched: Collection<JobDocument> = {
    ...jobs,
    async update(...words) {
      const updated = await jobs.update(...words);
      updates += 1;
      if (updates === takenAfter) await take(jobs);
      if (updates === putOffAfter && (await jobs.count({ hurriedAt: { gt: 0 } })) === 0) await putOff(jobs);
      return updated;
    },
  };
  const queue = createJobQueue({ jobs: watched, name: 'test', onAdded() {} });
  await queue.add(['a']);
  await queue.hurry(['a']);
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
])('a job is due that was hurried when another had taken it (%i) and put it off (%i)', async (taken, off) => {
  expect(await hurryBeside(taken, off)).toBe(true);
});
