import { withTimeout } from '@platen/runtime';
import { checkAccessible, prepareAccessible } from '../accessibility/page-check.ts';
import type { AssetRequests } from '../assets/asset-requests.ts';
import { captureImage } from '../image/capture.ts';
import { isLargeImage } from '../image/image-setup.ts';
import {
  completePages,
  findLoadedFeatures,
  pagedLayoutOf,
  preparePagedMedia,
  type Evaluate,
  type PagedFeatures,
  type PagedLayout,
} from '../paged/paged-media.ts';
import type { SectionPages } from '../paged/page/sections.ts';
import { contentScale } from '../print/content-scale.ts';
import { countPages } from '../pdf-scan.ts';
import { HEADER_FOOTER_ID, layOutHeaders, PAGE_NUMBER_PLACEHOLDERS } from '../print/header-footer.ts';
import { needsHeaderSheets, needsTotal } from '../print/header-sheets.ts';
import { withLongestTitle } from '../print/section-variables.ts';
import { addPageStyles, pageStyles } from '../print/page-styles.ts';
import { paperSize, type PrintSetup } from '../print/print-options.ts';
import { FIND_BILL_SCALE } from '../receipt/bill-scale.ts';
import { FIND_REPLACED_FONTS, type ReplacedFont } from '../receipt/replaced-fonts.ts';
import { FIND_TEMPLATE_TAGS } from '../receipt/template-tags.ts';
import type { ResourceLog } from '../receipt/resource-log.ts';
import type { DocumentClass } from '../source/classify.ts';
import type { DocumentLoader } from './document-loader.ts';
import { Emulation } from './emulation.ts';
import type { PageScripts } from './page-scripts.ts';
import { PdfPrinter } from './pdf-printer.ts';
import { readMarkup } from './read-markup.ts';
import type { PendingRequests } from './pending-requests.ts';
import { printSinglePage } from './single-page.ts';
import type { CaptureJob, MarkupJob, SlotJob, SlotResult } from './slot-job.ts';
import type { PageSession } from './page-session.ts';

/**
 * How long to wait after printing for a browser page to report its requests. A busy machine needs much longer
 * than the usual millisecond.
 */
const REPORT_REQUESTS_MS = 500;

/** The parts of a browser page that {@link PageDocument} uses. */
export interface PageDocumentParts {
  documentClass: DocumentClass;
  session: PageSession;
  requests: PendingRequests;
  scripts: PageScripts;
  resources: ResourceLog;
  loader: DocumentLoader;
  /** Marks the page to be closed after this document. */
  readonly retire: () => void;
}

/** Prints or captures the document of a browser page, or reads its markup. */
export class PageDocument {
  #holdsFonts = false;

  readonly #documentClass: DocumentClass;
  readonly #session: PageSession;
  readonly #requests: PendingRequests;
  readonly #scripts: PageScripts;
  readonly #resources: ResourceLog;
  readonly #loader: DocumentLoader;
  readonly #retire: () => void;
  readonly #emulation: Emulation;
  readonly #printer: PdfPrinter;

  constructor(parts: PageDocumentParts) {
    this.#documentClass = parts.documentClass;
    this.#session = parts.session;
    this.#requests = parts.requests;
    this.#scripts = parts.scripts;
    this.#resources = parts.resources;
    this.#loader = parts.loader;
    this.#retire = parts.retire;
    this.#emulation = new Emulation(parts.session);
    this.#printer = new PdfPrinter(parts.session);
  }

