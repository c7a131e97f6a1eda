import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import { withTimeout } from '../../../src/plugin.ts';
import { captureImage } from '../image/capture.ts';
import { isLargeImage, type ImageSetup } from '../image/image-setup.ts';
import { PdfPrinter } from './pdf-printer.ts';
import { printSinglePage } from './single-page.ts';
import type { PageAssets } from '../assets/page-assets.ts';
import { PIPE_LIMITS } from './browser-pipe.ts';
import type { DocumentClass } from '../source/classify.ts';
import type { Deadline } from '../deadline.ts';
import type { LaunchedBrowser } from './launch.ts';
import { HEADER_FOOTER_ID, layOutHeaders, PAGE_NUMBER_PLACEHOLDERS } from '../print/header-footer.ts';
import type { LargePdfMemory } from '../large-pdf.ts';
import { Emulation } from './emulation.ts';
import { needsHeaderSheets } from '../print/header-sheets.ts';
import { addPageStyles, pageStyles } from '../print/page-styles.ts';
import { watchNavigation } from './navigation.ts';
import { PAGE_GUARD } from './page-guard.ts';
import { PageScripts } from './page-scripts.ts';
import {
  completeReferences,
  findLoadedFeatures,
  pagedLayoutOf,
  preparePagedMedia,
  type Evaluate,
  type PagedFeatures,
  type PagedLayout,
} from '../paged/paged-media.ts';
import { PendingRequests } from './pending-requests.ts';
import { WaitingDocument, type UnmetCondition } from './wait-conditions.ts';
import { contentScale } from '../print/content-scale.ts';
import { paperSize, type PrintSetup } from '../print/print-options.ts';
import { PageCrashedError, RenderError } from '../render-error.ts';
import { styleScript, UrlNavigation } from '../url/load-url.ts';
import type { UrlDocument } from '../url/url-source.ts';
import { ConsoleLog } from '../receipt/console-log.ts';
import type { PageObservations } from '../receipt/receipt.ts';
import { ResourceLog, type MissingAsset, type DecisionOf } from '../receipt/resource-log.ts';

/** Which documents may use a page. Plain pages serve all accounts, active pages one account. */
export interface SlotKey {
  documentClass: DocumentClass;
  /** Empty for plain pages. */
  accountId: string;
  /** A script that an active page runs at the start of each document, which costs less than sending it with each document. */
  prelude?: string;
}

/** A document to print on a slot. */
export interface SlotJob {
  /** HTML, or a page that an active slot loads from the web. */
  document: string | UrlDocument;
  setup: PrintSetup;
  /** The features of paged media that the HTML uses. */
  paged?: PagedFeatures | undefined;
  deadline: Deadline;
  /** Memory for a large PDF; without it, a large PDF fails. */
  memory: LargePdfMemory | undefined;
  /** The assets that the document may load. */
  assets?: PageAssets | undefined;
}

/** A document to capture as an image on a slot of the active class. */
export interface CaptureJob extends Pick<SlotJob, 'document' | 'setup' | 'deadline' | 'assets'> {
  image: ImageSetup;
  memory: LargePdfMemory;
}

/**
 * The result of printing: the PDF, or `needs network` when a document on a plain page requested a resource. `total` is the number of pages
 * of the document, when only some are printed and header and footer are missing (see `needsHeaderSheets`).
 */
export type SlotResult = { pdf: Buffer; total?: number | undefined } | 'needs network';

/**
 * The viewport of plain pages is low, because Chromium rasterises it after each change, which costs as much as printing. Below about 50
 * pixels, Chromium scales documents that are wider than their paper differently.
 */
const PLAIN_VIEWPORT = { width: 1280, height: 100 };

/** A page that takes longer to empty is closed, because the account's next document may be waiting for it. */
const RECYCLE_TIMEOUT_MS = 500;

/** How long to wait after printing for a page to report its requests. */
const REPORT_REQUESTS_MS = 100;

/** How long to wait after printing for the responses to failed requests. Chromium reports them in another process than the failures. */
const REPORT_RESPONSES_MS = 1_000;

/** A healthy browser closes a page within this time. */
const CLOSE_TIMEOUT_MS = 2_000;

const TOO_MANY_EVENTS = `the document caused more than ${PIPE_LIMITS.events} events in the browser, such as console messages and requests`;

/** A page in its own browser context, with the CDP session that controls it. */
export class PageSlot {
  #failure: Error | undefined;
  #onFailure: ((error: Error) => void) | undefined;
  #excessive = false;
  #retired = false;
  #holdsFonts = false;
  #missing: MissingAsset[] = [];
  #navigation: UrlNavigation | undefined;

