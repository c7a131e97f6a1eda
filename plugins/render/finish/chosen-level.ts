import type { PdfaLevel } from '../../documents/contract.ts';

/** The level of a PDF with an embedded invoice (Factur-X 1.0, ZUGFeRD 2). */
export const INVOICE_LEVEL = '3b';

/** Returns the level of PDF/A that the option `pdfa` chooses; `undefined` if the PDF is not converted. */
export function chosenLevel(
  pdfa: boolean | PdfaLevel | undefined,
  { hasInvoice }: { hasInvoice: boolean },
): PdfaLevel | undefined {
  if (hasInvoice) return INVOICE_LEVEL;
  if (pdfa === true) return '1b';
  return pdfa === false ? undefined : pdfa;
}
