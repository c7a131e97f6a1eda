import { PhaseClock, type Phase } from './receipt/phase-clock.ts';

/** Thrown when a job's time is up; the phase is the one in which it was. */
export class DeadlineError extends Error {
  override name = 'DeadlineError';
}

/** The deadline of a job, from its start to its PDF, over every retry, or of one of its phases. Dispose of it to clear its timer. */
export class Deadline implements Disposable {
  readonly #expired = Promise.withResolvers<never>();
  readonly #timer: Timer;
  #passed = false;

  readonly timeoutMs: number;
  readonly #clock: PhaseClock;

  /** @param clock is told of the phases. */
  constructor(timeoutMs: number, clock = new PhaseClock(), phase: Phase = 'start') {
    this.timeoutMs = timeoutMs;
    this.#clock = clock;
    clock.enter(phase);
    // Nobody may be waiting at the moment in which the time is up.
    this.#expired.promise.catch(() => {});
    this.#timer = setTimeout(() => {
      this.#passed = true;
      this.#expired.reject(new DeadlineError(`not finished after ${timeoutMs} ms, in phase ${clock.phase}`));
    }, timeoutMs);
  }

  /** Says what is being done now. */
  set phase(phase: Phase) {
    this.#clock.enter(phase);
  }

  get passed(): boolean {
    return this.#passed;
  }

  /** Waits for work, or rejects when the time is up first. @throws {DeadlineError} */
  async race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#expired.promise]);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
