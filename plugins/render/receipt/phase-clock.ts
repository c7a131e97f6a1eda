/** What is being done for a document, as a receipt and the message of a time-out name it. */
export type Phase =
  | 'queue'
  | 'template'
  | 'start'
  | 'react'
  | 'header'
  | 'load'
  | 'print'
  | 'archive'
  | 'store';

/** Measures how long each phase takes; a phase that is entered again goes on. */
export class PhaseClock {
  #phase: Phase = 'queue';
  #since = performance.now();
  readonly #spent = new Map<Phase, number>();

  get phase(): Phase {
    return this.#phase;
  }

  /** Ends the present phase and begins another. */
  enter(phase: Phase): void {
    const now = performance.now();
    this.#spent.set(this.#phase, (this.#spent.get(this.#phase) ?? 0) + now - this.#since);
    this.#phase = phase;
    this.#since = now;
  }

  /** Ends the present phase. Returns milliseconds, to a tenth. */
  stop(): Partial<Record<Phase, number>> {
    this.enter(this.#phase);
    return Object.fromEntries([...this.#spent].map(([phase, ms]) => [phase, Math.round(ms * 10) / 10]));
  }
}
