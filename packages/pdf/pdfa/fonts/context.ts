import type { PdfDocument } from '../../objects/index.ts';
import type { Violation } from '../violation.ts';

/** What settling the fonts of a document shares. */
export interface FontContext {
  document: PdfDocument;
  /** What cannot be put right. */
  violations: Violation[];
  /** Counts the programs that were made, so that each has a name of its own. */
  next(): number;
}
