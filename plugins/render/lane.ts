import { AppError } from '../../src/plugin.ts';

/** How much a lane does at once and how much may wait in it. */
export interface LaneLimits {
  concurrency: number;
  queueLimit: number;
}

/** Runs work in the order in which it came, so many at once; refuses more than may wait instead of growing. */
export class Lane {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  readonly #limits: LaneLimits;
  readonly #onWaited: (seconds: number) => void;

  constructor(limits: LaneLimits, onWaited: (seconds: number) => void) {
    this.#limits = limits;
    this.#onWaited = onWaited;
  }

  get depth(): number {
    return this.#waiting.length;
  }

  get running(): number {
    return this.#running;
  }

  /** Runs work when its turn comes. @throws {AppError} RATE_LIMITED when the lane is full. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const since = performance.now();
    if (this.#running >= this.#limits.concurrency) await this.#wait();
    else this.#running += 1;
    this.#onWaited((performance.now() - since) / 1000);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      // The place is handed on, not freed: nobody who comes in between may take it.
      if (next) next();
      else this.#running -= 1;
    }
  }

  async #wait(): Promise<void> {
    if (this.#waiting.length >= this.#limits.queueLimit) {
      throw new AppError('RATE_LIMITED', 'the service is busy: too many documents wait to be rendered', {
        retryAfterSeconds: 2,
      });
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}
