import { asDict, Dict, type Page } from '../objects/index.ts';
import { drawMissingAppearance } from './missing-appearances.ts';

/** The types of annotations that most readers draw without an appearance, but PDFium does not. */
const NOT_DRAWN_BY_PDFIUM = new Set(['FreeText', 'Line', 'PolyLine', 'Polygon']);

/** Adds an appearance to the annotations that PDFium would not draw. Returns whether it has added any. */
export function drawAnnotations(pages: readonly Page[]): boolean {
  let drewAny = false;
  // Pages may share a list of annotations.
  const lists = new Set(pages.map(({ dict }) => dict.array('Annots') ?? []));
  for (const list of lists)
    for (const object of list) {
      const annotation = asDict(object);
      if (!annotation || !NOT_DRAWN_BY_PDFIUM.has(annotation.name('Subtype') ?? '')) continue;
      if (annotation.dict('AP')?.map.has('N')) continue;
      const appearance = drawMissingAppearance(annotation);
      if (!appearance) continue;
      annotation.set('AP', Dict.of({ N: appearance }));
      drewAny = true;
    }
  return drewAny;
}
