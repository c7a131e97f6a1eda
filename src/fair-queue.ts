import { AppError } from './errors.ts';
import { FairSlots, type FairSlotsOptions, type Share, type Slot, type Urgency } from '@platen/runtime';

export interface FairQueueOptions extends FairSlotsOptions {
  /** The maximum number of waiting callers of all accounts. Batches are not limited. */
  queueLimit: number;
  /** The longest time that a caller waits. Batches wait without a limit. */
  maxWaitMs: number;
  /** The error message when the queue is full or a caller has waited too long. */
  busyMessage: string;
  /** Called when work starts, with the time that it waited. */
  onWaited?: (seconds: number, urgency: Urgency) => void;
}

/** After this number of callers, one waiting batch item starts even if more callers wait. */
const CALLERS_PER_BATCH_ITEM = 16;

const RETRY_AFTER_SECONDS = 2;

interface Waiting {
  share: Share;
  begin: (slot: Slot) => void;
  refuse: (reason: unknown) => void;
}

/**
 * Queues work in memory for {@link FairSlots}, which select the next piece of work. Callers precede batches,
 * but batches always progress.
 */
export class FairQueue {
  readonly #options: FairQueueOptions;
  readonly #slots: FairSlots;
  readonly #waiting: Record<Urgency, Waiting[]> = { caller: [], batch: [] };
  #callersInARow = 0;
  #slowTimer: Timer | undefined;

  constructor(options: FairQueueOptions) {
    this.#options = options;
    this.#slots = new FairSlots(options);
  }

  /** The number of waiting callers. */
  get depth(): number {
    return this.#waiting.caller.length;
  }

  get running(): number {
    return this.#slots.running;
  }

  /**
   * Runs work when it gets a slot, and frees the slot when the work settles.
   * @throws {AppError} RATE_LIMITED when the queue is full or the caller has waited too long.
   * @throws the reason of the signal when it aborts before the work starts.
   */
  async run<T>(share: Share, work: () => Promise<T>): Promise<T> {
    const now = this.#options.now ?? (() => performance.now());
    const arrivedAt = now();
    const slot = await this.#enter(share);
    this.#options.onWaited?.((now() - arrivedAt) / 1000, share.urgency);
    try {
      return await work();
    } finally {
      slot.release();
      this.#admit();
    }
  }

  #enter(share: Share): Promise<Slot> | Slot {
    share.signal?.throwIfAborted();
    if (this.#slots.mayBegin(share)) return this.#slots.take(share);
    if (share.urgency === 'caller') this.#makeRoom(share.account);
    return this.#wait(share);
  }

  #wait(share: Share): Promise<Slot> {
    const { promise, resolve, reject } = Promise.withResolvers<Slot>();
    const queue = this.#waiting[share.urgency];
    const leave = (): void => {
      const index = queue.indexOf(waiting);
      if (index !== -1) queue.splice(index, 1);
      clearTimeout(timer);
      share.signal?.removeEventListener('abort', onAbort);
    };
    const waiting: Waiting = {
      share,
      begin: (slot) => (leave(), resolve(slot)),
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

  /**
   * Makes room in a full queue: rejects the latest caller of the account with the most waiting callers, which
   * may be the new caller.
   */
  #makeRoom(account: string): void {
    const queue = this.#waiting.caller;
    if (queue.length < this.#options.queueLimit) return;
    const counts = new Map<string, number>();
    for (const { share } of queue) counts.set(share.account, (counts.get(share.account) ?? 0) + 1);
    const [fullest = '', maxCount = 0] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [];
    if ((counts.get(account) ?? 0) + 1 >= maxCount) throw this.#busy();
    queue.findLast(({ share }) => share.account === fullest)?.refuse(this.#busy());
  }

  #busy(): AppError {
    return new AppError('RATE_LIMITED', this.#options.busyMessage, {
      retryAfterSeconds: RETRY_AFTER_SECONDS,
    });
  }

  /** Grants all free slots at once, so that work that arrives later cannot take them. */
  #admit(): void {
    for (let next = this.#next(); next; next = this.#next()) {
      const { urgency } = next.share;
      const batchWaits = this.#waiting.batch.length > 0;
      this.#callersInARow = urgency === 'caller' && batchWaits ? this.#callersInARow + 1 : 0;
      next.begin(this.#slots.take(next.share));
    }
    this.#watchForSlowWork();
  }

  #next(): Waiting | undefined {
    const { caller, batch } = this.#waiting;
    const order = this.#callersInARow >= CALLERS_PER_BATCH_ITEM ? [batch, caller] : [caller, batch];
    for (const queue of order) {
      const next = this.#slots.pick(queue);
      if (next) return next;
    }
    return undefined;
  }

  /**
   * Checks again when the next running work becomes slow, because nothing else may trigger a check until
   * then.
   */
  #watchForSlowWork(): void {
    clearTimeout(this.#slowTimer);
    this.#slowTimer = undefined;
    if (this.#waiting.caller.length === 0 && this.#waiting.batch.length === 0) return;
    const untilSlowMs = this.#slots.untilSlowMs();
    if (untilSlowMs !== undefined) this.#slowTimer = setTimeout(() => this.#admit(), Math.ceil(untilSlowMs));
  }
}
