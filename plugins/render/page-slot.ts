import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { messageOf, withTimeout } from '../../src/plugin.ts';
import { PDF_TOO_LARGE } from './browser-message.ts';
import { PIPE_LIMITS } from './browser-pipe.ts';
import type { DocumentClass } from './classify.ts';
import type { Deadline } from './deadline.ts';
import type { LaunchedBrowser } from './launch.ts';
import {
  HEADER_FOOTER_ID,
  marginsFor,
  PAGE_NUMBER_PLACEHOLDERS,
  wrapHeaderOrFooter,
} from './header-footer.ts';
import { printLargePdf, type LargePdfMemory } from './large-pdf.ts';
import { watchNavigation } from './navigation.ts';
import { PAGE_GUARD } from './page-guard.ts';
import { PageScripts } from './page-scripts.ts';
import { PendingRequests } from './pending-requests.ts';
import { paperSize, printCommand, type PrintSetup } from './print-options.ts';
import { RenderError } from './render-error.ts';
import { ConsoleLog } from './receipt/console-log.ts';
import type { PageObservations } from './receipt/receipt.ts';
import { ResourceLog, type Absent, type DecisionOf } from './receipt/resource-log.ts';

/** For whom a page may be used: plain ones for everybody, active ones for one account. */
export interface SlotKey {
  documentClass: DocumentClass;
  /** Empty for plain pages. */
  accountId: string;
  /** What an active page runs at the start of each of its documents, which costs less than sending it with each. */
  prelude?: string;
}

/** A document to print on a slot. */
export interface SlotJob {
  html: string;
  setup: PrintSetup;
  deadline: Deadline;
  memory: LargePdfMemory;
}

/** What printing on a slot gave: the PDF, or the news that a plain page cannot load what the document asks for. */
export type SlotResult = { pdf: Buffer } | 'needs network';

/**
 * Of a plain page nobody looks at the screen, yet Chromium rasterises the viewport after each change, and that costs as much as
 * printing; so it is low. Below some 50 pixels a document that is wider than its paper is scaled in another way.
 */
const PLAIN_VIEWPORT = { width: 1280, height: 100 };

/** How long a page may take to become empty again before it is thrown away; the account's next document may be waiting for it. */
const RECYCLE_TIMEOUT_MS = 500;

const HEAR_REQUESTS_MS = 100;

/** How long a healthy browser may take to close a page. */
const CLOSE_TIMEOUT_MS = 2_000;

const TOO_MANY_EVENTS = `the document caused more than ${PIPE_LIMITS.events} events in the browser, such as console messages and requests`;

/** One page in a browser context of its own, with the CDP session that drives it. */
export class PageSlot {
  #failure: Error | undefined;
  #onFailure: ((error: Error) => void) | undefined;
  #excessive = false;
  #retired = false;
  #viewport = '';
  #absent: Absent[] = [];

  readonly key: SlotKey;
  readonly #context: BrowserContext;
  readonly #session: CDPSession;
  readonly #frameId: string;
  readonly #requests: PendingRequests;
  readonly #scripts: PageScripts;
  readonly #resources: ResourceLog;
  readonly #console: ConsoleLog;

  private constructor(
    key: SlotKey,
    context: BrowserContext,
    session: CDPSession,
    frameId: string,
    requests: PendingRequests,
    decisionOf: DecisionOf,
  ) {
    this.key = key;
    this.#context = context;
    this.#session = session;
    this.#frameId = frameId;
    this.#requests = requests;
    this.#resources = new ResourceLog(session, decisionOf);
    this.#console = new ConsoleLog(session);
    this.#scripts = new PageScripts(session, frameId, { isolated: key.documentClass === 'active' });
  }

