import type { BrowserContext, Page } from 'playwright-core';
import { withTimeout } from '@platen/runtime';
import { ACTIVE_PAGE_SCRIPT, closeDialogs } from './active-page.ts';
import { PIPE_LIMITS } from './browser-pipe.ts';
import type { DocumentClass } from '../source/classify.ts';
import { DocumentLoader } from './document-loader.ts';
import type { LaunchedBrowser } from './launch.ts';
import { watchNavigation } from './navigation.ts';
import { PageDocument } from './page-document.ts';
import { findPageProcess, readProcessorUse, type ProcessorUse } from './page-process.ts';
import { PageScripts } from './page-scripts.ts';
import type { PageSession } from './page-session.ts';
import { PendingRequests } from './pending-requests.ts';
import type { CaptureJob, MarkupJob, SlotJob, SlotResult } from './slot-job.ts';
import type { UnmetCondition } from './wait-conditions.ts';
import { PageCrashedError, RenderError } from '../render-error.ts';
import { ConsoleLog } from '../receipt/console-log.ts';
import type { PageObservations } from '../receipt/receipt.ts';
import type { ReplacedFont } from '../receipt/replaced-fonts.ts';
import { ResourceLog, type DecisionOf } from '../receipt/resource-log.ts';

/**
 * Identifies the documents that may use a browser page. Plain pages serve all accounts, active pages one
 * account.
 */
export interface SlotKey {
  documentClass: DocumentClass;
  /** Empty for plain pages. */
  accountId: string;
  /**
   * A script that an active page runs at the start of each document, which costs less than sending it with
   * each document.
   */
  prelude?: string;
  /** The proxy of the page, when it is not that of the browser. */
  proxyUrl?: string | undefined;
}

/**
 * The viewport of plain pages is low, because Chromium rasterises it after each change, which costs as much
 * as printing. Below about 50 pixels, Chromium scales documents that are wider than their paper differently.
 */
const PLAIN_VIEWPORT = { width: 1280, height: 100 };

/** A page that takes longer to empty is closed, because the account's next document may be waiting for it. */
const RECYCLE_TIMEOUT_MS = 500;

/** A healthy browser closes a page within this time. */
const CLOSE_TIMEOUT_MS = 2_000;

const TOO_MANY_EVENTS = `the document caused more than ${PIPE_LIMITS.events} events in the browser, such as console messages and requests`;

/** A browser page in its own browser context, with the CDP session that controls it. */
export class PageSlot {
  #failure: Error | undefined;
  #onFailure: ((error: Error) => void) | undefined;
  #excessive = false;
  #retired = false;
  #processId: number | undefined;

  readonly key: SlotKey;
  readonly #context: BrowserContext;
  readonly #session: PageSession;
  readonly #requests: PendingRequests;
  readonly #scripts: PageScripts;
  readonly #loader: DocumentLoader;
  readonly #document: PageDocument;
  readonly #resources: ResourceLog;
  readonly #console: ConsoleLog;

  private constructor(
    key: SlotKey,
    context: BrowserContext,
    page: Page,
    session: PageSession,
    frameId: string,
    requests: PendingRequests,
    decisionOf: DecisionOf,
  ) {
    this.key = key;
    this.#context = context;
    this.#session = session;
    this.#requests = requests;
    this.#resources = new ResourceLog(session, decisionOf);
    this.#console = new ConsoleLog(session);
    this.#scripts = new PageScripts(session, frameId, { isolated: key.documentClass === 'active' });
    const parts = {
      documentClass: key.documentClass,
      session,
      requests,
      scripts: this.#scripts,
      resources: this.#resources,
      retire: () => this.retire(),
    };
    const openSession = () => context.newCDPSession(page);
    this.#loader = new DocumentLoader({ ...parts, frameId, decisionOf, openSession });
    this.#document = new PageDocument({ ...parts, loader: this.#loader });
  }

