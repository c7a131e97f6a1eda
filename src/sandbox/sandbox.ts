import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism, totalmem } from 'node:os';
import { messageOf } from '../errors.ts';
import { FairQueue } from '../fair-queue.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { untilAborted, withTimeout } from '@platen/runtime';
import { workContext } from '../work-context.ts';
import { createClient, SandboxError, type TaskClient, type TaskOptions } from './task.ts';
import { MemoryWatch } from './memory-watch.ts';
import { ProcessPool } from './process-pool.ts';
import type { Reply } from './protocol.ts';
import { ProcessLostError, type ExitReason, type SandboxProcess } from './sandbox-process.ts';
import { TaskRun } from './task-run.ts';

export {
  SandboxError,
  type TaskClient,
  type TaskFailure,
  type TaskOptions,
  type TaskResult,
} from './task.ts';

/** Why a sandbox process was lost during its task, or while it was idle (`crash`). */
type KillReason = 'deadline' | 'starved' | 'memory' | 'aborted' | 'crash';

/** The limits of the sandbox, its log and its metrics. */
export interface SandboxOptions {
  /**
   * The number of tasks that run at once. Default: the number of processors, at most 4. Up to as many again
   * may run for other accounts.
   */
  slots?: number;
  /** The time limit of tasks that do not set their own. Default: 30 s. */
  taskTimeoutMs?: number;
  /** The maximum resident memory of a process. Default: 1.5 GB. */
  maxMemoryBytes?: number;
  /**
   * The maximum resident memory of all processes together. Default: twice the limit of one process, at most
   * half of the machine's memory.
   */
  maxTotalMemoryBytes?: number;
  /** The resident memory above which a process is replaced after its task. Default: 300 MB. */
  maxIdleMemoryBytes?: number;
  /** How long a surplus process is kept. Default: 10 s. */
  idleMs?: number;
  /** The maximum number of waiting tasks of callers; further tasks are rejected as `busy`. Default: 100. */
  queueLimit?: number;
  /** How long a task of a caller may wait for its turn. Default: 30 s. */
  maxWaitMs?: number;
  /** Whether processes start only for tasks that wait for one. Default: false. */
  isOnDemand?: boolean;
  /** How long `close` waits for running tasks. Default: 5 s. */
  drainTimeoutMs?: number;
  /** Modules that every process imports when it starts, which makes their first task faster. */
  modules?: readonly URL[];
  log?: Log;
  metrics?: Metrics;
}

interface SandboxStatus {
  queued: number;
  running: number;
  kills: Readonly<Record<KillReason, number>>;
  /** The ids of the processes, busy ones first. */
  pids: readonly number[];
  /** The resident memory of all processes together. */
  residentBytes: number;
}

/**
 * Runs tasks in separate processes, the only place where templates and PDFs of callers are parsed.
 *
 * A process runs one task at a time. It is killed when the task exceeds its deadline or its memory, or when
 * its caller has disconnected. Other tasks are not affected. Accounts share the slots by the time that their
 * tasks take; see `FairQueue`. The account, the urgency and the signal of a task come from the `workContext`
 * of the call. A task without a context belongs to the service itself.
 */
export interface Sandbox {
  /**
   * Returns the tasks of a module as asynchronous methods, which reject with `SandboxError`. The service does
   * not import the module: a sandbox process imports it before its first task.
   */
  load<M extends object>(moduleUrl: URL): TaskClient<M>;
  /** Counts tasks and killed processes, and measures the memory of the processes. */
  status(): Promise<SandboxStatus>;
  /** Resolves when an idle process replies. @throws {SandboxError} if this takes more than 2 s. */
  ping(): Promise<void>;
  /**
   * Rejects waiting tasks as `unavailable`, waits for running tasks up to `drainTimeoutMs`, and ends the
   * processes.
   */
  close(): Promise<void>;
}

const PING_LIMIT_MS = 2_000;
/**
 * The number of attempts at a task whose process is killed from outside, such as by the kernel when the
 * machine runs out of memory.
 */
