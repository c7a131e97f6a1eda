/**
 * Keeps the largest number of the last period. A number is forgotten after one to two periods. Times are
 * milliseconds of one monotonic clock.
 */
export class RecentPeak {
  readonly #periodMs: number;
  #beganAt = Number.NEGATIVE_INFINITY;
  /** The largest number of the current period, and of the one before. */
  #current = 0;
  #previous = 0;

  constructor(periodMs: number) {
    this.#periodMs = periodMs;
  }

  note(value: number, now: number): void {
    this.#advance(now);
    this.#current = Math.max(this.#current, value);
  }

  /** Returns 0 if nothing was noted recently. */
  read(now: number): number {
    this.#advance(now);
    return Math.max(this.#current, this.#previous);
  }

  #advance(now: number): void {
    const passed = Math.floor((now - this.#beganAt) / this.#periodMs);
    if (passed < 1) return;
    this.#previous = passed === 1 ? this.#current : 0;
    this.#current = 0;
    this.#beganAt = Number.isFinite(this.#beganAt) ? this.#beganAt + passed * this.#periodMs : now;
  }
}
