import { AppError } from '../../src/plugin.ts';

/** How much a lane does at once, how many callers may wait in it, and for how long. */
export interface LaneLimits {
  concurrency: number;
  queueLimit: number;
  maxWaitMs: number;
}

/** Who has the work done: somebody who waits for the answer, or a batch in the background. */
export type Urgency = 'caller' | 'batch';

/** Whose turn it is, and how urgent. */
export interface Turn {
  accountId: string;
  urgency: Urgency;
}

/** While callers keep coming, a batch that waits gets one place in so many: it goes on, and they hardly notice. */
const CALLERS_BEFORE_BATCH = 16;

/**
 * Runs work so many at once. Accounts take turns, so that a hundred documents of one do not hold up the single one of another.
 *
 * Callers go before batches. Batches may have all places when nobody else wants them; there is then one more for a caller, so that
 * documents that take their whole deadline do not shut callers out for as long.
 * Of callers, those who cannot wait or have waited too long are refused instead of piling up. Batches wait for as long as it takes.
 */
export class Lane {
  readonly #running: Record<Urgency, number> = { caller: 0, batch: 0 };
  readonly #queues: Readonly<Record<Urgency, TurnQueue>> = {
    caller: new TurnQueue(),
    batch: new TurnQueue(),
  };
  /** Callers who were let in, one after the other, while a batch waited. */
  #callersInARow = 0;
  readonly #limits: LaneLimits;
  readonly #onWaited: (seconds: number, urgency: Urgency) => void;

  constructor(limits: LaneLimits, onWaited: (seconds: number, urgency: Urgency) => void = () => {}) {
    this.#limits = limits;
    this.#onWaited = onWaited;
  }

  /** How many callers wait. */
  get depth(): number {
    return this.#queues.caller.size;
  }

  get running(): number {
    return this.#running.caller + this.#running.batch;
  }

  /** Runs work when its turn comes. @throws {AppError} RATE_LIMITED when too many callers wait, or this one waited too long. */
  async run<T>({ accountId, urgency }: Turn, work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    if (this.#hasPlaceFor(urgency)) this.#running[urgency] += 1;
    else await this.#wait(accountId, urgency);
    this.#onWaited((performance.now() - since) / 1000, urgency);
    try {
      return await work();
    } finally {
      this.#running[urgency] -= 1;
      this.#letIn();
    }
  }

  #hasPlaceFor(urgency: Urgency): boolean {
    if (this.running < this.#limits.concurrency) return true;
    return urgency === 'caller' && this.#running.caller === 0;
  }

  /** Hands free places on at once: nobody who comes in between may take one. */
  #letIn(): void {
    for (let urgency = this.#nextUrgency(); urgency; urgency = this.#nextUrgency()) {
      const batchWaits = this.#queues.batch.size > 0;
      this.#callersInARow = urgency === 'caller' && batchWaits ? this.#callersInARow + 1 : 0;
      this.#running[urgency] += 1;
      this.#queues[urgency].shift()?.();
    }
  }

  #nextUrgency(): Urgency | undefined {
    const order: Urgency[] =
      this.#callersInARow < CALLERS_BEFORE_BATCH ? ['caller', 'batch'] : ['batch', 'caller'];
    return order.find((urgency) => this.#queues[urgency].size > 0 && this.#hasPlaceFor(urgency));
  }

  async #wait(accountId: string, urgency: Urgency): Promise<void> {
    const queue = this.#queues[urgency];
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (urgency === 'batch') {
      queue.push(accountId, resolve);
      return promise;
    }
    if (queue.size >= this.#limits.queueLimit) throw busy();
    queue.push(accountId, resolve);
    const timer = setTimeout(() => {
      queue.remove(accountId, resolve);
      reject(busy());
    }, this.#limits.maxWaitMs);
    await promise.finally(() => clearTimeout(timer));
  }
}

/** Those who wait, by account; accounts take turns. */
class TurnQueue {
  #size = 0;
  /** The account whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();

  get size(): number {
    return this.#size;
  }

  push(accountId: string, begin: () => void): void {
    const queue = this.#waiting.get(accountId) ?? [];
    this.#waiting.set(accountId, queue);
    queue.push(begin);
    this.#size += 1;
  }

  remove(accountId: string, begin: () => void): void {
    const queue = this.#waiting.get(accountId) ?? [];
    queue.splice(queue.indexOf(begin), 1);
    if (queue.length === 0) this.#waiting.delete(accountId);
    this.#size -= 1;
  }

  shift(): (() => void) | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [accountId, queue] = first;
    const next = queue.shift();
    // Reinsertion sends the account to the end of the round.
    this.#waiting.delete(accountId);
    if (queue.length > 0) this.#waiting.set(accountId, queue);
    this.#size -= 1;
    return next;
  }
}

function busy(): AppError {
  return new AppError('RATE_LIMITED', 'the service is busy: too many documents wait to be made', {
    retryAfterSeconds: 2,
  });
}
