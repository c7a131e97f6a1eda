import { AppError } from './errors.ts';

/** Who waits for the result: a caller with an open request, or a batch in the background. */
export type Urgency = 'caller' | 'batch';

/** For whom work is done. */
export interface Share {
  account: string;
  urgency: Urgency;
  /** The most work of the account that runs at once, of both urgencies together; unlimited when absent or null. */
  limit?: number | null | undefined;
  /** Removes the work from the queue when it aborts. Work that runs must watch the signal itself. */
  signal?: AbortSignal | undefined;
}

/** The bounds of a queue. */
export interface FairQueueOptions {
  /** How much work runs at once. */
  concurrency: number;
  /** How many callers may wait, of all accounts together. Batches wait without a limit. */
  queueLimit: number;
  /** How long a caller waits. Batches wait as long as it takes. */
  maxWaitMs: number;
  /** The message of a refusal. */
  busyMessage: string;
  /** Work that has run longer than this makes room for other accounts; 500 ms when absent. */
  slowAfterMs?: number;
  /** Told how long work waited before it began. */
  onWaited?: (seconds: number, urgency: Urgency) => void;
  /** Milliseconds of a monotonic clock; `performance.now` when absent. */
  now?: () => number;
}

/** While callers keep coming, one waiting batch item is let in after so many callers. */
const CALLERS_PER_BATCH_ITEM = 16;

/** After this time, work done in the past counts half. */
const HALF_LIFE_MS = 30_000;

/** Accounts that used less than this are forgotten. */
const FORGOTTEN_MS = 1;

const RETRY_AFTER_SECONDS = 2;

interface Waiting {
  share: Share;
  begin: (running: Running) => void;
  refuse: (reason: unknown) => void;
}

interface Running {
  share: Share;
  since: number;
}

