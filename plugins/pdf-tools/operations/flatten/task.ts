import {
  flattenDocument,
  forField,
  openInput,
  readPages,
  toResult,
  type BrowserText,
  type PdfSource,
  type Result,
} from '@platen/pdf';
import { removeFalseClaims, type ChangedPdf } from '@platen/pdf-standards';

/** Flattens a PDF, or returns the texts of fields that the browser must draw first. */
export function flatten({
  pdf,
  drawn,
}: {
  pdf: PdfSource;
  drawn?: Uint8Array[] | undefined;
}): Result<ChangedPdf | { toDraw: BrowserText[] }> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => {
      const pages = readPages(document).pages.length;
      const result = flattenDocument(document, { drawn });
      return 'pdf' in result ? { pdf: removeFalseClaims(result.pdf), pages } : result;
    });
  });
}
