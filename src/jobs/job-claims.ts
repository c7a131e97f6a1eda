import type { FairSlots, Share, Slot } from '../fair-slots.ts';
import type { Collection, Condition } from '../store/store.ts';
import { dueJobs, toOwner, toShareKey, type JobDocument, type JobOwner } from './job-document.ts';

/** How many jobs of one owner run at once in a process, besides the limits of the kind of job. */
export type JobLimits = Pick<Share, 'limit' | 'resources'>;

/** What jobs of one kind are claimed with. */
export interface JobClaimsParts {
  jobs: Collection<JobDocument>;
  name: string;
  /** Names this process in the jobs that it holds. */
  holder: string;
  leaseMs: number;
  slots: FairSlots;
  limitsOf: (owner: JobOwner) => JobLimits | Promise<JobLimits>;
  /** Finds the owner of a job that an earlier release stored. */
  ownerOf: (recordId: string) => Promise<JobOwner | undefined>;
}

/** A job that this process holds, and its right to run. */
export interface ClaimedJob {
  job: JobDocument;
  /** Frees the slot. Call it when the run ends. */
  release: () => void;
}

/** The owner of jobs that may be due. */
interface Candidate {
  key: string | null;
  share: Share;
  /** Changes when jobs of the owner are added. */
  version: number;
}

/** How often a process looks for jobs that others added or whose time has come, and for jobs whose holder died. */
const LOOK_MS = 100;
const ABANDONED_LOOK_MS = 1_000;
/** How many jobs, and then how many owners, a look reads. */
const LOOK_JOBS = 32;
const LOOK_OWNERS = 8;
/** How many targets of one account are known at once; the others become known as these run out of jobs. */
const MAX_TARGETS = 256;

/**
 * Claims the jobs of one kind so that accounts share this process's slots by the time that their jobs take. A job is claimed when it
 * can run at once, and the others stay in the database, where they cost nothing and other processes may claim them.
 *
 * {@link FairSlots} pick the owner, an atomic update claims its first job. The owners of due jobs are known from the jobs that this process
 * adds and from looks at the database. Which owners are known decides only who is asked first: a claim alone decides who has a job.
 */
export class JobClaims {
  readonly #parts: JobClaimsParts;
  /** By account, then by key; the keys of an account take turns. */
  readonly #known = new Map<string, Map<string | null, Candidate>>();
  /** Keys whose limits have not been read yet. */
  readonly #noted = new Set<string | null>();
  /** The ids of the jobs that run here. */
  readonly #running = new Set<string>();
  /** How far looks have walked through the keys, one by one and account by account. */
  readonly #walked = { keys: '', accounts: '' };
  /** Whether there may be owners of due jobs that the last look did not reach. */
  #hasHidden = false;
  #lookedAt = 0;
  #lookedForAbandonedAt = 0;

  constructor(parts: JobClaimsParts) {
    this.#parts = parts;
  }

  /** Tells that an owner has jobs that may be due. */
  note(key: string | null): void {
    const targets = this.#known.get(toOwner(key).account);
    const candidate = targets?.get(key);
    if (candidate) candidate.version += 1;
    else if ((targets?.size ?? 0) < MAX_TARGETS) this.#noted.add(key);
  }

  /** Claims the job that comes next; `undefined` when no job is due whose owner may run one more. */
  async next(): Promise<ClaimedJob | undefined> {
    await this.#releaseAbandoned();
    const claimed = await this.#claimKnown();
    if (claimed || !(await this.#look())) return claimed;
    return this.#claimKnown();
  }

  async #claimKnown(): Promise<ClaimedJob | undefined> {
    for (;;) {
      await this.#readLimits();
      const next = this.#parts.slots.pick(this.#candidates());
      if (!next) return undefined;
      const { key, share, version } = next;
      // To the end, so that the targets of an account take turns.
      const targets = this.#known.get(share.account);
      targets?.delete(key);
      targets?.set(key, next);
      const claimed = await this.#claim(key, this.#parts.slots.take(share));
      if (!claimed && next.version === version) await this.#forget(next);
      if (claimed && (key !== null || !(await this.#giveOwner(claimed)))) return claimed;
    }
  }

  /** Lets a job that an earlier release stored wait for the turn of its owner; `false` when it has no owner. */
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

  /** Forgets an owner without due jobs; another target of the account may be waiting to become known. */
  async #forget({ key, share: { account } }: Candidate): Promise<void> {
    const targets = this.#known.get(account);
    targets?.delete(key);
    if (targets?.size === 0) this.#known.delete(account);
    if (this.#hasHidden && key !== null && toOwner(key).target !== undefined)
      await this.#noteNext({ gt: key, lt: endOf(account) });
  }

  /** Looks for owners of due jobs; does nothing, and says so, soon after the last time. */
  async #look(): Promise<boolean> {
    const now = Date.now();
    if (now - this.#lookedAt < LOOK_MS) return false;
    this.#lookedAt = now;
    const { jobs, name } = this.#parts;
    const order = { place: 'asc' } as const;
    const due = await jobs.find({ where: dueJobs(name, now), order, limit: LOOK_JOBS });
    for (const { shareKey } of due) this.note(shareKey ?? null);
    this.#hasHidden = due.length === LOOK_JOBS;
    if (!this.#hasHidden) return true;
    // The jobs of few owners may stand before those of all others.
    await this.#walk('keys', (key) => key);
    await this.#walk('accounts', (key) => endOf(toOwner(key).account));
    return true;
  }

  /** Notes the next few owners in the order of their keys, and continues there the next time. */
  async #walk(name: 'keys' | 'accounts', endOfStep: (key: string) => string): Promise<void> {
    for (let step = 0; step < LOOK_OWNERS; step += 1) {
      const key = await this.#noteNext({ gt: this.#walked[name] });
      this.#walked[name] = key === null ? '' : endOfStep(key);
      if (key !== null) continue;
      this.note(null);
      return;
    }
  }

  /** Notes the first owner in a range of keys that has a job which no process holds. */
  async #noteNext(shareKey: Condition<string>): Promise<string | null> {
    const { jobs, name } = this.#parts;
    const where = { name, lockedAt: null, shareKey };
    const [first] = await jobs.find({ where, order: { shareKey: 'asc', place: 'asc' }, limit: 1 });
    const key = first?.shareKey ?? null;
    if (key !== null) this.note(key);
    return key;
  }

  /** Makes jobs due again whose holder died or hung past its lease. What runs here is not abandoned, only late. */
  async #releaseAbandoned(): Promise<void> {
    const now = Date.now();
    if (now - this.#lookedForAbandonedAt < ABANDONED_LOOK_MS) return;
    this.#lookedForAbandonedAt = now;
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

/** A key after all keys of an account and before those of the next one: the character after a space. */
function endOf(account: string): string {
  return `${account}!`;
}
