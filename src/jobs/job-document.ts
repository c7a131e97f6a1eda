import type { CollectionSpec, Document, Filter } from '../store/store.ts';

/**
 * The account for which a job runs, and its target. Among the jobs of one owner, the job with the earliest
 * place runs first.
 */
export interface JobOwner {
  /** The account's id. */
  account: string;
  /**
   * A resource that the job depends on, such as the host that it calls. Jobs with different targets do not
   * wait for each other.
   */
  target?: string | undefined;
}

/** A stored job. Times are epoch milliseconds. A job that has ended is deleted. */
export interface JobDocument extends Document {
  name: string;
  /** The id of the record that the job works on. */
  recordId: string;
  /** The {@link JobOwner}, written by {@link toShareKey}; `null` or absent for a job of no account. */
  shareKey?: string | null;
  addedAt: number;
  /**
   * The position in the queue: the original due time, or the time at which the job asked to run again. A
   * retry after a failure or a crash keeps the place, though it is due later. Never later than `nextRunAt`.
   */
  place: number;
  /** When the job is due or, if it is claimed, was due. Older versions wrote `null`. */
  nextRunAt: number | null;
  /** When the lease was taken or last renewed; `null` when no process holds the job. */
  lockedAt: number | null;
  /** The id of the lease: the host, the process, and the number of the lease in this process. */
  owner: string | null;
  /** When `runNow` asked a held job to run once more; `null` otherwise. */
  hurriedAt: number | null;
  failedAt: number | null;
  failCount: number;
  failReason: string | null;
}

/**
 * The jobs of all plugins. One index lists the jobs of all owners in the order of their places, the other one
 * the jobs of each owner. Both end in `nextRunAt`: a job whose place is in the past is due unless it failed
 * recently.
 */
export const jobsSpec: CollectionSpec<JobDocument> = {
  name: 'jobs',
  indexes: [
    { fields: { name: 'asc', lockedAt: 'asc', place: 'asc', nextRunAt: 'asc' } },
    { fields: { name: 'asc', lockedAt: 'asc', shareKey: 'asc', place: 'asc', nextRunAt: 'asc' } },
  ],
  // A power failure ends the leases too, and a job that runs again decides by the status of its record.
  hasRecoverableChanges: true,
};

/** Selects the jobs of a kind that are due and not held. */
export function dueJobs(name: string, now: number): Filter<JobDocument> {
  return { name, lockedAt: null, place: { lte: now }, nextRunAt: { lte: now } };
}

/**
 * Writes an owner as a key. In the order of the keys, the targets of an account are adjacent. Returns `null`
 * when there is no account.
 */
export function toShareKey(owner: JobOwner | undefined): string | null {
  if (!owner?.account) return null;
  return owner.target === undefined ? owner.account : `${owner.account} ${owner.target}`;
}

/** Reads the owner from a key that {@link toShareKey} wrote. The account is empty when there is no key. */
export function toOwner(shareKey: string | null): JobOwner {
  const [account = '', ...target] = shareKey?.split(' ') ?? [];
  return { account, target: target.length === 0 ? undefined : target.join(' ') };
}

/** Creates a job that is due at a time (epoch milliseconds). */
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
    place: dueAt,
    nextRunAt: dueAt,
    lockedAt: null,
    owner: null,
    hurriedAt: null,
    failedAt: null,
    failCount: 0,
    failReason: null,
  };
}
