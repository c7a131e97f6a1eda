import {
  formXObjectOfPage,
  geometryOf,
  PdfDocument,
  readPages,
  type Box,
  type Page,
  type Ref,
} from '../../objects/index.ts';
import type { BrowserText } from './browser-text.ts';

/** A text drawn by the browser, as a form XObject. */
export interface BrowserDrawing {
  ref: Ref;
  /** The lower edge in the units of the form XObject. */
  bottom: number;
}

/** PDFs drawn by the browser. Each page has one text in its upper left corner. */
export class BrowserDrawings {
  readonly #pages: { document: PdfDocument; page: Page }[];
  readonly #made = new Map<number, BrowserDrawing>();

  constructor(files: readonly Uint8Array[]) {
    this.#pages = files.flatMap((file) => {
      const document = PdfDocument.open(file);
      return readPages(document).pages.map((page) => ({ document, page }));
    });
  }

  at(index: number, { width, height }: BrowserText): BrowserDrawing {
    const known = this.#made.get(index);
    if (known) return known;
    const drawn = this.#pages[index];
    if (!drawn) throw new Error('a text is missing from the drawings');
    const bottom = geometryOf(drawn.page).height - height;
    const box: Box = [0, bottom, width, bottom + height];
    const drawing = { ref: formXObjectOfPage(drawn.document, drawn.page, { box }), bottom };
    this.#made.set(index, drawing);
    return drawing;
  }
}
