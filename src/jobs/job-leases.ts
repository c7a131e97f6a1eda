import type { FairSlots, Share, Slot } from '@platen/runtime';
import type { Log } from '../log.ts';
import { StoreUnavailableError, type Collection, type Condition } from '../store/store.ts';
import type { ClockWatch } from './clock-watch.ts';
import { dueJobs, toOwner, type JobDocument, type JobOwner } from './job-document.ts';
import { Lease } from './lease.ts';

/** Limits for the concurrent jobs of an owner in a process, in addition to the limit of the kind of job. */
export type JobLimits = Pick<Share, 'limit' | 'resources'>;

export interface JobLeasesParts {
  jobs: Collection<JobDocument>;
  name: string;
  /** The beginning of the ids under which this process holds jobs. */
  holder: string;
  leaseMs: number;
  slots: FairSlots;
  limitsOf: (owner: JobOwner) => JobLimits | Promise<JobLimits>;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  clock: ClockWatch;
  log: Log;
}

/** An owner that may have due jobs. */
interface Candidate {
  key: string | null;
  share: Share;
  /** Changes when jobs of the owner are added. */
  version: number;
}

/** A lease whose time may be wrong, and when it was first seen, on the monotonic clock. */
interface Suspect extends Pick<JobDocument, 'owner' | 'lockedAt'> {
  seenAt: number;
}

/** How often a process searches for jobs that other processes added or that have become due. */
const SEARCH_INTERVAL_MS = 100;
/** How often, per duration of a lease, a process searches for jobs whose lease has expired. */
const EXPIRED_SEARCHES_PER_LEASE = 15;
/** How many jobs, and then how many owners, a search reads. */
const SEARCHED_JOBS = 32;
const SEARCHED_OWNERS = 8;
/**
 * The number of targets of one account that are known at a time. Further targets become known when these run
 * out of jobs.
 */
const MAX_TARGETS = 256;

/**
 * Claims the jobs of one kind so that accounts share the slots of this process by the time that their jobs
 * take. A job is claimed only when it can run now. All others stay in the database, where they cost nothing
 * and other processes can claim them.
 *
 * {@link FairSlots} selects the owner, and an atomic update claims the owner's first job. A process learns of
 * owners with due jobs from the jobs that it adds and by searching the database. This knowledge affects only
 * the order of attempts; the atomic update decides which process gets a job.
 *
 * A held job has a lease, which its process renews. If the process dies or hangs, the lease expires and any
 * process makes the job due again.
 */
export class JobLeases {
  readonly #parts: JobLeasesParts;
  /** The candidates by account and key. The keys of an account take turns. */
  readonly #known = new Map<string, Map<string | null, Candidate>>();
  /** The keys of new candidates, whose limits have not been read. */
  readonly #noted = new Set<string | null>();
  /** The keys of owners whose limits could not be read. Each is reported once. */
  readonly #unreadable = new Set<string | null>();
  /** The ids under which this process holds jobs. */
  readonly #held = new Set<string>();
  /** The leases of other processes, by job, since the time of day was set. */
  #suspects = new Map<string, Suspect>();
  /** The keys that the searches by key and by account have reached. */
  readonly #reached = { keys: '', accounts: '' };
  /** Whether there may be owners of due jobs that the last search did not reach. */
  #mayHaveMore = false;
  #count = 0;
  #searchedAt = Number.NEGATIVE_INFINITY;
  #searchedForExpiredAt = Number.NEGATIVE_INFINITY;
  /** When the database was last away, on the monotonic clock. */
  #awayAt = Number.NEGATIVE_INFINITY;

  constructor(parts: JobLeasesParts) {
    this.#parts = parts;
  }

  /** Records that an owner may have due jobs. */
  note(key: string | null): void {
    const targets = this.#known.get(toOwner(key).account);
    const candidate = targets?.get(key);
    if (candidate) candidate.version += 1;
    else if ((targets?.size ?? 0) < MAX_TARGETS) this.#noted.add(key);
  }

