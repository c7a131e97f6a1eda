/** The phases of a document, as named in receipts and in messages about timeouts. */
export type Phase =
  | 'queue'
  | 'template'
  | 'start'
  | 'react'
  | 'header'
  | 'load'
  | 'wait'
  | 'print'
  | 'assemble'
  | 'archive'
  | 'tag'
  | 'store';

/** Measures the time of each phase. A phase that is entered again continues. */
export class PhaseClock {
  #phase: Phase = 'queue';
  #since = performance.now();
  readonly #spent = new Map<Phase, number>();

  get phase(): Phase {
    return this.#phase;
  }

  /** Ends the current phase and begins another. */
  enter(phase: Phase): void {
    const now = performance.now();
    this.#spent.set(this.#phase, (this.#spent.get(this.#phase) ?? 0) + now - this.#since);
    this.#phase = phase;
    this.#since = now;
  }

  /** Ends the current phase. Returns the phases in milliseconds, rounded to a tenth. */
  stop(): Partial<Record<Phase, number>> {
    this.enter(this.#phase);
    return Object.fromEntries([...this.#spent].map(([phase, ms]) => [phase, Math.round(ms * 10) / 10]));
  }
}
