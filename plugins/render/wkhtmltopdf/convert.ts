import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { FairQueue, type Sandbox } from '../../../src/plugin.ts';
import type { LaunchedBrowser } from '../browser/launch.ts';
import { LargePdfMemory } from '../large-pdf.ts';
import { bandsHtml, bandUrl, bandValues, type BandedPage } from './bands.ts';
import { contentsHtml, transformScript } from './contents.ts';
import { readCookieJar } from './cookie-jar.ts';
import { hasRoom, printSetupOf, sheetOf, windowOf } from './layout.ts';
import { LoadError } from './load-error.ts';
import { LocalFiles } from './local-files.ts';
import { CONTENTS_LINK, headingsOf, outlineXml, sectionsAt, type Heading } from './outline.ts';
import { filesFor, printObject, type Printing, type PrintedPart } from './print-object.ts';
import { isPrinted, type Invocation, type PageObject } from './settings.ts';
import { urlOf, Workspace } from './sources.ts';
import { WebPage } from './web-page.ts';

/** The programs and the messages of a conversion. */
export interface ConversionParts {
  browser: LaunchedBrowser;
  sandbox: Sandbox;
  readInput: () => Promise<Uint8Array>;
  /** Reports the next step. */
  progress: (step: string) => void;
  warn: (message: string) => void;
}

/** Assembling thousands of pages takes long, and no other caller waits. */
const ASSEMBLY_TIMEOUT_MS = 600_000;
/** How often a table of contents is printed until its own length fits the numbers in it. */
const MAX_CONTENTS_PRINTS = 4;
/** How many pages get their headers and footers at once. */
const PAGES_PER_BAND_DOCUMENT = 100;

/** Converts the pages of a command line to a PDF. @throws {LoadError} for a page that cannot be loaded */
export async function convert(invocation: Invocation, parts: ConversionParts): Promise<Uint8Array> {
  using workspace = new Workspace();
  return await new Conversion(invocation, parts, workspace).run();
}

/** One conversion. */
class Conversion {
  readonly #invocation: Invocation;
  readonly #parts: ConversionParts;
  readonly #workspace: Workspace;
  readonly #printing: Printing;
  readonly #tasks;

