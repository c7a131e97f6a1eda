import type { Metrics } from './metrics.ts';

/** The interval between measurements. A measured delay is too short by up to this time. */
const INTERVAL_MS = 20;

// Seconds. The service aims at less than a tenth of a second for any request.
const BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Measures how late a timer runs, which is the time that any other request would have waited, and reports it
 * as `platen_event_loop_delay_seconds`. Unlike the percentiles of `perf_hooks.monitorEventLoopDelay`,
 * histograms can be summed over replicas and periods.
 */
export function watchEventLoop(metrics: Metrics): Disposable {
  const delays = metrics.histogram(
    'event_loop_delay_seconds',
    'The time by which the event loop is late, measured 50 times a second. It delays every request.',
    [],
    BUCKETS,
  );
  let due = performance.now() + INTERVAL_MS;
  const timer = setInterval(() => {
    const now = performance.now();
    delays.observe(Math.max(0, now - due) / 1000);
    due = now + INTERVAL_MS;
  }, INTERVAL_MS).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
