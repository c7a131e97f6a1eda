import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxProcess } from './sandbox-process.ts';
import type { TaskRun } from './task-run.ts';

interface MemoryWatchOptions {
  /** Returns all processes, busy and idle. */
  processes: () => readonly SandboxProcess[];
  running: ReadonlySet<TaskRun>;
  /** The limit for the resident memory of one process. */
  maxBytes: number;
  /** The limit for the resident memory of all processes together. */
  maxTotalBytes: number;
}

const INTERVAL_MS = 100;

/**
 * A task that uses more CPU time than this gets a lower priority. The time for which it waits for a CPU does
 * not count.
 */
const SLOW_AFTER_MS = 500;

/**
 * Checks the processes ten times a second while tasks run. Kills a process that exceeds its memory limit, or
 * the largest process if all together exceed theirs, and lowers the priority of slow tasks. Limits can be
 * exceeded between two checks.
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
  const usedMs = await process.taskCpuMs();
  // The process may run another task by now.
  if (usedMs > SLOW_AFTER_MS && task.process === process) process.slowDown();
}
