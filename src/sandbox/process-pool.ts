import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from '../log.ts';
import { SandboxProcess, type ExitReason } from './sandbox-process.ts';
import { SandboxError } from './task.ts';

/** What the pool works with. */
export interface ProcessPoolOptions {
  /** The most processes that exist at once. */
  limit: number;
  /** URLs of modules that a process imports before it counts as ready. */
  modules: readonly string[];
  /** How long a process that is not needed is kept. */
  idleMs: number;
  /** The resident memory above which an idle process is replaced. */
  maxIdleBytes: number;
  log: Log | undefined;
  /** A process died while it had nothing to do. */
  onIdleLoss: (process: SandboxProcess, reason: ExitReason) => void;
}

/** Processes that are kept however long they have nothing to do: one for the next task, and one for the task beside it. */
const KEPT = 2;

// A process that dies sooner than this, unasked and idle, counts as a failed start: the next one will die the same way.
const STABLE_AFTER_MS = 1_000;
const FREE_FAILURES = 3;
const BACKOFF_STEP_MS = 100;
const MAX_BACKOFF_MS = 5_000;

/**
 * Keeps sandbox processes, each of which belongs to one task at a time. At least one more than are in use is ready or starting, so that
 * no task waits for the start of a process, and none for the replacement of one that was killed.
 */
