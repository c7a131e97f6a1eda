import { messageOf } from '../errors.ts';
import type { Log } from '../log.ts';
import { workContext, type WorkContext } from '../work-context.ts';
import type { JobLeases } from './job-leases.ts';
import { toOwner, type JobDocument } from './job-document.ts';
import type { Lease, NextRun } from './lease.ts';

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 60_000;
const CONCURRENT_SERIES = 4;
/** How often a closed loop tries to store the end of a job. */
const LAST_ATTEMPTS = 3;

/** Requests another run of the same job at a time (epoch milliseconds). */
export interface RunAgain {
  runAgainAt: number;
}

/** The settings for running jobs of one kind. */
export interface JobLoopParts {
  name: string;
  leases: JobLeases;
  run: (recordId: string) => Promise<void | RunAgain>;
  leaseMs: number;
  /** How long the loop leaves a database alone that did not answer. */
  pauseMs: number;
  log: Log;
  onBegin: (waitedMs: number) => void;
  onEnd: (outcome: 'done' | 'failed') => void;
}

/**
 * Runs the jobs of one kind. Each search claims jobs until no slot is free or no job is due. A search begins
 * when {@link wake} is called; without a call, the loop does nothing.
 */
export class JobLoop {
  readonly #parts: JobLoopParts;
  /** Searches, runs, and their writes. */
  readonly #running = new Set<Promise<void>>();
  #isOpen = false;
  #isSearching = false;
  #searchesAgain = false;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  /** The message of the error that the log has; `undefined` when the last search succeeded. */
  #reported: string | undefined;

  constructor(parts: JobLoopParts) {
    this.#parts = parts;
  }

  /** Lets the loop run jobs from the next call of `wake` on. */
  open(): void {
    this.#isOpen = true;
  }

  /** Searches for due jobs. A call during a search makes it search once more. */
  wake(): void {
    this.#searchesAgain = true;
    if (!this.#isOpen || this.#isSearching || performance.now() < this.#pausedUntil) return;
    this.#isSearching = true;
    // The caller may be a request or a job, to which the search does not belong.
    this.#track(workContext.exit(() => this.#search()));
  }

  /** Starts no more jobs. Resolves when the running ones have ended. */
  async close(): Promise<void> {
    this.#isOpen = false;
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #track(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  async #search(): Promise<void> {
    const { log, name, pauseMs } = this.#parts;
    try {
      while (this.#searchesAgain && this.#isOpen) {
        this.#searchesAgain = false;
        if (await this.#claim()) await this.#claimAll();
      }
      if (this.#reported !== undefined) log.info({ job: name }, 'the jobs can be read again');
      this.#reported = undefined;
    } catch (error) {
      const message = messageOf(error);
      if (message !== this.#reported) log.error({ err: error, job: name }, 'the jobs could not be read');
      this.#reported = message;
      this.#pausedUntil = performance.now() + pauseMs;
    } finally {
      this.#isSearching = false;
    }
  }

  /** Claims jobs until none can run. The database commits several updates at a time. */
  async #claimAll(): Promise<void> {
    const series = Array.from({ length: CONCURRENT_SERIES }, async () => {
      while (this.#isOpen && (await this.#claim()));
    });
    const failed = (await Promise.allSettled(series)).find(({ status }) => status === 'rejected');
    if (failed) await Promise.reject((failed as PromiseRejectedResult).reason);
  }

  /** Returns `false` if no job can run. */
  async #claim(): Promise<boolean> {
    const lease = await this.#parts.leases.next();
    if (lease) this.#begin(lease);
    return lease !== undefined;
  }

  #begin(lease: Lease): void {
    const { name } = this.#parts;
    const { recordId, shareKey = null } = lease.job;
    const context: WorkContext = {
      log: { job: name, record: recordId },
      account: toOwner(shareKey).account,
      urgency: 'batch',
      signal: undefined,
    };
    this.#track(workContext.run(context, () => this.#hold(lease)));
  }

  /** Runs a job, and renews its lease until its end is stored. */
  async #hold(lease: Lease): Promise<void> {
    const { leases } = this.#parts;
    // The loop may have been closed while the job was claimed.
    const isRun = this.#isOpen;
    let isRunning = isRun;
    const stopRenewing = this.#keepRenewing(lease, () => isRunning);
    const next = isRun ? await this.#run(lease.job) : undefined;
    isRunning = false;
    lease.freeSlot();
    // Not at once, so that jobs without waiting time do not keep the process from everything else.
    setImmediate(() => this.wake());
    const isDue = await this.#store(async () => (isRun ? lease.end(next) : (await lease.giveBack(), false)));
    stopRenewing();
    leases.drop(lease);
    if (!isDue) return;
    // The search that began above may have missed it.
    leases.note(lease.job.shareKey ?? null);
    this.wake();
  }

  /**
   * Renews a lease at an interval, one renewal at a time, so that a late one does not shorten the lease. A
   * run that has lost its lease goes on, because it decides by the status of its record whether work is left.
   * Returns a function that stops it.
   */
  #keepRenewing(lease: Lease, isRunning: () => boolean): () => void {
    const { leaseMs, log } = this.#parts;
    let isRenewing = false;
    const renew = async (): Promise<void> => {
      if (isRenewing) return;
      isRenewing = true;
      try {
        if (await lease.renew()) return;
        clearInterval(timer);
        if (isRunning()) log.warn({}, 'the lease of a job was lost, so another process may run it as well');
      } catch (error) {
        log.warn({ err: error }, 'the lease of a job could not be renewed');
      } finally {
        isRenewing = false;
      }
    };
    const timer = setInterval(() => void renew(), leaseMs / 3);
    return () => clearInterval(timer);
  }

  /** Returns the changes for the next run, or `undefined` if the job has ended. */
  async #run({ recordId, nextRunAt, addedAt, failCount }: JobDocument): Promise<NextRun | undefined> {
    const { run, log, onBegin, onEnd } = this.#parts;
    onBegin(Math.max(0, Date.now() - Math.max(nextRunAt ?? 0, addedAt)));
    try {
      const again = await run(recordId);
      onEnd('done');
      return again ? { place: again.runAgainAt, nextRunAt: again.runAgainAt, failCount: 0 } : undefined;
    } catch (error) {
      onEnd('failed');
      log.error({ err: error }, `a job failed and will be retried: ${messageOf(error)}`);
      const failedAt = Date.now();
      const delayMs = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failCount);
      const failure = { failedAt, failReason: messageOf(error), failCount: failCount + 1 };
      return { ...failure, nextRunAt: failedAt + delayMs };
    }
  }

  /**
   * Repeats a write until it succeeds; a few times after the loop was closed. A job whose end was not stored
   * runs again. Returns the result of the write, or `false`.
   */
  async #store(write: () => Promise<boolean>): Promise<boolean> {
    const { log, pauseMs } = this.#parts;
    let lastAttempts = 0;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await write();
      } catch (error) {
        if (attempt === 1) log.warn({ err: error }, 'the end of a job could not be stored');
        if (!this.#isOpen) lastAttempts += 1;
        if (lastAttempts === LAST_ATTEMPTS) return false;
      }
      await Bun.sleep(pauseMs);
    }
  }
}
