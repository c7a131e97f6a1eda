import type { CollectionSpec, Document, Filter } from '../store/store.ts';

/** For whom a job is done. Of jobs with the same owner, the one with the earliest place goes first. */
export interface JobOwner {
  /** The account's id. */
  account: string;
  /** What else the job depends on, such as the host that it calls: jobs of one target do not wait for those of another. */
  target?: string | undefined;
}

/** A job as it is stored. Times are epoch milliseconds. A job that has ended is deleted. */
export interface JobDocument extends Document {
  name: string;
  /** The record that the job is about. */
  recordId: string;
  /** Its {@link JobOwner}, as {@link toShareKey} writes it. `null` or absent: no account's, or stored by an earlier release. */
  shareKey?: string | null;
  addedAt: number;
  priority: number;
  /**
   * Its place in the queue: when it was first to be due, or when it asked to run again. A try that failed, or died with its process,
   * comes later and keeps the place. Never later than `nextRunAt`.
   */
  place: number;
  /** When it is due, or was when it was claimed. An earlier release writes `null` while it runs. */
  nextRunAt: number | null;
  /** When its lease was taken or last renewed; `null` while no process holds it. */
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

/**
 * The jobs of all plugins. One index lists those of all owners in the order of their places, the other those of each owner. Both end
 * in `nextRunAt`, as of the jobs whose place has come only those that failed a short while ago are not due.
 */
export const jobsSpec: CollectionSpec<JobDocument> = {
  name: 'jobs',
  indexes: [
    { fields: { name: 'asc', lockedAt: 'asc', place: 'asc', nextRunAt: 'asc' } },
    { fields: { name: 'asc', lockedAt: 'asc', shareKey: 'asc', place: 'asc', nextRunAt: 'asc' } },
  ],
};

/** Selects the jobs of a kind that no process holds and that are due. */
export function dueJobs(name: string, now: number): Filter<JobDocument> {
  return { name, lockedAt: null, place: { lte: now }, nextRunAt: { lte: now } };
}

/** Writes an owner as a key in whose order all targets of an account follow each other; `null` when there is no account. */
export function toShareKey(owner: JobOwner | undefined): string | null {
  if (!owner?.account) return null;
  return owner.target === undefined ? owner.account : `${owner.account} ${owner.target}`;
}

/** Reads what {@link toShareKey} wrote; without a key the account is empty. */
export function toOwner(shareKey: string | null): JobOwner {
  const [account = '', ...target] = shareKey?.split(' ') ?? [];
  return { account, target: target.length === 0 ? undefined : target.join(' ') };
}

/** Makes a job that is due at a time (epoch milliseconds). */
export function newJob({
  id,
  name,
  recordId,
  dueAt,
  owner,
}: {
  id: string;
  name: string;
  recordId: string;
  dueAt: number;
  owner?: JobOwner | undefined;
}): JobDocument {
  return {
    id,
    name,
    recordId,
    shareKey: toShareKey(owner),
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
