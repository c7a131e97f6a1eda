/**
 * What a task returns when it can fail for a reason that its caller caused. Errors lose their class between processes,
 * so expected failures are values. `line` and `column` count from 1, columns in UTF-16 code units.
 */
export type TaskResult<T> =
  | { ok: true; value: T }
  | { ok: false; code: string; message: string; line?: number; column?: number; part?: string };

/** How one call of a task is bounded. */
export interface TaskOptions {
  /** Counts from the moment the task is handed to a sandbox process, not while it waits for its turn. */
  timeoutMs?: number;
  /** Drops the task, in addition to the signal of the `workContext`: a queued task never runs, the process of a running one is killed. */
  signal?: AbortSignal;
}

/**
 * The tasks of a module as the service calls them: one method per exported function.
 * A task takes one structured-cloneable argument and returns a structured-cloneable value. It may be killed at any moment.
 * The argument is read when the task is handed over: leave it alone until the promise settles.
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
 * - `deadline`: it ran over its deadline.
 * - `memory`: its process went over the memory limit, or was the largest when all together did.
 * - `crash`: its process died.
 * - `busy`: too many tasks wait, or this one has waited too long.
 * - `aborted`: its signal aborted; the `cause` is the signal's reason.
 * - `unavailable`: the sandbox is being closed, or its processes do not start.
 * - `error`: it threw an exception, the `cause`, which no task should do.
 */
export type TaskFailure = 'deadline' | 'memory' | 'crash' | 'busy' | 'aborted' | 'unavailable' | 'error';

/** Rejects a call of a task that gave no result. */
export class SandboxError extends Error {
  override name = 'SandboxError';
  readonly reason: TaskFailure;

  constructor(reason: TaskFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