  readonly key: SlotKey;
  readonly #context: BrowserContext;
  readonly #session: CDPSession;
  readonly #frameId: string;
  readonly #requests: PendingRequests;
  readonly #emulation: Emulation;
  readonly #printer: PdfPrinter;
  readonly #scripts: PageScripts;
  readonly #waiting: WaitingDocument;
  readonly #decisionOf: DecisionOf;
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
    this.#emulation = new Emulation(session);
    this.#printer = new PdfPrinter(session);
    this.#decisionOf = decisionOf;
    this.#resources = new ResourceLog(session, decisionOf);
    this.#console = new ConsoleLog(session);
    this.#scripts = new PageScripts(session, frameId, { isolated: key.documentClass === 'active' });
    this.#waiting = new WaitingDocument({ session, scripts: this.#scripts, requests });
  }

  /** Opens a page. A plain page has no JavaScript and no network, but loads assets of the account. An active page has both, but no popups, downloads or service workers. */
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
      plain ? requests.blockAll() : requests.track(),
      // A cached response could reveal what an earlier document loaded.
      session.send('Network.setCacheDisabled', { cacheDisabled: true }),
    ]);
    if (!plain) {
      // Scripts of "print view" pages call `close`, which would close the page, and `print`, which has no effect.
      // A window would keep its name from one document to the next.
      const source = `${PAGE_GUARD} window.close = window.print = () => {}; window.name = ''; ${key.prelude ?? ''}`;
      await Promise.all([
        session.send('Page.addScriptToEvaluateOnNewDocument', { source }),
        session.send('Runtime.evaluate', { expression: source }),
      ]);
    }
    const slot = new PageSlot(key, context, session, frameTree.frame.id, requests, decisionOf);
    if (!plain) await slot.#console.start();
    slot.#watch(page);
    session.on('Page.frameNavigated', ({ frame: { id, url } }) => {
      // The document has gone to a page on the web.
      if (id === frameTree.frame.id && url !== 'about:blank') requests.assets.use(undefined);
    });
    const onFailure = (error: Error): void => slot.#fail(error);
    const isExpected = (loaderId: string): boolean => slot.#navigation?.is(loaderId) === true;
    if (!plain) watchNavigation(session, { frameId: frameTree.frame.id, decisionOf, onFailure, isExpected });
    // The target of a page has the same id as its main frame.
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
    return this.#waiting.isPatient;
  }

  /** The condition that the document has not met yet. */
  get unmetCondition(): UnmetCondition | undefined {
    return this.#waiting.unmet;
  }

  /** Returns the document's requests, console messages and exceptions. On a plain page, which has no network and no scripts, only images can fail. */
  observe(): PageObservations {
    const { console, exceptions } = this.#console;
    return { resources: this.#resources.list(this.#missing), console, exceptions };
  }

  /** Returns the distinct non-ASCII characters in the text of the printed document. */
  async characters(): Promise<string> {
    return this.use(() => this.#scripts.characters());
  }

  /** Prints a document. Call {@link recycle} or {@link close} afterwards, also after a rejection. */
  async print(job: SlotJob): Promise<SlotResult> {
    return this.use(() => this.#print(job));
  }

  /** Captures a document as an image. Afterwards the same applies as to {@link print}. */
  async capture(job: CaptureJob): Promise<Buffer> {
    return this.use(() => this.#capture(job));
  }

  /** Runs work on the page; rejects when the page fails. Afterwards the same applies as to {@link print}. */
  async use<T>(work: (session: CDPSession) => Promise<T>): Promise<T> {
    // A race against one long-lived promise would keep each result, including its PDF, in memory as long as that promise.
    return new Promise((resolve, reject) => {
      this.#onFailure = reject;
      if (this.#failure) reject(this.#failure);
      // When the page fails first, running commands may never get a response.
      work(this.#session).then(resolve, reject);
    });
  }

  /** Empties the page for the next document. Returns false when the page must not be used again; then {@link close} it. */
  async recycle(): Promise<boolean> {
    // Blink remembers a blocked image or font, and would not request it again for the next document with the same styles.
    if (this.broken || this.#retired || this.#requests.sawFrame || this.#requests.blockedAny) return false;
    if (this.#requests.assets.isFull) return false;
    this.#onFailure = undefined;
    this.#requests.reset();
    this.#excessive = false;
    this.#missing = [];
    if (this.key.documentClass === 'plain') return this.#releaseFonts();
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

  /** Removes the fonts of header and footer from a plain page. */
  async #releaseFonts(): Promise<boolean> {
    if (!this.#holdsFonts) return true;
    this.#holdsFonts = false;
    const released = this.#scripts.releaseHeaderFonts().then(
      () => true,
      () => false,
    );
    return withTimeout(released, { limitMs: RECYCLE_TIMEOUT_MS, onTimeout: () => false });
  }

  async #leaveDocument(): Promise<void> {
    await this.#session.send('Page.navigate', { url: 'about:blank' });
    // The isolated world is created now, while no document waits for it. Its creation also shows that the navigation is committed; the
    // history must not be reset earlier.
    await this.#scripts.prepare();
    this.#resources.reset();
    await Promise.all([this.#session.send('Page.resetNavigationHistory'), this.#console.reset()]);
  }

  /** Closes the page and its context, even while an endless script runs. */
  async close(): Promise<void> {
    this.#fail(new Error('the page was closed'));
    await this.#context.close().catch(() => {});
  }

  /** Closes the page like {@link close}, but waits only as long as a healthy browser needs. Returns false when the page is not closed by then. */
  async closeInTime(): Promise<boolean> {
    const closed = this.close().then(() => true);
    return withTimeout(closed, { limitMs: CLOSE_TIMEOUT_MS, onTimeout: () => false });
  }

  async #print({ document, setup, deadline, memory, assets, ...job }: SlotJob): Promise<SlotResult> {
    await this.#openAssets(document, assets);
    deadline.phase = 'header';
    const { header, footer, margins, firstMargins } = await layOutHeaders(setup, (part) =>
      this.#measure(part, setup, assets?.embedsFonts),
    );

    deadline.phase = 'load';
    if (this.key.documentClass === 'active') await this.#emulation.prepare(setup);
    if ((await this.#loadCompletely({ document, setup, deadline, assets })) === 'needs network')
      return 'needs network';
    if (setup.prepare !== undefined) await this.#scripts.evaluate(setup.prepare);
    const evaluate: Evaluate = (expression) => this.#scripts.evaluate(expression);
    const layout = { evaluate, ...pagedLayoutOf({ ...setup, marginsIn: margins }) };
    const paged = typeof document === 'string' ? job.paged : await findLoadedFeatures(evaluate);
    if (paged) await this.#preparePagedMedia(paged, layout);

    if (assets?.embedsFonts) {
      this.#holdsFonts = true;
      await this.#scripts.holdHeaderFonts();
    }
    deadline.phase = 'print';
    const isBare = needsHeaderSheets(setup);
    const printed = {
      ...setup,
      ...(isBare ? { header: undefined, footer: undefined } : { header, footer }),
      marginsIn: margins,
      scale: setup.singlePage
        ? setup.scale
        : contentScale(typeof document === 'string' ? document : '', setup),
    };
    const styles = pageStyles(setup, margins, firstMargins);
    if (styles.css + styles.margins !== '') await this.#scripts.evaluate(addPageStyles(styles));
    // A large PDF would lose its memory to a second one, so pages are counted first.
    const total = isBare && setup.pageRanges ? await this.#printer.count(printed, memory) : undefined;
    // Only the whole document shows on which pages its parts are.
    const whole = paged?.references && setup.pageRanges ? { ...printed, pageRanges: undefined } : printed;
    const print = async () =>
      setup.singlePage ? this.#printSinglePage(whole, memory) : this.#printer.print(whole, memory);
    const { answered } = this.#requests.assets;
    let pdf = await print();
    // Print styles may request assets only while the document is printed. A second print includes them.
    await this.#waitForRequestReports();
    if (this.#requests.blockedAny) return 'needs network';
    // A plain page does not report when it has received an asset that only print styles use.
    if (this.key.documentClass === 'plain' && this.#requests.assets.answered > answered)
      return 'needs network';
    if (await this.#requests.wait()) pdf = await print();
    await this.#resources.explained(REPORT_RESPONSES_MS);
    if (paged?.references) {
      pdf = await completeReferences(pdf, { ...layout, print });
      if (whole !== printed) pdf = await this.#printer.print(printed, memory);
    }
    return { pdf, total };
  }

  /** A page on the web must not load the assets of the account for which it is printed. */
  async #openAssets(document: SlotJob['document'], assets: SlotJob['assets']): Promise<void> {
    const isOwn = typeof document === 'string';
    this.#requests.assets.use(isOwn ? assets : undefined);
    if (assets && isOwn && this.key.documentClass === 'active')
      await this.#requests.interceptAssets(this.#frameId);
  }

  async #capture({ document, setup, image, deadline, memory, assets }: CaptureJob): Promise<Buffer> {
    await this.#openAssets(document, assets);
    if (isLargeImage(image.window, image.scale)) {
      await memory.lock();
      // An idle page would hold the memory of its window.
      this.retire();
    }
    deadline.phase = 'load';
    await this.#emulation.prepareImage(image, setup.media);
    await this.#loadCompletely({ document, setup, deadline, assets });
    deadline.phase = 'print';
    const captured = await captureImage(
      {
        session: this.#session,
        evaluate: (expression) => this.#scripts.evaluate(expression),
        reserveLarge: () => memory.lock(),
      },
      image,
    );
    await this.#resources.explained(REPORT_RESPONSES_MS);
    return captured;
  }

  /** Loads a document with its assets, and waits for its conditions. */
  async #loadCompletely({
    document,
    setup,
    deadline,
    assets,
  }: Pick<SlotJob, 'document' | 'setup' | 'deadline' | 'assets'>): Promise<'loaded' | 'needs network'> {
    await this.#load(document);
    if (setup.waitFor) {
      deadline.phase = 'wait';
      await this.#waiting.meet(setup.waitFor);
      deadline.phase = 'load';
    }
    do {
      this.#missing = [...(assets?.missing ?? []), ...(await this.#scripts.waitForAssets())];
      if (this.#requests.blockedAny) return 'needs network';
    } while (await this.#requests.wait());
    return 'loaded';
  }

  /** Prepares a document in the media that it is printed in: styles decide where pages begin, and plain documents are hidden on the screen. */
  async #preparePagedMedia(paged: PagedFeatures, layout: PagedLayout): Promise<void> {
    await this.#emulation.whilePrinting(() => preparePagedMedia(paged, layout));
  }

  /**
   * Waits until the page has reported all requests of the document. The PDF comes from the browser process and the reports come from the
   * page, so only a response of the page shows that they are complete. A page that is busy after printing is not waited for.
   */
  async #waitForRequestReports(): Promise<void> {
    if (this.key.documentClass === 'plain') return;
    const responded = this.#scripts.evaluate('0').catch(() => {});
    await withTimeout(responded, { limitMs: REPORT_REQUESTS_MS, onTimeout: () => undefined });
  }

  /** Prints the document on one page that is as high as its content. */
  async #printSinglePage(setup: PrintSetup, memory: SlotJob['memory']): Promise<Buffer> {
    return printSinglePage(setup, {
      measure: (script) => this.#emulation.whilePrinting(() => this.#scripts.evaluate(script)),
      print: (fitted) => this.#printer.print(fitted, memory),
    });
  }

  /** Lays out a header or footer at the width of the paper. Returns its height in inches. */
  async #measure(headerOrFooter: string, setup: PrintSetup, embedsFonts = false): Promise<number> {
    const { widthIn } = paperSize(setup);
    const body = `<body style="margin:0;width:${widthIn}in">${PAGE_NUMBER_PLACEHOLDERS}${headerOrFooter}`;
    await this.#setContent(`<!doctype html>${body}`);
    await this.#scripts.waitForAssets();
    if (embedsFonts) await this.#scripts.noteHeaderFonts();
    const height = await this.#scripts.evaluate(
      `Document.prototype.getElementById.call(document, '${HEADER_FOOTER_ID}').getBoundingClientRect().height`,
    );
    return Number(height) / 96;
  }

  /**
   * Replaces the document and waits for its load event. `document.readyState` is not reliable: in a document that is written into a
   * loaded frame, Chromium sets it to `complete` while images still delay the event.
   */
  async #setContent(html: string): Promise<void> {
    const loaded = new Promise<void>((resolve) => this.#session.once('Page.loadEventFired', () => resolve()));
    await this.#session.send('Page.setDocumentContent', { frameId: this.#frameId, html });
    await loaded;
  }

  async #load(document: SlotJob['document']): Promise<void> {
    if (typeof document === 'string') return this.#setContent(document);
    // From now on the page sends credentials and holds data of other origins.
    this.retire();
    const page = { session: this.#session, frameId: this.#frameId, decisionOf: this.#decisionOf };
    this.#navigation = new UrlNavigation(document, page);
    await this.#navigation.load();
    if (document.styles) await this.#scripts.evaluate(styleScript(document.styles));
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
