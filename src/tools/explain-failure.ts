import { AppError, invalid } from '../errors.ts';
import { ToolTaskError } from './task.ts';

/** How a caller is told of a task that gave no result. */
export interface TaskBlame {
  /** The field that is at fault when the tool process did not survive it. */
  path: string;
  /** What is said of the field when the deadline passed. */
  deadline: string;
  /** What is said of the field when memory ran out. */
  memory: string;
  /** What there are too many of when the queue is full, in the plural. */
  waiting: string;
  /** What is said when the task threw, which is no fault of the caller. */
  failed: string;
}

/** Turns the failure of a task into what its caller is told; any other error is returned as it is. */
export function explainTaskFailure(error: unknown, blame: TaskBlame): unknown {
  if (!(error instanceof ToolTaskError)) return error;
  switch (error.reason) {
    case 'deadline':
      return invalid(blame.path, blame.deadline);
    case 'memory':
    case 'crash':
      return invalid(blame.path, blame.memory);
    case 'busy':
    case 'aborted':
      return new AppError('RATE_LIMITED', `the service is busy: too many ${blame.waiting} wait`, {
        retryAfterSeconds: 2,
      });
    case 'error':
      return new AppError('INTERNAL_ERROR', blame.failed, { cause: error });
  }
}
