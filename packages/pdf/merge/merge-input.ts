import { removeSignatures } from '../forms/flatten/remove-signatures.ts';
import {
  adoptStrayFields,
  decodeText,
  readPages,
  type Page,
  type PdfDocument,
  type Ref,
} from '../objects/index.ts';

/** A document to merge, and the position of its pages in the result. */
export interface MergeInput {
  document: PdfDocument;
  pages: Page[];
  /** The nodes of its page tree, which are replaced in the result. */
  nodes: Ref[];
  /** The zero-based index of its first page in the result. */
  firstPage: number;
  /** Its title, or `Document` and its number. */
  heading: string;
}

/**
 * Reads the pages of a document to merge, and removes its signatures, which the result invalidates. `index`
 * is the zero-based position of the document.
 * @throws {PdfError}
 */
export function readMergeInput(document: PdfDocument, index: number, firstPage: number): MergeInput {
  const title = document.trailer.dict('Info')?.string('Title');
  const heading = (title ? decodeText(title).trim() : '') || `Document ${index + 1}`;
  const tree = readPages(document);
  removeSignatures(document);
  adoptStrayFields(document, tree.pages);
  return { document, ...tree, firstPage, heading };
}
