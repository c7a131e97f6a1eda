import { setImmediate } from 'node:timers/promises';

/** How long work goes on before other requests have their turn. */
const SLICE_MS = 5;

/**
 * Divides long work on the service's one thread. The work asks {@link isOver} every few microseconds, and waits for {@link next} when it
 * is; other requests are served meanwhile.
 */
export class TimeSlice {
  #end = performance.now() + SLICE_MS;

  /** True when the work has had its time. */
  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  /** Resolves when the work may go on. */
  async next(): Promise<void> {
    await setImmediate();
    this.#end = performance.now() + SLICE_MS;
  }
}
