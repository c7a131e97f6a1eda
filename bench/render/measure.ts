import { readTreeCpuMs, readTreeMemory, type MemorySize } from '../process-tree.ts';
import type { Contestant, Job } from './contestant.ts';

/** Results of one contestant with one document at one concurrency, of one or more rounds. */
export interface Cell {
  document: string;
  way: string;
  concurrency: number;
  /** Times of the jobs that ended during the measurement. */
  tookMs: number[];
  seconds: number;
  /** CPU time of service and browser, which depends less on the load of the machine than the rate. */
  cpuMs: number;
  /** Memory of service and browser under load, at the end of the last round. */
  memory: MemorySize;
}

export interface Measurement {
  contestant: Contestant;
  document: { name: string; html: string };
  concurrency: number;
  seconds: number;
}

/**
 * Runs jobs at a constant concurrency. After each worker has warmed up, counts the jobs that end within the
 * given time. Jobs also run before and after that time, so that slow jobs are counted as fairly as fast ones.
 */
export async function measure({ contestant, document, concurrency, seconds }: Measurement): Promise<Cell> {
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

/** Adds the results of another round to a cell. */
export function join(cell: Cell | undefined, next: Cell): Cell {
  if (!cell) return next;
  return {
    ...next,
    tookMs: [...cell.tookMs, ...next.tookMs],
    seconds: cell.seconds + next.seconds,
    cpuMs: cell.cpuMs + next.cpuMs,
  };
}

/** Returns PDFs per second. */
export function rateOf({ tookMs, seconds }: Cell): number {
  return tookMs.length / seconds;
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
    // A failure is reported by `during`.
    this.#workers.catch(() => {});
  }

  warm(): Promise<void> {
    return this.during(this.#warmed.promise);
  }

  /** Waits, and rejects if a job fails meanwhile. */
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
