import { AppError, invalid } from '../errors.ts';
import { SandboxError } from './task.ts';

/** The error messages for a task without a result. */
interface TaskBlame {
  /** The field to blame when the task exceeded a limit. */
  path: string;
  /** The message for the field when the task exceeded its deadline. */
  deadline: string;
  /** The message for the field when the task exceeded its memory. */
  memory: string;
  /** The plural noun for queued tasks, as in `too many templates wait`. */
  waiting: string;
  /** The message when the task threw an exception, which is not the caller's fault. */
  failed: string;
}

/** Converts the failure of a task to the error for the caller. Returns other errors unchanged. */
export function explainTaskFailure(error: unknown, blame: TaskBlame): unknown {
  if (!(error instanceof SandboxError)) return error;
  switch (error.reason) {
    case 'deadline':
      return invalid(blame.path, blame.deadline);
    case 'starved':
      return new AppError('UNAVAILABLE', 'the service is overloaded; retry the request', {
        retryAfterSeconds: 5,
        cause: error,
      });
    case 'memory':
    case 'crash':
      return invalid(blame.path, blame.memory);
    case 'busy':
      return new AppError('RATE_LIMITED', `the service is busy: too many ${blame.waiting} wait`, {
        retryAfterSeconds: 2,
      });
    case 'aborted':
      // No response is sent; the cause tells the HTTP pipeline that the caller disconnected.
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
