import { toJobId, type JobParameters, type JobRepository } from 'agenda';
import type { Collection, CollectionSpec, Document, Filter } from '../store/store.ts';

/** A job as it is stored. Times are epoch milliseconds. A job that has ended is deleted. */
export interface JobDocument extends Document {
  name: string;
  /** The record that the job is about. */
  recordId: string;
  addedAt: number;
  priority: number;
  /**
   * Its place in the queue: when it was first to be due, or when it asked to run again. A try that failed, or died with its process,
   * comes later and keeps the place. Never later than `nextRunAt`.
   */
  place: number;
  /** When it is due; `null` while it runs. */
  nextRunAt: number | null;
  /** When its lease was taken or last renewed; `null` while nobody holds it. */
  lockedAt: number | null;
  /** The process that holds the lease. */
  owner: string | null;
  /** When it was asked, while it was held, to be due at once afterwards. */
  hurriedAt: number | null;
  lastRunAt: number | null;
  lastFinishedAt: number | null;
  failedAt: number | null;
  failCount: number;
  failReason: string | null;
}

/** What Agenda hands to the function that runs a job. */
export interface Claim {
  recordId: string;
  /** Since when it could have run, epoch milliseconds. */
  dueAt: number;
  /** As in {@link JobDocument}; a run may write another into it. */
  place: number;
}

/** How often a process looks for jobs whose owner died. */
const ABANDONED_LOOK_MS = 1_000;

/**
 * The jobs of all plugins. The index serves the two ways in which a job is claimed: of those in the order of their places whose place
 * has come, only such as failed a short while ago are not due.
 */
export const jobsSpec: CollectionSpec<JobDocument> = {
  name: 'jobs',
  indexes: [{ fields: { name: 'asc', lockedAt: 'asc', place: 'asc', nextRunAt: 'asc' } }],
};

/** Selects the jobs of a kind that nobody holds and that are due. */
export function dueJobs(name: string, now: number): Filter<JobDocument> {
  return { name, lockedAt: null, place: { lte: now }, nextRunAt: { lte: now } };
}

/**
 * Implements Agenda's repository on a collection of the store, so that jobs are on SQLite and on MongoDB by the same code.
 *
 * A job is claimed by one atomic update that writes the owner's name; only the owner writes its state or deletes it afterwards, so
 * a process that lost its lease (it hung, another took the job up) cannot disturb the one that has it now.
 */
export function createJobRepository(jobs: Collection<JobDocument>, owner: string): JobRepository {
  const claim = async (where: Filter<JobDocument>): Promise<JobParameters | undefined> => {
    const found = await jobs.update(
      where,
      { lockedAt: Date.now(), owner, hurriedAt: null },
      { place: 'asc' },
    );
    return found ? toParameters(found) : undefined;
  };
  const lookedAt = new Map<string, number>();
  const unlock = (id: string) => jobs.update({ id, owner }, { lockedAt: null, owner: null });

  return {
    async connect() {},
    async getNextJobToRun(name, nextScanAt, lockDeadline) {
      const abandoned = { name, lockedAt: { lte: lockDeadline.getTime() } };
      // Before what is due, or a queue that never empties would keep it for ever; not each time, as there seldom is one.
      const isTime = Date.now() - (lookedAt.get(name) ?? 0) >= ABANDONED_LOOK_MS;
      const found = isTime ? await claim(abandoned) : undefined;
      if (isTime && !found) lookedAt.set(name, Date.now());
      return found ?? claim(dueJobs(name, nextScanAt.getTime()));
    },
    async unlockJob({ _id: id }) {
      // Agenda does not wait for this one. What stays locked because the store is away is taken up after the lease.
      if (id !== undefined) await unlock(id).catch(() => {});
    },
    async unlockJobs(ids) {
      for (const id of ids) await unlock(id);
    },
    async saveJobState(job) {
      const { _id: id } = job;
      if (id === undefined) return;
      const mine = { id, owner };
      const state = stateOf(job);
      if (state.lockedAt !== null) {
        await jobs.update(mine, { ...state, owner });
        return;
      }
      const quiet = { ...mine, hurriedAt: null };
      const hasEnded = state.nextRunAt === null;
      const isSaved = hasEnded
        ? (await jobs.delete(quiet)) > 0
        : await jobs.update(quiet, { ...state, owner: null });
      if (isSaved) return;
      const now = Date.now();
      const place = Math.min(state.place, now);
      await jobs.update(mine, { ...state, owner: null, place, nextRunAt: now, hurriedAt: null });
    },
    getQueueSize: () => jobs.count({ nextRunAt: { lt: Date.now() } }),
    // Agenda's ways to make, look through and change jobs by hand. Jobs are made by `src/jobs/jobs.ts`, many at once.
    saveJob: unused,
    getJobById: unused,
    lockJob: unused,
    queryJobs: unused,
    getJobsOverview: unused,
    getDistinctJobNames: unused,
    removeJobs: unused,
    purgeAllJobs: unused,
    disableJobs: unused,
    enableJobs: unused,
  };
}

function unused(): Promise<never> {
  throw new Error('the jobs of the service are not managed by hand');
}

/** Makes a job that is due at a time (epoch milliseconds). */
export function newJob(id: string, name: string, recordId: string, dueAt: number): JobDocument {
  return {
    id,
    name,
    recordId,
    addedAt: Date.now(),
    priority: 0,
    place: dueAt,
    nextRunAt: dueAt,
    lockedAt: null,
    owner: null,
    hurriedAt: null,
    lastRunAt: null,
    lastFinishedAt: null,
    failedAt: null,
    failCount: 0,
    failReason: null,
  };
}

function toParameters(job: JobDocument): JobParameters {
  const { id, name, recordId, addedAt, priority, place, failCount, nextRunAt, failReason } = job;
  // A job whose lease ran out is due at once.
  const dueAt = nextRunAt ?? Date.now();
  const data: Claim = { recordId, dueAt: Math.max(dueAt, addedAt), place };
  const dates = Object.fromEntries(
    (['lockedAt', 'lastRunAt', 'lastFinishedAt', 'failedAt'] as const).flatMap((field) =>
      job[field] === null ? [] : [[field, new Date(job[field])]],
    ),
  );
  return {
    _id: toJobId(id),
    name,
    data,
    priority,
    type: 'normal',
    nextRunAt: new Date(dueAt),
    failCount,
    ...(failReason !== null && { failReason }),
    ...dates,
  };
}

function stateOf(job: JobParameters) {
  const time = (date: Date | null | undefined) => date?.getTime() ?? null;
  return {
    place: (job.data as Claim).place,
    nextRunAt: time(job.nextRunAt),
    lockedAt: time(job.lockedAt),
    lastRunAt: time(job.lastRunAt),
    lastFinishedAt: time(job.lastFinishedAt),
    failedAt: time(job.failedAt),
    failCount: job.failCount ?? 0,
    failReason: job.failReason ?? null,
  };
}
