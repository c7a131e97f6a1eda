import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxProcess } from './sandbox-process.ts';
import type { TaskRun } from './task-run.ts';

/** The processes to watch, and their limits. */
interface MemoryWatchOptions {
  /** Every process, busy or idle. */
  processes: () => readonly SandboxProcess[];
  running: ReadonlySet<TaskRun>;
  /** Resident memory of one process. */
  maxBytes: number;
  /** Resident memory of all processes together. */
  maxTotalBytes: number;
}

const INTERVAL_MS = 100;

/** A task that uses more processor time gets a lower priority. A task that waits for a processor does not. */
const SLOW_AFTER_MS = 500;

/**
 * Checks the processes ten times a second while tasks run. Kills a process that exceeds its memory limit, or the largest process if all
 * together exceed theirs, and lowers the priority of slow tasks. Limits can be exceeded between two checks.
 */
export class MemoryWatch {
  readonly #options: MemoryWatchOptions;
  #isWatching = false;

  constructor(options: MemoryWatchOptions) {
    this.#options = options;
  }

  /** Watches until no task is running. */
  async watch(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    while (this.#options.running.size > 0) {
      await sleep(INTERVAL_MS);
      await this.#check();
    }
    this.#isWatching = false;
  }

  async #check(): Promise<void> {
    const { processes, running, maxBytes, maxTotalBytes } = this.#options;
    const sizes = await Promise.all(processes().map((process) => process.measure()));
    let largest: SandboxProcess | undefined;
    for (const task of running) {
      const { process, ranMs } = task;
      if (!process) continue;
      if (process.residentBytes > maxBytes) process.kill('memory');
      if (ranMs > SLOW_AFTER_MS) await slowDownBusy(task, process);
      if (process.residentBytes > (largest?.residentBytes ?? 0)) largest = process;
    }
    if (sizes.reduce((sum, size) => sum + size, 0) > maxTotalBytes) largest?.kill('memory');
  }
}

async function slowDownBusy(task: TaskRun, process: SandboxProcess): Promise<void> {
  const workedMs = await process.workedMs();
  // The process may run another task by now.
  if (workedMs > SLOW_AFTER_MS && task.process === process) process.slowDown();
}
