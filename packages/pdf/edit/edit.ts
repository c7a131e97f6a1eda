import {
  appendUpdate,
  buildPageTree,
  canAppend,
  type Dict,
  informationOf,
  InputFault,
  Ref,
  standalone,
  writePdf,
  type Direct,
  type Page,
  type PdfDocument,
} from '../objects/index.ts';
import { DOCUMENT_CHANGE, requirePermission } from './permission.ts';

/** New values for parts of a document. Absent parts keep their value. */
export interface Edits {
  catalog?: Dict | undefined;
  /** The information dictionary. */
  info?: Dict | undefined;
  /** All pages of the document, and the changed dictionaries of some. */
  pages?: { all: readonly Page[]; changed: ReadonlyMap<Page, Dict> } | undefined;
}

/**
 * Writes a document with changes. Appends an incremental update to signed files, whose signatures stay valid,
 * and to encrypted files, which stay encrypted. Rewrites other files, so that removed objects are gone. The
 * document must not be used afterwards.
 * @throws {InputFault} if a signature or the permissions of an encrypted file forbid changes, or a signed
 * file would have to be rewritten.
 */
export function writeEdits(document: PdfDocument, edits: Edits): Buffer {
  const { signed } = requirePermission(document, DOCUMENT_CHANGE);
  const repeatsPage = [...(edits.pages?.changed.keys() ?? [])].some(({ ref }) => ref.number === 0);
  if ((signed || document.encrypted) && canAppend(document) && !repeatsPage) return append(document, edits);
  if (signed)
    throw new InputFault(
      'pdf',
      repeatsPage
        ? 'is signed and uses one page object twice: changing one page would invalidate the signature'
        : 'is signed and damaged: rewriting it would invalidate the signature',
    );
  return rewrite(document, edits);
}

function append(document: PdfDocument, { catalog, info, pages }: Edits): Buffer {
  const { trailer } = document;
  const changed = new Map<Ref, Direct>();
  const root = trailer.raw('Root');
  if (catalog && root instanceof Ref) changed.set(root, catalog);
  const oldInfo = trailer.raw('Info');
  if (info && oldInfo instanceof Ref && document.owns(oldInfo)) changed.set(oldInfo, info);
  else if (info) trailer.set('Info', Ref.to(info));
  for (const [{ ref }, dict] of pages?.changed ?? []) changed.set(ref, dict);
  return appendUpdate(document, changed);
}

function rewrite(document: PdfDocument, { catalog = document.catalog, info, pages }: Edits): Buffer {
  return writePdf({
    root: Ref.to(pages ? catalog.copy().set('Pages', pageTreeOf(pages)) : catalog),
    info: info ? Ref.to(info) : informationOf(document),
    version: document.version,
    compact: document.compact,
  });
}

/** Builds a page tree. A page object that occurs twice becomes two page objects. */
export function pageTreeOf({ all, changed }: NonNullable<Edits['pages']>): Ref {
  const refs = all.map(({ ref }) => ref);
  const dicts = new Map(
    all.map((page) => [page.ref, standalone({ ...page, dict: changed.get(page) ?? page.dict })]),
  );
  return buildPageTree(refs, (ref, parent) => {
    ref.value = dicts.get(ref)?.set('Parent', parent) ?? null;
  });
}
