import type { Collection } from '../store/store.ts';
import type { JobDocument } from './job-document.ts';

/** What the end of a run changes in a job that runs again. */
export type NextRun = Partial<
  Pick<JobDocument, 'place' | 'nextRunAt' | 'failCount' | 'failedAt' | 'failReason'>
>;

const FREE = { lockedAt: null, owner: null, hurriedAt: null } as const;

/**
 * The right to run a job, which must be renewed. The id of its holder is unique, so a process that hung past
 * its lease changes nothing in a job that has been claimed since.
 */
export class Lease {
  readonly job: JobDocument;
  /** Frees the slot. A second call has no effect. */
  readonly freeSlot: () => void;
  readonly #jobs: Collection<JobDocument>;
  readonly #mine: Pick<JobDocument, 'id' | 'owner'>;

  constructor(jobs: Collection<JobDocument>, job: JobDocument, freeSlot: () => void) {
    this.job = job;
    this.freeSlot = freeSlot;
    this.#jobs = jobs;
    this.#mine = { id: job.id, owner: job.owner };
  }

  /** Extends the lease. Returns `false` if it was lost to another process. */
  async renew(): Promise<boolean> {
    return (await this.#jobs.update(this.#mine, { lockedAt: Date.now() })) !== null;
  }

  /** Releases a job that was not run. It stays due. */
  async giveBack(): Promise<void> {
    await this.#jobs.update(this.#mine, FREE);
  }

  /**
   * Releases the job: it is deleted, or runs again if `next` says so or `runNow` asked for it during the run.
   * Returns whether it is due again. May be repeated if it fails.
   */
  async end(next?: NextRun): Promise<boolean> {
    const quiet = { ...this.#mine, hurriedAt: null };
    const isStored = next
      ? await this.#jobs.update(quiet, { ...next, ...FREE })
      : (await this.#jobs.delete(quiet)) > 0;
    const now = Date.now();
    if (isStored) return (next?.nextRunAt ?? Number.POSITIVE_INFINITY) <= now;
    const place = Math.min(next?.place ?? this.job.place, now);
    const again = { failCount: 0, ...next, ...FREE, place, nextRunAt: now };
    return (await this.#jobs.update(this.#mine, again)) !== null;
  }
}
