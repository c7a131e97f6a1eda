/** Thrown when a job's time is up; the phase is the one in which it was. */
export class DeadlineError extends Error {
  override name = 'DeadlineError';
}

/** What a job is doing, as an error message names it. */
export type Phase = 'start' | 'react' | 'header' | 'load' | 'print';

/** The deadline of a job, from its start to its PDF, over every retry, or of one of its phases. Dispose of it to clear its timer. */
export class Deadline implements Disposable {
  phase: Phase;
  readonly #expired = Promise.withResolvers<never>();
  readonly #timer: Timer;
  #passed = false;

  readonly timeoutMs: number;

  constructor(timeoutMs: number, phase: Phase = 'start') {
    this.phase = phase;
    this.timeoutMs = timeoutMs;
    // Nobody may be waiting at the moment in which the time is up.
    this.#expired.promise.catch(() => {});
    this.#timer = setTimeout(() => {
      this.#passed = true;
      this.#expired.reject(new DeadlineError(`not finished after ${timeoutMs} ms, in phase ${this.phase}`));
    }, timeoutMs);
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
