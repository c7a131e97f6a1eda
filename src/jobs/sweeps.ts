import type { Log } from '../log.ts';

/**
 * Repairs the effects of crashes. Records created before `since` (epoch milliseconds) were checked by an
 * earlier sweep.
 */
export type Sweep = (since: number) => Promise<void>;

const SWEEP_INTERVAL_MS = 60_000;
/** The longest time that a process may take between storing the first and the last record of an operation. */
const OVERLAP_MS = 10 * 60_000;
const FULL_SWEEP_INTERVAL_MS = 60 * 60_000;

interface Registered {
  name: string;
  run: Sweep;
  sweptAt: number;
  fullySweptAt: number;
}

/**
 * Runs sweeps at startup and every minute, one at a time. The first sweep, and one per hour, is a full one.
 */
export class Sweeps {
  readonly #log: Log;
  readonly #sweeps: Registered[] = [];
  #stopped = false;
  #timer: Timer | undefined;
  #running: Promise<void> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  add(name: string, run: Sweep): void {
    this.#sweeps.push({ name, run, sweptAt: 0, fullySweptAt: 0 });
  }

  start(): void {
    this.#running = this.#sweepAll().finally(() => {
      if (!this.#stopped) this.#timer = setTimeout(() => this.start(), SWEEP_INTERVAL_MS);
    });
  }

  /** Starts no further sweep. Resolves when the running one has ended. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #sweepAll(): Promise<void> {
    for (const sweep of this.#sweeps) {
      if (this.#stopped) return;
      const startedAt = Date.now();
      const isFull = startedAt - sweep.fullySweptAt >= FULL_SWEEP_INTERVAL_MS;
      try {
        await sweep.run(isFull ? 0 : sweep.sweptAt - OVERLAP_MS);
        sweep.sweptAt = startedAt;
        if (isFull) sweep.fullySweptAt = startedAt;
      } catch (error) {
        this.#log.error({ err: error, sweep: sweep.name }, 'a sweep failed');
      }
    }
  }
}
