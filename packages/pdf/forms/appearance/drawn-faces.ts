import {
  formXObjectOfPage,
  geometryOf,
  PdfDocument,
  readPages,
  type Box,
  type Page,
  type Ref,
} from '../../objects/index.ts';
import type { DrawnText } from './drawn-text.ts';

/** What the browser drew of one text. */
export interface DrawnFace {
  ref: Ref;
  /** Where its lower edge is in the form's own units. */
  bottom: number;
}

/** Pages that the browser drew, each with a text in its upper left corner, as form XObjects. */
export class DrawnFaces {
  readonly #pages: { document: PdfDocument; page: Page }[];
  readonly #made = new Map<number, DrawnFace>();

  constructor(files: readonly Uint8Array[]) {
    this.#pages = files.flatMap((file) => {
      const document = PdfDocument.open(file);
      return readPages(document).pages.map((page) => ({ document, page }));
    });
  }

  at(place: number, { width, height }: DrawnText): DrawnFace {
    const known = this.#made.get(place);
    if (known) return known;
    const drawn = this.#pages[place];
    if (!drawn) throw new Error('a text was not drawn');
    const bottom = geometryOf(drawn.page).height - height;
    const box: Box = [0, bottom, width, bottom + height];
    const face = { ref: formXObjectOfPage(drawn.document, drawn.page, { box }), bottom };
    this.#made.set(place, face);
    return face;
  }
}
