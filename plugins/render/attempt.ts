import type { Log } from '../../src/plugin.ts';
import { AttemptPages } from './attempt-pages.ts';
import type { PageAccessibility } from './accessibility/page/check-document.ts';
import type { PageAssets } from './assets/page-assets.ts';
import type { Browsers } from './browser/browsers.ts';
import type { BrowserLease } from './browser/chromium.ts';
import { classify, type ClassifiedDocument, type DocumentClass } from './source/classify.ts';
import { Deadline } from './deadline.ts';
import type { LargePdfMemory } from './large-pdf.ts';
import type { PageSlot } from './browser/page-slot.ts';
import type { SlotResult } from './browser/slot-job.ts';
import type { Overlay } from './assemble-pdf.ts';
import { findPagedFeatures } from './paged/paged-media.ts';
import type { SiteDocument } from './page/site.ts';
import type { ImageSetup } from './image/image-setup.ts';
import { countPages, readPageSizes, removeUnsafeLinks } from './pdf-scan.ts';
import { hasActiveHeader } from './print/header-footer.ts';
import { needsHeaderSheets, planHeaderSheets } from './print/header-sheets.ts';
import { sectionSheets } from './print/section-sheets.ts';
import { showsSections } from './print/section-variables.ts';
import { contentScale } from './print/content-scale.ts';
import { findOverflow } from './print-scale.ts';
import { listPages, orderOf } from './print/page-ranges.ts';
import { needsActivePage, type PrintSetup } from './print/print-options.ts';
import type { UrlDocument } from './url/url-source.ts';
import type { ReactDocument, ReactRenderer } from './react/react-renderer.ts';
import { BILL_MARK } from './receipt/bill-scale.ts';
import type { FontCoverage } from './receipt/font-coverage.ts';
import { mayMissGlyphs, type MissingGlyphs } from './receipt/missing-glyphs.ts';
import { billScaleOf, missingGlyphsOf, replacedFontsOf, templateTagsOf } from './receipt/page-findings.ts';
import type { ReceiptDraft } from './receipt/receipt.ts';
import { RenderError } from './render-error.ts';

export interface PrintRequest {
  accountId: string;
  /** HTML, also with files, a component that is rendered to HTML first, or a web page. */
  document: string | ReactDocument | UrlDocument | SiteDocument;
  setup: PrintSetup;
  /** The assets that the document may load. */
  assets?: PageAssets | undefined;
  /**
   * Set for the service's own markup around a caller's text. It counts as plain without being classified, and
   * is never active.
   */
  snippet?: boolean;
  /**
   * Fails a plain document that requests a resource from the network, instead of printing it as an active
   * one.
   */
  offline?: boolean;
  /** The image to make of the document, for {@link Attempt.capture}. */
  image?: ImageSetup | undefined;
  receipt?: ReceiptDraft | undefined;
}

/** A request that is being printed. */
export interface RunningPrint extends PrintRequest {
  /**
   * The class of the document; `undefined` for a component, which is classified once it is HTML, and for a
   * web page.
   */
  classified: ClassifiedDocument | undefined;
  deadline: Deadline;
  memory: LargePdfMemory;
}

export interface PrintedPdf {
  pdf: Buffer;
  pages: number;
  documentClass: DocumentClass;
  /** Headers and footers to draw over the pages. */
  overlays: Overlay[];
  /** The order of the pages, as indexes; `undefined` when they are in order. */
  order: number[] | undefined;
  /** The check of a document that is printed with tags. */
  accessibility: PageAccessibility | undefined;
}

/** A document as an image. */
export interface CapturedImage {
  image: Buffer;
  documentClass: DocumentClass;
}

export interface AttemptParts {
  browsers: Browsers;
  /** The characters that the fonts of the browsers cover. */
  fonts: FontCoverage;
  react: ReactRenderer;
  /** The time limit for compiling and rendering a component, within the deadline of its document. */
  reactTimeoutMs: number;
  /** The maximum number of pages of a document. */
  maxPages: number;
  log: Log;
}

/** One attempt at printing a document, in one browser. */
export class Attempt {
  readonly #parts: AttemptParts;
  readonly #print: RunningPrint;
  readonly #pages: AttemptPages;

  constructor(parts: AttemptParts, print: RunningPrint, lease: BrowserLease) {
    this.#parts = parts;
    this.#print = print;
    const { accountId, deadline, receipt } = print;
    this.#pages = new AttemptPages({ browsers: parts.browsers, lease, accountId, deadline, receipt });
  }

