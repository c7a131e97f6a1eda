import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism, totalmem } from 'node:os';
import { messageOf } from '../errors.ts';
import { FairQueue } from '../fair-queue.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { untilAborted, withTimeout } from '../wait.ts';
import { workContext } from '../work-context.ts';
import { createClient } from './client.ts';
import { MemoryWatch } from './memory-watch.ts';
import { ProcessPool } from './process-pool.ts';
import type { Reply } from './protocol.ts';
import { ProcessLostError, type ExitReason, type SandboxProcess } from './sandbox-process.ts';
import { TaskRun } from './task-run.ts';
import { SandboxError, type TaskClient, type TaskOptions } from './task.ts';

export {
  SandboxError,
  type TaskClient,
  type TaskFailure,
  type TaskOptions,
  type TaskResult,
} from './task.ts';

/** Why a sandbox process was lost under its task, or while it was idle (`crash`). */
export type KillReason = 'deadline' | 'memory' | 'aborted' | 'crash';

/** How the sandbox is bounded and observed. */
export interface SandboxOptions {
  /** Tasks that run at once; the number of processors, at most 4, when absent. Other accounts may get up to as many again. */
  slots?: number;
  /** For tasks that name no limit of their own; 30 s when absent. */
  taskTimeoutMs?: number;
  /** Resident memory of a process; 1.5 GB when absent. */
  maxMemoryBytes?: number;
  /** Resident memory of all processes together; when absent, twice that of one, but at most half of the machine's. */
  maxTotalMemoryBytes?: number;
  /** Resident memory above which a process is replaced when its task has ended; 300 MB when absent. */
  maxIdleMemoryBytes?: number;
  /** How long a process that is not needed is kept; 10 s when absent. */
  idleMs?: number;
  /** Tasks of callers that wait; one more is rejected as `busy`. 100 when absent. */
  queueLimit?: number;
  /** How long a task of a caller may wait for its turn; 30 s when absent. */
  maxWaitMs?: number;
  /** How long `close` waits for tasks that run; 5 s when absent. */
  drainTimeoutMs?: number;
  /** Modules that every process imports at its start, so that their first task is not slow. */
  modules?: readonly URL[];
  log?: Log;
  metrics?: Metrics;
}

/** What goes on in the sandbox. */
export interface SandboxStatus {
  queued: number;
  running: number;
  kills: Readonly<Record<KillReason, number>>;
  /** The ids of the processes that are ready, busy ones first. */
  pids: readonly number[];
  /** Of all processes together. */
  residentBytes: number;
}

/**
 * Runs tasks in processes of their own: the only place where content of callers is parsed.
 *
 * A process runs one task at a time, and is killed when the task exceeds its deadline or its memory, or when nobody waits for it any more.
 * No other task is affected. The accounts share the slots by the time that their tasks take: see `FairQueue`.
 * The account, the urgency and the signal of a task are those of the `workContext` in which it is called; outside of any it is work of
 * the service itself.
 */
export interface Sandbox {
  /**
   * Gives the tasks of a module as asynchronous methods. Nothing is imported here: the module is loaded by the sandbox processes,
   * when a task of it first runs. The methods reject with `SandboxError`.
   */
  load<M extends object>(moduleUrl: URL): TaskClient<M>;
  /** Counts the tasks that wait and run and the processes that were killed, and measures the processes. */
  status(): Promise<SandboxStatus>;
  /** Resolves when a process is ready for a task and answers. @throws {SandboxError} when that takes more than 2 s. */
  ping(): Promise<void>;
  /** Rejects the tasks that wait as `unavailable`, waits for those that run within the drain limit, and ends the processes. */
  close(): Promise<void>;
}

const PING_LIMIT_MS = 2_000;
/** How many times a task is tried whose process is killed from outside, as the kernel does when the machine is out of memory. */
const KILLED_ATTEMPTS = 2;
const MAX_MEMORY_BYTES = 1_500_000_000;