  /**
   * Claims the next job. Returns `undefined` when no owner may run another job, or no owner has a due job.
   */
  async next(): Promise<Lease | undefined> {
    try {
      await this.#releaseExpired();
      const claimed = await this.#claimKnown();
      if (claimed || !(await this.#search())) return claimed;
      return await this.#claimKnown();
    } catch (error) {
      if (error instanceof StoreUnavailableError) {
        this.#awayAt = this.#parts.now();
        // Other processes could not renew their leases either.
        this.#suspects.clear();
      }
      // The next call searches again.
      this.#searchedAt = Number.NEGATIVE_INFINITY;
      this.#searchedForExpiredAt = Number.NEGATIVE_INFINITY;
      throw error;
    }
  }

  async #claimKnown(): Promise<Lease | undefined> {
    for (;;) {
      await this.#readLimits();
      const next = this.#parts.slots.pick(this.#candidates());
      if (!next) return undefined;
      const { key, share, version } = next;
      // Moved to the end, so that the targets of an account take turns.
      const targets = this.#known.get(share.account);
      targets?.delete(key);
      targets?.set(key, next);
      const claimed = await this.#claim(key, this.#parts.slots.take(share));
      if (claimed) return claimed;
      if (next.version === version) await this.#forget(next);
    }
  }

  /** Forgets a lease of this process after its job was released. */
  drop({ job: { owner } }: Lease): void {
    if (owner !== null) this.#held.delete(owner);
  }

  *#candidates(): Iterable<Candidate> {
    for (const targets of this.#known.values()) yield* targets.values();
  }

  async #claim(key: string | null, slot: Slot): Promise<Lease | undefined> {
    const { jobs, name, holder } = this.#parts;
    const now = Date.now();
    const owner = `${holder}/${(this.#count += 1)}`;
    const held = { lockedAt: now, owner, hurriedAt: null };
    let job: JobDocument | null = null;
    try {
      job = await jobs.update({ ...dueJobs(name, now), shareKey: key }, held, { place: 'asc' });
    } finally {
      if (!job) slot.release();
    }
    if (!job) return undefined;
    this.#held.add(owner);
    return new Lease(jobs, job, () => slot.release());
  }

