import {
  buildPageTree,
  informationOf,
  readPages,
  Ref,
  standalone,
  writePdf,
  type PdfDocument,
} from '../objects/index.ts';

/** Rewrites a document with its pages in another order. `order` contains each zero-based page index once. */
export function reorderPages(document: PdfDocument, order: readonly number[]): Buffer {
  const { pages } = readPages(document);
  const ordered = order.flatMap((index) => pages[index] ?? []);
  if (ordered.length !== pages.length || new Set(order).size !== pages.length)
    throw new Error('the order does not contain each page once');
  const byRef = new Map(ordered.map((page) => [page.ref, page]));
  const root = buildPageTree(
    ordered.map(({ ref }) => ref),
    (ref, parent) => {
      const page = byRef.get(ref);
      if (page) ref.value = standalone(page).set('Parent', parent);
    },
  );
  return writePdf({
    root: Ref.to(document.catalog.copy().set('Pages', root)),
    info: informationOf(document),
    version: document.version,
    compact: document.compact,
  });
}
