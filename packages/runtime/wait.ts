import { afterRunning } from './running-time.ts';

/** The limit of {@link withTimeout}. */
export interface Timeout<T> {
  limitMs: number;
  /** Provides the result when the time is up, or throws. */
  onTimeout: () => T;
}

/**
 * Awaits work for a limited time, as {@link afterRunning} measures it. When the time is up, the work
 * continues, but its outcome is ignored.
 */
export async function withTimeout<T, U>(
  work: Promise<T>,
  { limitMs, onTimeout }: Timeout<U>,
): Promise<T | U> {
  const { promise: isOver, resolve } = Promise.withResolvers<typeof over>();
  const cancel = afterRunning(limitMs, () => resolve(over));
  try {
    const result = await Promise.race([work, isOver]);
    return result === over ? onTimeout() : result;
  } finally {
    cancel();
  }
}

const over = Symbol('over');

/**
 * Awaits work until the signal aborts, and then rejects with its reason. The work continues, but its outcome
 * is ignored.
 */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