  /**
   * Prints the document. @throws {PageLostError} when its browser page is lost; another attempt may succeed.
   */
  async run(): Promise<PrintedPdf> {
    const { result, documentClass } = await this.#printDocument();
    if (result === 'needs network')
      throw new RenderError('RENDER_FAILED', 'a document that must not use the network requested a resource');
    const pages = countPages(result.pdf);
    const { maxPages } = this.#parts;
    const total = Math.max(pages, result.total ?? 0);
    if (total > maxPages)
      throw new RenderError('TOO_MANY_PAGES', `the document has ${total} pages; the limit is ${maxPages}`);
    await removeUnsafeLinks(result.pdf);
    const { pageRanges } = this.#print.setup;
    const numbers = pageRanges && listPages(pageRanges, pages);
    return {
      pdf: result.pdf,
      pages,
      documentClass,
      overlays: await this.#printHeaderSheets(result, numbers),
      order: numbers && orderOf(numbers),
      accessibility: result.accessibility,
    };
  }

  /**
   * Captures the document as an image, on an active page, because the window of a plain page is always the
   * same.
   * @throws like {@link run}.
   */
  async capture(image: ImageSetup): Promise<CapturedImage> {
    const { accountId, document, setup, deadline, memory, receipt, assets } = this.#print;
    const source =
      typeof document === 'object' && 'source' in document ? await this.#renderWithFonts(document) : document;
    const content = typeof source === 'string' ? (assets?.forActivePage(source) ?? source) : source;
    const documentClass = 'active';
    if (receipt) receipt.documentClass = documentClass;
    const { proxyUrl } = setup.page ?? {};
    return this.#pages.use({ documentClass, accountId, proxyUrl }, 'document', async (page) => {
      const captured = await page.capture({ document: content, setup, image, deadline, memory, assets });
      return { image: captured, documentClass };
    });
  }

  /** Loads the document on an active page, and reads its markup. @throws like {@link run}. */
  async readMarkup(): Promise<{ markup: string; documentClass: DocumentClass }> {
    const { accountId, document, setup, deadline, assets } = this.#print;
    if (typeof document === 'object' && 'source' in document)
      throw new Error('a component has no markup of its own');
    const content = typeof document === 'string' ? (assets?.forActivePage(document) ?? document) : document;
    const documentClass = 'active';
    return this.#pages.use({ documentClass, accountId }, undefined, async (page) => {
      return { markup: await page.readMarkup({ document: content, setup, deadline, assets }), documentClass };
    });
  }

  /**
   * Prints headers and footers that Chromium cannot print with the document. `numbers` are those of the
   * printed pages; all by default.
   */
  async #printHeaderSheets(
    { pdf, total, sections }: Exclude<SlotResult, string>,
    numbers: readonly number[] | undefined,
  ): Promise<Overlay[]> {
    const { setup, deadline, receipt, assets } = this.#print;
    if (!needsHeaderSheets(setup)) return [];
    const sizes = await readPageSizes(pdf);
    const ascending = numbers?.toSorted((a, b) => a - b);
    const pages = sizes.map((size, index) => ({ size, number: ascending?.[index] ?? index + 1 }));
    const overlays: Overlay[] = [];
    const count = total ?? pages.at(-1)?.number ?? 0;
    const plan = showsSections(setup)
      ? sectionSheets(setup, { pages, total: count, sections: sections ?? [] })
      : planHeaderSheets(setup, pages, count);
    for (const { html, setup: sheetSetup, firstPage } of plan) {
      const sheets = await this.#pages.use(
        { documentClass: 'plain', accountId: '' },
        undefined,
        async (page) => {
          const printed = await page.print({
            document: html,
            setup: sheetSetup,
            deadline,
            memory: undefined,
            assets,
          });
          if (printed === 'needs network') throw new Error('a header requested a resource');
          if (receipt?.missingGlyphs)
            receipt.addMissingGlyphs(await this.#findMissingGlyphs(printed.pdf, page));
          return printed.pdf;
        },
      );
      overlays.push({ pdf: sheets, firstPage });
    }
    return overlays;
  }

  async #printDocument(): Promise<{ result: SlotResult; documentClass: DocumentClass }> {
    const { document, setup, snippet, offline } = this.#print;
    const printActive = async (content: string | UrlDocument | SiteDocument) => {
      return { result: await this.#printOn('active', content), documentClass: 'active' } as const;
    };
    if (typeof document === 'object' && !('source' in document)) return printActive(document);
    const html = typeof document === 'string' ? document : await this.#renderWithFonts(document);
    const {
      documentClass,
      html: prepared,
      hasNoAssets,
    } = this.#print.classified ?? classifyFor(html, setup, this.#print.assets);
    const result = await this.#printOn(documentClass, prepared, hasNoAssets);
    return result === 'needs network' && !snippet && !offline ? printActive(html) : { result, documentClass };
  }

  async #renderWithFonts(component: ReactDocument): Promise<string> {
    const html = await this.#renderComponent(component);
    return this.#print.assets?.addFonts(html) ?? html;
  }

  /**
   * Renders a component to HTML, in a browser page of its account. Another browser page prints the HTML, so
   * nothing that the component leaves behind reaches the document.
   */
  async #renderComponent(component: ReactDocument): Promise<string> {
    const { react, reactTimeoutMs } = this.#parts;
    const { accountId, deadline } = this.#print;
    const key = { documentClass: 'active', accountId, prelude: await react.prelude() } as const;
    return this.#pages.use(key, 'component', async (page) => {
      deadline.phase = 'react';
      using limit = new Deadline({ timeoutMs: reactTimeoutMs, phase: 'react' });
      return await limit.race(page.use((session) => react.render(session, component)));
    });
  }

  async #printOn(
    documentClass: DocumentClass,
    content: string | UrlDocument | SiteDocument,
    hasNoAssets = false,
  ): Promise<SlotResult> {
    const { accountId, setup, snippet, deadline, memory, receipt, assets } = this.#print;
    if (receipt) receipt.documentClass = documentClass;
    const key =
      documentClass === 'plain'
        ? { documentClass, accountId: '' }
        : { documentClass, accountId, proxyUrl: setup.page?.proxyUrl };
    return this.#pages.use(key, 'document', async (page) => {
      const isActive = documentClass === 'active';
      const document =
        typeof content === 'string' && isActive ? (assets?.forActivePage(content) ?? content) : content;
      const paged = snippet || typeof document !== 'string' ? undefined : findPagedFeatures(document, setup);
      const result = await page.print({
        document,
        hasNoAssets,
        setup,
        paged,
        deadline,
        memory,
        assets,
      });
      if (result === 'needs network') return result;
      if (receipt) {
        const isCovered =
          documentClass === 'plain' &&
          typeof content === 'string' &&
          !mayMissGlyphs(content + this.#headersAndFooters());
        const html = typeof document === 'string' ? document : '';
        receipt.overflow = await findOverflow(result.pdf, contentScale(html, setup));
        receipt.missingGlyphs = isCovered
          ? { count: 0, characters: [] }
          : await this.#findMissingGlyphs(result.pdf, page);
        const mayPrintTags = receipt.hasNoData && html.includes('{{');
        receipt.templateTags = mayPrintTags ? await templateTagsOf(page, this.#parts.log) : [];
        receipt.unknownPageSizes = result.unknownSizes ?? [];
        const scale = setup.scale * (receipt.overflow?.scale ?? 1);
        receipt.billScale = html.includes(BILL_MARK)
          ? await billScaleOf(page, { scale, log: this.#parts.log })
          : 1;
        receipt.replacedFonts = assets?.fontStyles ? await replacedFontsOf(page, this.#parts.log) : [];
      }
      return result;
    });
  }

  /** Returns the headers and footers without the assets that are embedded in them. */
  #headersAndFooters(): string {
    const { assets, setup } = this.#print;
    const { header, footer, firstPage } = setup;
    return assets?.headersAndFooters ?? [header, footer, firstPage?.header, firstPage?.footer].join('');
  }

  async #findMissingGlyphs(pdf: Buffer, page: PageSlot): Promise<MissingGlyphs | null> {
    return missingGlyphsOf(pdf, { ...this.#parts, page, headersAndFooters: this.#headersAndFooters() });
  }
}

/** Classifies a document by its content and its options. */
export function classifyFor(
  html: string,
  setup: PrintSetup,
  assets: PageAssets | undefined,
): ClassifiedDocument {
  const isActive = needsActivePage(setup) || hasActiveHeader(setup);
  return isActive ? { documentClass: 'active', html } : classify(html, assets?.fontStyles);
}