  async #readLimits(): Promise<void> {
    for (const key of this.#noted) {
      const owner = toOwner(key);
      const limits = await this.#limitsOf(owner, key);
      this.#noted.delete(key);
      if (!limits) continue;
      const targets = this.#known.get(owner.account) ?? new Map<string | null, Candidate>();
      const share: Share = { account: owner.account, urgency: 'batch', ...limits };
      if (!targets.has(key)) targets.set(key, { key, share, version: 0 });
      this.#known.set(owner.account, targets);
    }
  }

  /**
   * Reads the limits of an owner. Returns `undefined` if that fails, so that the jobs of other owners run;
   * the next search records the owner again.
   * @throws {StoreUnavailableError}
   */
  async #limitsOf(owner: JobOwner, key: string | null): Promise<JobLimits | undefined> {
    const { limitsOf, log, name } = this.#parts;
    try {
      const limits = await limitsOf(owner);
      this.#unreadable.delete(key);
      return limits;
    } catch (error) {
      if (error instanceof StoreUnavailableError) throw error;
      if (!this.#unreadable.has(key))
        log.error({ err: error, job: name, account: owner.account }, 'the limits of jobs could not be read');
      this.#unreadable.add(key);
      return undefined;
    }
  }

  /** Forgets an owner without due jobs, and looks for another target of the account. */
  async #forget(candidate: Candidate): Promise<void> {
    const { key } = candidate;
    const { account } = candidate.share;
    const targets = this.#known.get(account);
    // A concurrent call may have forgotten it, and jobs of the owner may have been added since.
    if (targets?.get(key) === candidate) targets.delete(key);
    if (targets?.size === 0) this.#known.delete(account);
    if (this.#mayHaveMore && key !== null && toOwner(key).target !== undefined)
      await this.#noteNext({ gt: key, lt: endOf(account) });
  }

  /** Searches for owners of due jobs. Returns `false` without searching if the last search was too recent. */
  async #search(): Promise<boolean> {
    const now = performance.now();
    if (now - this.#searchedAt < SEARCH_INTERVAL_MS) return false;
    this.#searchedAt = now;
    const { jobs, name } = this.#parts;
    const order = { place: 'asc' } as const;
    const due = await jobs.find({ where: dueJobs(name, Date.now()), order, limit: SEARCHED_JOBS });
    for (const { shareKey } of due) this.note(shareKey ?? null);
    this.#mayHaveMore = due.length === SEARCHED_JOBS;
    if (!this.#mayHaveMore) return true;
    // The first jobs may all belong to a few owners.
    await this.#searchOwners('keys', (key) => key);
    await this.#searchOwners('accounts', (key) => endOf(toOwner(key).account));
    return true;
  }

  /** Records the next few owners in the order of their keys. The next call continues after them. */
  async #searchOwners(name: 'keys' | 'accounts', endOfStep: (key: string) => string): Promise<void> {
    for (let step = 0; step < SEARCHED_OWNERS; step += 1) {
      const key = await this.#noteNext({ gt: this.#reached[name] });
      this.#reached[name] = key === null ? '' : endOfStep(key);
      if (key !== null) continue;
      await this.#noteOwnerless();
      return;
    }
  }

  /**
   * Records that jobs without an account may be due. Reads first, because an attempt to claim a job is a
   * write even if it finds none.
   */
  async #noteOwnerless(): Promise<void> {
    const { jobs, name } = this.#parts;
    const [found] = await jobs.find({ where: { name, lockedAt: null, shareKey: null }, limit: 1 });
    if (found) this.note(null);
  }

  /** Records the first owner in a range of keys that has a job that is not held. */
  async #noteNext(shareKey: Condition<string>): Promise<string | null> {
    const { jobs, name } = this.#parts;
    const where = { name, lockedAt: null, shareKey };
    const [first] = await jobs.find({ where, order: { shareKey: 'asc', place: 'asc' }, limit: 1 });
    const key = first?.shareKey ?? null;
    if (key !== null) this.note(key);
    return key;
  }

  /**
   * Makes jobs whose lease has expired due again, except jobs that run in this process and are only late with
   * their renewal. After the database was away, it waits until all other processes have renewed their leases.
   * After the time of day was set, it waits until the lease has not been renewed for its duration on the
   * monotonic clock, however often the time is set. A lease that then begins in the future was left by a
   * process that died before.
   */
  async #releaseExpired(): Promise<void> {
    const { jobs, name, leaseMs, clock, now: readClock } = this.#parts;
    const searchedAt = readClock();
    if (searchedAt - this.#searchedForExpiredAt < leaseMs / EXPIRED_SEARCHES_PER_LEASE) return;
    this.#searchedForExpiredAt = searchedAt;
    const wasSet = clock.wasSet(leaseMs);
    if (searchedAt - this.#awayAt < leaseMs) return;
    const suspects = new Map<string, Suspect>();
    const now = Date.now();
    const either = [{ lockedAt: { lte: now - leaseMs } }, { lockedAt: { gt: now + leaseMs } }];
    const held = { name, lockedAt: { gt: 0 } };
    for (const job of await jobs.find({ where: wasSet ? held : { ...held, either } })) {
      const { id, owner, lockedAt, nextRunAt, shareKey } = job;
      if (owner !== null && this.#held.has(owner)) continue;
      const before = this.#suspects.get(id);
      const isSame = before?.owner === owner && before.lockedAt === lockedAt;
      const seenAt = isSame ? before.seenAt : searchedAt;
      if (wasSet && searchedAt - seenAt < leaseMs) {
        suspects.set(id, { owner, lockedAt, seenAt });
        continue;
      }
      await jobs.update(
        { id, owner, lockedAt },
        { lockedAt: null, owner: null, nextRunAt: nextRunAt ?? now },
      );
      this.note(shareKey ?? null);
    }
    this.#suspects = suspects;
  }
}

/**
 * Returns a key after all keys of an account and before those of the next account: `!` follows the space in
 * ASCII.
 */
function endOf(account: string): string {
  return `${account}!`;
}