  /**
   * Opens a page. A plain page has no JavaScript and no network, but loads assets of the document's account.
   * An active page has both, but no popups, downloads or service workers.
   */
  static async open(
    { browser, watch, takeOver }: LaunchedBrowser,
    key: SlotKey,
    decisionOf: DecisionOf,
  ): Promise<PageSlot> {
    const plain = key.documentClass === 'plain';
    const context = await browser.newContext({
      javaScriptEnabled: !plain,
      serviceWorkers: 'block',
      acceptDownloads: false,
      viewport: plain ? PLAIN_VIEWPORT : null,
      ...(key.proxyUrl !== undefined && { proxy: { server: key.proxyUrl, bypass: '<-loopback>' } }),
    });
    const page = await context.newPage();
    const opened = await context.newCDPSession(page);
    const { frameTree } = await opened.send('Page.getFrameTree');
    // The target of a page has the same id as its main frame.
    const session = takeOver(frameTree.frame.id);
    const requests = new PendingRequests(session);
    const [processId] = await Promise.all([
      findPageProcess(session),
      session.send('Page.enable'),
      plain ? requests.blockAll() : requests.track(),
      // A cached response could reveal what an earlier document loaded.
      session.send('Network.setCacheDisabled', { cacheDisabled: true }),
    ]);
    if (!plain) {
      const source = `${ACTIVE_PAGE_SCRIPT} ${key.prelude ?? ''}`;
      await Promise.all([
        session.send('Page.addScriptToEvaluateOnNewDocument', { source }),
        session.send('Runtime.evaluate', { expression: source }),
      ]);
    }
    const slot = new PageSlot(key, context, page, session, frameTree.frame.id, requests, decisionOf);
    slot.#processId = processId;
    if (!plain) {
      closeDialogs(session);
      await slot.#console.start();
    }
    slot.#watch(page);
    session.on('Page.frameNavigated', ({ frame: { id, url } }) => {
      // The document has navigated to a web page.
      if (id === frameTree.frame.id && url !== 'about:blank') requests.assets.use(undefined);
    });
    const onFailure = (error: Error): void => slot.#fail(error);
    const isExpected = (loaderId: string): boolean => slot.#loader.isLoading(loaderId);
    if (!plain) watchNavigation(session, { frameId: frameTree.frame.id, decisionOf, onFailure, isExpected });
    const unwatch = watch(frameTree.frame.id, (excess) => {
      slot.#excessive = true;
      if (excess === 'too many events') slot.#fail(new RenderError('RENDER_FAILED', TOO_MANY_EVENTS));
    });
    page.once('close', unwatch);
    return slot;
  }

  /** True when the document sent more messages than the limits of the browser's pipe. */
  get excessive(): boolean {
    return this.#excessive;
  }

  /** Returns what Linux recorded about the page's process; `undefined` when it is unknown. */
  async processorUse(): Promise<ProcessorUse | undefined> {
    return this.#processId === undefined ? undefined : readProcessorUse(this.#processId);
  }

  /** Marks the page to be closed after this document. */
  retire(): void {
    this.#retired = true;
  }

  /** True when the page crashed or was closed. */
  get broken(): boolean {
    return this.#failure !== undefined;
  }

  /** The URLs of pending requests, without their queries. */
  get pendingUrls(): string[] {
    return this.#requests.urls;
  }

  /** True while the document waits for one of its conditions without working much. */
  get isPatient(): boolean {
    return this.#loader.isPatient;
  }

  /** The condition that the document has not met yet. */
  get unmetCondition(): UnmetCondition | undefined {
    return this.#loader.unmetCondition;
  }