  /** Opens a page. A plain one has no JavaScript and no network; an active one has both, but no popups, downloads or workers of service. */
  static async open(
    { browser, watch }: LaunchedBrowser,
    key: SlotKey,
    decisionOf: DecisionOf,
  ): Promise<PageSlot> {
    const plain = key.documentClass === 'plain';
    const context = await browser.newContext({
      javaScriptEnabled: !plain,
      serviceWorkers: 'block',
      acceptDownloads: false,
      viewport: plain ? PLAIN_VIEWPORT : null,
    });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    const requests = new PendingRequests(session);
    const [{ frameTree }] = await Promise.all([
      session.send('Page.getFrameTree'),
      session.send('Page.enable'),
      plain ? requests.refuseAll() : requests.follow(),
      // One document's answer from a cache would be another's past.
      session.send('Network.setCacheDisabled', { cacheDisabled: true }),
    ]);
    if (!plain) {
      // Scripts of "print view" pages call these; the first would take the page away, the second has nowhere to go.
      // A window keeps its name from one document to the next.
      const source = `${PAGE_GUARD} window.close = window.print = () => {}; window.name = ''; ${key.prelude ?? ''}`;
      await Promise.all([
        session.send('Page.addScriptToEvaluateOnNewDocument', { source }),
        session.send('Runtime.evaluate', { expression: source }),
      ]);
    }
    const slot = new PageSlot(key, context, session, frameTree.frame.id, requests, decisionOf);
    if (!plain) await slot.#console.follow();
    slot.#watch(page);
    const onFault = (error: Error): void => slot.#fail(error);
    if (!plain) watchNavigation(session, { frameId: frameTree.frame.id, decisionOf, onFault });
    // The id of a page's main frame is that of its target.
    const unwatch = watch(frameTree.frame.id, (excess) => {
      slot.#excessive = true;
      if (excess === 'too many events') slot.#fail(new RenderError('RENDER_FAILED', TOO_MANY_EVENTS));
    });
    page.once('close', unwatch);
    return slot;
  }

  /** True when the document sent more than a document that is meant to be printed. */
  get excessive(): boolean {
    return this.#excessive;
  }

  /** Has the page closed after this document, as its process yields to others from now on. */
  retire(): void {
    this.#retired = true;
  }

  /** True when the page crashed or its browser went away. */
  get broken(): boolean {
    return this.#failure !== undefined;
  }

  /** The URLs that the document still waits for, without their queries. */
  get pendingUrls(): string[] {
    return this.#requests.urls;
  }

