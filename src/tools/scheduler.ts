import { setTimeout as sleep } from 'node:timers/promises';
import type { Child, ExitReason } from './child.ts';
import { ToolTaskError, type TaskFailure } from './task.ts';
import { UncloneableError, type TaskReply } from './transport.ts';

/** One call of a task, from the queue to its result. */
export interface Job {
  module: string;
  name: string;
  input: unknown;
  timeoutMs: number;
  resolve: (value: unknown) => void;
  reject: (error: ToolTaskError) => void;
}

/** The bounds of the scheduler, and the child it gives tasks to. */
export interface SchedulerOptions {
  threads: number;
  queueLimit: number;
  maxMemoryBytes: number;
  child: () => Child | undefined;
}

interface Run extends Job {
  settled: boolean;
  overdue: boolean;
  /** Set for the second run, which has the child to itself. */
  alone: boolean;
  deadline?: Timer;
}

const MEMORY_LOOK_MS = 100;

/**
 * Decides what runs in the child, and who pays when the child dies.
 *
 * At most `threads` tasks are in the child, the rest waits here. When a child dies, the task that is known to be at fault
 * (over its deadline) is rejected. Every other task that was in it runs once more, alone in the child, so that a second death
 * shows the guilty one and no innocent task is ever a victim twice.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #waiting: Run[] = [];
  readonly #again: Run[] = [];
  readonly #running = new Set<Run>();
  #watched: Child | undefined;
  #idle = Promise.withResolvers<void>();

  constructor(options: SchedulerOptions) {
    this.#options = options;
  }

  get queued(): number {
    return this.#waiting.length + this.#again.length;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Names the functions that are in the child, for the log. */
  get runningNames(): string[] {
    return [...this.#running].map((run) => run.name);
  }

  /** Queues a job, or rejects it when the queue is full. The signal rejects it wherever it is. */
  add(job: Job, signal?: AbortSignal): void {
    const run: Run = { ...job, settled: false, overdue: false, alone: false };
    if (signal?.aborted) return this.#reject(run, 'aborted', 'the caller gave up');
    if (this.#waiting.length >= this.#options.queueLimit) {
      return this.#reject(run, 'busy', `${this.#options.queueLimit} tasks wait for the tool process already`);
    }
    if (signal) this.#abortWith(run, signal);
    this.#waiting.push(run);
    this.advance();
  }

  /** Hands over what may run now. Call it when a child has become ready. */
  advance(): void {
    const child = this.#options.child();
    if (!child) return;
    const [suspect] = this.#again;
    if (suspect) return this.#runAlone(child, suspect);
    if ([...this.#running].some((run) => run.alone)) return;
    while (this.#running.size < this.#options.threads) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#dispatch(child, next);
    }
  }

  /** Settles or queues again every task that was in a child that is gone. */
  childExited(reason: ExitReason): void {
    for (const run of this.#running) {
      clearTimeout(run.deadline);
      if (run.overdue) this.#reject(run, 'deadline', `${run.name} took longer than ${run.timeoutMs} ms`);
      else if (reason === 'closed') this.#reject(run, 'aborted', 'the tool process is closing');
      else if (run.alone) this.#reject(run, reason === 'memory' ? 'memory' : 'crash', explain(run, reason));
      else if (!run.settled) this.#again.push(Object.assign(run, { alone: true }));
    }
    this.#running.clear();
    this.#idle.resolve();
  }

  /** Rejects everything that is not in the child. */
  rejectQueued(reason: TaskFailure, message: string, cause?: unknown): void {
    for (const run of [...this.#again.splice(0), ...this.#waiting.splice(0)])
      this.#reject(run, reason, message, cause);
  }

  /** Resolves when no task is in the child. */
  async idle(): Promise<void> {
    this.#idle = Promise.withResolvers();
    if (this.#running.size > 0) await this.#idle.promise;
  }

  #runAlone(child: Child, suspect: Run): void {
    if (this.#running.size > 0) return;
    // What earlier tasks left in memory must not be laid to this one's charge.
    if (child.taskCount > 0 && child.residentBytes > this.#options.maxMemoryBytes / 2)
      return child.kill('renewed');
    this.#again.shift();
    this.#dispatch(child, suspect);
  }

  #dispatch(child: Child, run: Run): void {
    this.#running.add(run);
    run.deadline = setTimeout(() => {
      run.overdue = true;
      child.kill('deadline');
    }, run.timeoutMs);
    child.run(run).then(
      (reply) => this.#finish(run, child, reply),
      (error: unknown) => {
        if (error instanceof UncloneableError) this.#finish(run, child, { ok: false, thrown: error });
        // The process dies, or answers nonsense: its exit settles the task.
        else child.kill('crash');
      },
    );
    void this.#watchMemory(child);
  }

  #finish(run: Run, child: Child, reply: TaskReply): void {
    // An answer that comes after the death of the child belongs to a run that was given up.
    if (child !== this.#options.child()) return;
    clearTimeout(run.deadline);
    this.#running.delete(run);
    if (!reply.ok) this.#reject(run, 'error', `${run.name} threw: ${reply.thrown.message}`, reply.thrown);
    else if (!run.settled) {
      run.settled = true;
      run.resolve(reply.value);
    }
    if (this.#running.size === 0) this.#idle.resolve();
    this.advance();
  }

  async #watchMemory(child: Child): Promise<void> {
    if (this.#watched === child) return;
    this.#watched = child;
    while (this.#running.size > 0 && child.usable) {
      await sleep(MEMORY_LOOK_MS);
      if ((await child.measure()) > this.#options.maxMemoryBytes && this.#running.size > 0)
        child.kill('memory');
    }
    if (this.#watched === child) this.#watched = undefined;
  }

  #abortWith(run: Run, signal: AbortSignal): void {
    const abort = (): void => {
      for (const queue of [this.#waiting, this.#again]) {
        const index = queue.indexOf(run);
        if (index !== -1) queue.splice(index, 1);
      }
      this.#reject(run, 'aborted', 'the caller gave up', signal.reason);
      this.advance();
    };
    signal.addEventListener('abort', abort, { once: true });
    const release = (): void => signal.removeEventListener('abort', abort);
    const { resolve, reject } = run;
    run.resolve = (value) => (release(), resolve(value));
    run.reject = (error) => (release(), reject(error));
  }

  #reject(run: Run, reason: TaskFailure, message: string, cause?: unknown): void {
    if (run.settled) return;
    run.settled = true;
    run.reject(new ToolTaskError(reason, message, cause === undefined ? undefined : { cause }));
  }
}

function explain({ name }: Job, reason: ExitReason): string {
  return reason === 'memory'
    ? `${name} took the tool process over its memory limit`
    : `the tool process died while it ran ${name} alone`;
}
