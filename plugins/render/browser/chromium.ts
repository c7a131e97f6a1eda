import { existsSync } from 'node:fs';
import type { CDPSession } from 'playwright-core';
import { residentBytes, setNiceness, untilAborted } from '@platen/runtime';
import { messageOf, type Log } from '../../../src/plugin.ts';
import { findBusy } from './busy-processes.ts';
import { chromiumFlags } from './chromium-flags.ts';
import { KilledAtStartError, launchBrowser, type LaunchedBrowser } from './launch.ts';
import type { DecisionOf } from '../receipt/resource-log.ts';
import { BrowserUnavailableError } from '../render-error.ts';
import { SlotPool } from './slot-pool.ts';

/** Why a browser was replaced. */
export type RecycleReason = 'crash' | 'jobs' | 'memory' | 'hung' | 'idle';

/** How the browser is launched, and when it is replaced. */
export interface ChromiumOptions {
  /** `undefined` when no browser was found; then every job fails and says so. */
  executablePath: string | undefined;
  /** The egress guard, the browser's only way to the network. */
  proxyUrl: string;
  /** Whether Chromium's own sandbox is on; it cannot be on for root. */
  sandbox: boolean;
  /** How much the browser yields to other processes; see {@link launchBrowser}. */
  niceness: number;
  /** The path of the fontconfig file. */
  fontConfig: string;
  /** How many idle browser pages are kept open. */
  idlePages: number;
  /** Closes the browser after this time without a job; never when absent. */
  idleTimeoutMs?: number;
  /** After this many jobs, the browser is replaced. */
  maxJobs: number;
  /** The limit for the resident memory of all processes of the browser together. */
  maxRssBytes: number;
  /** Returns the decisions of the egress guard, for receipts. */
  decisionOf: DecisionOf;
  log: Log;
  onRecycle(reason: RecycleReason): void;
}

/** The error for a missing executable. */
export const CHROMIUM_MISSING =
  'Chromium was not found; install chromium-headless-shell, or set CHROMIUM_PATH';

const LAUNCH_ATTEMPTS = 3;
const MEMORY_CHECK_MS = 500;
const SLOW_PAGE_NICENESS = 10;
/** A browser page whose process uses more than this share of the browser's memory limit is killed. */
const PAGE_MEMORY_SHARE = 0.5;
/**
 * Above this share of its memory limit a browser is closed at once. Its jobs are retried in another browser.
 */
const MEMORY_KILL_SHARE = 1.5;

/** A browser that is lent to one job. */
export interface BrowserLease {
  slots: SlotPool;
  version: string;
  /** Resolves when the browser responds. */
  ping(): Promise<void>;
  /** True when the browser is disconnected. */
  readonly crashed: boolean;
  /** Aborts when the browser is gone. */
  readonly lost: AbortSignal;
  /** Lowers the priority of the pages that keep a processor busy. */
  yieldToOthers(): Promise<void>;
  /** Kills a browser that does not respond. Its jobs fail as after a crash. */
  condemn(): void;
  release(): void;
}

/**
 * A browser that is launched on demand, and replaced when it crashes, has printed many documents, or uses too
 * much memory.
 */
export class Chromium {
  #current: Promise<Instance> | undefined;
  readonly #retired = new Set<Instance>();
  #stopped = false;

  readonly #options: ChromiumOptions;

  constructor(options: ChromiumOptions) {
    this.#options = options;
  }

