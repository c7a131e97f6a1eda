import { readFile } from 'node:fs/promises';
import { cpuTimeMs } from '@platen/runtime';
import type { PageSession } from './page-session.ts';

/** What Linux recorded about a process until now. */
export interface ProcessorUse {
  /** When the record was read, in milliseconds of a monotonic clock. */
  atMs: number;
  /** The processor time of all threads, including those that have ended. */
  usedMs: number;
  /**
   * How long its main thread was ready to run and waited for a processor. Other threads do not count, because
   * a document can start many that wait for each other.
   */
  waitedMs: number;
  /** True when the process is stopped, as by SIGSTOP. */
  isStopped: boolean;
}

/** A document that has used more than this part of its time had a processor. */
const FULL_SHARE_PART = 20;
/** A page that waited for a processor for more than this part of its time was starved. */
const WAITED_PART = 2;
/** Most documents are printed before the first reading. */
const FIRST_READ_MS = 100;
/** States of /proc/PID/stat: stopped by a signal, or by a debugger. */
const STOPPED = new Set(['T', 't']);
const NANOSECONDS = 1e6;

/**
 * Finds the process of a browser page. No command of Chromium returns it, but the ids of searches begin with
 * it. Returns `undefined` when it is unknown.
 */
export async function findPageProcess(session: PageSession): Promise<number | undefined> {
  try {
    const [, { searchId }] = await Promise.all([
      session.send('DOM.enable'),
      session.send('DOM.performSearch', { query: '*' }),
      session.send('DOM.disable'),
    ]);
    const [, processId] = /^(\d+)\.\d+$/.exec(searchId) ?? [];
    return processId === undefined ? undefined : Number(processId);
  } catch {
    // The page is closed or crashed, which its document reports.
    return undefined;
  }
}

/** Reads what Linux recorded about a process. Returns `undefined` if it has ended, and on other systems. */
export async function readProcessorUse(processId: number): Promise<ProcessorUse | undefined> {
  try {
    const [stat, usedMs, schedstat] = await Promise.all([
      readFile(`/proc/${processId}/stat`, 'utf8'),
      cpuTimeMs(processId),
      readFile(`/proc/${processId}/schedstat`, 'latin1'),
    ]);
    return {
      atMs: performance.now(),
      usedMs,
      waitedMs: Number(schedstat.split(' ')[1]) / NANOSECONDS,
      // The program's name, in parentheses, may contain any character.
      isStopped: STOPPED.has(stat.charAt(stat.lastIndexOf(')') + 2)),
    };
  } catch {
    return undefined;
  }
}

/** The parts of a {@link ProcessorWatch}. */
export interface ProcessorWatchOptions {
  /** Reads what Linux recorded about the process of the page. */
  read: () => Promise<ProcessorUse | undefined>;
  /**
   * How much of the deadline had passed before the document got this page, its first; 0 when an earlier page
   * has processed it.
   */
  lateMs: number;
  /** When the process is read for the first time, in milliseconds from now. */
  firstReadMs?: number;
}

/**
 * Watches how much processor time a browser page gets for a document. Dispose of it to clear its timer.
 */
export class ProcessorWatch implements Disposable {
  #before: Promise<ProcessorUse | undefined> | undefined;
  readonly #since = performance.now();
  readonly #timer: Timer;
  readonly #parts: ProcessorWatchOptions;

  constructor(parts: ProcessorWatchOptions) {
    this.#parts = parts;
    const { read, firstReadMs = FIRST_READ_MS } = parts;
    this.#timer = setTimeout(() => {
      this.#before = read();
    }, firstReadMs);
  }

  /**
   * Tells whether the document is not at fault for a missed deadline, because the service gave it too little
   * time. `isInert` says that the document cannot wait by itself, because it has no scripts and no requests.
   * `isOver` says that the whole deadline has passed, and not only the limit of a phase.
   */
  async wasStarved({ isInert, isOver }: { isInert: boolean; isOver: boolean }): Promise<boolean> {
    // The document got its first page in the second half of its time.
    const wasLate = isOver && performance.now() - this.#since < this.#parts.lateMs;
    return wasLate || this.isStarved({ isInert });
  }

  /**
   * Tells whether the page has had too little processor time so far. A document cannot pretend this: if it
   * waits, for example for a timer, it is not ready to run, and if it computes, it uses the processor.
   */
  async isStarved({ isInert = false } = {}): Promise<boolean> {
    const now = await this.#parts.read();
    if (!now || now.isStopped) return now !== undefined;
    const before = await this.#before;
    if (!before) return false;
    const passedMs = now.atMs - before.atMs;
    const hadProcessor = now.usedMs - before.usedMs > passedMs / FULL_SHARE_PART;
    return !hadProcessor && (isInert || now.waitedMs - before.waitedMs > passedMs / WAITED_PART);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}