  constructor(invocation: Invocation, parts: ConversionParts, workspace: Workspace) {
    this.#invocation = invocation;
    this.#parts = parts;
    this.#workspace = workspace;
    this.#tasks = parts.sandbox.load<typeof import('./task.ts')>(new URL('./task.ts', import.meta.url));
    this.#printing = {
      browser: parts.browser,
      memory: createMemory(),
      readOutline: (pdf) => this.#tasks.readOutline({ pdf }, { timeoutMs: ASSEMBLY_TIMEOUT_MS }),
      document: invocation.document,
      jar: invocation.document.cookieJar === undefined ? [] : readCookieJar(invocation.document.cookieJar),
      warn: parts.warn,
      heights: new Map(),
    };
  }

  async run(): Promise<Uint8Array> {
    const { document, objects } = this.#invocation;
    if (!hasRoom(sheetOf(document, { header: 0, footer: 0 })))
      throw new Error('the margins leave no room on the paper');
    this.#parts.progress('Loading pages (1/6)');
    const printed: (PrintedPart | PageObject)[] = [];
    for (const object of objects) {
      const part = object.kind === 'toc' ? object : await this.#printPage(object);
      if (part) printed.push(part);
    }
    this.#parts.progress('Counting pages (2/6)');
    const all = await this.#printContents(printed);
    if (all.length === 0) throw new Error('no page could be loaded');
    this.#parts.progress('Resolving links (4/6)');
    const headings = this.#headingsOf(all);
    if (document.outlineFile !== undefined) this.#writeOutline(document.outlineFile, all, headings);
    this.#parts.progress('Loading headers and footers (5/6)');
    const bands = await this.#printBands(all, headings.flat());
    this.#parts.progress('Printing pages (6/6)');
    return this.#tasks.join(
      {
        parts: all.map(({ pdf, object }) => ({ pdf, isInOutline: object.page.isInOutline })),
        bands,
        outlineDepth: document.outline ? document.outlineDepth : 0,
        contentsLink: CONTENTS_LINK,
        grayscale: document.grayscale,
        title: document.title ?? (all.length > 1 ? this.#titleOf(all) : undefined),
      },
      { timeoutMs: ASSEMBLY_TIMEOUT_MS },
    );
  }

  /** Prints a page; `undefined` if it is skipped because it cannot be loaded. */
  async #printPage(object: PageObject): Promise<PrintedPart | undefined> {
    const { source } = object;
    const url =
      source === '-'
        ? pathToFileURL(this.#workspace.write(await this.#parts.readInput())).href
        : urlOf(source);
    try {
      return await printObject(this.#printing, object, url);
    } catch (error) {
      const { pageErrors } = object.page;
      if (!(error instanceof LoadError) || pageErrors === 'abort') throw error;
      this.#parts.warn(`${error.message} (${pageErrors})`);
      if (pageErrors === 'skip') return undefined;
      return this.#printHtml(object, '<!doctype html><title></title>');
    }
  }

  async #printHtml(object: PageObject, html: string): Promise<PrintedPart> {
    return printObject(this.#printing, object, pathToFileURL(this.#workspace.write(html)).href);
  }

  /** Prints the tables of contents, whose own lengths change the numbers in them. */
  async #printContents(printed: readonly (PrintedPart | PageObject)[]): Promise<PrintedPart[]> {
    const isTable = (part: PrintedPart | PageObject): part is PageObject => !('pdf' in part);
    if (!printed.some(isTable)) return printed.flatMap((part) => (isTable(part) ? [] : [part]));
    let all = printed.map((part) => (isTable(part) ? this.#draftOf(part) : part));
    for (let attempt = 1; attempt <= MAX_CONTENTS_PRINTS; attempt += 1) {
      const headings = this.#headingsOf(all).flat();
      const made: PrintedPart[] = [];
      for (const part of printed)
        made.push(
          isTable(part) ? await this.#printHtml(part, await this.#contentsOf(part, all, headings)) : part,
        );
      const isFinal = made.every(
        ({ pages, outline }, index) =>
          pages === all[index]?.pages && Bun.deepEquals(outline, all[index].outline),
      );
      all = made;
      if (isFinal) break;
    }
    return all;
  }

  /** Returns a table of contents of the usual length, before its length is known. */
  #draftOf(object: PageObject): PrintedPart {
    const { heading } = object.contents;
    return {
      object,
      sheet: sheetOf(this.#invocation.document, { header: 0, footer: 0 }),
      pdf: Buffer.alloc(0),
      pages: 1,
      title: heading,
      outline: [{ title: heading, page: 0, children: [] }],
      header: undefined,
      footer: undefined,
    };
  }

  async #contentsOf(
    object: PageObject,
    all: readonly PrintedPart[],
    headings: readonly Heading[],
  ): Promise<string> {
    const { styleSheet } = object.contents;
    if (styleSheet === undefined) return contentsHtml(headings, object.contents);
    const script = transformScript(this.#xmlOf(all, this.#headingsOf(all)), readFileSync(styleSheet, 'utf8'));
    const url = pathToFileURL(this.#workspace.write('<!doctype html>')).href;
    const page = await WebPage.open(this.#parts.browser, {
      url,
      settings: { ...object.page, postFields: [], postFiles: [], scripts: [], windowStatus: undefined },
      files: filesFor(url, object.page),
      window: { width: 800, height: 600 },
      jar: [],
      warn: this.#parts.warn,
    });
    try {
      const html = await page.evaluate(script);
      if (typeof html === 'string') return html;
      const { fault } = html as { fault: string };
      throw new Error(`--xsl-style-sheet: ${fault}`);
    } finally {
      await page.close();
    }
  }

  /** Returns the headings of each part, down to the depth of the outline. */
  #headingsOf(all: readonly PrintedPart[]): Heading[][] {
    const { outlineDepth: depth, pageOffset } = this.#invocation.document;
    return all.map(({ object, outline }, part) => {
      const firstPage = 1 + pageOffset + pagesBefore(all, part);
      return object.page.isInOutline ? headingsOf(outline, { part, firstPage, depth }) : [];
    });
  }

  #writeOutline(path: string, all: readonly PrintedPart[], headings: readonly Heading[][]): void {
    const xml = this.#xmlOf(all, headings);
    if (path === '-') process.stdout.write(xml);
    else writeFileSync(path, xml);
  }

  #xmlOf(all: readonly PrintedPart[], headings: readonly Heading[][]): string {
    const { pageOffset } = this.#invocation.document;
    const parts = all.flatMap(({ title, object }, part) =>
      object.page.isInOutline
        ? [{ title, firstPage: 1 + pageOffset + pagesBefore(all, part), headings: headings[part] ?? [] }]
        : [],
    );
    return outlineXml(parts);
  }

  #titleOf(all: readonly PrintedPart[]): string {
    const first = all.find(({ object }) => object.kind === 'page') ?? all[0];
    return this.#invocation.document.title ?? first?.title ?? '';
  }

  /** Prints the headers and footers of all pages. */
  async #printBands(
    all: readonly PrintedPart[],
    headings: readonly Heading[],
  ): Promise<{ pdf: Uint8Array; firstPage: number }[]> {
    const bands: { pdf: Uint8Array; firstPage: number }[] = [];
    const now = new Date();
    for (const [index, part] of all.entries()) {
      const { header, footer } = part.object.page;
      if (!isPrinted(header) && !isPrinted(footer)) continue;
      const first = pagesBefore(all, index);
      const pages = Array.from({ length: part.pages }, (_, page) =>
        this.#bandedPage({ all, part, headings, now, index: first + page, sitePage: page + 1 }),
      );
      for (let from = 0; from < pages.length; from += PAGES_PER_BAND_DOCUMENT) {
        const some = pages.slice(from, from + PAGES_PER_BAND_DOCUMENT);
        bands.push({ pdf: await this.#printBandDocument(part, some), firstPage: first + from });
      }
    }
    return bands;
  }

  #bandedPage({
    all,
    part,
    headings,
    now,
    index,
    sitePage,
  }: {
    all: readonly PrintedPart[];
    part: PrintedPart;
    headings: readonly Heading[];
    now: Date;
    index: number;
    sitePage: number;
  }): BandedPage {
    const { pageOffset } = this.#invocation.document;
    const { page: settings, source } = part.object;
    const facts = {
      page: index + 1 + pageOffset,
      firstPage: 1 + pageOffset,
      lastPage: pagesBefore(all, all.length) + pageOffset,
      sitePage,
      sitePages: part.pages,
      source,
      sections: sectionsAt(headings, index + 1 + pageOffset),
      title: part.title,
      documentTitle: this.#titleOf(all),
      now,
    };
    const values = bandValues(facts, settings.replacements);
    const fill = (band: PrintedPart['header']) => band && { ...band, url: bandUrl(band.url, values) };
    return { sheet: part.sheet, settings, values, header: fill(part.header), footer: fill(part.footer) };
  }

  async #printBandDocument(part: PrintedPart, pages: readonly BandedPage[]): Promise<Buffer> {
    const { page: settings } = part.object;
    const path = this.#workspace.write(bandsHtml(pages));
    const files = filesFor(pathToFileURL(path).href, settings);
    const urls = [part.header?.url, part.footer?.url].filter((url) => url !== undefined);
    const frames = urls.map((url) => filesFor(url, settings));
    const bare = { top: 0, right: 0, bottom: 0, left: 0 };
    const sheet = { ...part.sheet, margins: bare };
    const page = await WebPage.open(this.#parts.browser, {
      url: pathToFileURL(path).href,
      settings: {
        ...settings,
        viewport: undefined,
        styleSheet: undefined,
        postFields: [],
        postFiles: [],
        scripts: [],
        windowStatus: undefined,
      },
      files: LocalFiles.any([files, ...frames]),
      window: windowOf(sheet, 1),
      jar: this.#printing.jar,
      warn: this.#parts.warn,
    });
    try {
      return await page.print(
        printSetupOf(sheet, { hasBackground: true, media: settings.media }, 1),
        this.#printing.memory,
      );
    } finally {
      await page.close();
    }
  }
}

function pagesBefore(all: readonly PrintedPart[], index: number): number {
  return all.slice(0, index).reduce((sum, { pages }) => sum + pages, 0);
}

/** Returns memory for large PDFs, for which nothing else waits. */
function createMemory(): LargePdfMemory {
  const queue = new FairQueue({
    concurrency: 1,
    queueLimit: 1,
    maxWaitMs: 1_000,
    busyMessage: 'a large PDF is being read',
  });
  return new LargePdfMemory(queue, { account: '', urgency: 'batch' });
}
