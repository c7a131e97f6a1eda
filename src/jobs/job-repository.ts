import { toJobId, type JobParameters, type JobRepository } from 'agenda';
import type { Collection } from '../store/store.ts';
import type { ClaimedJob, JobClaims } from './job-claims.ts';
import { toOwner, type JobDocument } from './job-document.ts';

/** What Agenda hands to the function that runs a job. */
export interface Claim {
  recordId: string;
  /** The id of the account for which it runs; empty when there is none. */
  account: string;
  /** Since when it could have run, epoch milliseconds. */
  dueAt: number;
  /** As in {@link JobDocument}; a run may write another into it. */
  place: number;
  /** Set by the function that runs the job, when it begins. */
  hasBegun: boolean;
  /** Called by that function when it ends. */
  release: () => void;
}

/**
 * Implements Agenda's repository on a collection of the store, so that jobs are on SQLite and on MongoDB by the same code.
 *
 * A job is claimed by one atomic update that writes the holder's name. Only the holder writes its state or deletes it afterwards, so
 * a process that lost its lease (it hung, another took the job up) cannot disturb the one that has it now.
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
      // The claim says already that the job runs.
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
    // Agenda's ways to make, look through and change jobs by hand, and to give back a job that it claimed in vain. Jobs are made by
    // `src/jobs/job-queue.ts`, many at once, and a job is claimed only when it can run.
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

/** Reads what {@link createJobRepository} gave to Agenda with a job. */
export function claimIn({ data }: Pick<JobParameters, 'data'>): Claim {
  return data as Claim;
}

function unused(): Promise<never> {
  throw new Error('the jobs of the service are not managed by hand');
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
  // A job whose lease ran out is due at once.
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
