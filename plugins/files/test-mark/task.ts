import { forField, openInput, PdfDocument, toResult, type PdfSource, type Result } from '@platen/pdf';
import { removeFalseClaims } from '@platen/pdf-standards';
import { markAsTest, markImageAsTest, type MarkedImageFormat } from '@platen/pdf/test-mark';

/**
 * Marks a PDF as a test document. Keeps its claims, such as PDF/A, if they hold for the result. Returns
 * `null` if all pages are marked already.
 */
export function markPdf({ pdf }: { pdf: PdfSource }): Result<Uint8Array | null> {
  return toResult(() => {
    // A result may be larger than the PDFs that requests may have.
    const open = () =>
      typeof pdf === 'object' && 'raw' in pdf ? PdfDocument.open(pdf.raw) : openInput(pdf, 'pdf');
    return forField('pdf', () => {
      const marked = markAsTest(open(), Date.now());
      return marked && removeFalseClaims(marked);
    });
  });
}

/** Marks an image as one made for tests. */
export function markImage({
  image,
  ...request
}: {
  image: Uint8Array;
  format: MarkedImageFormat;
  quality: number | undefined;
}): Promise<Uint8Array> {
  return markImageAsTest(image, request);
}
