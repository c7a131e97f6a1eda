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

/** The changes to write. */
export interface Changes {
  pages: readonly Page[];
  /** Changed objects and their new values. */
  changed: ReadonlyMap<Ref, Direct>;
  /** The catalog, if it changed. */
  catalog: Dict | undefined;
  /** New annotations. */
  widgets: readonly { page: Page; ref: Ref }[];
  /** Whether the file must not be rewritten, so that signatures stay valid. */
  appendOnly: boolean;
}

/**
 * Appends the changes to the file if possible, and otherwise rewrites it.
 * @throws {InputFault} if a signature would become invalid.
 */
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
        ? 'is signed and uses one page object twice: a field on one page would invalidate the signature'
        : 'is signed and damaged: rewriting it would invalidate the signature',
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

/** Rewrites the file with a new page tree, in which a page that occurred twice becomes two pages. */
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
