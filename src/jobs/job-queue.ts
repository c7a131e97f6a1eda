import { insertMissing } from '../store/insert-missing.ts';
import type { Collection } from '../store/store.ts';
import { dueJobs, newJob, toShareKey, type JobDocument, type JobOwner } from './job-document.ts';

/** When jobs are due, for all or by place in the list: epoch milliseconds, now when absent. */
export type DueAt = number | ((index: number) => number);

/** A kind of job, as its plugin uses it. `owner` says for whom its jobs are done; without one they count for no account. */
export interface JobQueue {
  /**
   * Stores a job for each record that has none, in order; a job that is stored will run, whatever dies. Of an owner's jobs that are due,
   * the one that first was to be due goes first, however often it was tried since: a time in the past lets a job go before others. A
   * job that is running is not added again: see `hurry`.
   */
  add(recordIds: readonly string[], dueAt?: DueAt, owner?: JobOwner): Promise<void>;
  /** Does the same for records most of which have their job, and should have one: it reads before it writes. */
  restore(recordIds: readonly string[], dueAt?: DueAt, owner?: JobOwner): Promise<void>;
  /** Makes jobs due that wait for a later time, and adds those that are missing. One that runs at this moment runs once more. */
  hurry(recordIds: readonly string[], owner?: JobOwner): Promise<void>;
  /** Finds the records that have no job which runs or is due. */
  idle(recordIds: readonly string[]): Promise<string[]>;
  /** Reads the place of the job that runs next: the `dueAt` with which it was added. `null` when none is due that does not run. */
  front(): Promise<number | null>;
}

/** Makes the queue of one kind of job. `onAdded` is told the share key of jobs that may be due. */
export function createJobQueue({
  jobs,
  name,
  onAdded,
}: {
  jobs: Collection<JobDocument>;
  name: string;
  onAdded: (shareKey: string | null) => void;
}): JobQueue {
  const idOf = (recordId: string) => `${name}:${recordId}`;

  const draft = (
    recordIds: readonly string[],
    dueAt: DueAt = Date.now(),
    owner?: JobOwner,
  ): JobDocument[] => {
    const dueAtOf = typeof dueAt === 'number' ? () => dueAt : dueAt;
    return recordIds.map((recordId, index) =>
      newJob({ id: idOf(recordId), name, recordId, dueAt: dueAtOf(index), owner }),
    );
  };
  const findStored = (drafts: readonly { id: string }[]) =>
    jobs.find({ where: { id: { in: drafts.map(({ id }) => id) } } });

  const queue: JobQueue = {
    async add(recordIds, dueAt, owner) {
      await insertMissing(jobs, draft(recordIds, dueAt, owner), findStored);
      onAdded(toShareKey(owner));
    },
    async restore(recordIds, dueAt, owner) {
      const drafts = draft(recordIds, dueAt, owner);
      const stored = new Set((await findStored(drafts)).map(({ id }) => id));
      const missing = drafts.filter(({ id }) => !stored.has(id));
      if (missing.length === 0) return;
      await insertMissing(jobs, missing, findStored);
      onAdded(toShareKey(owner));
    },
    async hurry(recordIds, owner) {
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
      await queue.add(others, now, owner);
      // Somebody may have added them for later, or taken them and put them off, at the same time.
      for (const recordId of others) await hurryOne(recordId);
      onAdded(toShareKey(owner));
    },
    async idle(recordIds) {
      const now = Date.now();
      const stored = await findStored(recordIds.map((recordId) => ({ id: idOf(recordId) })));
      const active = stored.filter(
        ({ lockedAt, place, nextRunAt }) =>
          lockedAt !== null || (place <= now && nextRunAt !== null && nextRunAt <= now),
      );
      const activeIds = new Set(active.map(({ id }) => id));
      return recordIds.filter((recordId) => !activeIds.has(idOf(recordId)));
    },
    async front() {
      const due = { where: dueJobs(name, Date.now()), order: { place: 'asc' } } as const;
      return (await jobs.find({ ...due, limit: 1 }))[0]?.place ?? null;
    },
  };
  return queue;
}
