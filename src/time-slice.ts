import { workContext } from './work-context.ts';

/** How long work may run before other requests get a turn. */
const SLICE_MS = 3;

/** The callers that wait for a turn, by account. The account whose last turn was longest ago comes first. */
const waiting = new Map<string, (() => void)[]>();

/**
 * Ends the current turn of the event loop and resolves in a later one. Each turn resumes only one caller, and
 * accounts take turns. The event loop is therefore never blocked for longer than one slice, however many long
 * pieces of work are in progress, and the work of one account delays the work of another by at most one slice
 * at a time.
 */
export function yieldToEventLoop(): Promise<void> {
  const account = workContext.getStore()?.account ?? '';
  if (waiting.size === 0) setImmediate(resumeNext);
  const { promise, resolve } = Promise.withResolvers<void>();
  const queue = waiting.get(account);
  if (queue) queue.push(resolve);
  else waiting.set(account, [resolve]);
  return promise;
}

function resumeNext(): void {
  const [first] = waiting;
  if (!first) return;
  const [account, queue] = first;
  const resume = queue.shift();
  // Moves the account behind the others.
  waiting.delete(account);
  if (queue.length > 0) waiting.set(account, queue);
  if (waiting.size > 0) setImmediate(resumeNext);
  resume?.();
}

/**
 * Divides long work on the service's one thread. The work checks {@link isOver} every few microseconds and
 * awaits {@link next} when it is true; other requests are served meanwhile.
 */
export class TimeSlice {
  #end = performance.now() + SLICE_MS;

  /** True when the slice is used up. */
  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  /** Resolves when the next slice begins. */
  async next(): Promise<void> {
    await yieldToEventLoop();
    this.#end = performance.now() + SLICE_MS;
  }
}
