import { availableParallelism } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../log.ts';
import type { Child, ExitReason } from './child.ts';
import { Scheduler } from './scheduler.ts';
import { Supervisor } from './supervisor.ts';
import { ToolTaskError, type TaskClient, type TaskOptions } from './task.ts';

export {
  ToolTaskError,
  type TaskClient,
  type TaskFailure,
  type TaskOptions,
  type TaskResult,
} from './task.ts';

/** Why a tool process was lost. */
export type KillReason = 'deadline' | 'memory' | 'crash';

/** How the tool process is bounded and observed. */
export interface ToolsOptions {
  /** Tasks that run at once; the number of processors, at most 4, when absent. */
  threads?: number;
  /** For tasks that name no limit of their own; 30 s when absent. */
  taskTimeoutMs?: number;
  /** Resident memory of the tool process; 1.5 GB when absent. It is looked at ten times a second, so that it can be exceeded for a moment. */
  maxMemoryBytes?: number;
  /** Tasks that wait; one more is rejected as `busy`. At least 1; 100 when absent. */
  queueLimit?: number;
  /** How long `close` waits for tasks that run; 5 s when absent. */
  drainTimeoutMs?: number;
  log?: Log;
  onKill?: (reason: KillReason) => void;
}

/** What goes on in the tool process. */
export interface ToolsStatus {
  queued: number;
  running: number;
  kills: Record<KillReason, number>;
  /** `undefined` while a replacement starts. */
  pid: number | undefined;
  residentBytes: number;
}

/** Runs tasks in the tool process: the only place where what a caller sent is parsed. */
export interface Tools {
  /**
   * Gives the tasks of a module as asynchronous methods. Nothing is imported here: the module is loaded by the tool process,
   * when a task of it first runs. The methods reject with `ToolTaskError`.
   */
  load<M extends object>(moduleUrl: URL): TaskClient<M>;
  /** Counts what waits, runs and was killed, and measures the process. */
  status(): Promise<ToolsStatus>;
  /** Resolves when the tool process answers. @throws {ToolTaskError} when it does not within 2 s; a replacement that starts has the same time. */
  ping(): Promise<void>;
  /** Rejects what waits as `aborted`, waits for what runs within the drain limit, and ends the process. */
  close(): Promise<void>;
}

const PING_LIMIT_MS = 2_000;
const PING_RETRY_MS = 20;
const START_FAILURES_BORNE = 3;

/** Starts the tool process and resolves when it takes tasks. @throws when it does not start. */
export async function startTools(options: ToolsOptions = {}): Promise<Tools> {
  const { taskTimeoutMs = 30_000, queueLimit = 100, drainTimeoutMs = 5_000, log, onKill } = options;
  const { threads = Math.min(availableParallelism(), 4), maxMemoryBytes = 1_500_000_000 } = options;
  const kills: Record<KillReason, number> = { deadline: 0, memory: 0, crash: 0 };
  let closing: Promise<void> | undefined;

  const scheduler = new Scheduler({ threads, queueLimit, maxMemoryBytes, child: () => supervisor.child });
  const supervisor = await Supervisor.start({
    threads,
    onReady: () => scheduler.advance(),
    onExit(child, reason) {
      report(child, reason);
      scheduler.childExited(reason);
    },
    onStartFailure(error, failures) {
      log?.error({ err: error, failures }, 'the tool process does not start');
      if (failures >= START_FAILURES_BORNE)
        scheduler.rejectQueued('crash', 'the tool process does not start', error);
    },
  });

  function report(child: Child, reason: ExitReason): void {
    if (reason === 'closed' || reason === 'renewed') return;
    kills[reason] += 1;
    const { pid, exitStatus, residentBytes } = child;
    log?.warn({ reason, pid, exitStatus, residentBytes, tasks: scheduler.runningNames }, 'tool process lost');
    onKill?.(reason);
  }

  function run(
    module: string,
    name: string,
    input: unknown,
    { timeoutMs = taskTimeoutMs, signal }: TaskOptions = {},
  ) {
    if (closing) return Promise.reject(new ToolTaskError('aborted', 'the tool process is closing'));
    return new Promise<unknown>((resolve, reject) => {
      scheduler.add({ module, name, input, timeoutMs, resolve, reject }, signal);
    });
  }

  // A child may be dead without the supervisor knowing yet.
  async function pingUntil(limit: AbortSignal): Promise<void> {
    const child = await supervisor.ready();
    try {
      await child.ping(limit);
    } catch (error) {
      if (limit.aborted) throw error;
      await sleep(PING_RETRY_MS);
      await pingUntil(limit);
    }
  }

  async function close(): Promise<void> {
    scheduler.rejectQueued('aborted', 'the tool process is closing');
    const drained = new AbortController();
    const limit = sleep(drainTimeoutMs, undefined, { signal: drained.signal }).catch(() => {});
    await Promise.race([scheduler.idle(), limit]);
    drained.abort();
    await supervisor.stop();
    scheduler.rejectQueued('aborted', 'the tool process is closing');
  }

  return {
    load: (moduleUrl) =>
      createClient((name, input, taskOptions) => run(moduleUrl.href, name, input, taskOptions)),
    async status() {
      const { child } = supervisor;
      const residentBytes = (await child?.measure()) ?? 0;
      return {
        queued: scheduler.queued,
        running: scheduler.running,
        kills: { ...kills },
        pid: child?.pid,
        residentBytes,
      };
    },
    async ping() {
      if (closing) throw new ToolTaskError('aborted', 'the tool process is closing');
      const limit = AbortSignal.timeout(PING_LIMIT_MS);
      await Promise.race([pingUntil(limit), rejectAt(limit)]).catch((cause: unknown) => {
        throw new ToolTaskError('crash', 'the tool process does not answer', { cause });
      });
    },
    close: () => (closing ??= close()),
  };
}

function rejectAt(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
  );
}

type Call = (name: string, input: unknown, options?: TaskOptions) => Promise<unknown>;

function createClient<M>(call: Call): TaskClient<M> {
  const methods = new Map<string, unknown>();
  const target: TaskClient<M> = Object.create(null);
  return new Proxy(target, {
    get(_, name) {
      // A client that is awaited, or returned from an async function, must not be taken for a promise.
      if (typeof name !== 'string' || name === 'then') return undefined;
      if (!methods.has(name))
        methods.set(name, (input: unknown, options?: TaskOptions) => call(name, input, options));
      return methods.get(name);
    },
  });
}