  /**
   * Removes the fonts of header and footer from a plain page. An active page loses them with its document.
   */
  async releaseFonts(): Promise<void> {
    if (!this.#holdsFonts) return;
    this.#holdsFonts = false;
    await this.#scripts.releaseHeaderFonts();
  }

  async print({ document, setup, deadline, memory, assets, ...job }: SlotJob): Promise<SlotResult> {
    await this.#loader.openAssets(document, assets);
    deadline.phase = 'header';
    const { header, footer, margins, firstMargins } = await layOutHeaders(setup, (part) =>
      this.#measure(
        withLongestTitle(part, typeof document === 'string' ? document : ''),
        setup,
        assets?.embedsFonts,
      ),
    );

    deadline.phase = 'load';
    if (this.#documentClass === 'active') await this.#emulation.prepare(setup);
    const { hasNoAssets } = job;
    if ((await this.#loader.load({ document, hasNoAssets, setup, deadline, assets })) === 'needs network')
      return 'needs network';
    const { patienceMs } = setup.page ?? {};
    if (setup.prepare !== undefined) await this.#scripts.evaluate(setup.prepare);
    const evaluate: Evaluate = (expression) => this.#scripts.evaluate(expression);
    const styles = pageStyles(setup, margins, firstMargins);
    if (styles.css + styles.margins !== '') await this.#scripts.evaluate(addPageStyles(styles));
    const scale = setup.singlePage
      ? setup.scale
      : contentScale(typeof document === 'string' ? document : '', setup);
    const layout = { evaluate, ...pagedLayoutOf({ ...setup, scale, marginsIn: margins }) };
    const paged = typeof document === 'string' ? job.paged : await findLoadedFeatures(layout);
    const { writing, unknownSizes } = paged
      ? await this.#preparePagedMedia(paged, layout)
      : { writing: [], unknownSizes: [] };
    if (setup.accessible) await prepareAccessible(evaluate);

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
      scale,
    };
    // A large PDF would lose its memory to a second one, so pages are counted first.
    let total = needsTotal(setup) ? await this.#printer.count(printed, memory) : undefined;
    // Only a print of the whole document shows on which pages its parts are.
    const whole = writing.length > 0 && setup.pageRanges ? { ...printed, pageRanges: undefined } : printed;
    const print = async () =>
      setup.singlePage ? this.#printSinglePage(whole, memory) : this.#printer.print(whole, memory);
    let answered: AssetRequests['answered'];
    let begun: number;
    let pdf: Buffer;
    let sections: readonly SectionPages[] | undefined;
    // Print styles may request assets only while the document is printed. A second print includes them.
    do {
      ({ answered } = this.#requests.assets);
      ({ begun } = this.#requests);
      pdf = await print();
      await this.#waitForRequestReports();
      if (this.#requests.blockedAny) return 'needs network';
      // A plain page reports when it has received a font, but not when it has received another asset.
      if (this.#documentClass === 'plain' && this.#requests.assets.answered.others > answered.others)
        return 'needs network';
    } while (await this.#loader.waitForLateFonts(document, assets, answered));
    // A request that began while the document was printed may have ended by now, but too late for the PDF.
    if ((await this.#requests.wait(patienceMs)) || this.#requests.begun > begun) pdf = await print();
    await this.#resources.explained();
    if (writing.length > 0) {
      const whilePrinting: Evaluate = (expression) =>
        this.#emulation.whilePrinting(() => evaluate(expression));
      ({ pdf, sections } = await completePages(pdf, writing, { evaluate: whilePrinting, print }));
      if (whole !== printed) {
        total &&= countPages(pdf);
        pdf = await this.#printer.print(printed, memory);
      }
    }
    const { accessible } = setup;
    const accessibility =
      accessible && (await this.#emulation.whilePrinting(() => checkAccessible(evaluate, accessible)));
    return { pdf, total, sections, unknownSizes, accessibility };
  }

  /** Returns the faces that the printed document requests, and their families lack. */
  async findReplacedFonts(): Promise<ReplacedFont[]> {
    const find = () => this.#scripts.evaluate(FIND_REPLACED_FONTS);
    return (await this.#emulation.whilePrinting(find)) as ReplacedFont[];
  }

  /** Returns tags of templates in the text of the printed document. */
  async findTemplateTags(): Promise<string[]> {
    return (await this.#scripts.evaluate(FIND_TEMPLATE_TAGS)) as string[];
  }

  /** Returns the width of the Swiss QR-bills relative to the prescribed one; see {@link FIND_BILL_SCALE}. */
  async findBillScale(): Promise<number> {
    return Number(await this.#emulation.whilePrinting(() => this.#scripts.evaluate(FIND_BILL_SCALE)));
  }

  async capture({ document, setup, image, deadline, memory, assets }: CaptureJob): Promise<Buffer> {
    await this.#loader.openAssets(document, assets);
    if (isLargeImage(image.window, image.scale)) {
      await memory.lock();
      // An idle page would keep the memory of its window.
      this.#retire();
    }
    deadline.phase = 'load';
    await this.#emulation.prepareImage(image, setup);
    await this.#loader.load({ document, setup, deadline, assets });
    deadline.phase = 'print';
    const captured = await captureImage(
      {
        session: this.#session,
        evaluate: (expression) => this.#scripts.evaluate(expression),
        reserveLarge: () => memory.lock(),
      },
      image,
      { isFast: setup.page?.fastImage === true },
    );
    await this.#resources.explained();
    return captured;
  }

  /** Loads the document, and returns its markup afterwards. @throws {RenderError} for too much of it */
  async readMarkup({ document, setup, deadline, assets }: MarkupJob): Promise<string> {
    await this.#loader.openAssets(document, assets);
    deadline.phase = 'load';
    await this.#emulation.prepare(setup);
    await this.#loader.load({ document, setup, deadline, assets });
    return readMarkup((expression) => this.#scripts.evaluate(expression));
  }

  /**
   * Prepares a document in the media type of the print: its styles decide where pages begin, and plain
   * documents are hidden on the screen.
   */
  async #preparePagedMedia(paged: PagedFeatures, layout: PagedLayout): ReturnType<typeof preparePagedMedia> {
    return this.#emulation.whilePrinting(() => preparePagedMedia(paged, layout));
  }

  /**
   * Waits until the page has reported all requests of the document. The PDF comes from the browser process
   * and the reports come from the page, so only a response of the page shows that they are complete. A page
   * that is busy after printing is not waited for.
   */
  async #waitForRequestReports(): Promise<void> {
    if (this.#documentClass === 'plain') return;
    const responded = this.#scripts.evaluate('0').catch(() => {});
    await withTimeout(responded, { limitMs: REPORT_REQUESTS_MS, onTimeout: () => undefined });
  }

  /** Prints the document on one page that is as tall as its content. */
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
    await this.#loader.setContent(`<!doctype html>${body}`);
    await this.#scripts.waitForAssets();
    if (embedsFonts) await this.#scripts.noteHeaderFonts();
    const height = await this.#scripts.evaluate(
      `Document.prototype.getElementById.call(document, '${HEADER_FOOTER_ID}').getBoundingClientRect().height`,
    );
    return Number(height) / 96;
  }
}