  /**
   * Lends the browser to a job, launching it if necessary.
   * @throws {BrowserUnavailableError} when the launch fails.
   */
  async lease({ forJob = true } = {}): Promise<BrowserLease> {
    if (this.#stopped) throw new Error('the browser is stopped');
    const launching = (this.#current ??= this.#launch());
    const instance = await launching.catch((error: unknown) => {
      if (this.#current === launching) this.#current = undefined;
      throw new BrowserUnavailableError(messageOf(error), { cause: error });
    });
    instance.running += 1;
    clearTimeout(instance.idleTimer);
    if (forJob) instance.jobs += 1;
    if (instance.jobs >= this.#options.maxJobs) this.#retire(instance, 'jobs');
    return {
      slots: instance.slots,
      version: instance.browser.version(),
      ping: () => instance.ping(),
      lost: instance.lost,
      get crashed() {
        return instance.lost.aborted;
      },
      yieldToOthers: () => instance.yieldToOthers(),
      condemn: () => {
        this.#retire(instance, 'hung');
        instance.kill();
      },
      release: () => {
        instance.running -= 1;
        if (instance.running > 0) return;
        if (instance.retired) void this.#close(instance);
        else this.#closeWhenIdle(instance);
      },
    };
  }

  /** Whether the executable of the browser exists. */
  get isInstalled(): boolean {
    const { executablePath } = this.#options;
    return executablePath !== undefined && existsSync(executablePath);
  }

  /** Launches the browser and opens a browser page, so that the first document does not wait. */
  async warmUp(): Promise<void> {
    const lease = await this.lease();
    await lease.slots.giveBack(await lease.slots.take({ documentClass: 'plain', accountId: '' }));
    lease.release();
  }

  /**
   * Returns the version of the browser, launching it if necessary. Without `launch`, returns `undefined` if
   * it does not run. @throws {BrowserUnavailableError}
   */
  async version({ launch = true } = {}): Promise<string | undefined> {
    if (!launch && !this.#current) return undefined;
    const lease = await this.lease({ forJob: false });
    lease.release();
    return lease.version;
  }

  /** Returns the name and version of the browser once it responds, launching it if necessary. */
  async ping(): Promise<string> {
    const lease = await this.lease({ forJob: false });
    try {
      await lease.ping();
      return `Chromium ${lease.version}, ${this.#options.executablePath}`;
    } finally {
      lease.release();
    }
  }

  /** Closes every browser. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const current = await this.#current?.catch(() => undefined);
    await Promise.all(
      [...(current ? [current] : []), ...this.#retired].map((instance) => this.#close(instance)),
    );
  }

  /** Starts a browser, and starts it again if it is killed during the start. */
  async #launch(): Promise<Instance> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#start();
      } catch (error) {
        if (!(error instanceof KilledAtStartError) || attempt === LAUNCH_ATTEMPTS) throw error;
      }
    }
  }

  async #start(): Promise<Instance> {
    const { executablePath, proxyUrl, sandbox, idlePages, decisionOf } = this.#options;
    if (!executablePath || !this.isInstalled) throw new Error(CHROMIUM_MISSING);
    const launching = launchBrowser({
      executablePath,
      flags: chromiumFlags({ proxyUrl, sandbox }),
      niceness: this.#options.niceness,
      fontConfig: this.#options.fontConfig,
    });
    const launched = await launching.catch((error: unknown) => {
      this.#options.log.debug({ err: error }, 'the browser did not start');
      const hasNoSandbox = isSandboxRefused(messageOf(error));
      if (error instanceof KilledAtStartError && !hasNoSandbox) throw error;
      const fault = hasNoSandbox
        ? 'has no usable sandbox because it may not create user namespaces; on Ubuntu 23.10 and later, load the AppArmor profile deploy/apparmor-chromium, which must name this file; elsewhere, see "Chromium\'s sandbox" in docs/deploy.md'
        : 'does not start as a browser';
      throw new Error(`${executablePath} ${fault}`, { cause: error });
    });
    const { browser, ended } = launched;
    const openSession = ended.aborted
      ? Promise.reject(ended.reason)
      : untilAborted(browser.newBrowserCDPSession(), ended);
    const session = await openSession.catch((cause: unknown) => {
      launched.kill();
      throw new KilledAtStartError('the browser crashed during its start', { cause });
    });
    const slots = new SlotPool(launched, idlePages, decisionOf);
    const instance = new Instance({ launched, session, slots });
    ended.addEventListener('abort', () => this.#retire(instance, 'crash'), { once: true });
    let wasRunning = true;
    instance.watch = setInterval(() => {
      const isRunning = instance.running > 0;
      // The memory of an idle browser stays as it was after its last job.
      if (isRunning || wasRunning) void this.#checkMemory(instance);
      wasRunning = isRunning;
    }, MEMORY_CHECK_MS);
    instance.watch.unref();
    return instance;
  }

  async #checkMemory(instance: Instance): Promise<void> {
    const { maxRssBytes } = this.#options;
    const { totalBytes, largestPage } = await instance
      .measure()
      .catch(() => ({ totalBytes: 0, largestPage: undefined }));
    if (largestPage && largestPage.bytes > maxRssBytes * PAGE_MEMORY_SHARE) {
      // The other documents of the browser are not affected.
      kill(largestPage.processId);
      return;
    }
    if (totalBytes > maxRssBytes) this.#retire(instance, 'memory');
    if (totalBytes > maxRssBytes * MEMORY_KILL_SHARE) await this.#close(instance);
  }

  #closeWhenIdle(instance: Instance): void {
    const { idleTimeoutMs } = this.#options;
    if (idleTimeoutMs === undefined || this.#stopped) return;
    instance.idleTimer = setTimeout(() => this.#retire(instance, 'idle'), idleTimeoutMs);
    instance.idleTimer.unref();
  }

  /** Retires an instance: the next job gets a new one, and this one is closed when its last job is done. */
  #retire(instance: Instance, reason: RecycleReason): void {
    if (instance.retired || this.#stopped) return;
    instance.retired = true;
    this.#current = undefined;
    this.#retired.add(instance);
    this.#options.onRecycle(reason);
    this.#options.log.info({ reason, jobs: instance.jobs }, 'browser recycled');
    if (instance.running === 0) void this.#close(instance);
  }

  async #close(instance: Instance): Promise<void> {
    instance.retired = true;
    clearInterval(instance.watch);
    clearTimeout(instance.idleTimer);
    this.#retired.delete(instance);
    // A browser that hangs does not close its pages. They end with it.
    void instance.slots.close().catch(() => {});
    await instance.close();
  }
}

interface InstanceParts {
  launched: LaunchedBrowser;
  session: CDPSession;
  slots: SlotPool;
}

class Instance {
  jobs = 0;
  running = 0;
  retired = false;
  watch: Timer | undefined;
  idleTimer: Timer | undefined;
  readonly slots: SlotPool;
  readonly #launched: LaunchedBrowser;
  readonly #session: CDPSession;

