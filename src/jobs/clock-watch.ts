/** Differences below this are drift, not a change by someone. */
const STEP_MS = 1_000;

/** Notices when the time of day is set, as by an administrator or after a suspension of the machine. */
export class ClockWatch {
  readonly #now: () => number;
  #offset: number;
  #setAt = Number.NEGATIVE_INFINITY;

  readonly #onSet: (stepMs: number) => void;

  /** `now` is a monotonic clock in milliseconds. `onSet` is called for each change. */
  constructor(now: () => number, onSet: (stepMs: number) => void) {
    this.#now = now;
    this.#onSet = onSet;
    this.#offset = Date.now() - now();
  }

  /** Tells whether the time was set within a duration. It learns of a change at the next call. */
  wasSet(withinMs: number): boolean {
    const now = this.#now();
    const offset = Date.now() - now;
    const stepMs = offset - this.#offset;
    this.#offset = offset;
    if (Math.abs(stepMs) > STEP_MS) {
      this.#setAt = now;
      this.#onSet(stepMs);
    }
    return now - this.#setAt < withinMs;
  }
}