/**
 * Shares a number of slots between accounts by the time that their work takes, not by how much of it they send.
 *
 * The next slot goes to the waiting account that used the least time. Work that runs now counts, and work of the past counts half as
 * much every 30 seconds. Callers go before batches, and batches still advance. No account keeps all others waiting:
 * - When one account, or batches alone, hold every slot, another account, or a caller, gets an additional slot at once.
 * - Work that has run for `slowAfterMs` no longer counts against the slots of accounts that have nothing running.
 *
 * At most twice `concurrency` runs at once.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #slowAfterMs: number;
  readonly #now: () => number;
  readonly #running = new Set<Running>();
  readonly #waiting: Record<Urgency, Waiting[]> = { caller: [], batch: [] };
  readonly #usage = new Usage();
  #callersInARow = 0;
  #slowTimer: Timer | undefined;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#slowAfterMs = options.slowAfterMs ?? 500;
    this.#now = options.now ?? (() => performance.now());
  }

  /** How many callers wait. */
  get depth(): number {
    return this.#waiting.caller.length;
  }

  get running(): number {
    return this.#running.size;
  }

  /**
   * Runs work when its turn comes. Its slot is free again when the work settles.
   * @throws {AppError} RATE_LIMITED when too many callers wait or this one has waited too long.
   * @throws the reason of the signal when it aborts before the work begins.
   */
  async run<T>(share: Share, work: () => Promise<T>): Promise<T> {
    const arrivedAt = this.#now();
    const running = await this.#enter(share);
    this.#options.onWaited?.((this.#now() - arrivedAt) / 1000, share.urgency);
    try {
      return await work();
    } finally {
      this.#running.delete(running);
      const endedAt = this.#now();
      this.#usage.add(share.account, endedAt - running.since, endedAt);
      this.#admit();
    }
  }

  #enter(share: Share): Promise<Running> | Running {
    share.signal?.throwIfAborted();
    if (this.#mayBegin(share)) return this.#begin(share);
    if (share.urgency === 'caller') this.#makeRoom(share.account);
    return this.#wait(share);
  }

  #begin(share: Share): Running {
    const running = { share, since: this.#now() };
    this.#running.add(running);
    return running;
  }

  #wait(share: Share): Promise<Running> {
    const { promise, resolve, reject } = Promise.withResolvers<Running>();
    const queue = this.#waiting[share.urgency];
    const leave = (): void => {
      const index = queue.indexOf(waiting);
      if (index !== -1) queue.splice(index, 1);
      clearTimeout(timer);
      share.signal?.removeEventListener('abort', onAbort);
    };
    const waiting: Waiting = {
      share,
      begin: (running) => (leave(), resolve(running)),
      refuse: (reason) => (leave(), reject(reason)),
    };
    const onAbort = (): void => waiting.refuse(share.signal?.reason);
    const timer =
      share.urgency === 'caller'
        ? setTimeout(() => waiting.refuse(this.#busy()), this.#options.maxWaitMs)
        : undefined;
    share.signal?.addEventListener('abort', onAbort, { once: true });
    queue.push(waiting);
    this.#watchForSlowWork();
    return promise;
  }

  /** Refuses the newcomer when the queue is full, or the last caller of the account that fills it. */
  #makeRoom(account: string): void {
    const queue = this.#waiting.caller;
    if (queue.length < this.#options.queueLimit) return;
    const counts = new Map<string, number>();
    for (const { share } of queue) counts.set(share.account, (counts.get(share.account) ?? 0) + 1);
    const [fullest = '', most = 0] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
    if ((counts.get(account) ?? 0) + 1 >= most) throw this.#busy();
    queue.findLast(({ share }) => share.account === fullest)?.refuse(this.#busy());
  }

  #busy(): AppError {
    return new AppError('RATE_LIMITED', this.#options.busyMessage, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  #mayBegin({ account, urgency, limit }: Share): boolean {
    const { concurrency } = this.#options;
    const own = this.#countRunning(({ share }) => share.account === account);
    if (limit !== undefined && limit !== null && own >= limit) return false;
    if (this.#running.size < concurrency) return true;
    if (this.#running.size >= 2 * concurrency) return false;
    const isCaller = urgency === 'caller';
    if (isCaller && this.#countRunning(({ share }) => share.urgency === 'caller') === 0) return true;
    if (own > 0) return false;
    const [first] = this.#running;
    const holder = first?.share.account;
    if (this.#countRunning(({ share }) => share.account === holder) === this.#running.size) return true;
    return this.#countRunning((running) => !this.#isSlow(running)) < concurrency;
  }

  #isSlow({ since }: Running): boolean {
    return this.#now() - since >= this.#slowAfterMs;
  }

  #countRunning(matches: (running: Running) => boolean): number {
    let count = 0;
    for (const running of this.#running) if (matches(running)) count += 1;
    return count;
  }

  /** Grants every free slot at once, so that work which arrives later cannot take it. */
  #admit(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const { urgency } = next.share;
      const batchWaits = this.#waiting.batch.length > 0;
      this.#callersInARow = urgency === 'caller' && batchWaits ? this.#callersInARow + 1 : 0;
      next.begin(this.#begin(next.share));
    }
    this.#watchForSlowWork();
  }

  #next(): Waiting | undefined {
    const batchIsDue = this.#callersInARow >= CALLERS_PER_BATCH_ITEM;
    const order: readonly Urgency[] = batchIsDue ? ['batch', 'caller'] : ['caller', 'batch'];
    for (const urgency of order) {
      const next = this.#leastServed(this.#waiting[urgency]);
      if (next) return next;
    }
    return undefined;
  }

  /** Picks the first work of the account that used the least time, of the accounts that may begin now. */
  #leastServed(queue: readonly Waiting[]): Waiting | undefined {
    const now = this.#now();
    const firsts = new Map<string, Waiting>();
    for (const waiting of queue)
      if (!firsts.has(waiting.share.account)) firsts.set(waiting.share.account, waiting);
    let least: Waiting | undefined;
    let leastMs = Number.POSITIVE_INFINITY;
    for (const [account, waiting] of firsts) {
      const usedMs = this.#usedMs(account, now);
      if (usedMs >= leastMs || !this.#mayBegin(waiting.share)) continue;
      least = waiting;
      leastMs = usedMs;
    }
    return least;
  }

  #usedMs(account: string, now: number): number {
    let usedMs = this.#usage.read(account, now);
    for (const { share, since } of this.#running) if (share.account === account) usedMs += now - since;
    return usedMs;
  }

  /** Looks again when the next running work becomes slow, as nothing else may happen until then. */
  #watchForSlowWork(): void {
    clearTimeout(this.#slowTimer);
    this.#slowTimer = undefined;
    if (this.#waiting.caller.length === 0 && this.#waiting.batch.length === 0) return;
    const now = this.#now();
    let soonestMs = Number.POSITIVE_INFINITY;
    for (const { since } of this.#running) {
      const leftMs = since + this.#slowAfterMs - now;
      if (leftMs > 0) soonestMs = Math.min(soonestMs, leftMs);
    }
    if (soonestMs !== Number.POSITIVE_INFINITY)
      this.#slowTimer = setTimeout(() => this.#admit(), Math.ceil(soonestMs));
  }
}

/** The time that each account used, halved every {@link HALF_LIFE_MS}. */
class Usage {
  readonly #used = new Map<string, { ms: number; at: number }>();

  add(account: string, ms: number, now: number): void {
    const used = this.read(account, now) + ms;
    // Reinsertion keeps the map in the order of the last use, so that forgotten accounts come first.
    this.#used.delete(account);
    this.#used.set(account, { ms: used, at: now });
    for (const [oldest] of this.#used) {
      if (this.read(oldest, now) >= FORGOTTEN_MS) break;
      this.#used.delete(oldest);
    }
  }

  read(account: string, now: number): number {
    const used = this.#used.get(account);
    return used ? used.ms * 2 ** ((used.at - now) / HALF_LIFE_MS) : 0;
  }
}
