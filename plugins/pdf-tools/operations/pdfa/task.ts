import {
  decodeInput,
  PdfDocument,
  readPages,
  toResult,
  type BrowserText,
  type PdfSource,
  type Result,
} from '@platen/pdf';
import { hasInvoice, type ConversionRequest } from '@platen/pdf-standards';
import { convert as convertBytes, type ConvertedPdf } from '@platen/pdf-standards/pdfa-task';

export interface Converted extends ConvertedPdf {
  pages: number;
  /** Whether the embedded invoice of the PDF was kept or removed; `undefined` if it has none. */
  invoice: 'kept' | 'removed' | undefined;
}

/** Converts a PDF to PDF/A, or returns the texts of fields that the browser must draw first. */
export async function convert({
  pdf,
  ...request
}: ConversionRequest & { pdf: PdfSource }): Promise<Result<Converted | { toDraw: BrowserText[] }>> {
  const bytes = toResult(() => decodeInput(pdf, 'pdf'));
  if (!bytes.ok) return bytes;
  const result = await convertBytes({ pdf: bytes.value, ...request });
  if (result.ok) {
    const { value } = result;
    if ('toDraw' in value) return { ok: true, value };
    const made = PdfDocument.open(value.pdf);
    const had = hasInvoice(PdfDocument.open(bytes.value));
    const invoice = had ? (hasInvoice(made) ? 'kept' : 'removed') : undefined;
    return { ok: true, value: { ...value, pages: readPages(made).pages.length, invoice } };
  }
  return result.code !== 'SIGNED'
    ? result
    : { ...result, message: `${result.message}; send allow_signature_loss: true to convert it anyway` };
}
