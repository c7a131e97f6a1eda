import { insertMissing } from '../store/insert-missing.ts';
import type { Collection } from '../store/store.ts';
import { dueJobs, newJob, type JobDocument } from './job-repository.ts';

/** A kind of job, as its plugin uses it. */
export interface JobQueue {
  /**
   * Stores a job for each record that has none, in order; a job that is stored will run, whatever dies. `dueAt`, for all or by place
   * in the list, is in epoch milliseconds, now when absent. Of jobs that are due, the one that first was to be due goes first, however
   * often it was tried since: a time in the past lets a job go before others. A job that is running is not added again: see `hurry`.
   */
  add(recordIds: readonly string[], dueAt?: number | ((index: number) => number)): Promise<void>;
  /** Does the same for records most of which have their job, and should have one: it reads before it writes. */
  restore(recordIds: readonly string[], dueAt?: number | ((index: number) => number)): Promise<void>;
  /** Makes jobs due that wait for a later time, and adds those that are missing. One that runs at this moment runs once more. */
  hurry(recordIds: readonly string[]): Promise<void>;
  /** Reads the place of the job that runs next: the `dueAt` with which it was added. `null` when none is due that does not run. */
  front(): Promise<number | null>;
}

type Draft = (...words: Parameters<JobQueue['add']>) => JobDocument[];

/** Makes the queue of one kind of job. `wake` is called when there may be something to run. */
export function createJobQueue({
  jobs,
  name,
  wake,
}: {
  jobs: Collection<JobDocument>;
  name: string;
  wake: () => void;
}): JobQueue {
  const idOf = (recordId: string) => `${name}:${recordId}`;

  const draft: Draft = (recordIds, dueAt = Date.now()) => {
    const dueAtOf = typeof dueAt === 'number' ? () => dueAt : dueAt;
    return recordIds.map((recordId, index) => newJob(idOf(recordId), name, recordId, dueAtOf(index)));
  };
  const findStored = (drafts: readonly JobDocument[]) =>
    jobs.find({ where: { id: { in: drafts.map(({ id }) => id) } } });

  const queue: JobQueue = {
    async add(...words) {
      await insertMissing(jobs, draft(...words), findStored);
      wake();
    },
    async restore(...words) {
      const drafts = draft(...words);
      const stored = new Set((await findStored(drafts)).map(({ id }) => id));
      const missing = drafts.filter(({ id }) => !stored.has(id));
      if (missing.length === 0) return;
      await insertMissing(jobs, missing, findStored);
      wake();
    },
    async hurry(recordIds) {
      const now = Date.now();
      const isHeld = { lockedAt: { gt: 0 } };
      const makeDue = async (id: string) => {
        const isLate = { id, lockedAt: null, nextRunAt: { gt: now } };
        // One that failed has its place already. Both say which they mean: it may be put off between the two.
        return (
          (await jobs.update({ ...isLate, place: { gt: now } }, { place: now, nextRunAt: now })) ??
          (await jobs.update({ ...isLate, place: { lte: now } }, { nextRunAt: now }))
        );
      };
      const hurryOne = async (recordId: string) => {
        const id = idOf(recordId);
        // In this order: one that is taken up between the two sees what the caller has written.
        return (await jobs.update({ id, ...isHeld }, { hurriedAt: now })) ?? (await makeDue(id));
      };
      const found = await Promise.all(recordIds.map(hurryOne));
      const others = recordIds.filter((_, index) => !found[index]);
      await queue.add(others);
      // Somebody may have added them for later, or taken them and put them off, at the same time.
      for (const recordId of others) await hurryOne(recordId);
    },
    async front() {
      const due = { where: dueJobs(name, Date.now()), order: { place: 'asc' } } as const;
      return (await jobs.find({ ...due, limit: 1 }))[0]?.place ?? null;
    },
  };
  return queue;
}