  constructor({ launched, session, slots }: InstanceParts) {
    this.slots = slots;
    this.#launched = launched;
    this.#session = session;
  }

  get browser(): LaunchedBrowser['browser'] {
    return this.#launched.browser;
  }

  async ping(): Promise<void> {
    await this.#session.send('Browser.getVersion');
  }

  /** Aborts when the browser is gone. */
  get lost(): AbortSignal {
    return this.#launched.ended;
  }

  /** Kills the browser. Everything that waits for it fails. */
  kill(): void {
    this.#launched.kill();
  }

  close(): Promise<void> {
    return this.#launched.close();
  }

  /**
   * Lowers the priority of the browser pages that keep a processor busy, which are found by their CPU time.
   */
  async yieldToOthers(): Promise<void> {
    const { processInfo } = await this.#session.send('SystemInfo.getProcessInfo');
    const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    for (const processId of await findBusy(pages)) setNiceness(processId, SLOW_PAGE_NICENESS);
  }

  /**
   * Measures the resident memory of the browser's processes. Memory that processes share counts for each of
   * them.
   */
  async measure(): Promise<BrowserMemory> {
    const { processInfo } = await this.#session.send('SystemInfo.getProcessInfo');
    const sizes = await Promise.all(
      processInfo.map(async ({ id, type }) => ({ processId: id, type, bytes: await residentBytes(id) })),
    );
    const pages = sizes.filter(({ type }) => type === 'renderer');
    return {
      totalBytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
      largestPage: pages.toSorted((a, b) => b.bytes - a.bytes)[0],
    };
  }
}

/** The memory of a browser and its largest page. */
interface BrowserMemory {
  totalBytes: number;
  largestPage: { processId: number; bytes: number } | undefined;
}

function kill(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/**
 * Tells from Chromium's output that it may not create user namespaces. If AppArmor grants a namespace without
 * capabilities, Chromium exits with the first message. If AppArmor refuses the namespace, a check in
 * credentials.cc fails and Chromium kills itself.
 */
function isSandboxRefused(output: string): boolean {
  const text = output.toLowerCase();
  return (
    text.includes('no usable sandbox') ||
    (text.includes('credentials.cc') && text.includes('permission denied'))
  );
}
