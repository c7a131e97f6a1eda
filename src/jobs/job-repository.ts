import { toJobId, type JobParameters, type JobRepository } from 'agenda';
import type { Collection } from '../store/store.ts';
import type { ClaimedJob, JobClaims } from './job-claims.ts';
import { toOwner, type JobDocument } from './job-document.ts';

/** The data that Agenda passes to the function that runs a job. */
export interface Claim {
  recordId: string;
  /** The id of the account for which the job runs; empty for a job without an account. */
  account: string;
  /** When the job became due (epoch milliseconds). */
  dueAt: number;
  /** See {@link JobDocument}. The function may change it. */
  place: number;
  /** Set by the function when it starts. */
  hasBegun: boolean;
  /** Called by the function when it ends. */
  release: () => void;
}

/**
 * Implements Agenda's repository on a collection of the store, so that the same code serves SQLite and MongoDB.
 *
 * One atomic update claims a job and writes the id of the holder. From then on, only the holder changes or deletes the job, so a process that
 * hung past its lease does not interfere with the process that has claimed the job since.
 */
export function createJobRepository({
  jobs,
  holder,
  claimsOf,
}: {
  jobs: Collection<JobDocument>;
  holder: string;
  claimsOf: (name: string) => JobClaims | undefined;
}): JobRepository {
  return {
    async connect() {},
    async getNextJobToRun(name) {
      const claimed = await claimsOf(name)?.next();
      return claimed && toParameters(claimed);
    },
    async unlockJobs(ids) {
      for (const id of ids) await jobs.update({ id, owner: holder }, { lockedAt: null, owner: null });
    },
    async saveJobState(job) {
      const { _id: id } = job;
      // The claim has already recorded that the job is running.
      if (id === undefined || !claimIn(job).hasBegun) return;
      const mine = { id, owner: holder };
      const state = stateOf(job);
      if (state.lockedAt !== null) {
        await jobs.update(mine, { lockedAt: state.lockedAt });
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
    // Not used: Agenda's functions for creating, listing and changing jobs (`src/jobs/job-queue.ts` creates them, many at a time) and for
    // returning a claimed job that cannot run.
    saveJob: unused,
    getJobById: unused,
    lockJob: unused,
    unlockJob: unused,
    queryJobs: unused,
    getJobsOverview: unused,
    getDistinctJobNames: unused,
    removeJobs: unused,
    purgeAllJobs: unused,
    disableJobs: unused,
    enableJobs: unused,
  };
}

/** Returns the claim that {@link createJobRepository} attached to a job. */
export function claimIn({ data }: Pick<JobParameters, 'data'>): Claim {
  return data as Claim;
}

function unused(): Promise<never> {
  throw new Error('this function of Agenda is not implemented');
}

function toParameters({ job, release }: ClaimedJob): JobParameters {
  const {
    id,
    name,
    recordId,
    shareKey = null,
    addedAt,
    priority,
    place,
    failCount,
    nextRunAt,
    failReason,
  } = job;
  // A job whose lease has expired is due now.
  const dueAt = nextRunAt ?? Date.now();
  const { account } = toOwner(shareKey);
  const claim: Claim = {
    recordId,
    account,
    dueAt: Math.max(dueAt, addedAt),
    place,
    hasBegun: false,
    release,
  };
  const dates = Object.fromEntries(
    (['lastRunAt', 'lastFinishedAt', 'failedAt'] as const).flatMap((field) =>
      job[field] === null ? [] : [[field, new Date(job[field])]],
    ),
  );
  return {
    _id: toJobId(id),
    name,
    data: claim,
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
    place: claimIn(job).place,
    nextRunAt: time(job.nextRunAt),
    lockedAt: time(job.lockedAt),
    lastRunAt: time(job.lastRunAt),
    lastFinishedAt: time(job.lastFinishedAt),
    failedAt: time(job.failedAt),
    failCount: job.failCount ?? 0,
    failReason: job.failReason ?? null,
  };
}
