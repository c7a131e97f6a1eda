import { AppError } from '../../src/plugin.ts';

/** How much a lane does at once, how much may wait in it, and for how long. */
export interface LaneLimits {
  concurrency: number;
  queueLimit: number;
  maxWaitMs: number;
}

/**
 * Runs work so many at once. Accounts take turns, so that a hundred documents of one do not hold up the single one of another.
 * What cannot wait, or has waited too long, is refused instead of piling up.
 */
export class Lane {
  #running = 0;
  #depth = 0;
  /** Who waits, by account; the account whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #limits: LaneLimits;
  readonly #onWaited: (seconds: number) => void;

  constructor(limits: LaneLimits, onWaited: (seconds: number) => void = () => {}) {
    this.#limits = limits;
    this.#onWaited = onWaited;
  }

  get depth(): number {
    return this.#depth;
  }

  get running(): number {
    return this.#running;
  }

  /** Runs work of an account when its turn comes. @throws {AppError} RATE_LIMITED when too much waits, or this waited too long. */
  async run<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    if (this.#running >= this.#limits.concurrency) await this.#wait(accountId);
    else this.#running += 1;
    this.#onWaited((performance.now() - since) / 1000);
    try {
      return await work();
    } finally {
      // The place is handed on, not freed: nobody who comes in between may take it.
      const next = this.#takeNext();
      if (next) next();
      else this.#running -= 1;
    }
  }

  async #wait(accountId: string): Promise<void> {
    if (this.#depth >= this.#limits.queueLimit) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = this.#waiting.get(accountId) ?? [];
    this.#waiting.set(accountId, queue);
    queue.push(resolve);
    this.#depth += 1;
    const timer = setTimeout(() => {
      queue.splice(queue.indexOf(resolve), 1);
      if (queue.length === 0) this.#waiting.delete(accountId);
      this.#depth -= 1;
      reject(busy());
    }, this.#limits.maxWaitMs);
    await promise.finally(() => clearTimeout(timer));
  }

  #takeNext(): (() => void) | undefined {
    const [first] = this.#waiting;
    if (!first) return undefined;
    const [accountId, queue] = first;
    const next = queue.shift();
    // Reinsertion sends the account to the end of the round.
    this.#waiting.delete(accountId);
    if (queue.length > 0) this.#waiting.set(accountId, queue);
    this.#depth -= 1;
    return next;
  }
}

function busy(): AppError {
  return new AppError('RATE_LIMITED', 'the service is busy: too many documents wait to be made', {
    retryAfterSeconds: 2,
  });
}
