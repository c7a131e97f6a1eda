import {
  appendUpdate,
  buildPageTree,
  canAppend,
  InputFault,
  Ref,
  standalone,
  writePdf,
  type Dict,
  type Direct,
  type Page,
  type PdfDocument,
} from '../../objects/index.ts';

/** What is to be written of a document. */
export interface Changes {
  pages: readonly Page[];
  /** Objects of the file, with their new values. */
  changed: ReadonlyMap<Ref, Direct>;
  /** The catalog, where it is another now. */
  catalog: Dict | undefined;
  /** New annotations. */
  widgets: readonly { page: Page; ref: Ref }[];
  /** Whether the file may not be written anew, for signatures are to hold. */
  appendOnly: boolean;
}

/** Appends the changes to the file where that can be, and writes it anew else. @throws {InputFault} when a signature would not hold. */
export function saveWithWidgets(document: PdfDocument, changes: Changes): Uint8Array {
  const { pages, widgets, appendOnly } = changes;
  const shared = widgets.some(
    ({ page }) => page.ref.number === 0 || pages.filter(({ dict }) => dict === page.dict).length > 1,
  );
  if (!shared && canAppend(document)) return append(document, changes);
  if (appendOnly)
    throw new InputFault(
      'pdf',
      shared
        ? 'is signed and shows one page twice: the field would be on both, or the signature invalid'
        : 'is signed and damaged: writing it anew would make the signature invalid',
    );
  return rewrite(document, changes);
}

function append(document: PdfDocument, { pages, changed, catalog, widgets }: Changes): Uint8Array {
  const all = new Map(changed);
  const root = document.trailer.raw('Root');
  if (catalog && root instanceof Ref) all.set(root, catalog);
  for (const [page, added] of byPage(widgets)) {
    const list = page.dict.raw('Annots');
    const annotations = [...(page.dict.array('Annots') ?? []), ...added];
    const own =
      list instanceof Ref &&
      Array.isArray(list.value) &&
      pages.filter(({ dict }) => dict.raw('Annots') === list).length === 1;
    if (own) all.set(list, annotations);
    else all.set(page.ref, page.dict.copy().set('Annots', annotations));
  }
  return appendUpdate(document, all);
}

/** Writes all pages in a new tree, so that one that was shown twice is two. */
function rewrite(document: PdfDocument, { pages, changed, catalog, widgets }: Changes): Uint8Array {
  const added = byPage(widgets);
  for (const [ref, value] of changed) ref.value = value;
  const byRef = new Map(pages.map((page) => [page.ref, page]));
  const root = buildPageTree(
    pages.map(({ ref }) => ref),
    (ref, parent) => {
      const page = byRef.get(ref);
      if (!page) return;
      const dict = standalone(page).set('Parent', parent);
      const own = added.get(page);
      ref.value = own ? dict.set('Annots', [...(page.dict.array('Annots') ?? []), ...own]) : dict;
    },
  );
  const info = document.trailer.raw('Info');
  return writePdf({
    root: Ref.to((catalog ?? document.catalog).copy().set('Pages', root)),
    info: info instanceof Ref ? info : undefined,
    version: document.version,
    compact: document.compact,
  });
}

function byPage(widgets: Changes['widgets']): Map<Page, Ref[]> {
  return new Map(
    [...Map.groupBy(widgets, ({ page }) => page)].map(([page, own]) => [page, own.map(({ ref }) => ref)]),
  );
}