export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  /** The one that was used last comes last: it has the most compiled templates. */
  readonly #idle: SandboxProcess[] = [];
  readonly #idleTimers = new Map<SandboxProcess, Timer>();
  readonly #busy = new Set<SandboxProcess>();
  readonly #waiting: PromiseWithResolvers<SandboxProcess>[] = [];
  readonly #starts = new Set<Promise<void>>();
  #starting = 0;
  /** Leaves the context of the request in which a process happens to be started, which would live as long as the process. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #failures = 0;
  #pause: Timer | undefined;
  #isClosed = false;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
  }

  /** Starts the first processes. @throws when the first does not start: then something is wrong that no retry mends. */
  async start(): Promise<void> {
    this.#admit(await SandboxProcess.start(this.#options.modules));
    this.#topUp();
  }

  /** Every process that is ready, busy or idle. */
  get processes(): readonly SandboxProcess[] {
    return [...this.#busy, ...this.#idle];
  }

  /** Gives a process that belongs to the caller until `giveBack`. @throws {SandboxError} `unavailable` when none can be started. */
  async take(): Promise<SandboxProcess> {
    const process = this.#popIdle() ?? (await this.#wait());
    this.#topUp();
    return process;
  }

  /** Takes a process back when its task has ended, however it ended. */
  async giveBack(process: SandboxProcess): Promise<void> {
    this.#failures = 0;
    if (process.isUsable && process.residentBytes > this.#options.maxIdleBytes) await this.#slim(process);
    if (process.isUsable && !process.recover()) process.kill('retired');
    if (!process.isUsable) return;
    this.#busy.delete(process);
    this.#rest(process);
  }

  /** Starts a process in place of one that was killed. Resolves when it is ready, or has failed to start. */
  async replace(): Promise<void> {
    if (this.#starting === 0 && !this.#pause && !this.#isClosed) this.#startOne();
    await Promise.all(this.#starts);
  }

  /** Resolves with a process that has nothing to do, without taking it. */
  async anyIdle(): Promise<SandboxProcess> {
    const process = this.#idle.at(-1) ?? (await this.#wait());
    if (this.#busy.has(process)) await this.giveBack(process);
    return process;
  }

  /** Kills every process, and starts no more. Resolves when all are gone. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#pause);
    this.#rejectWaiting(new SandboxError('unavailable', 'the sandbox is closed'));
    const all = this.processes;
    for (const process of all) process.kill('closed');
    await Promise.all([...all.map(({ exited }) => exited), ...this.#starts]);
  }

  get #total(): number {
    return this.#busy.size + this.#idle.length + this.#starting;
  }

  #popIdle(): SandboxProcess | undefined {
    const process = this.#idle.findLast(({ isUsable }) => isUsable);
    if (!process) return undefined;
    this.#leaveIdle(process);
    this.#busy.add(process);
    return process;
  }

  /** Tells whether the process was idle. */
  #leaveIdle(process: SandboxProcess): boolean {
    const index = this.#idle.indexOf(process);
    if (index === -1) return false;
    this.#idle.splice(index, 1);
    clearTimeout(this.#idleTimers.get(process));
    return this.#idleTimers.delete(process);
  }

  #wait(): Promise<SandboxProcess> {
    const waiting = Promise.withResolvers<SandboxProcess>();
    if (this.#isClosed) waiting.reject(new SandboxError('unavailable', 'the sandbox is closed'));
    else this.#waiting.push(waiting);
    this.#topUp();
    return waiting.promise;
  }

  /** Starts what is missing: one for each task that waits for a process, and one to spare. */
  #topUp(): void {
    const isShort = () => this.#idle.length + this.#starting <= this.#waiting.length || this.#total < KEPT;
    while (!this.#isClosed && !this.#pause && this.#total < this.#options.limit && isShort())
      this.#startOne();
  }

  #startOne(): void {
    const start = this.#outside(() => this.#startAndAdmit());
    this.#starts.add(start);
    void start.finally(() => this.#starts.delete(start));
  }

  async #startAndAdmit(): Promise<void> {
    this.#starting += 1;
    try {
      const process = await SandboxProcess.start(this.#options.modules).finally(() => {
        this.#starting -= 1;
      });
      this.#admit(process);
    } catch (error) {
      this.#noteFailure(error);
    }
  }

  #admit(process: SandboxProcess): void {
    void process.exited.then((reason) => this.#remove(process, reason));
    if (this.#isClosed) process.kill('closed');
    else this.#rest(process);
  }

  /** Hands a process to a task that waits for one, or keeps it idle. */
  #rest(process: SandboxProcess): void {
    const waiting = this.#waiting.shift();
    if (waiting) {
      this.#busy.add(process);
      return waiting.resolve(process);
    }
    this.#idle.push(process);
    const timer = this.#outside(() => setTimeout(() => void this.#review(process), this.#options.idleMs));
    timer.unref();
    this.#idleTimers.set(process, timer);
  }

  /** Ends a process that has had nothing to do for a while, when there are enough without it or it has grown. */
  async #review(process: SandboxProcess): Promise<void> {
    const isSurplus = this.#idle.length > 1 && this.#total > KEPT;
    const hasGrown = !isSurplus && (await process.measure()) > this.#options.maxIdleBytes;
    if ((isSurplus || hasGrown) && this.#idle.includes(process)) process.kill('retired');
  }

  /** Collects the garbage of a process, and ends it when it stays large: its memory must not be charged to the next task. */
  async #slim(process: SandboxProcess): Promise<void> {
    await process.collectGarbage().catch(() => {});
    if ((await process.measure()) > this.#options.maxIdleBytes) process.kill('retired');
  }

  #remove(process: SandboxProcess, reason: ExitReason): void {
    this.#busy.delete(process);
    const wasIdle = this.#leaveIdle(process);
    if (wasIdle && reason === 'crash') {
      this.#options.onIdleLoss(process, reason);
      if (Date.now() - process.startedAt < STABLE_AFTER_MS) return this.#noteFailure(undefined);
    }
    this.#topUp();
  }

  #noteFailure(error: unknown): void {
    this.#failures += 1;
    const failures = this.#failures;
    if (error !== undefined)
      this.#options.log?.error({ err: error, failures }, 'a sandbox process does not start');
    if (failures >= FREE_FAILURES)
      this.#rejectWaiting(new SandboxError('unavailable', 'no sandbox process starts', { cause: error }));
    const excess = failures - FREE_FAILURES;
    if (excess < 0 || this.#isClosed) return this.#topUp();
    clearTimeout(this.#pause);
    this.#pause = setTimeout(
      () => {
        this.#pause = undefined;
        this.#topUp();
      },
      Math.min(BACKOFF_STEP_MS * 2 ** excess, MAX_BACKOFF_MS),
    );
  }

  #rejectWaiting(error: SandboxError): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }
}
