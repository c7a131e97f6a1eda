import {
  drawWatermark,
  forField,
  openInput,
  readPages,
  toResult,
  type PdfSource,
  type Result,
  type Watermark,
} from '@platen/pdf';

/** Draws a mark on pages of a PDF. */
export function draw({
  pdf,
  watermark,
}: {
  pdf: PdfSource;
  watermark: Watermark;
}): Result<{ pdf: Uint8Array; pages: number }> {
  return toResult(() => {
    const document = openInput(pdf, 'pdf');
    return forField('pdf', () => {
      const pages = readPages(document).pages.length;
      return { pdf: drawWatermark(document, watermark), pages };
    });
  });
}
