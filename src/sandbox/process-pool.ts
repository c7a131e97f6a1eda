import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from '../log.ts';
import { RecentPeak } from './recent-peak.ts';
import { SandboxProcess, type ExitReason } from './sandbox-process.ts';
import { SandboxError } from './task.ts';

interface ProcessPoolOptions {
  /** The maximum number of processes. */
  limit: number;
  /** The URLs of modules that a process imports before it is ready. */
  modules: readonly string[];
  /** How long a process is kept after the tasks last needed it; at most twice as long. */
  idleMs: number;
  /** The resident memory above which an idle process is replaced. */
  maxIdleBytes: number;
  /** Whether processes start only for tasks that wait for one. */
  isOnDemand: boolean;
  log: Log | undefined;
  /** Called when an idle process has died. */
  onIdleLoss: (process: SandboxProcess, reason: ExitReason) => void;
}

/**
 * The number of processes that are kept even if they are idle after the first task: one for the next task and
 * a spare one.
 */
const MIN_PROCESSES = 2;

// An idle process that dies sooner than this counts as a failed start, because the next process will probably
// die the same way.
const STABLE_AFTER_MS = 1_000;
const FREE_FAILURES = 3;
const BACKOFF_STEP_MS = 100;
const MAX_BACKOFF_MS = 5_000;

/**
 * Manages sandbox processes. Each runs one task at a time. In addition to the processes in use, at least one
 * more is ready or starting, so that tasks need not wait for a process to start or for a killed process to be
 * replaced. With `isOnDemand`, they wait.
 */
export class ProcessPool {
  readonly #options: ProcessPoolOptions;
  /** In order of last use. The last process is taken first, because it has the most compiled templates. */
  readonly #idle: SandboxProcess[] = [];
  readonly #idleTimers = new Map<SandboxProcess, Timer>();
  readonly #busy = new Set<SandboxProcess>();
  /** How many processes were in use at once. */
  readonly #peak: RecentPeak;
  readonly #waiting: PromiseWithResolvers<SandboxProcess>[] = [];
  readonly #starts = new Set<Promise<void>>();
  #starting = 0;
  /**
   * Runs functions outside the context of the current request, which would otherwise live as long as a
   * process that it starts.
   */
  readonly #outside = AsyncLocalStorage.snapshot();
  #failures = 0;
  #pause: Timer | undefined;
  #isClosed = false;

  constructor(options: ProcessPoolOptions) {
    this.#options = options;
    this.#peak = new RecentPeak(options.idleMs);
  }

  /**
   * Starts the first process, unless processes start on demand. The spare one starts with the first task, so
   * that a service without tasks uses less.
   * @throws {Error} if the process does not start, because a retry would not help.
   */
  async start(): Promise<void> {
    if (!this.#options.isOnDemand) this.#admit(await SandboxProcess.start(this.#options.modules));
  }

  /** All processes that have started, busy or idle. */
  get processes(): readonly SandboxProcess[] {
    return [...this.#busy, ...this.#idle];
  }

  /**
   * Returns a process for exclusive use until `giveBack`.
   * @throws {SandboxError} `unavailable` if no process can be started.
   */
  async take(): Promise<SandboxProcess> {
    const process = this.#popIdle() ?? (await this.#wait());
    this.#peak.note(this.#busy.size, performance.now());
    this.#topUp();
    return process;
  }

  /** Takes a process back after its task has succeeded or failed. */
  async giveBack(process: SandboxProcess): Promise<void> {
    this.#failures = 0;
    if (process.isUsable && process.residentBytes > this.#options.maxIdleBytes) await this.#shrink(process);
    if (process.isUsable && !process.recover()) process.kill('retired');
    if (!process.isUsable) return;
    this.#busy.delete(process);
    this.#release(process);
  }

  /** Starts a process to replace a killed one. Resolves when it is ready or has failed to start. */
  async replace(): Promise<void> {
    if (this.#starting === 0 && !this.#pause && !this.#isClosed) this.#startOne();
    await Promise.all(this.#starts);
  }

  /** Returns an idle process without taking it. */
  async anyIdle(): Promise<SandboxProcess> {
    const process = this.#idle.at(-1) ?? (await this.#wait());
    if (this.#busy.has(process)) await this.giveBack(process);
    return process;
  }

  /** Kills all processes and starts no more. Resolves when all have ended. */
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

  /** Removes a process from the idle ones. Returns whether it was idle. */
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

  /** Starts missing processes: one for each waiting task, and a spare one unless they start on demand. */
  #topUp(): void {
    const { isOnDemand } = this.#options;
    const isShort = () => {
      const free = this.#idle.length + this.#starting - this.#waiting.length;
      return isOnDemand ? free < 0 : free <= 0 || this.#total < MIN_PROCESSES;
    };
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
    else this.#release(process);
  }

  /** Gives a process to a waiting task, or keeps it idle. */
  #release(process: SandboxProcess): void {
    const waiting = this.#waiting.shift();
    if (waiting) {
      this.#busy.add(process);
      return waiting.resolve(process);
    }
    this.#idle.push(process);
    this.#reviewLater(process);
  }

  #reviewLater(process: SandboxProcess): void {
    const timer = this.#outside(() => setTimeout(() => void this.#review(process), this.#options.idleMs));
    timer.unref();
    this.#idleTimers.set(process, timer);
  }

  /**
   * Ends a process that has been idle for a while if it is surplus or uses too much memory. A process that
   * the next tasks will probably need is kept, because starting one costs as much as rendering hundreds of
   * templates.
   */
  async #review(process: SandboxProcess): Promise<void> {
    const isSurplus = this.#idle.length > 1 && this.#total > this.#needed;
    const hasGrown = !isSurplus && (await process.measure()) > this.#options.maxIdleBytes;
    if (!this.#idle.includes(process)) return;
    if (isSurplus || hasGrown) {
      // It no longer counts, so that the next review does not end another one for the same reason.
      this.#leaveIdle(process);
      process.kill('retired');
    } else if (this.#total > MIN_PROCESSES) this.#reviewLater(process);
  }

  /** The number of processes that recent tasks needed, with the spare one. */
  get #needed(): number {
    const spare = this.#options.isOnDemand ? 0 : 1;
    return Math.max(MIN_PROCESSES, this.#peak.read(performance.now()) + spare);
  }

  /**
   * Collects the garbage of a process. Ends it if it stays large, because its memory must not count against
   * the next task.
   */
  async #shrink(process: SandboxProcess): Promise<void> {
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
      this.#options.log?.error({ err: error, failures }, 'a sandbox process did not start');
    if (failures >= FREE_FAILURES)
      this.#rejectWaiting(
        new SandboxError('unavailable', 'sandbox processes do not start', { cause: error }),
      );
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
