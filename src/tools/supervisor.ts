import { setTimeout as sleep } from 'node:timers/promises';
import { Child, type ExitReason } from './child.ts';

/** What the supervisor tells its owner. */
export interface SupervisorOptions {
  threads: number;
  /** A replacement listens. Not called for the first child. */
  onReady: () => void;
  /** A child is gone; its replacement starts now. */
  onExit: (child: Child, reason: ExitReason) => void;
  /** A replacement did not start; another try follows. `failures` counts in a row. */
  onStartFailure: (error: unknown, failures: number) => void;
}

// A child that dies sooner than this unasked counts as a failure: what kills it will kill the next one too.
const STABLE_AFTER_MS = 1_000;
const FREE_FAILURES = 3;
const BACKOFF_STEP_MS = 100;
const MAX_BACKOFF_MS = 5_000;

/** Keeps one tool process alive: starts it, and starts the next as soon as it is gone. */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #stopping = new AbortController();
  #child: Child | undefined;
  #next = Promise.withResolvers<Child>();
  readonly #watch: Promise<void>;
  #failures = 0;

  private constructor(options: SupervisorOptions, first: Child) {
    this.#options = options;
    this.#watch = this.#replaceForEver(first);
  }

  /** Starts the first child and watches it. @throws when it does not start: then something is wrong that no retry mends. */
  static async start(options: SupervisorOptions): Promise<Supervisor> {
    return new Supervisor(options, await Child.start(options.threads));
  }

  /** The child that takes tasks now; `undefined` while it dies or its replacement starts. */
  get child(): Child | undefined {
    return this.#child?.usable ? this.#child : undefined;
  }

  /** Resolves with the child that takes tasks, or that will. */
  async ready(): Promise<Child> {
    return this.child ?? this.#next.promise;
  }

  /** Kills the child, and replaces it no more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#child?.kill('closed');
    await this.#watch;
  }

  async #replaceForEver(first: Child): Promise<void> {
    for (let child: Child | undefined = first; child; child = await this.#replace()) {
      this.#child = child;
      this.#next.resolve(child);
      if (child !== first) this.#options.onReady();
      const reason = await child.exited;
      this.#child = undefined;
      this.#next = Promise.withResolvers();
      const stable = reason !== 'crash' || Date.now() - child.startedAt > STABLE_AFTER_MS;
      this.#failures = stable ? 0 : this.#failures + 1;
      this.#options.onExit(child, reason);
    }
  }

  async #replace(): Promise<Child | undefined> {
    while (!this.#stopping.signal.aborted) {
      const excess = this.#failures - FREE_FAILURES;
      if (excess >= 0) await this.#pause(Math.min(BACKOFF_STEP_MS * 2 ** excess, MAX_BACKOFF_MS));
      if (this.#stopping.signal.aborted) break;
      try {
        const child = await Child.start(this.#options.threads);
        if (this.#stopping.signal.aborted) child.kill('closed');
        return child;
      } catch (error) {
        this.#failures += 1;
        this.#options.onStartFailure(error, this.#failures);
      }
    }
    return undefined;
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => {});
  }
}
