import { PdfDocument, readPages } from '../../../packages/pdf/objects/index.ts';
import { PdfiumDocument } from '../../../packages/pdf/pdfium/pdfium-document.ts';
import { withPdfFiles } from './pdf-operations.ts';

/**
 * Opens a PDF with the object layer, PDFium and qpdf, and returns the number of pages that each finds, or the
 * reason why it finds none. PDFium loads every page, and qpdf reads every object.
 */
export async function openWithReaders(pdf: Uint8Array): Promise<Record<string, number | string>> {
  return {
    platen: count(() => readPages(PdfDocument.open(pdf)).pages.length),
    pdfium: await countWithPdfium(pdf),
    qpdf: countWithQpdf(pdf),
  };
}

function count(work: () => number): number | string {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function countWithPdfium(pdf: Uint8Array): Promise<number | string> {
  try {
    using document = await PdfiumDocument.open(pdf);
    return count(() => {
      for (let page = 0; page < document.pageCount; page++) document.openPage(page);
      return document.pageCount;
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function countWithQpdf(pdf: Uint8Array): number | string {
  return withPdfFiles([pdf], ([path]) => {
    const run = (option: string) => Bun.spawnSync(['qpdf', option, path]);
    const checked = run('--check');
    // 3 means that qpdf read the file with warnings.
    if (checked.exitCode !== 0 && checked.exitCode !== 3) return checked.stderr.toString();
    return Number(run('--show-npages').stdout.toString());
  });
}
