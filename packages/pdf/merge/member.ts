import {
  adoptStrayFields,
  decodeText,
  readPages,
  type Page,
  type PdfDocument,
  type Ref,
} from '../objects/index.ts';

/** A document that becomes part of another, and where its pages go. */
export interface Member {
  document: PdfDocument;
  pages: Page[];
  /** The nodes of its page tree, which the result has none of. */
  nodes: Ref[];
  /** The place of its first page in the result, from 0. */
  firstPage: number;
  /** Its title, or its place among the documents. */
  heading: string;
}

/** Reads the pages of a document that is the `index`-th to be joined, from 0. @throws {PdfError} */
export function readMember(document: PdfDocument, index: number, firstPage: number): Member {
  const title = document.trailer.dict('Info')?.string('Title');
  const heading = (title ? decodeText(title).trim() : '') || `Document ${index + 1}`;
  const tree = readPages(document);
  adoptStrayFields(document, tree.pages);
  return { document, ...tree, firstPage, heading };
}
