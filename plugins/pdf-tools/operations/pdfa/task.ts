import { decodeInput, toResult, type PdfSource, type ConversionRequest, type Result } from '@platen/pdf';
import { convert as convertBytes } from '@platen/pdf/pdfa-task';

/** Converts a PDF to PDF/A-1b. */
export async function convert({
  pdf,
  ...request
}: ConversionRequest & { pdf: PdfSource }): Promise<Result<Uint8Array>> {
  const bytes = toResult(() => decodeInput(pdf, 'pdf'));
  if (!bytes.ok) return bytes;
  const result = await convertBytes({ pdf: bytes.value, ...request });
  return result.ok || result.code !== 'SIGNED'
    ? result
    : { ...result, message: `${result.message}; send allow_signature_loss: true to convert it anyway` };
}