  /**
   * Returns the document's requests, console messages and exceptions. On a plain page, which has no network
   * and no scripts, only images can fail.
   */
  observe(): PageObservations {
    const { console, exceptions } = this.#console;
    return { resources: this.#resources.list(this.#loader.missing), console, exceptions };
  }

  /** Returns the distinct non-ASCII characters in the text of the printed document. */
  async characters(): Promise<string> {
    return this.use(() => this.#scripts.characters());
  }

  /** Returns the faces that the printed document requests, and their families lack. */
  async findReplacedFonts(): Promise<ReplacedFont[]> {
    return this.use(() => this.#document.findReplacedFonts());
  }

  /** Returns tags of templates in the text of the printed document. */
  async findTemplateTags(): Promise<string[]> {
    return this.use(() => this.#document.findTemplateTags());
  }

  /** Returns the width of the Swiss QR-bills of the printed document relative to the prescribed one. */
  async findBillScale(): Promise<number> {
    return this.use(() => this.#document.findBillScale());
  }

  /** Prints a document. Call {@link recycle} or {@link close} afterwards, also after a rejection. */
  async print(job: SlotJob): Promise<SlotResult> {
    return this.use(() => this.#document.print(job));
  }

  /**
   * Captures a document as an image. Call {@link recycle} or {@link close} afterwards, as after
   * {@link print}.
   */
  async capture(job: CaptureJob): Promise<Buffer> {
    return this.use(() => this.#document.capture(job));
  }

  /** Reads the markup of a document that has loaded. Call {@link recycle} or {@link close} afterwards. */
  async readMarkup(job: MarkupJob): Promise<string> {
    return this.use(() => this.#document.readMarkup(job));
  }

  /**
   * Runs work on the page; rejects when the page fails. Call {@link recycle} or {@link close} afterwards, as
   * after {@link print}.
   */
  async use<T>(work: (session: PageSession) => Promise<T>): Promise<T> {
    // A race against one long-lived promise would keep each result, including its PDF, in memory as long as
    // that promise.
    return new Promise((resolve, reject) => {
      this.#onFailure = reject;
      if (this.#failure) reject(this.#failure);
      // When the page fails first, running commands may never get a response.
      work(this.#session).then(resolve, reject);
    });
  }

  /**
   * Empties the page for the next document. Returns false when the page must not be used again; then
   * {@link close} it.
   */
  async recycle(): Promise<boolean> {
    // Blink remembers a blocked image or font, and would not request it again for the next document with the
    // same styles.
    if (this.broken || this.#retired || this.#requests.sawFrame || this.#requests.blockedAny) return false;
    if (this.#requests.assets.isFull) return false;
    this.#onFailure = undefined;
    this.#requests.reset();
    this.#excessive = false;
    this.#loader.reset();
    if (this.key.documentClass === 'plain') return inTime(this.#document.releaseFonts());
    return inTime(
      Promise.all([
        this.#leaveDocument(),
        this.#session.send('Network.clearBrowserCookies'),
        this.#session.send('Network.clearBrowserCache'),
      ]),
    );
  }

  async #leaveDocument(): Promise<void> {
    await this.#session.send('Page.navigate', { url: 'about:blank' });
    // The isolated world is created now, while no document waits for it. Its creation also shows that the
    // navigation is committed; the history must not be reset earlier.
    await this.#scripts.prepare();
    this.#resources.reset();
    await Promise.all([
      this.#session.send('Page.resetNavigationHistory'),
      this.#console.reset(),
      this.#loader.clearOrigin(),
    ]);
  }

  /** Closes the page and its context, even while an endless script runs. */
  async close(): Promise<void> {
    this.#fail(new Error('the page was closed'));
    await this.#context.close().catch(() => {});
  }

  /**
   * Closes the page like {@link close}, but waits only as long as a healthy browser needs. Returns false when
   * the page is not closed by then.
   */
  async closeInTime(): Promise<boolean> {
    const closed = this.close().then(() => true);
    return withTimeout(closed, { limitMs: CLOSE_TIMEOUT_MS, onTimeout: () => false });
  }

  #watch(page: Page): void {
    page.on('crash', () => this.#fail(new PageCrashedError('the page crashed')));
    page.on('close', () => this.#fail(new Error('the page was closed')));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#onFailure?.(error);
  }
}

/** Tells whether the steps that empty a page succeed in time. */
function inTime(steps: Promise<unknown>): Promise<boolean> {
  const succeeded = steps.then(
    () => true,
    () => false,
  );
  return withTimeout(succeeded, { limitMs: RECYCLE_TIMEOUT_MS, onTimeout: () => false });
}
