import { decodeInput, forField, PdfDocument, PdfError, readPages, toResult } from '@platen/pdf';
import type { PdfSource, Result } from '@platen/pdf';

/**
 * An uploaded PDF: its bytes if it was sent as base64, and its number of pages, or `null` if it needs a
 * password.
 */
export interface InspectedPdf {
  decoded: Uint8Array | undefined;
  pages: number | null;
}

/** Checks that an uploaded file is a PDF, and counts its pages. */
export function inspect({ file }: { file: PdfSource }): Result<InspectedPdf> {
  return toResult(() => {
    const isText = typeof file === 'string' || file instanceof Uint8Array;
    const bytes = decodeInput(file, 'file');
    return { decoded: isText ? bytes : undefined, pages: forField('file', () => countPages(bytes)) };
  });
}

function countPages(bytes: Uint8Array): number | null {
  try {
    return readPages(PdfDocument.open(bytes)).pages.length;
  } catch (error) {
    if (error instanceof PdfError && (error.fault === 'encrypted' || error.fault === 'needs-password'))
      return null;
    throw error;
  }
}