  /** What the document asked for and said. A plain page has neither network nor scripts, so only images can be wrong there. */
  observe(): PageObservations {
    const { console, exceptions } = this.#console;
    return { resources: this.#resources.list(this.#absent), console, exceptions };
  }

  /** Reads which characters beyond ASCII the text of the printed document has. */
  async characters(): Promise<string> {
    return this.use(() => this.#scripts.characters());
  }

  /** Prints a document. Reject or not, give the slot to {@link recycle} or {@link close} afterwards. */
  async print(job: SlotJob): Promise<SlotResult> {
    return this.use(() => this.#print(job));
  }

  /** Does any work on the page, which ends when the page fails. What holds of {@link print} afterwards holds here. */
  async use<T>(work: (session: CDPSession) => Promise<T>): Promise<T> {
    // Not a race against one promise of the page's life: each would leave its reaction, and so its PDF, on that promise.
    return new Promise((resolve, reject) => {
      this.#onFailure = reject;
      if (this.#failure) reject(this.#failure);
      // When the page fails first, the commands under way may never be answered.
      work(this.#session).then(resolve, reject);
    });
  }

  /** Empties the page for the next document. False when it may not be used again: then {@link close} it. */
  async recycle(): Promise<boolean> {
    // Blink keeps the image or font that was refused, and would not ask for it again in the next document that has the same styles.
    if (this.broken || this.#retired || this.#requests.sawFrame || this.#requests.refusedAny) return false;
    this.#onFailure = undefined;
    this.#requests.reset();
    this.#excessive = false;
    this.#absent = [];
    if (this.key.documentClass === 'plain') return true;
    const emptied = Promise.all([
      this.#leaveDocument(),
      this.#session.send('Network.clearBrowserCookies'),
      this.#session.send('Network.clearBrowserCache'),
    ]).then(
      () => true,
      () => false,
    );
    return withTimeout(emptied, { limitMs: RECYCLE_TIMEOUT_MS, onTimeout: () => false });
  }

  async #leaveDocument(): Promise<void> {
    await this.#session.send('Page.navigate', { url: 'about:blank' });
    // Made now, while nobody waits. Its answer also says that the navigation is committed, before which the history is not to be cut.
    await this.#scripts.prepare();
    this.#resources.reset();
    await Promise.all([this.#session.send('Page.resetNavigationHistory'), this.#console.reset()]);
  }

  /** Closes the page and all that it keeps, even in the middle of an endless script. */
  async close(): Promise<void> {
    this.#fail(new Error('the page was closed'));
    await this.#context.close().catch(() => {});
  }

  /** As {@link close}, but waits no longer than a healthy browser needs. False when it was not done by then. */
  async closeInTime(): Promise<boolean> {
    const closed = this.close().then(() => true);
    return withTimeout(closed, { limitMs: CLOSE_TIMEOUT_MS, onTimeout: () => false });
  }

  async #print({ html, setup, deadline, memory }: SlotJob): Promise<SlotResult> {
    deadline.phase = 'header';
    const header = setup.header && wrapHeaderOrFooter(setup.header, setup.marginsIn);
    const footer = setup.footer && wrapHeaderOrFooter(setup.footer, setup.marginsIn);
    const margins = marginsFor(setup, {
      header: header ? await this.#measure(header, setup) : 0,
      footer: footer ? await this.#measure(footer, setup) : 0,
    });

    deadline.phase = 'load';
    await this.#fitViewport(setup);
    await this.#setContent(html);
    do {
      this.#absent = await this.#scripts.settle();
      if (this.#requests.refusedAny) return 'needs network';
    } while (await this.#requests.wait());
    if (setup.prepare !== undefined) await this.#scripts.evaluate(setup.prepare);

    deadline.phase = 'print';
    const command = printCommand({ ...setup, header, footer, marginsIn: margins });
    let pdf = await this.#printToPdf(command, memory);
    // Print styles may ask for assets only while the document is printed. The next print has them.
    await this.#hearRequests();
    if (this.#requests.refusedAny) return 'needs network';
    if (await this.#requests.wait()) pdf = await this.#printToPdf(command, memory);
    return { pdf };
  }

  /**
   * Waits until all requests of the document are known. The PDF comes from the browser and the requests come from the page, so that only an
   * answer of the page tells. A page that is busy after it was printed is not waited for.
   */
  async #hearRequests(): Promise<void> {
    if (this.key.documentClass === 'plain') return;
    const answered = this.#scripts.evaluate('0').catch(() => {});
    await withTimeout(answered, { limitMs: HEAR_REQUESTS_MS, onTimeout: () => undefined });
  }

  /** Prints in one message, or in pieces when the PDF is too large for one. */
  async #printToPdf(command: ReturnType<typeof printCommand>, memory: LargePdfMemory): Promise<Buffer> {
    try {
      const { data } = await this.#session.send('Page.printToPDF', command);
      return pdfOf(data);
    } catch (error) {
      if (!messageOf(error).includes(PDF_TOO_LARGE)) throw error;
    }
    await memory.lock();
    return printLargePdf(this.#session, command, memory);
  }

  /** Gives scripts a window as large as the paper between its margins, so that a chart drawn to the window's width fits. */
  async #fitViewport(setup: PrintSetup): Promise<void> {
    if (this.key.documentClass === 'plain') return;
    const { widthIn, heightIn } = paperSize(setup);
    const { top, right, bottom, left } = setup.marginsIn;
    const width = Math.round((widthIn - left - right) * 96);
    const height = Math.round((heightIn - top - bottom) * 96);
    const viewport = `${width}x${height}`;
    if (viewport === this.#viewport) return;
    this.#viewport = viewport;
    await this.#session.send('Emulation.setDeviceMetricsOverride', {
      width,
      height,
      deviceScaleFactor: 1,
      // Of the picture on the screen alone, which costs time for each of its pixels.
      scale: 0.05,
      mobile: false,
    });
  }

  /** Lays a header or footer out at the paper's width and returns its height in inches. */
  async #measure(headerOrFooter: string, setup: PrintSetup): Promise<number> {
    const { widthIn } = paperSize(setup);
    const body = `<body style="margin:0;width:${widthIn}in">${PAGE_NUMBER_PLACEHOLDERS}${headerOrFooter}`;
    await this.#setContent(`<!doctype html>${body}`);
    await this.#scripts.settle();
    const height = await this.#scripts.evaluate(
      `Document.prototype.getElementById.call(document, '${HEADER_FOOTER_ID}').getBoundingClientRect().height`,
    );
    return Number(height) / 96;
  }

  /**
   * Replaces the document and waits for its load event. `document.readyState` will not do: in a document that is written into a
   * loaded frame Chromium sets it to `complete` while images still hold back the event.
   */
  async #setContent(html: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => this.#session.once('Page.loadEventFired', () => resolve()));
    await this.#session.send('Page.setDocumentContent', { frameId: this.#frameId, html });
    await loaded;
  }

  #watch(page: Page): void {
    page.on('crash', () => this.#fail(new Error('the page crashed')));
    page.on('close', () => this.#fail(new Error('the page was closed')));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    this.#onFailure?.(error);
  }
}

/** The browser's pipe decodes PDFs, which Playwright types as base64. */
function pdfOf(data: unknown): Buffer {
  if (Buffer.isBuffer(data)) return data;
  throw new Error('the browser sent no PDF');
}
