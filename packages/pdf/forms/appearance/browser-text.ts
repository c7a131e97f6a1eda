import type { FontStyle } from './text-font.ts';
import {
  type Box,
  formXObjectOfPage,
  geometryOf,
  type Page,
  PdfDocument,
  readPages,
  type Ref,
} from '../../objects/index.ts';

/**
 * Text that a browser must draw, because the font of the field lacks some of its characters. All entries are
 * plain data, not markup.
 */
export interface BrowserText {
  /** A single line, several lines, comb characters, or list rows. */
  mode: 'line' | 'lines' | 'comb' | 'rows';
  texts: string[];
  /** The number of comb cells. */
  cells: number;
  align: 0 | 1 | 2;
  /** Points. */
  width: number;
  height: number;
  size: { min: number; max: number };
  style: FontStyle;
  /** Red, green and blue from 0 to 1. */
  color: [number, number, number];
  /** The indexes of selected rows. */
  chosen: number[];
  /** The row height relative to the font size. */
  rowHeight: number;
}

/** The height of a list row relative to the font size. */
export const ROW_HEIGHT = 1.3;

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

  /** Returns the drawing of a text. @throws {Error} if the drawings have no page at `index` */
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
