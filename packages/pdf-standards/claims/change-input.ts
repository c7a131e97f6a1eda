import { forField, openInput, toResult, type PdfSource, type Result } from '@platen/pdf';
import { readPages, type PdfDocument } from '@platen/pdf/objects';
import { withTrueClaims } from './true-claims.ts';

/** A PDF that was changed, and the number of its pages. */
export interface ChangedPdf {
  pdf: Uint8Array;
  pages: number;
}

/**
 * Opens a PDF, the field `pdf` of a request, and returns it with a change that keeps the number of pages.
 * Removes the claims of PDF/A and PDF/UA that do not hold for the result.
 */
export function changeInput(
  source: PdfSource,
  change: (document: PdfDocument) => Uint8Array,
  password?: string,
): Result<ChangedPdf> {
  return toResult(() => {
    const document = openInput(source, 'pdf', password);
    return forField('pdf', () => {
      const pages = readPages(document).pages.length;
      return { pdf: withTrueClaims(document, change), pages };
    });
  });
}
