import {
  appendUpdate,
  asDict,
  compressedStream,
  Dict,
  formXObjectOfPage,
  geometryOf,
  PdfDocument,
  readPages,
  Ref,
  standalone,
  type Direct,
  type Page,
} from '../objects/index.ts';
import { contentsOf } from '../edit/page-content.ts';

/** Pages to draw over the pages of a document. */
export interface Overlay {
  pdf: Uint8Array;
  /** The zero-based index of the page over which the first page of the overlay is drawn. */
  firstPage: number;
}

/**
 * The name of an overlay in the resources of a page. Chromium's names are a letter and a number, so they
 * differ.
 */
const RESOURCE = 'PlatenOverlay';

/**
 * Draws the pages of other documents over the pages of a document, as artifacts (ISO 32000-1 14.8.2.2). An
 * overlay must have the same page size. Appends an incremental update, so links and destinations stay as they
 * are.
 * @throws {PdfError} if a file is damaged.
 */
export function overlayPages(document: PdfDocument, overlays: readonly Overlay[]): Buffer {
  const { pages } = readPages(document);
  const changed = new Map<Ref, Direct>();
  // Isolates the graphics state of the page (ISO 32000-1 8.4.2).
  const save = content('q\n');
  const draw = content(`\nQ\n/Artifact BMC\n/${RESOURCE} Do\nEMC\n`);
  for (const { pdf, firstPage } of overlays) {
    const source = PdfDocument.open(pdf);
    for (const [index, sheet] of readPages(source).pages.entries()) {
      const page = pages[firstPage + index];
      if (!page) throw new Error('an overlay has more pages than its document');
      const { visible } = geometryOf(sheet);
      const form = formXObjectOfPage(source, sheet, { box: visible });
      changed.set(page.ref, withOverlay(page, { form, save, draw }));
    }
  }
  return appendUpdate(document, changed);
}

function withOverlay(page: Page, { form, save, draw }: { form: Ref; save: Ref; draw: Ref }): Dict {
  const dict = page.dict.copy();
  const resources = asDict(standalone(page).raw('Resources'))?.copy() ?? new Dict();
  const forms = asDict(resources.raw('XObject'))?.copy() ?? new Dict();
  resources.set('XObject', forms.set(RESOURCE, form));
  return dict.set('Resources', resources).set('Contents', [save, ...contentsOf(page), draw]);
}

function content(text: string): Ref {
  return compressedStream(Buffer.from(text, 'latin1'));
}
