import { pageTreeOf } from '../edit/edit.ts';
import { readPages, type Dict, type PdfDocument } from '../objects/index.ts';

/** Gives a catalog a valid page tree if the page tree of the document lists a page object twice. */
export function separatePages(document: PdfDocument, catalog: Dict): void {
  const { pages } = readPages(document);
  if (pages.some(({ ref }) => ref.number === 0))
    catalog.set('Pages', pageTreeOf({ all: pages, changed: new Map() }));
}
