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
import { requirePermission } from './permission.ts';

/** A stamp that is put on a page. */
export interface StampRequest {
  /** From 0; anything else than a page's is refused. */
  page: unknown;
  box: PlacedBox;
  /** Identifies the annotation in its page (its `NM` entry). */
  id: string;
  /** Who made the stamp. */
  author: string;
  /** What the stamp says, for readers that list annotations and for people who cannot see it. */
  contents: string;
  /** Epoch milliseconds. */
  at: number;
  /** The face of the stamp: a PDF with a page in whose upper left corner it is. */
  face: Uint8Array;
}

// ISO 32000-1 table 165.
const PRINT = 1 << 2;
const LOCKED = 1 << 7;

/**
 * Puts a stamp on a page. The file stays byte for byte, and an update is appended; a damaged one without signatures is written anew.
 * @throws {InputFault} for a page or box that is not there, and for a signature that would not hold.
 */
export function stampPage(document: PdfDocument, request: StampRequest): Uint8Array {
  const { pages } = readPages(document);
  const page = pickPage(pages, request.page);
  const { signed } = requirePermission(document);
  const annotation = annotate(page, request);
  const shared = pages.filter(({ dict }) => dict === page.dict).length > 1;
  if (!shared && page.ref.number !== 0 && canAppend(document))
    return appendUpdate(document, withAnnotation(pages, page, annotation));
  if (signed)
    throw new InputFault(
      'pdf',
      shared
        ? 'is signed and shows one page twice: the stamp would be on both, or the signature invalid'
        : 'is signed and damaged: writing it anew would make the signature invalid',
    );
  return rewrite(document, pages, page, annotation);
}

function annotate(page: Page, { box, id, author, contents, at, face }: StampRequest): Ref {
  const { rect, matrix } = placeOn(page, box);
  const drawn = PdfDocument.open(face);
  const [drawnPage] = readPages(drawn).pages;
  if (!drawnPage) throw new Error('the face of the stamp has no page');
  const { height } = geometryOf(drawnPage);
  const form = formXObjectOfPage(drawn, drawnPage, {
    box: [0, height - box.height, box.width, height],
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

/** The objects that change: the page's list of annotations where that is an object of this page alone, else the page. */
function withAnnotation(pages: readonly Page[], page: Page, annotation: Ref): Map<Ref, Direct> {
  const list = page.dict.raw('Annots');
  const annotations = [...(page.dict.array('Annots') ?? []), annotation];
  const own =
    list instanceof Ref &&
    Array.isArray(list.value) &&
    pages.filter(({ dict }) => dict.raw('Annots') === list).length === 1;
  if (own) return new Map([[list, annotations]]);
  return new Map([[page.ref, page.dict.copy().set('Annots', annotations)]]);
}

/** Writes all pages in a new tree, so that one that was shown twice is two. */
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
