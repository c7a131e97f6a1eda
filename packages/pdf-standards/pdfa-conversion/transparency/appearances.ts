import { asDict, Dict, PdfStream, Ref, type PdfObject } from '@platen/pdf/objects';
import { compressContent } from '../../content/graph.ts';
import { drawAppearances } from '../removal/draw-appearances.ts';
import type { TransparencyDetector } from './transparency-detector.ts';

const HIDDEN = 2;
const NO_VIEW = 32;
/**
 * The resources of an empty appearance. Without graphics states, some readers ignore the appearance of a
 * highlight and draw their own.
 */
const EMPTY_RESOURCES = Dict.of({ ExtGState: new Dict() });

/**
 * Moves transparent appearances of annotations into the page content, so that they are flattened with it, and
 * leaves empty appearances in their place. Hidden annotations get an empty appearance only.
 */
export function moveTransparentAppearances(page: Dict, transparency: TransparencyDetector): void {
  const moved: { appearance: Ref; annotation: Dict }[] = [];
  for (const item of page.array('Annots') ?? []) {
    const annotation = asDict(item);
    const appearances = annotation?.dict('AP');
    if (!annotation || !appearances) continue;
    const shown = shownAppearance(annotation, appearances);
    if (!shown || !transparency.isContentTransparent(shown, page.dict('Resources') ?? new Dict())) continue;
    if (((annotation.number('F') ?? 0) & (HIDDEN | NO_VIEW)) === 0)
      moved.push({ annotation, appearance: Ref.to(new PdfStream(shown.dict.copy(), () => shown.raw)) });
    const empty = Ref.to(
      compressContent(shown.dict.copy().delete('Group').set('Resources', EMPTY_RESOURCES), new Uint8Array()),
    );
    annotation.set('AP', Dict.of({ N: emptyAppearance(annotation, appearances, empty) }));
  }
  drawAppearances(page, moved);
}

function shownAppearance(annotation: Dict, appearances: Dict): PdfStream | undefined {
  const normal = appearances.get('N');
  if (normal instanceof PdfStream) return normal;
  const state = annotation.name('AS');
  const shown = normal instanceof Dict && state !== undefined ? normal.get(state) : undefined;
  return shown instanceof PdfStream ? shown : undefined;
}

/** Builds an empty normal appearance. A form field keeps the names of its states. */
function emptyAppearance(annotation: Dict, appearances: Dict, empty: Ref): PdfObject {
  const normal = appearances.get('N');
  if (!(normal instanceof Dict)) return empty;
  return new Dict([...normal.map].map(([state]) => [state, empty]));
}
