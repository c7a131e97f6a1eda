import type { Result } from '../input.ts';
import { PdfDocument, PdfError } from '../objects/index.ts';
import { overlayPages, type Overlay } from './overlay.ts';
import { reorderPages } from './reorder.ts';

/** How to complete a document. */
export interface AssemblyRequest {
  pdf: Uint8Array;
  /** Pages to draw over its pages. */
  overlays: readonly Overlay[];
  /** The new order of its pages; see {@link reorderPages}. */
  order?: readonly number[] | undefined;
}

/** Draws overlays on the pages of a document, then changes their order. Failures are results for callers in another process. */
export function assemble({ pdf, overlays, order }: AssemblyRequest): Result<Uint8Array> {
  try {
    const drawn = overlays.length === 0 ? pdf : overlayPages(PdfDocument.open(pdf), overlays);
    return { ok: true, value: order ? reorderPages(PdfDocument.open(drawn), order) : drawn };
  } catch (error) {
    if (!(error instanceof PdfError)) throw error;
    return { ok: false, code: 'INVALID_INPUT', message: error.message, part: 'pdf' };
  }
}
