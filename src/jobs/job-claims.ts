import type { FairSlots, Share, Slot } from '../fair-slots.ts';
import type { Collection, Condition } from '../store/store.ts';
import { dueJobs, toOwner, toShareKey, type JobDocument, type JobOwner } from './job-document.ts';

/** Limits for the concurrent jobs of an owner in a process, in addition to the limit of the kind of job. */
export type JobLimits = Pick<Share, 'limit' | 'resources'>;

/** The settings for claiming jobs of one kind. */
export interface JobClaimsParts {
  jobs: Collection<JobDocument>;
  name: string;
  /** The id of this process in the jobs that it holds. */
  holder: string;
  leaseMs: number;
  slots: FairSlots;
  limitsOf: (owner: JobOwner) => JobLimits | Promise<JobLimits>;
  /** Finds the owner of a job that was stored by an earlier release. */
  ownerOf: (recordId: string) => Promise<JobOwner | undefined>;
}

/** A job that this process holds, and its slot. */
export interface ClaimedJob {
  job: JobDocument;
  /** Frees the slot. Call it when the job ends. */
  release: () => void;
}

/** An owner that may have due jobs. */
interface Candidate {
  key: string | null;
  share: Share;
  /** Changes when jobs of the owner are added. */
  version: number;
}

/** How often a process searches for jobs that other processes added or that have become due. */
const SEARCH_INTERVAL_MS = 100;
/** How often a process searches for jobs whose lease has expired. */
const EXPIRED_SEARCH_INTERVAL_MS = 1_000;
/** How many jobs, and then how many owners, a search reads. */
const SEARCHED_JOBS = 32;
const SEARCHED_OWNERS = 8;
/** The number of targets of one account that are known at a time. Further targets become known when these run out of jobs. */
const MAX_TARGETS = 256;

/**
 * Claims the jobs of one kind so that accounts share the slots of this process by the time that their jobs take. A job is claimed only when it
 * can run now. All others stay in the database, where they cost nothing and other processes can claim them.
 *
 * {@link FairSlots} selects the owner, and an atomic update claims the owner's first job. A process learns of owners with due jobs from the
 * jobs that it adds and by searching the database. This knowledge affects only the order of attempts; the atomic update decides which process
 * gets a job.
 *
 * A held job has a lease, which its process renews. If the process dies or hangs, the lease expires and any process makes the job due again.
 */
export class JobClaims {
  readonly #parts: JobClaimsParts;
  /** The candidates by account and key. The keys of an account take turns. */
  readonly #known = new Map<string, Map<string | null, Candidate>>();
  /** The keys of new candidates, whose limits have not been read. */
  readonly #noted = new Set<string | null>();
  /** The ids of the jobs that run here. */
  readonly #running = new Set<string>();
  /** The keys that the searches by key and by account have reached. */
  readonly #reached = { keys: '', accounts: '' };
  /** Whether there may be owners of due jobs that the last search did not reach. */
  #mayHaveMore = false;
  #searchedAt = 0;
  #searchedForExpiredAt = 0;

  constructor(parts: JobClaimsParts) {
    this.#parts = parts;
  }

  /** Records that an owner may have due jobs. */
  note(key: string | null): void {
    const targets = this.#known.get(toOwner(key).account);
    const candidate = targets?.get(key);
    if (candidate) candidate.version += 1;
    else if ((targets?.size ?? 0) < MAX_TARGETS) this.#noted.add(key);
  }

  /** Claims the next job. Returns `undefined` when no owner may run another job, or no owner has a due job. */
  async next(): Promise<ClaimedJob | undefined> {
    await this.#releaseExpired();
    const claimed = await this.#claimKnown();
    if (claimed || !(await this.#search())) return claimed;
    return this.#claimKnown();
  }

  async #claimKnown(): Promise<ClaimedJob | undefined> {
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
      if (!claimed && next.version === version) await this.#forget(next);
      if (claimed && (key !== null || !(await this.#giveOwner(claimed)))) return claimed;
    }
  }

  /** Assigns a job that was stored by an earlier release to its owner and releases it. Returns `false` when it has no owner. */
  async #giveOwner({ job, release }: ClaimedJob): Promise<boolean> {
    const { jobs, holder, ownerOf } = this.#parts;
    const shareKey = toShareKey(await ownerOf(job.recordId));
    if (shareKey === null) return false;
    await jobs.update({ id: job.id, owner: holder }, { shareKey, lockedAt: null, owner: null });
    release();
    this.note(shareKey);
    return true;
  }

  *#candidates(): Iterable<Candidate> {
    for (const targets of this.#known.values()) yield* targets.values();
  }

  async #claim(key: string | null, slot: Slot): Promise<ClaimedJob | undefined> {
    const { jobs, name, holder } = this.#parts;
    const now = Date.now();
    const held = { lockedAt: now, owner: holder, hurriedAt: null };
    let job: JobDocument | null = null;
    try {
      job = await jobs.update({ ...dueJobs(name, now), shareKey: key }, held, { place: 'asc' });
    } finally {
      if (!job) slot.release();
    }
    if (!job) return undefined;
    const { id } = job;
    this.#running.add(id);
    const release = () => {
      this.#running.delete(id);
      slot.release();
    };
    return { job, release };
  }

  async #readLimits(): Promise<void> {
    for (const key of this.#noted) {
      const owner = toOwner(key);
      const limits = await this.#parts.limitsOf(owner);
      this.#noted.delete(key);
      const targets = this.#known.get(owner.account) ?? new Map<string | null, Candidate>();
      const share: Share = { account: owner.account, urgency: 'batch', ...limits };
      if (!targets.has(key)) targets.set(key, { key, share, version: 0 });
      this.#known.set(owner.account, targets);
    }
  }

  /** Forgets an owner without due jobs, and looks for another target of the account. */
  async #forget({ key, share: { account } }: Candidate): Promise<void> {
    const targets = this.#known.get(account);
    targets?.delete(key);
    if (targets?.size === 0) this.#known.delete(account);
    if (this.#mayHaveMore && key !== null && toOwner(key).target !== undefined)
      await this.#noteNext({ gt: key, lt: endOf(account) });
  }

  /** Searches for owners of due jobs. Returns `false` without searching if the last search was too recent. */
  async #search(): Promise<boolean> {
    const now = Date.now();
    if (now - this.#searchedAt < SEARCH_INTERVAL_MS) return false;
    this.#searchedAt = now;
    const { jobs, name } = this.#parts;
    const order = { place: 'asc' } as const;
    const due = await jobs.find({ where: dueJobs(name, now), order, limit: SEARCHED_JOBS });
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
      this.note(null);
      return;
    }
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

  /** Makes jobs whose lease has expired due again, except jobs that run in this process and are only late with their renewal. */
  async #releaseExpired(): Promise<void> {
    const now = Date.now();
    if (now - this.#searchedForExpiredAt < EXPIRED_SEARCH_INTERVAL_MS) return;
    this.#searchedForExpiredAt = now;
    const { jobs, name, leaseMs } = this.#parts;
    for (const job of await jobs.find({ where: { name, lockedAt: { lte: now - leaseMs } } })) {
      const { id, owner, lockedAt, nextRunAt, shareKey } = job;
      if (this.#running.has(id)) continue;
      await jobs.update(
        { id, owner, lockedAt },
        { lockedAt: null, owner: null, nextRunAt: nextRunAt ?? now },
      );
      this.note(shareKey ?? null);
    }
  }
}

/** Returns a key after all keys of an account and before those of the next account: `!` follows the space in ASCII. */
function endOf(account: string): string {
  return `${account}!`;
}