const KILLED_ATTEMPTS = 2;
const MAX_MEMORY_BYTES = 1_500_000_000;

/** Starts the sandbox. @throws {Error} if its first process does not start. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { slots = Math.min(availableParallelism(), 4), taskTimeoutMs = 30_000 } = options;
  const { maxMemoryBytes = MAX_MEMORY_BYTES, drainTimeoutMs = 5_000, log, metrics } = options;
  const kills: Record<KillReason, number> = { deadline: 0, starved: 0, memory: 0, aborted: 0, crash: 0 };
  const killed = metrics?.counter(
    'sandbox_kills_total',
    'The sandbox processes that were killed or died: `deadline`, `starved` of processor time, `memory`, `aborted` by the caller, or `crash`.',
    ['reason'],
  );
  const waited = metrics?.histogram(
    'sandbox_wait_seconds',
    'The time that a task waits for a sandbox process. High values mean that PDF operations and templates need more processors.',
    ['urgency'],
  );
  const runs = new Set<TaskRun>();
  const running = new Set<TaskRun>();
  const outside = AsyncLocalStorage.snapshot();
  let idle = Promise.withResolvers<void>();
  let closing: Promise<void> | undefined;

  const queue = new FairQueue({
    concurrency: slots,
    queueLimit: options.queueLimit ?? 100,
    maxWaitMs: options.maxWaitMs ?? 30_000,
    busyMessage: 'too many tasks are waiting for the sandbox',
    onWaited: (seconds, urgency) => waited?.observe({ urgency }, seconds),
  });
  const pool = new ProcessPool({
    // One for each running task, and a spare one.
    limit: 2 * slots + 1,
    modules: (options.modules ?? []).map(({ href }) => href),
    idleMs: options.idleMs ?? 10_000,
    maxIdleBytes: options.maxIdleMemoryBytes ?? 300_000_000,
    isOnDemand: options.isOnDemand ?? false,
    log,
    onIdleLoss: (process, reason) => report(process, reason),
  });
  const memory = new MemoryWatch({
    processes: () => pool.processes,
    running,
    maxBytes: maxMemoryBytes,
    maxTotalBytes: options.maxTotalMemoryBytes ?? Math.min(2 * maxMemoryBytes, machineBytes() / 2),
  });
  metrics?.gauge('sandbox_queue_depth', 'The tasks that wait for a sandbox process.', countQueued);
  metrics?.gauge(
    'sandbox_tasks_running',
    'The tasks that sandbox processes are running.',
    () => running.size,
  );
  metrics?.gauge('sandbox_processes', 'The sandbox processes, busy and idle.', () => pool.processes.length);
  await pool.start();

  function countQueued(): number {
    let count = 0;
    for (const task of runs) if (!task.isSettled && !task.process) count += 1;
    return count;
  }

  function report(
    { pid, exitStatus, residentBytes }: SandboxProcess,
    reason: ExitReason,
    task?: string,
  ): void {
    if (reason === 'closed' || reason === 'retired') return;
    kills[reason] += 1;
    killed?.inc({ reason });
    const level = reason === 'aborted' ? 'info' : 'warn';
    log?.[level]({ reason, task, pid, exitStatus, residentBytes }, 'sandbox process lost');
  }

  async function run(call: TaskRun['call'], { timeoutMs = taskTimeoutMs, signal }: TaskOptions = {}) {
    const context = workContext.getStore();
    const signals = [signal, context?.signal].filter((each) => each !== undefined);
    const task = new TaskRun(call, { timeoutMs, signals });
    if (closing) task.reject('unavailable', 'the sandbox is closing');
    const share = {
      account: context?.account ?? '',
      urgency: context?.urgency ?? 'batch',
      signal: task.abandoned,
    } as const;
    runs.add(task);
    queue
      .run(share, () => work(task))
      .catch((error: unknown) => {
        // Any error that is not a SandboxError means that the queue rejected the task.
        if (error instanceof SandboxError) task.reject(error.reason, error.message, error.cause);
        else task.reject('busy', messageOf(error), error);
      })
      .finally(() => runs.delete(task));
    return task.result;
  }

  /**
   * Runs a task from the queue. Resolves when its process is free or replaced, so the account pays for that
   * time too.
   */
  async function work(task: TaskRun): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      const process = await pool.take();
      const outcome = task.isSettled ? 'done' : await runIn(process, task, attempt < KILLED_ATTEMPTS);
      if (process.isUsable) await pool.giveBack(process);
      else await pool.replace();
      if (outcome === 'done') return;
    }
  }

  async function runIn(
    process: SandboxProcess,
    task: TaskRun,
    mayRepeat: boolean,
  ): Promise<'done' | 'repeat'> {
    const { name } = task.call;
    task.begin(process);
    running.add(task);
    outside(() => void memory.watch());
    try {
      deliver(task, await process.run(task.call));
    } catch (error) {
      if (!(error instanceof ProcessLostError)) task.reject('error', messageOf(error), error);
      else {
        report(process, error.reason, name);
        if (mayRepeat && process.wasKilledFromOutside && !task.isSettled && !closing) return 'repeat';
        explainLoss(task, error.reason);
      }
    } finally {
      task.end();
      running.delete(task);
      if (running.size === 0) idle.resolve();
    }
    return 'done';
  }

  // A process may have died without the pool knowing it yet, so try the next one.
  async function pingUntil(limit: AbortSignal): Promise<void> {
    const process = await pool.anyIdle();
    try {
      await process.ping();
    } catch (error) {
      if (limit.aborted || !(error instanceof ProcessLostError)) throw error;
      await process.exited;
      await pingUntil(limit);
    }
  }

  async function close(): Promise<void> {
    for (const task of runs) if (!running.has(task)) task.reject('unavailable', 'the sandbox is closing');
    idle = Promise.withResolvers();
    if (running.size > 0)
      await withTimeout(idle.promise, { limitMs: drainTimeoutMs, onTimeout: () => undefined });
    await pool.close();
  }

  return {
    load: (moduleUrl) =>
      createClient((name, input, taskOptions) => run({ module: moduleUrl.href, name, input }, taskOptions)),
    async status() {
      const { processes } = pool;
      const sizes = await Promise.all(processes.map((process) => process.measure()));
      return {
        queued: countQueued(),
        running: running.size,
        kills: { ...kills },
        pids: processes.map(({ pid }) => pid),
        residentBytes: sizes.reduce((sum, size) => sum + size, 0),
      };
    },
    async ping() {
      if (closing) throw new SandboxError('unavailable', 'the sandbox is closing');
      const limit = AbortSignal.timeout(PING_LIMIT_MS);
      await untilAborted(pingUntil(limit), limit).catch((cause: unknown) => {
        throw new SandboxError('unavailable', 'the sandbox processes do not reply', { cause });
      });
    },
    close: () => (closing ??= close()),
  };
}

function deliver(task: TaskRun, reply: Reply): void {
  if (reply.ok) return task.resolve(reply.value);
  const thrown = new Error(reply.message);
  if (reply.stack !== undefined) thrown.stack = reply.stack;
  task.reject('error', `${task.call.name} threw: ${reply.message}`, thrown);
}

function explainLoss(task: TaskRun, reason: ExitReason): void {
  const { name } = task.call;
  switch (reason) {
    case 'deadline':
      return task.reject('deadline', `${name} took longer than ${task.timeoutMs} ms`);
    case 'starved':
      return task.reject('starved', `${name} got too little processor time in ${task.timeoutMs} ms`);
    case 'memory':
      return task.reject('memory', `${name} exceeded its memory limit`);
    case 'closed':
      return task.reject('unavailable', 'the sandbox is closing');
    case 'aborted':
    case 'retired':
    case 'crash':
      return task.reject('crash', `the sandbox process died while it ran ${name}`);
  }
}

/** Returns the memory of the machine, or of the container if that is less. */
function machineBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
