import type { PdfDocument } from '../../objects/index.ts';
import type { Violation } from '../violation.ts';

/** State shared while the fonts of a document are embedded. */
export interface FontContext {
  document: PdfDocument;
  /** The violations that cannot be corrected. */
  violations: Violation[];
  /** Returns the next number for the unique name of a new font program. */
  next(): number;
}
