import { readTreeCpuMs, readTreeMemory, type MemorySize } from '../process-tree.ts';
import type { Contestant, Job } from './contestant.ts';

/** What one way did with one document at one number of jobs at once, over all rounds. */
export interface Cell {
  document: string;
  way: string;
  concurrency: number;
  /** Of each job that ended while it was measured. */
  tookMs: number[];
  seconds: number;
  /** Processor time of service and browser meanwhile, which a busy machine changes less than the rate. */
  cpuMs: number;
  /** Of service and browser under load, at the end of the last round. */
  memory: MemorySize;
}

/** One stretch of measuring. */
export interface Stretch {
  contestant: Contestant;
  document: { name: string; html: string };
  concurrency: number;
  seconds: number;
}

/**
 * Keeps so many jobs under way, and from when each worker has warmed up counts for the given time those that end. Jobs begin
 * before and go on after the time, so that slow ones are counted as fairly as fast ones.
 */
export async function measure({ contestant, document, concurrency, seconds }: Stretch): Promise<Cell> {
  const job = await contestant.prepare(document.html, concurrency);
  const counter = new Counter(job, concurrency);
  try {
    await counter.warm();
    const pid = contestant.rootPid(concurrency);
    const cpuBefore = readTreeCpuMs(pid);
    const startedAt = performance.now();
    counter.counting = true;
    await counter.during(Bun.sleep(seconds * 1000));
    counter.counting = false;
    return {
      document: document.name,
      way: contestant.way,
      concurrency,
      tookMs: counter.tookMs,
      seconds: (performance.now() - startedAt) / 1000,
      cpuMs: readTreeCpuMs(pid) - cpuBefore,
      memory: readTreeMemory(pid),
    };
  } finally {
    await counter.end();
  }
}

/** Joins a further round's figures to a cell. */
export function join(cell: Cell | undefined, next: Cell): Cell {
  if (!cell) return next;
  return {
    ...next,
    tookMs: [...cell.tookMs, ...next.tookMs],
    seconds: cell.seconds + next.seconds,
    cpuMs: cell.cpuMs + next.cpuMs,
  };
}

/** Returns PDFs a second. */
export function rateOf({ tookMs, seconds }: Cell): number {
  return tookMs.length / seconds;
}

/** Returns the time that a share of the jobs took at most, in milliseconds. */
export function quantile({ tookMs }: Cell, share: number): number {
  return tookMs.toSorted((a, b) => a - b)[Math.floor(tookMs.length * share)] ?? Number.NaN;
}

class Counter {
  readonly tookMs: number[] = [];
  counting = false;
  #over = false;
  #cold: number;
  readonly #warmed = Promise.withResolvers<void>();
  readonly #workers: Promise<unknown>;
  readonly #job: Job;

  constructor(job: Job, concurrency: number) {
    this.#job = job;
    this.#cold = concurrency;
    this.#workers = Promise.all(Array.from({ length: concurrency }, (_, worker) => this.#work(worker)));
    // Whoever waits with `during` hears of a failure.
    this.#workers.catch(() => {});
  }

  warm(): Promise<void> {
    return this.during(this.#warmed.promise);
  }

  /** Waits, or fails with the first job that fails. */
  async during(wait: Promise<void>): Promise<void> {
    await Promise.race([wait, this.#workers]);
  }

  async end(): Promise<void> {
    this.#over = true;
    await this.#workers;
  }

  async #work(worker: number): Promise<void> {
    await this.#job(worker);
    this.#cold -= 1;
    if (this.#cold === 0) this.#warmed.resolve();
    while (!this.#over) {
      const startedAt = performance.now();
      await this.#job(worker);
      if (this.counting) this.tookMs.push(performance.now() - startedAt);
    }
  }
}
