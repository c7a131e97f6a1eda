import { AppError, invalid } from '../errors.ts';
import { SandboxError } from './task.ts';

/** How a caller is told of a task that gave no result. */
export interface TaskBlame {
  /** The field that is at fault when the task did not end. */
  path: string;
  /** The message for the field when the deadline passed. */
  deadline: string;
  /** The message for the field when memory ran out. */
  memory: string;
  /** What there are too many of when the queue is full, in the plural. */
  waiting: string;
  /** The message when the task threw, which is not the caller's fault. */
  failed: string;
}

/** Turns the failure of a task into the error for its caller; any other error is returned as it is. */
export function explainTaskFailure(error: unknown, blame: TaskBlame): unknown {
  if (!(error instanceof SandboxError)) return error;
  switch (error.reason) {
    case 'deadline':
      return invalid(blame.path, blame.deadline);
    case 'memory':
    case 'crash':
      return invalid(blame.path, blame.memory);
    case 'busy':
      return new AppError('RATE_LIMITED', `the service is busy: too many ${blame.waiting} wait`, {
        retryAfterSeconds: 2,
      });
    case 'aborted':
      // Nobody reads the answer; the reason tells the HTTP pipeline that the caller hung up.
      return error.cause;
    case 'unavailable':
      return new AppError('UNAVAILABLE', 'the service cannot do this now', {
        retryAfterSeconds: 1,
        cause: error,
      });
    case 'error':
      return new AppError('INTERNAL_ERROR', blame.failed, { cause: error });
  }
}
