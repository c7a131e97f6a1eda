import {
  appendUpdate,
  buildPageTree,
  canAppend,
  Dict,
  encodeText,
  formXObjectOfPage,
  geometryOf,
  informationOf,
  InputFault,
  name,
  PdfDocument,
  pickPage,
  placeOn,
  readPages,
  Ref,
  standalone,
  writePdf,
  type Direct,
  type Page,
  type PlacedBox,
} from '../objects/index.ts';
import { requirePermission, ANNOTATION_CHANGE } from '../edit/permission.ts';

/** A stamp to add to a page. */
export interface StampRequest {
  /** The zero-based page index. It is validated against the document. */
  page: unknown;
  box: PlacedBox;
  /** The `NM` entry, which identifies the annotation on its page. */
  id: string;
  author: string;
  /** The text of the stamp, for annotation lists and screen readers. */
  contents: string;
  /** The time of the stamp in epoch milliseconds. */
  at: number;
  /**
   * A PDF that shows the stamp in the upper left corner of its first page, and the size of the stamp in
   * points.
   */
  appearance: { pdf: Uint8Array; width: number; height: number };
}

// ISO 32000-1 table 165.
const PRINT = 1 << 2;
const LOCKED = 1 << 7;

/**
 * Adds a Stamp annotation to a page. Appends an incremental update, so the original bytes are unchanged.
 * Rewrites damaged files unless they are signed.
 * @throws {InputFault} if the page or box is out of range, or a signature would become invalid.
 */
export function stampPage(document: PdfDocument, request: StampRequest): Uint8Array {
  const { pages } = readPages(document);
  const page = pickPage(pages, request.page);
  const { signed } = requirePermission(document, ANNOTATION_CHANGE);
  const annotation = annotate(page, request);
  const shared = pages.filter(({ dict }) => dict === page.dict).length > 1;
  if (!shared && page.ref.number !== 0 && canAppend(document))
    return appendUpdate(document, withAnnotation(pages, page, annotation));
  if (signed)
    throw new InputFault(
      'pdf',
      shared
        ? 'is signed and uses one page object twice: a stamp on one page would invalidate the signature'
        : 'is signed and damaged: rewriting it would invalidate the signature',
    );
  return rewrite(document, pages, page, annotation);
}

function annotate(page: Page, { box, id, author, contents, at, appearance }: StampRequest): Ref {
  const { rect, matrix } = placeOn(page, box);
  const drawn = PdfDocument.open(appearance.pdf);
  const [drawnPage] = readPages(drawn).pages;
  if (!drawnPage) throw new Error('the appearance of the stamp has no pages');
  const { height } = geometryOf(drawnPage);
  const form = formXObjectOfPage(drawn, drawnPage, {
    box: [0, height - appearance.height, appearance.width, height],
    matrix,
  });
  const date = encodeText(`D:${new Date(at).toISOString().slice(0, 19).replaceAll(/[-T:]/g, '')}Z`);
  return Ref.to(
    Dict.of({
      Type: name('Annot'),
      Subtype: name('Stamp'),
      Rect: [...rect],
      P: page.ref,
      F: PRINT | LOCKED,
      NM: encodeText(id),
      T: encodeText(author),
      Subj: encodeText('Signature'),
      Contents: encodeText(contents),
      M: date,
      CreationDate: date,
      AP: Dict.of({ N: form }),
    }),
  );
}

/** Returns the object that changes: the annotation array if only this page uses it, otherwise the page. */
function withAnnotation(pages: readonly Page[], page: Page, annotation: Ref): Map<Ref, Direct> {
  const list = page.dict.raw('Annots');
  const annotations = [...(page.dict.array('Annots') ?? []), annotation];
  const isOwnList =
    list instanceof Ref &&
    Array.isArray(list.value) &&
    pages.filter(({ dict }) => dict.raw('Annots') === list).length === 1;
  if (isOwnList) return new Map([[list, annotations]]);
  return new Map([[page.ref, page.dict.copy().set('Annots', annotations)]]);
}

/** Rewrites the file with a new page tree, in which a page that occurred twice becomes two pages. */
function rewrite(document: PdfDocument, pages: readonly Page[], page: Page, annotation: Ref): Uint8Array {
  const { catalog } = document;
  const annotations = [...(page.dict.array('Annots') ?? []), annotation];
  const byRef = new Map(pages.map((each) => [each.ref, each]));
  const root = buildPageTree(
    pages.map(({ ref }) => ref),
    (ref, parent) => {
      const placed = byRef.get(ref);
      if (!placed) return;
      const dict = standalone(placed).set('Parent', parent);
      ref.value = placed === page ? dict.set('Annots', annotations) : dict;
    },
  );
  return writePdf({
    root: Ref.to(catalog.copy().set('Pages', root)),
    info: informationOf(document),
    version: document.version,
    compact: document.compact,
  });
}
