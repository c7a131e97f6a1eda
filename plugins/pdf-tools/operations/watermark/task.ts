import { changeInput, type ChangedPdf } from '@platen/pdf-standards';
import { drawWatermark, type PdfSource, type Result, type Watermark } from '@platen/pdf';

/** Draws a mark on pages of a PDF. */
export function draw({ pdf, watermark }: { pdf: PdfSource; watermark: Watermark }): Result<ChangedPdf> {
  return changeInput(pdf, (document) => drawWatermark(document, watermark));
}
