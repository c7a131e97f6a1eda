import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxProcess } from './sandbox-process.ts';
import type { TaskRun } from './task-run.ts';

/** What the watch looks at, and its bounds. */
export interface MemoryWatchOptions {
  /** Every process, busy or idle. */
  processes: () => readonly SandboxProcess[];
  running: ReadonlySet<TaskRun>;
  /** Resident memory of one process. */
  maxBytes: number;
  /** Resident memory of all processes together. */
  maxTotalBytes: number;
}

const LOOK_MS = 100;

/** After this time a task makes room for quicker ones. */
const SLOW_AFTER_MS = 1_000;

/**
 * Looks at the processes ten times a second while tasks run, so that a bound can be exceeded for a moment: kills the process that needs
 * too much memory, or the largest when all together do, and lowers the priority of tasks that run for long.
 */
export class MemoryWatch {
  readonly #options: MemoryWatchOptions;
  #isWatching = false;

  constructor(options: MemoryWatchOptions) {
    this.#options = options;
  }

  /** Watches until no task runs. */
  async watch(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    while (this.#options.running.size > 0) {
      await sleep(LOOK_MS);
      await this.#look();
    }
    this.#isWatching = false;
  }

  async #look(): Promise<void> {
    const { processes, running, maxBytes, maxTotalBytes } = this.#options;
    const sizes = await Promise.all(processes().map((process) => process.measure()));
    let largest: SandboxProcess | undefined;
    for (const { process, ranMs } of running) {
      if (!process) continue;
      if (process.residentBytes > maxBytes) process.kill('memory');
      if (ranMs > SLOW_AFTER_MS) process.slowDown();
      if (process.residentBytes > (largest?.residentBytes ?? 0)) largest = process;
    }
    if (sizes.reduce((sum, size) => sum + size, 0) > maxTotalBytes) largest?.kill('memory');
  }
}
