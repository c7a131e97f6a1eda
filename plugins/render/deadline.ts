import { PhaseClock, type Phase } from './receipt/phase-clock.ts';

/** Thrown when a job's time is up; the phase is the one in which it was. */
export class DeadlineError extends Error {
  override name = 'DeadlineError';
}

/** What bounds a job. */
export interface DeadlineOptions {
  timeoutMs: number;
  /** Told of the phases. */
  clock?: PhaseClock | undefined;
  phase?: Phase;
  /** Ends the job when its result is no longer wanted. */
  signal?: AbortSignal | undefined;
}

/**
 * The end of a job: its deadline, from its start to its PDF, over every retry, or the moment in which its caller leaves. Also that of
 * one of its phases. Dispose of it to clear its timer.
 */
export class Deadline implements Disposable {
  readonly #ended = Promise.withResolvers<never>();
  readonly #timer: Timer;
  readonly #clock: PhaseClock;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort: () => void;
  #passed = false;

  constructor({ timeoutMs, clock = new PhaseClock(), phase = 'start', signal }: DeadlineOptions) {
    this.#clock = clock;
    this.#signal = signal;
    clock.enter(phase);
    // The job may be between two waits when it ends.
    this.#ended.promise.catch(() => {});
    this.#timer = setTimeout(() => {
      this.#passed = true;
      this.#ended.reject(new DeadlineError(`not finished after ${timeoutMs} ms, in phase ${clock.phase}`));
    }, timeoutMs);
    this.#onAbort = () => this.#ended.reject(signal?.reason);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (signal?.aborted) this.#onAbort();
  }

  /** Says what is being done now. */
  set phase(phase: Phase) {
    this.#clock.enter(phase);
  }

  /** True when the time is up, or the caller has left. */
  get passed(): boolean {
    return this.#passed || this.#signal?.aborted === true;
  }

  /** Waits for work, or rejects when the job ends first. @throws {DeadlineError} @throws the reason of the signal. */
  async race<T>(work: Promise<T>): Promise<T> {
    return Promise.race([work, this.#ended.promise]);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}
