import {
  decodeInput,
  PdfDocument,
  readPages,
  toResult,
  type BrowserText,
  type ConversionRequest,
  type PdfSource,
  type Result,
} from '@platen/pdf';
import { convert as convertBytes, type ConvertedPdf } from '@platen/pdf/pdfa-task';

/** Converts a PDF to PDF/A, or returns the texts of fields that the browser must draw first. */
export async function convert({
  pdf,
  ...request
}: ConversionRequest & { pdf: PdfSource }): Promise<
  Result<(ConvertedPdf & { pages: number }) | { toDraw: BrowserText[] }>
> {
  const bytes = toResult(() => decodeInput(pdf, 'pdf'));
  if (!bytes.ok) return bytes;
  const result = await convertBytes({ pdf: bytes.value, ...request });
  if (result.ok) {
    const { value } = result;
    if ('toDraw' in value) return { ok: true, value };
    return { ok: true, value: { ...value, pages: readPages(PdfDocument.open(value.pdf)).pages.length } };
  }
  return result.code !== 'SIGNED'
    ? result
    : { ...result, message: `${result.message}; send allow_signature_loss: true to convert it anyway` };
}
