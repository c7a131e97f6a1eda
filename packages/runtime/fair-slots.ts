import { RecentUse } from './recent-use.ts';

/** Whether a caller waits for the result, or the work runs in the background. */
export type Urgency = 'caller' | 'batch';

/** The account and the limits of a piece of work. */
export interface Share {
  account: string;
  urgency: Urgency;
  /**
   * The maximum concurrent work of the account, callers and batches together; unlimited when absent or null.
   */
  limit?: number | null | undefined;
  /** Additional limits on concurrent work, such as per host. */
  resources?: readonly Resource[] | undefined;
  /** Removes waiting work from the queue when it aborts. Running work must observe the signal itself. */
  signal?: AbortSignal | undefined;
}

/** A limit that all accounts share. */
export interface Resource {
  key: string;
  /** The maximum concurrent work with this key. */
  limit: number;
}

/** Permission to run one piece of work, until it is released. */
export interface Slot {
  readonly share: Share;
  /** Frees the slot and adds its time to the use of the account. A second call has no effect. */
  release(): void;
}

/** The limits of the slots. */
export interface FairSlotsOptions {
  /** The number of slots. */
  concurrency: number;
  /**
   * Work that has run longer than this is slow, and other accounts get additional slots; 500 ms when absent.
   */
  slowAfterMs?: number | undefined;
  /** Milliseconds of a monotonic clock; `performance.now` when absent. */
  now?: (() => number) | undefined;
}

/** The time after which past use counts half. */
const HALF_LIFE_MS = 30_000;

interface Running {
  share: Share;
  since: number;
}

/**
 * Shares slots between accounts by the time that their work takes, not by the number of pieces of work.
 *
 * The next slot goes to the account that has used the least time, including running work. Past use is halved
 * every 30 seconds. No account can make all others wait:
 * - When one account holds every slot, another account gets an additional slot at once. When batches hold
 * every slot, a caller does.
 * - Work that has run for `slowAfterMs` no longer counts against the slots of accounts that have nothing
 * running.
 *
 * At most twice `concurrency` pieces of work run at once.
 */
export class FairSlots {
  readonly #concurrency: number;
  readonly #slowAfterMs: number;
  readonly #now: () => number;
  /** In the order of their start. */
  readonly #running = new Set<Running>();
  readonly #accounts = new Map<string, { running: number; sinceSum: number }>();
  readonly #resources = new Map<string, number>();
  #callers = 0;
  readonly #usage = new RecentUse(HALF_LIFE_MS);

  constructor({ concurrency, slowAfterMs = 500, now = () => performance.now() }: FairSlotsOptions) {
    this.#concurrency = concurrency;
    this.#slowAfterMs = slowAfterMs;
    this.#now = now;
  }

  /** The number of taken slots. */
  get running(): number {
    return this.#running.size;
  }

  /** Tells whether a piece of work may start now. */
  mayBegin(share: Share): boolean {
    const { account, urgency, limit, resources = [] } = share;
    const runningOfAccount = this.#accounts.get(account)?.running ?? 0;
    if (limit !== undefined && limit !== null && runningOfAccount >= limit) return false;
    if (resources.some(({ key, limit: max }) => (this.#resources.get(key) ?? 0) >= max)) return false;
    if (this.running < this.#concurrency) return true;
    if (this.running >= 2 * this.#concurrency) return false;
    if (urgency === 'caller' && this.#callers === 0) return true;
    if (runningOfAccount > 0) return false;
    return this.#accounts.size === 1 || this.#countQuick() < this.#concurrency;
  }

  /**
   * Selects, among the candidates that may start now, the first one of the account that has used the least
   * time.
   */
  pick<T extends { share: Share }>(candidates: Iterable<T>): T | undefined {
    const now = this.#now();
    let least: T | undefined;
    let leastMs = Number.POSITIVE_INFINITY;
    for (const candidate of candidates) {
      const usedMs = this.#usedMs(candidate.share.account, now);
      if (usedMs >= leastMs || !this.mayBegin(candidate.share)) continue;
      least = candidate;
      leastMs = usedMs;
    }
    return least;
  }

  /** Takes a slot for work that may start. */
  take(share: Share): Slot {
    const running = { share, since: this.#now() };
    this.#running.add(running);
    this.#count(running, 1);
    return {
      share,
      release: () => {
        if (!this.#running.delete(running)) return;
        this.#count(running, -1);
        const now = this.#now();
        this.#usage.add(share.account, now - running.since, now);
      },
    };
  }

  /**
   * Returns the time until the next running work becomes slow, which lets other accounts start; `undefined`
   * if all running work is slow.
   */
  untilSlowMs(): number | undefined {
    const now = this.#now();
    for (const { since } of this.#running) {
      const leftMs = since + this.#slowAfterMs - now;
      if (leftMs > 0) return leftMs;
    }
    return undefined;
  }

  #count({ share, since }: Running, by: 1 | -1): void {
    const { account, urgency, resources = [] } = share;
    const { running, sinceSum } = this.#accounts.get(account) ?? { running: 0, sinceSum: 0 };
    if (running + by === 0) this.#accounts.delete(account);
    else this.#accounts.set(account, { running: running + by, sinceSum: sinceSum + by * since });
    for (const { key } of resources) {
      const count = (this.#resources.get(key) ?? 0) + by;
      if (count === 0) this.#resources.delete(key);
      else this.#resources.set(key, count);
    }
    if (urgency === 'caller') this.#callers += by;
  }

  #countQuick(): number {
    const slowSince = this.#now() - this.#slowAfterMs;
    let slow = 0;
    for (const { since } of this.#running) {
      if (since > slowSince) break;
      slow += 1;
    }
    return this.running - slow;
  }

  #usedMs(account: string, now: number): number {
    const { running, sinceSum } = this.#accounts.get(account) ?? { running: 0, sinceSum: 0 };
    return this.#usage.read(account, now) + running * now - sinceSum;
  }
}
