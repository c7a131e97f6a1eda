import { insertMissing } from '../store/insert-missing.ts';
import type { Collection } from '../store/store.ts';
import { dueJobs, newJob, toShareKey, type JobDocument, type JobOwner } from './job-document.ts';

/**
 * When jobs are due (epoch milliseconds): one time for all jobs, or a function of the index in the list. Now
 * when absent.
 */
export type DueAt = number | ((index: number) => number);

/**
 * The queue of one kind of job. The methods take record ids. A job without an `owner` belongs to no account.
 */
export interface JobQueue {
  /**
   * Stores a job for each record that has none, in order. A stored job runs even if the process crashes.
   * Among the due jobs of an owner, the job with the earliest original due time runs first, even after
   * retries. A time in the past therefore puts a job before others. A running job is not added again; see
   * `runNow`.
   */
  add(recordIds: readonly string[], dueAt?: DueAt, owner?: JobOwner): Promise<void>;
  /** Does the same as `add`, but reads before it writes, for records most of which already have a job. */
  ensureQueued(recordIds: readonly string[], dueAt?: DueAt, owner?: JobOwner): Promise<void>;
  /** Makes jobs due now, and adds those that are missing. A job that is running runs once more. */
  runNow(recordIds: readonly string[], owner?: JobOwner): Promise<void>;
  /** Returns the records that have no running or due job. */
  idle(recordIds: readonly string[]): Promise<string[]>;
  /** Returns the original due time of the job that runs next; `null` when none is waiting. */
  nextPosition(): Promise<number | null>;
}

/** Creates the queue of one kind of job. `onDue` is called with the share key of jobs that may be due. */
export function createJobQueue({
  jobs,
  name,
  onDue,
}: {
  jobs: Collection<JobDocument>;
  name: string;
  onDue: (shareKey: string | null) => void;
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
      onDue(toShareKey(owner));
    },
    async ensureQueued(recordIds, dueAt, owner) {
      const drafts = draft(recordIds, dueAt, owner);
      const stored = new Set((await findStored(drafts)).map(({ id }) => id));
      const missing = drafts.filter(({ id }) => !stored.has(id));
      if (missing.length === 0) return;
      await insertMissing(jobs, missing, findStored);
      onDue(toShareKey(owner));
    },
    async runNow(recordIds, owner) {
      const now = Date.now();
      const held = { lockedAt: { gt: 0 } };
      const makeDue = async (id: string) => {
        const later = { id, lockedAt: null, nextRunAt: { gt: now } };
        // A failed job keeps its place. Each update states its condition, because the job may be postponed
        // between the two.
        return (
          (await jobs.update({ ...later, place: { gt: now } }, { place: now, nextRunAt: now })) ??
          (await jobs.update({ ...later, place: { lte: now } }, { nextRunAt: now }))
        );
      };
      const runOne = async (recordId: string) => {
        const id = idOf(recordId);
        // In this order: a job that is claimed between the two updates sees what the caller has written.
        return (await jobs.update({ id, ...held }, { hurriedAt: now })) ?? (await makeDue(id));
      };
      const found = await Promise.all(recordIds.map(runOne));
      const others = recordIds.filter((_, index) => !found[index]);
      await queue.add(others, now, owner);
      // Another process may have added these jobs for later, or claimed and postponed them, at the same time.
      for (const recordId of others) await runOne(recordId);
      onDue(toShareKey(owner));
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
    async nextPosition() {
      const due = { where: dueJobs(name, Date.now()), order: { place: 'asc' } } as const;
      return (await jobs.find({ ...due, limit: 1 }))[0]?.place ?? null;
    },
  };
  return queue;
}
