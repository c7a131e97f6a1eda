/**
 * The result of a task that can fail because of its input. Errors lose their class between processes, so
 * expected failures are values. `line` and `column` count from 1; columns count UTF-16 code units.
 */
export type TaskResult<T> =
  | { ok: true; value: T }
  | { ok: false; code: string; message: string; line?: number; column?: number; part?: string };

export interface TaskOptions {
  /** The time limit, which does not include the wait for a turn. */
  timeoutMs?: number;
  /**
   * Cancels the task, in addition to the signal of the `workContext`. A queued task never runs; the process
   * of a running task is killed.
   */
  signal?: AbortSignal;
}

/**
 * The tasks of a module as the service calls them, with one method for each exported function. A task takes
 * one structured-cloneable argument, returns a structured-cloneable value, and may be killed at any time. Do
 * not change the argument before the promise settles.
 */
export type TaskClient<M> = {
  readonly [K in keyof M as M[K] extends (input: never) => unknown ? K : never]: M[K] extends (
    input: infer I,
  ) => infer R
    ? (input: I, options?: TaskOptions) => Promise<Awaited<R>>
    : never;
};

/**
 * Why a task has no result:
 * - `deadline`: it exceeded its deadline.
 * - `starved`: it exceeded its deadline because its process was stopped, or the machine gave it too little
 * processor time.
 * - `memory`: its process exceeded the memory limit, or was the largest when all processes together exceeded
 * theirs.
 * - `crash`: its process died.
 * - `busy`: too many tasks were waiting, or it waited too long.
 * - `aborted`: its signal aborted; the `cause` is the signal's reason.
 * - `unavailable`: the sandbox is closing, or its processes do not start.
 * - `error`: it threw the exception in `cause`, which is a bug in the task.
 */
export type TaskFailure =
  | 'deadline'
  | 'starved'
  | 'memory'
  | 'crash'
  | 'busy'
  | 'aborted'
  | 'unavailable'
  | 'error';

/** Thrown when a task has no result. */
export class SandboxError extends Error {
  override name = 'SandboxError';
  readonly reason: TaskFailure;

  constructor(reason: TaskFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** Runs one task of a module. */
type RunTask = (name: string, input: unknown, options?: TaskOptions) => Promise<unknown>;

/** Creates a client whose methods are made on first use, so the service need not import the module. */
export function createClient<M>(run: RunTask): TaskClient<M> {
  const methods = new Map<string, unknown>();
  const target: TaskClient<M> = Object.create(null);
  return new Proxy(target, {
    get(_, name) {
      // With a method `then`, a client returned from an async function would be treated as a promise.
      if (typeof name !== 'string' || name === 'then') return undefined;
      if (!methods.has(name))
        methods.set(name, (input: unknown, options?: TaskOptions) => run(name, input, options));
      return methods.get(name);
    },
  });
}
