import { decodeInput, forField, type PdfSource } from '../input.ts';
import { informationOf, PdfDocument, readPages, Ref, writePdf } from '../objects/index.ts';
import { PdfiumDocument, RenderingError } from './pdfium-document.ts';

/**
 * Opens a PDF of a caller in PDFium. A file in which PDFium finds fewer or more pages than the object layer is repaired first, so that
 * pages have the same numbers in all operations.
 * @throws {InputFault} naming the field if the file is not a PDF, needs a password or cannot be repaired.
 */
export async function openReadable(source: PdfSource, field: string): Promise<PdfiumDocument> {
  const bytes = decodeInput(source, field);
  const document = forField(field, () => PdfDocument.open(bytes));
  const { length } = forField(field, () => readPages(document).pages);
  const opened = await PdfiumDocument.open(bytes).catch((error: unknown) => {
    if (error instanceof RenderingError) return undefined;
    throw error;
  });
  if (opened?.pageCount === length) return opened;
  opened?.[Symbol.dispose]();
  return PdfiumDocument.open(forField(field, () => rewrite(document)));
}

function rewrite(document: PdfDocument): Uint8Array {
  return writePdf({
    root: Ref.to(document.catalog),
    info: informationOf(document),
    version: document.version,
    compact: document.compact,
  });
}
