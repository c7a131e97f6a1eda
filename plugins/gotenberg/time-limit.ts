import { untilAborted } from '@platen/runtime';
import { AppError, workContext } from '../../src/plugin.ts';

/**
 * Runs work with a signal that also aborts after `API_TIMEOUT`.
 * @throws {AppError} UNAVAILABLE at that time
 */
export async function withinLimit<T>(
  { timeoutMs, signal, isTest }: { timeoutMs: number; signal: AbortSignal; isTest: boolean },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limit = AbortSignal.timeout(timeoutMs);
  const limited = AbortSignal.any([signal, limit]);
  const context = workContext.getStore();
  const run = () => work(limited);
  try {
    const running = context ? workContext.run({ ...context, isTest, signal: limited }, run) : run();
    return await untilAborted(running, limited);
  } catch (error) {
    if (limit.aborted && !signal.aborted)
      throw new AppError('UNAVAILABLE', 'Service Unavailable', { cause: error });
    throw error;
  }
}
