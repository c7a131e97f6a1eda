import { setSystemTime } from 'bun:test';

const TICK_MS = 10;

/**
 * Moves the clock of this process to a time (epoch milliseconds) and lets it run from there. `setSystemTime`
 * alone stops the clock, so that a job that is to run again in a second never runs. Dispose the result to
 * return to the real time.
 */
export function moveClock(to: number): Disposable {
  const offsetMs = to - performance.now();
  const tick = () => void setSystemTime(offsetMs + performance.now());
  tick();
  const timer = setInterval(tick, TICK_MS);
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
      setSystemTime();
    },
  };
}
