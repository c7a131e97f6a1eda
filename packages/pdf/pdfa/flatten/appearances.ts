import { asDict, Dict, PdfStream, Ref, type PdfObject } from '../../objects/index.ts';
import { packed } from '../content/graph.ts';
import { drawOnPage } from '../removal/draw-on-page.ts';
import type { Transparency } from './transparency.ts';

const HIDDEN = 2;
const NO_VIEW = 32;
/** Readers draw a highlight of their own when its appearance uses no graphics states. */
const EMPTY_RESOURCES = Dict.of({ ExtGState: new Dict() });

/**
 * Puts appearances of annotations that are seen through on the page below them, where they are flattened with it, and leaves the
 * annotations with empty ones.
 */
export function takeAppearances(page: Dict, transparency: Transparency): void {
  const taken: { appearance: Ref; annotation: Dict }[] = [];
  for (const item of page.array('Annots') ?? []) {
    const annotation = asDict(item);
    const appearances = annotation?.dict('AP');
    if (!annotation || !appearances) continue;
    const shown = shownIn(annotation, appearances);
    if (!shown || !transparency.isDrawingSeenThrough(shown, page.dict('Resources') ?? new Dict())) continue;
    if (((annotation.number('F') ?? 0) & (HIDDEN | NO_VIEW)) === 0)
      taken.push({ annotation, appearance: Ref.to(new PdfStream(shown.dict.copy(), () => shown.raw)) });
    const empty = Ref.to(
      packed(shown.dict.copy().delete('Group').set('Resources', EMPTY_RESOURCES), new Uint8Array()),
    );
    annotation.set('AP', Dict.of({ N: emptied(annotation, appearances, empty) }));
  }
  drawOnPage(page, taken);
}

function shownIn(annotation: Dict, appearances: Dict): PdfStream | undefined {
  const normal = appearances.get('N');
  if (normal instanceof PdfStream) return normal;
  const state = annotation.name('AS');
  const shown = normal instanceof Dict && state !== undefined ? normal.get(state) : undefined;
  return shown instanceof PdfStream ? shown : undefined;
}

/** Annotations of form fields keep the names of their states. */
function emptied(annotation: Dict, appearances: Dict, empty: Ref): PdfObject {
  const normal = appearances.get('N');
  if (!(normal instanceof Dict)) return empty;
  return new Dict([...normal.map].map(([state]) => [state, empty]));
}
