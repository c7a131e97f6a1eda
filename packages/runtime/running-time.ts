/** A time limit is a series of timers of this length. */
const SLICE_MS = 500;
/** A timer that is later than this is taken as a sign that the process was stopped. */
const STOPPED_MS = 1_000;

/**
 * Calls a function after this process has run for some time. Unlike `setTimeout`, it does not count the time
 * for which the process is stopped: by SIGSTOP, in a paused container, or on a suspended machine. Responses
 * that arrived during that time are read before the call.
 *
 * A late timer after another late timer counts, so that a process that is always late still reaches its
 * limits.
 *
 * Returns a function that cancels the call. `now` is a monotonic clock in milliseconds.
 */
export function afterRunning(
  limitMs: number,
  onEnd: () => void,
  now: () => number = () => performance.now(),
): () => void {
  let leftMs = limitMs;
  let wasLate = false;
  let timer: Timer;
  const wait = (): void => {
    const sliceMs = Math.min(leftMs, SLICE_MS);
    const startedAt = now();
    timer = setTimeout(() => {
      const passedMs = now() - startedAt;
      const isLate = passedMs > sliceMs + STOPPED_MS;
      wasLate = isLate && !wasLate;
      if (!wasLate) leftMs -= Math.min(passedMs, sliceMs + STOPPED_MS);
      if (leftMs > 0) wait();
      else onEnd();
    }, sliceMs);
  };
  wait();
  return () => clearTimeout(timer);
}

/**
 * Calls a function at an interval that does not count the time for which the service is stopped. Returns a
 * function that ends the calls.
 */
export function everyRunning(intervalMs: number, call: () => void): () => void {
  let cancel: () => void;
  const wait = (): void => {
    cancel = afterRunning(intervalMs, () => {
      call();
      wait();
    });
  };
  wait();
  return () => cancel();
}
