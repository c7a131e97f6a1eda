import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import type { CDPSession } from 'playwright-core';
import { messageOf, setNiceness, type Log } from '../../src/plugin.ts';
import { findBusy } from './busy-processes.ts';
import { chromiumFlags } from './chromium-flags.ts';
import { launchBrowser, type LaunchedBrowser } from './launch.ts';
import type { DecisionOf } from './receipt/resource-log.ts';
import { BrowserUnavailableError } from './render-error.ts';
import { SlotPool } from './slot-pool.ts';

/** Why a browser was replaced. */
export type RecycleReason = 'crash' | 'jobs' | 'memory' | 'hung' | 'idle';

/** What the browser is launched with and when it is replaced. */
export interface ChromiumOptions {
  /** `undefined` when none was found: then every job fails and says so. */
  executablePath: string | undefined;
  /** The egress guard; the browser reaches the network through it or not at all. */
  proxyUrl: string;
  /** Chromium's own sandbox; it cannot be on for root. */
  sandbox: boolean;
  /** How much it yields to other processes; see {@link launchBrowser}. */
  niceness: number;
  idlePages: number;
  /** Ends the browser after so long without a job; never when absent. */
  idleTimeoutMs?: number;
  maxJobs: number;
  /** Resident memory of all its processes together. */
  maxRssBytes: number;
  /** What the egress guard decided, for receipts. */
  decisionOf: DecisionOf;
  log: Log;
  onRecycle(reason: RecycleReason): void;
}

const MEMORY_CHECK_MS = 500;
const SLOW_PAGE_NICENESS = 10;
/** A page whose process has more than this share of the browser's memory is ended. */
const PAGE_MEMORY_SHARE = 0.5;
/** Above this share of its memory a browser is not waited for: it is closed under its jobs, which are tried again elsewhere. */
const MEMORY_KILL_SHARE = 1.5;

/** A browser on loan for one job. */
export interface BrowserLease {
  slots: SlotPool;
  version: string;
  /** Resolves when the browser answers. */
  ping(): Promise<void>;
  /** True when the browser itself is gone. */
  readonly crashed: boolean;
  /** Lowers the priority of the pages that keep a processor busy. */
  yieldToOthers(): Promise<void>;
  /** Says that the browser does not answer: it is killed, and its jobs fail as after a crash. */
  condemn(): void;
  release(): void;
}

/** One shared browser, launched at the first need, replaced when it dies, gets old or gets big. */
export class Chromium {
  #current: Promise<Instance> | undefined;
  readonly #retired = new Set<Instance>();
  #stopped = false;

  readonly #options: ChromiumOptions;

  constructor(options: ChromiumOptions) {
    this.#options = options;
  }

  /** Borrows the browser for a job, launching one where needed. @throws {BrowserUnavailableError} when that fails. */
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
      get crashed() {
        return !instance.browser.isConnected();
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

  /** Launches the browser and opens a page, so that the first document does not wait for them. */
  async warmUp(): Promise<void> {
    const lease = await this.lease();
    await lease.slots.giveBack(await lease.slots.take({ documentClass: 'plain', accountId: '' }));
    lease.release();
  }

  /** Resolves with the browser's name when it runs, launching it where needed. */
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

  async #launch(): Promise<Instance> {
    const { executablePath, proxyUrl, sandbox, idlePages, decisionOf } = this.#options;
    if (!executablePath || !existsSync(executablePath)) {
      throw new Error('no Chromium was found; install chromium-headless-shell or name one');
    }
    const launching = launchBrowser({
      executablePath,
      flags: chromiumFlags({ proxyUrl, sandbox }),
      niceness: this.#options.niceness,
    });
    const launched = await launching.catch((error: unknown) => {
      this.#options.log.debug({ err: error }, 'the browser did not start');
      const fault = /no usable sandbox/i.test(messageOf(error))
        ? 'has no usable sandbox: its user may not make user namespaces (docs/deploy.md, "Chromium\'s sandbox")'
        : 'does not start as a browser';
      throw new Error(`${executablePath} ${fault}`, { cause: error });
    });
    const { browser } = launched;
    const session = await browser.newBrowserCDPSession();
    const slots = new SlotPool(launched, idlePages, decisionOf);
    const instance = new Instance({ launched, session, slots });
    browser.on('disconnected', () => this.#retire(instance, 'crash'));
    if (!browser.isConnected()) throw new Error('the browser died while it started');
    instance.watch = setInterval(() => void this.#checkMemory(instance), MEMORY_CHECK_MS);
    instance.watch.unref();
    return instance;
  }

  async #checkMemory(instance: Instance): Promise<void> {
    const { maxRssBytes } = this.#options;
    const { totalBytes, largestPage } = await instance
      .measure()
      .catch(() => ({ totalBytes: 0, largestPage: undefined }));
    if (largestPage && largestPage.bytes > maxRssBytes * PAGE_MEMORY_SHARE) {
      // The other documents of the browser go on.
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

  /** Takes an instance out of use: the next job gets a new one, and this one is closed when its last job is done. */
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
    // A browser that hangs does not close its pages; they end with it.
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

  /** Ends the browser at once; its connection closes and all that waits for it fails. */
  kill(): void {
    this.#launched.kill();
  }

  /** Ends the browser in good order. */
  close(): Promise<void> {
    return this.#launched.close();
  }

  /**
   * Lowers the priority of the pages that keep a processor busy. Chromium does not tell which process a page has, so the processes are
   * known by the time that they use.
   */
  async yieldToOthers(): Promise<void> {
    const { processInfo } = await this.#session.send('SystemInfo.getProcessInfo');
    const pages = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id);
    for (const processId of await findBusy(pages)) setNiceness(processId, SLOW_PAGE_NICENESS);
  }

  /** Reads the resident memory of the browser's processes; pages of memory that they share count for each. */
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

/** The memory of a browser and its pages. */
interface BrowserMemory {
  totalBytes: number;
  largestPage: { processId: number; bytes: number } | undefined;
}

function kill(processId: number): void {
  try {
    process.kill(processId, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}

async function residentBytes(processId: number): Promise<number> {
  if (process.platform === 'linux') {
    const statm = await readFile(`/proc/${processId}/statm`, 'utf8').catch(() => '0 0');
    return Number(statm.split(' ')[1]) * 4096;
  }
  const { stdout } = Bun.spawnSync(['ps', '-o', 'rss=', '-p', String(processId)]);
  return Number(stdout.toString().trim()) * 1024;
}
