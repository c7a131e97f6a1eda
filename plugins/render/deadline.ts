import { afterRunning } from '@platen/runtime';
import { PhaseClock, type Phase } from './receipt/phase-clock.ts';

/** Thrown when a job exceeds its deadline. The message names the phase. */
export class DeadlineError extends Error {
  override name = 'DeadlineError';
}

/** Thrown when a job exceeds its deadline because the browser opens no page or does not respond. */
export class BrowserTimeoutError extends DeadlineError {
  override name = 'BrowserTimeoutError';
}

/**
 * Thrown when a job exceeds its deadline before it gets its first browser page. Its document cannot have
 * caused this.
 */
export class NoPageError extends BrowserTimeoutError {
  override name = 'NoPageError';
}

/**
 * Thrown when a job exceeds its deadline because its browser page got too little processor time. Another
 * attempt may be in time.
 */
export class StarvedPageError extends BrowserTimeoutError {
  override name = 'StarvedPageError';
}

export interface DeadlineOptions {
  timeoutMs: number;
  /** Records the phases. */
  clock?: PhaseClock | undefined;
  phase?: Phase;
  /** Aborts when the result is no longer wanted. */
  signal?: AbortSignal | undefined;
  /** A monotonic clock in milliseconds; `performance.now` when absent. */
  now?: (() => number) | undefined;
}

/**
 * Ends a job at its deadline, which includes all retries, or when its caller disconnects. Also limits a
 * single phase. Does not count the time for which the service is stopped. Dispose of it to clear its timer.
 */
export class Deadline implements Disposable {
  readonly #startedAt = performance.now();
  readonly #ended = Promise.withResolvers<never>();
  readonly #cancelTimer: () => void;
  readonly #clock: PhaseClock;
  readonly #signal: AbortSignal | undefined;
  readonly #onAbort: () => void;
  #passed = false;

  constructor({ timeoutMs, clock = new PhaseClock(), phase = 'start', signal, now }: DeadlineOptions) {
    this.#clock = clock;
    this.#signal = signal;
    clock.enter(phase);
    // The job may end while nothing awaits this promise.
    this.#ended.promise.catch(() => {});
    const end = (): void => {
      this.#passed = true;
      this.#ended.reject(new DeadlineError(`not finished after ${timeoutMs} ms, in phase ${clock.phase}`));
    };
    this.#cancelTimer = afterRunning(timeoutMs, end, now);
    this.#onAbort = () => this.#ended.reject(signal?.reason);
    signal?.addEventListener('abort', this.#onAbort, { once: true });
    if (signal?.aborted) this.#onAbort();
  }

  get phase(): Phase {
    return this.#clock.phase;
  }

  set phase(phase: Phase) {
    this.#clock.enter(phase);
  }

  /**
   * Returns the error of a job whose deadline passed because of the browser. `reason` completes the message.
   */
  blameBrowser(error: DeadlineError, reason: string): BrowserTimeoutError {
    const Blame = this.#clock.phase === 'start' ? NoPageError : BrowserTimeoutError;
    return new Blame(`${error.message}: ${reason}`, { cause: error });
  }

  /** How much time has passed, including the time for which the service was stopped. */
  get passedMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** True when the job has ended: the time is up, or the caller has disconnected. */
  get passed(): boolean {
    return this.#passed || this.#signal?.aborted === true;
  }

  /**
   * Waits for work until the job ends. `discard` receives a result that arrives later.
   * @throws {DeadlineError} @throws the reason of the signal.
   */
  async race<T>(work: Promise<T>, discard?: (late: T) => unknown): Promise<T> {
    try {
      return await Promise.race([work, this.#ended.promise]);
    } catch (error) {
      if (discard)
        work.then(discard).catch(() => {
          // The work failed, or its result could not be discarded; the job has ended either way.
        });
      throw error;
    }
  }

  [Symbol.dispose](): void {
    this.#cancelTimer();
    this.#signal?.removeEventListener('abort', this.#onAbort);
  }
}
