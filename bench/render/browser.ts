import { chromium, type CDPSession } from 'playwright-core';
import { countPages } from '../../plugins/render/pdf-scan.ts';
import { PAPER, type Contestant, type Printed } from './contestant.ts';

/** Settings of the contestants that launch a browser. */
interface BrowserSettings {
  executablePath: string;
  documents: readonly string[];
}

/** Measures the ceiling: Chromium printing a loaded page repeatedly. */
export async function loadedPage({ executablePath, documents }: BrowserSettings): Promise<Contestant> {
  const { browser, pid } = await launch(executablePath);
  let sessions: CDPSession[] = [];
  const { widthIn, heightIn, marginIn } = PAPER;
  return {
    way: 'ceiling: print a loaded page',
    documents,
    async prepare(html, workers) {
      await Promise.all(browser.contexts().map((context) => context.close()));
      sessions = await Promise.all(
        Array.from({ length: workers }, async () => {
          const page = await browser.newPage();
          await page.setContent(html);
          return page.context().newCDPSession(page);
        }),
      );
      return async (worker) => {
        const session = sessions[worker];
        if (!session) throw new Error('more workers than pages');
        const { data } = await session.send('Page.printToPDF', {
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
      };
    },
    rootPid: () => pid,
    stop: () => browser.close(),
  };
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
