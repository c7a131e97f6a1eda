import { messageOf } from '../../../src/plugin.ts';
import { printLargePdf, type LargePdfMemory } from '../large-pdf.ts';
import { countPages } from '../pdf-scan.ts';
import { describeOutside, minPageCount } from '../print/page-ranges.ts';
import { printCommand, type PrintSetup } from '../print/print-options.ts';
import { RenderError } from '../render-error.ts';
import { FILE_TOO_LARGE } from './browser-message.ts';
import { PIPE_LIMITS } from './browser-pipe.ts';
import type { PageSession } from './page-session.ts';

/** Chromium's error for a document that `Page.printToPDF` cannot print. */
const PRINTING_FAILED = 'Printing failed';

/** Chromium's error of `Page.printToPDF` when the document ends before the first selected page. */
const OUT_OF_RANGE = 'Page range exceeds page count';

const HEADERS_TOO_LARGE = `the headers and footers of all pages take more than ${PIPE_LIMITS.pdfBytes / 1024 ** 2} MiB: use smaller images`;

/** Prints the document of a browser page. */
export class PdfPrinter {
  readonly #session: PageSession;

  constructor(session: PageSession) {
    this.#session = session;
  }

  /**
   * Prints the selected pages. A large PDF needs `memory`, and fails without it.
   * @throws {RenderError} when the document does not have all selected pages, or cannot be printed.
   */
  async print(setup: PrintSetup, memory: LargePdfMemory | undefined): Promise<Buffer> {
    const { pageRanges, page } = setup;
    if (page?.nativePageRanges !== undefined) return this.#printNativeRanges(setup, memory);
    if (!pageRanges) return this.#print(printCommand(setup), memory);
    try {
      const pdf = await this.#print(printCommand(setup), memory);
      if (countPages(pdf) >= minPageCount(pageRanges)) return pdf;
    } catch (error) {
      if (!messageOf(error).includes(OUT_OF_RANGE)) throw error;
    }
    const message = describeOutside(pageRanges, await this.count(setup, memory));
    throw new RenderError('RENDER_FAILED', message, { path: 'options.pageRanges' });
  }

  /**
   * Counts the pages of the document, including unselected ones. Invalidates an earlier large PDF, because
   * its memory is used again.
   */
  async count(setup: PrintSetup, memory: LargePdfMemory | undefined): Promise<number> {
    return countPages(await this.#print(printCommand({ ...setup, pageRanges: undefined }), memory));
  }

  async #printNativeRanges(setup: PrintSetup, memory: LargePdfMemory | undefined): Promise<Buffer> {
    return this.#print(printCommand(setup), memory).catch((error: unknown) => {
      if (!messageOf(error).includes(OUT_OF_RANGE)) throw error;
      const path = 'page.nativePageRanges';
      throw new RenderError('RENDER_FAILED', 'begins after the last page', { path, cause: error });
    });
  }

  /** Receives the PDF in one message, or in pieces when it is too large. */
  async #print(
    command: ReturnType<typeof printCommand>,
    memory: LargePdfMemory | undefined,
  ): Promise<Buffer> {
    try {
      const { data } = await this.#session.send('Page.printToPDF', command);
      return pdfOf(data);
    } catch (error) {
      const message = messageOf(error);
      if (message.includes(PRINTING_FAILED))
        throw new RenderError('RENDER_FAILED', 'the browser could not print the document', { cause: error });
      if (!message.includes(FILE_TOO_LARGE)) throw error;
    }
    if (!memory) throw new RenderError('RENDER_FAILED', HEADERS_TOO_LARGE);
    await memory.lock();
    return printLargePdf(this.#session, command, memory);
  }
}

/** Returns the PDF, which the browser's pipe has decoded although Playwright types it as base64. */
function pdfOf(data: unknown): Buffer {
  if (Buffer.isBuffer(data)) return data;
  throw new Error('the browser did not send a PDF');
}