/** Starts the sandbox and resolves when it takes tasks. @throws when its processes do not start. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { slots = Math.min(availableParallelism(), 4), taskTimeoutMs = 30_000 } = options;
  const { maxMemoryBytes = MAX_MEMORY_BYTES, drainTimeoutMs = 5_000, log, metrics } = options;
  const kills: Record<KillReason, number> = { deadline: 0, memory: 0, aborted: 0, crash: 0 };
  const killed = metrics?.counter(
    'sandbox_kills_total',
    'Sandbox processes that were killed or died, by reason.',
    ['reason'],
  );
  const waited = metrics?.histogram('sandbox_wait_seconds', 'Time that sandbox tasks wait for their turn.', [
    'urgency',
  ]);
  const runs = new Set<TaskRun>();
  const running = new Set<TaskRun>();
  const outside = AsyncLocalStorage.snapshot();
  let idle = Promise.withResolvers<void>();
  let closing: Promise<void> | undefined;

  const queue = new FairQueue({
    concurrency: slots,
    queueLimit: options.queueLimit ?? 100,
    maxWaitMs: options.maxWaitMs ?? 30_000,
    busyMessage: 'too many tasks wait for the sandbox',
    onWaited: (seconds, urgency) => waited?.observe({ urgency }, seconds),
  });
  const pool = new ProcessPool({
    // As many as tasks can run, and one to spare.
    limit: 2 * slots + 1,
    modules: (options.modules ?? []).map(({ href }) => href),
    idleMs: options.idleMs ?? 10_000,
    maxIdleBytes: options.maxIdleMemoryBytes ?? 300_000_000,
    log,
    onIdleLoss: (process, reason) => report(process, reason),
  });
  const memory = new MemoryWatch({
    processes: () => pool.processes,
    running,
    maxBytes: maxMemoryBytes,
    maxTotalBytes: options.maxTotalMemoryBytes ?? Math.min(2 * maxMemoryBytes, machineBytes() / 2),
  });
  metrics?.gauge('sandbox_queue_depth', 'Sandbox tasks that wait for their turn.', countQueued);
  metrics?.gauge('sandbox_tasks_running', 'Sandbox tasks that run.', () => running.size);
  metrics?.gauge('sandbox_processes', 'Sandbox processes, busy and idle.', () => pool.processes.length);
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
    const signals = [signal, context?.signal].filter((one) => one !== undefined);
    const task = new TaskRun(call, { timeoutMs, signals });
    if (closing) task.reject('unavailable', 'the sandbox is closing');
    const share = {
      account: context?.account ?? '',
      urgency: context?.urgency ?? 'batch',
      signal: task.left,
    } as const;
    runs.add(task);
    queue
      .run(share, () => work(task))
      .catch((error: unknown) => {
        // The queue refuses; whatever else goes wrong has its reason already.
        if (error instanceof SandboxError) task.reject(error.reason, error.message, error.cause);
        else task.reject('busy', messageOf(error), error);
      })
      .finally(() => runs.delete(task));
    return task.result;
  }

  /** Runs a task whose turn has come. Resolves when its process is free again, or replaced: that time is the account's, too. */
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
      settle(task, await process.run(task.call));
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

  // A process may be dead without the pool knowing yet.
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
        throw new SandboxError('unavailable', 'no sandbox process answers', { cause });
      });
    },
    close: () => (closing ??= close()),
  };
}

function settle(task: TaskRun, reply: Reply): void {
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
    case 'memory':
      return task.reject('memory', `${name} needed more memory than it may have`);
    case 'closed':
      return task.reject('unavailable', 'the sandbox is closing');
    case 'aborted':
    case 'retired':
    case 'crash':
      return task.reject('crash', `the sandbox process died while it ran ${name}`);
  }
}

/** The memory that this process and its children may have: the machine's, or that of its container. */
function machineBytes(): number {
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
