import type { Result } from '../input.ts';
import { InputFault, RenderingError } from '../objects/index.ts';
import { PdfiumDocument } from '../pdfium/pdfium-document.ts';
import { PageRenderer } from '../images/page-renderer.ts';
import { markLabelAsTest } from '../test-mark/mark-label.ts';
import { pixelSizeOf } from '../images/pixel-size.ts';
import { zplOf } from './zpl.ts';

/** The resolutions of label printers, in dots per inch. */
const LABEL_DPI = [203, 300, 600];
/** The most dots of a page: a label of 6.6 by 13 inches at 600 dpi. */
const MAX_DOTS = 32_000_000;
/** The most dots of all pages. */
const MAX_TOTAL_DOTS = 200_000_000;

/**
 * Draws the pages of a PDF as labels in ZPL, one after the other. A failure names the field `dpi` if a page
 * or all pages together have too many dots. With `isTest`, the word TEST is drawn over each label.
 */
export async function drawZpl({
  pdf,
  dpi,
  isTest,
}: {
  pdf: Uint8Array;
  dpi: number;
  isTest: boolean;
}): Promise<Result<Uint8Array>> {
  try {
    using document = await PdfiumDocument.open(pdf);
    const renderer = PageRenderer.of(document);
    const labels: string[] = [];
    let total = 0;
    for (let page = 0; page < document.pageCount; page += 1) {
      const size = pixelSizeOf(document, page, { dpi, maxPixels: MAX_DOTS, choices: LABEL_DPI });
      total += size.width * size.height;
      if (total > MAX_TOTAL_DOTS)
        throw new InputFault('dpi', `makes the pages larger than ${MAX_TOTAL_DOTS} dots together`);
      const bitmap = renderer.render(page, size, { left: 0, top: 0, ...size }, 'print', 'rgb');
      if (isTest) markLabelAsTest(bitmap);
      labels.push(zplOf(bitmap));
    }
    return { ok: true, value: new TextEncoder().encode(labels.join('')) };
  } catch (error) {
    if (error instanceof InputFault)
      return { ok: false, code: 'INVALID_INPUT', message: error.message, part: error.field };
    if (error instanceof RenderingError)
      return { ok: false, code: 'INVALID_INPUT', message: error.message, part: 'pdf' };
    throw error;
  }
}
