import { afterRunning } from '@platen/runtime';
import type { Call } from './protocol.ts';
import type { SandboxProcess } from './sandbox-process.ts';
import { SandboxError, type TaskFailure } from './task.ts';

/**
 * How long a task may continue after its caller has disconnected. Replacing a process takes longer than most
 * tasks.
 */
const GRACE_MS = 250;

/**
 * The largest permitted inputs need at most this part of their deadline. A process that got less was starved.
 */
const FULL_SHARE_PART = 5;
const CPU_TIME_IS_KNOWN = process.platform === 'linux';

/**
 * One call of a task, from the queue to its result. The call may keep its slot and process after the result
 * is known.
 */
export class TaskRun {
  readonly call: Call;
  readonly timeoutMs: number;
  readonly #outcome = Promise.withResolvers<unknown>();
  readonly #abandoned = new AbortController();
  readonly #ignoreSignals: () => void;
  readonly #cancelTimers: (() => void)[] = [];
  #isSettled = false;
  #process: SandboxProcess | undefined;
  #startedAt = 0;

  constructor(call: Call, { timeoutMs, signals }: { timeoutMs: number; signals: readonly AbortSignal[] }) {
    this.call = call;
    this.timeoutMs = timeoutMs;
    const abort = (): void => this.#abort(signals.find(({ aborted }) => aborted)?.reason);
    for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
    this.#ignoreSignals = () => {
      for (const signal of signals) signal.removeEventListener('abort', abort);
    };
    if (signals.some(({ aborted }) => aborted)) abort();
  }

  get result(): Promise<unknown> {
    return this.#outcome.promise;
  }

  get isSettled(): boolean {
    return this.#isSettled;
  }

  /** Aborts when the task need not start any more. */
  get abandoned(): AbortSignal {
    return this.#abandoned.signal;
  }

  /** The process that is running the task. */
  get process(): SandboxProcess | undefined {
    return this.#process;
  }

  /** How long the task has been running. */
  get ranMs(): number {
    return performance.now() - this.#startedAt;
  }

  /** Assigns the process that runs the task until `end`. */
  begin(process: SandboxProcess): void {
    this.#process = process;
    this.#startedAt = performance.now();
    this.#cancelTimers.push(afterRunning(this.timeoutMs, () => void this.#endLate(process)));
  }

  /**
   * Kills the process at the deadline. A process that had little processor time did not fail because of its
   * task.
   */
  async #endLate(process: SandboxProcess): Promise<void> {
    const usedMs = await process.taskCpuMs();
    // The process may run another task by now.
    if (this.#process !== process) return;
    const isStarved = CPU_TIME_IS_KNOWN && usedMs < this.timeoutMs / FULL_SHARE_PART;
    process.kill(isStarved ? 'starved' : 'deadline');
  }

  end(): void {
    for (const cancel of this.#cancelTimers.splice(0)) cancel();
    this.#process = undefined;
  }

  resolve(value: unknown): void {
    if (this.#settle()) this.#outcome.resolve(value);
  }

  /** Rejects the result and removes the task from the queue. */
  reject(reason: TaskFailure, message: string, cause?: unknown): void {
    if (!this.#settle()) return;
    this.#outcome.reject(new SandboxError(reason, message, cause === undefined ? undefined : { cause }));
    this.#abandoned.abort();
  }

  #settle(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    this.#ignoreSignals();
    return true;
  }

  #abort(reason: unknown): void {
    this.reject('aborted', 'the caller no longer waits', reason);
    const process = this.#process;
    if (process) this.#cancelTimers.push(afterRunning(GRACE_MS, () => process.kill('aborted')));
  }
}
