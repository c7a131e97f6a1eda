import { chromium, type Browser, type CDPSession } from 'playwright-core';
import { countPages } from '../../plugins/render/pdf-scan.ts';
import { PAPER, type Contestant, type Printed } from './contestant.ts';

/** Settings of the contestants that launch a browser. */
interface BrowserSettings {
  executablePath: string;
  documents: readonly string[];
}

/** Measures the ceiling: Chromium printing a loaded page repeatedly. */
export async function loadedPage({ executablePath, documents }: BrowserSettings): Promise<Contestant> {
  return inTabs({ way: 'ceiling: print a loaded page', executablePath, documents }, async (tab, html) => {
    await tab.load(html);
    return () => tab.print();
  });
}

/** Measures a loop without a service: loads the document into the same tab for each job and prints it. */
export async function loadAndPrint({ executablePath, documents }: BrowserSettings): Promise<Contestant> {
  return inTabs({ way: 'load and print in one tab', executablePath, documents }, async (tab, html) => {
    return async () => {
      await tab.load(html);
      return tab.print();
    };
  });
}

/** Prepares a job in a tab of its own for each worker. */
async function inTabs(
  { way, executablePath, documents }: BrowserSettings & { way: string },
  prepareTab: (tab: Tab, html: string) => Promise<() => Promise<Printed>>,
): Promise<Contestant> {
  const { browser, pid } = await launch(executablePath);
  return {
    way,
    documents,
    async prepare(html, workers) {
      await Promise.all(browser.contexts().map((context) => context.close()));
      const jobs = await Promise.all(
        Array.from({ length: workers }, async () => prepareTab(await Tab.open(browser), html)),
      );
      return (worker) => {
        const job = jobs[worker];
        if (!job) throw new Error('more workers than tabs');
        return job();
      };
    },
    rootPid: () => pid,
    stop: () => browser.close(),
  };
}

/** A tab in a context of its own, controlled through the Chrome DevTools Protocol. */
class Tab {
  readonly #session: CDPSession;
  readonly #frameId: string;

  private constructor(session: CDPSession, frameId: string) {
    this.#session = session;
    this.#frameId = frameId;
  }

  static async open(browser: Browser): Promise<Tab> {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    const { frameTree } = await session.send('Page.getFrameTree');
    return new Tab(session, frameTree.frame.id);
  }

  async load(html: string): Promise<void> {
    await this.#session.send('Page.setDocumentContent', { frameId: this.#frameId, html });
  }

  async print(): Promise<Printed> {
    const { widthIn, heightIn, marginIn } = PAPER;
    const { data } = await this.#session.send('Page.printToPDF', {
      paperWidth: widthIn,
      paperHeight: heightIn,
      marginTop: marginIn,
      marginRight: marginIn,
      marginBottom: marginIn,
      marginLeft: marginIn,
      printBackground: true,
      preferCSSPageSize: true,
      generateTaggedPDF: false,
    });
    return printed(Buffer.from(data, 'base64'));
  }
}

/**
 * Opens a new page in a new context for each job, like a small service built on Playwright, but without HTTP.
 */
export async function freshPage({ executablePath, documents }: BrowserSettings): Promise<Contestant> {
  const { browser, pid } = await launch(executablePath);
  const margin = `${PAPER.marginIn}in`;
  return {
    way: 'fresh page per job',
    documents,
    prepare: (html) =>
      Promise.resolve(async () => {
        const page = await browser.newPage();
        await page.setContent(html);
        const pdf = await page.pdf({
          format: 'A4',
          margin: { top: margin, right: margin, bottom: margin, left: margin },
          printBackground: true,
          preferCSSPageSize: true,
        });
        await page.close();
        return printed(pdf);
      }),
    rootPid: () => pid,
    stop: () => browser.close(),
  };
}

/** Wraps the PDF of a job. */
export function printed(pdf: Buffer): Printed {
  return { pages: () => countPages(pdf) };
}

async function launch(executablePath: string) {
  const browser = await chromium.launch({ executablePath, chromiumSandbox: process.getuid?.() !== 0 });
  const session = await browser.newBrowserCDPSession();
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  return { browser, pid: processInfo.find(({ type }) => type === 'browser')?.id ?? 0 };
}
