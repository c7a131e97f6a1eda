/**
 * What a task returns when it can fail for a reason that its caller caused. Errors lose their class between processes,
 * so expected failures are values. `line` and `column` count from 1, columns in UTF-16 code units.
 */
export type TaskResult<T> =
  | { ok: true; value: T }
  | { ok: false; code: string; message: string; line?: number; column?: number; part?: string };

/** How one call of a task is bounded. */
export interface TaskOptions {
  /** Counts from the moment the task is handed to the tool process, not while it waits in the queue. */
  timeoutMs?: number;
  /** Ends the wait at once, queued or running. A task that runs already is left to end and its result is dropped. */
  signal?: AbortSignal;
}

/**
 * The tasks of a module as the service calls them: one method per exported function.
 * A task takes one structured-cloneable argument, returns a structured-cloneable value, and is pure, because it may be run twice.
 * The argument is read when the task is handed over (and again when it is run again): leave it alone until the promise settles.
 */
export type TaskClient<M> = {
  readonly [K in keyof M as M[K] extends (input: never) => unknown ? K : never]: M[K] extends (
    input: infer I,
  ) => infer R
    ? (input: I, options?: TaskOptions) => Promise<Awaited<R>>
    : never;
};

/**
 * Why a task has no result: it ran over its deadline, its process went over the memory limit or died, the queue was full,
 * the caller gave up (or the service is closing), or it threw what no task should throw (the `cause`, for the log).
 */
export type TaskFailure = 'deadline' | 'memory' | 'crash' | 'busy' | 'aborted' | 'error';

/** Rejects a call of a task that gave no result. */
export class ToolTaskError extends Error {
  override name = 'ToolTaskError';
  readonly reason: TaskFailure;

  constructor(reason: TaskFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
