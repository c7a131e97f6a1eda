import {
  decodeInput,
  PdfDocument,
  readPages,
  toResult,
  type ConversionRequest,
  type PdfSource,
  type Result,
} from '@platen/pdf';
import { convert as convertBytes } from '@platen/pdf/pdfa-task';

/** Converts a PDF to PDF/A-1b. */
export async function convert({
  pdf,
  ...request
}: ConversionRequest & { pdf: PdfSource }): Promise<Result<{ pdf: Uint8Array; pages: number }>> {
  const bytes = toResult(() => decodeInput(pdf, 'pdf'));
  if (!bytes.ok) return bytes;
  const result = await convertBytes({ pdf: bytes.value, ...request });
  if (result.ok)
    return {
      ok: true,
      value: { pdf: result.value, pages: readPages(PdfDocument.open(result.value)).pages.length },
    };
  return result.code !== 'SIGNED'
    ? result
    : { ...result, message: `${result.message}; send allow_signature_loss: true to convert it anyway` };
}
