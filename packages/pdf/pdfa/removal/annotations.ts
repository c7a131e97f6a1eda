import { asDict, Dict, Name, PdfStream, Ref, resolve, type PdfObject } from '../../objects/index.ts';
import { allowedActions } from './actions.ts';
import { drawAppearances } from './draw-appearances.ts';
import { completeWidget } from './widgets.ts';

/** The annotation types of PDF 1.4 that PDF/A-1 allows (ISO 19005-1 6.5.2). */
export const ALLOWED_ANNOTATIONS = new Set([
  'Text',
  'Link',
  'FreeText',
  'Line',
  'Square',
  'Circle',
  'Highlight',
  'Underline',
  'Squiggly',
  'StrikeOut',
  'Stamp',
  'Ink',
  'Popup',
  'Widget',
  'PrinterMark',
  'TrapNet',
]);

const INVISIBLE = 1;
const HIDDEN = 2;
const PRINT = 4;
const NO_VIEW = 32;
const WIDGET_ENTRIES = [
  'Type',
  'Subtype',
  'Rect',
  'AP',
  'AS',
  'F',
  'MK',
  'BS',
  'Border',
  'A',
  'AA',
  'P',
  'OC',
];

/**
 * Makes the annotations of a page conform: they are printed and have only a normal appearance. Hidden annotations are removed, because
 * PDF/A-1b does not allow hiding them. The appearances of forbidden annotations become page content. `isHidden` tells whether optional
 * content hides an object with the given `OC` entry.
 */
export function cleanAnnotations(page: Dict, isHidden: (layers: PdfObject | undefined) => boolean): void {
  const annotations = page.array('Annots');
  if (!annotations) return;
  const kept: PdfObject[] = [];
  const drawn: Ref[] = [];
  const originals: Dict[] = [];
  const removed = new Set<Dict>();
  for (const annotation of annotations) {
    const dict = resolve(annotation);
    if (!(dict instanceof Dict)) continue;
    const flags = dict.number('F') ?? 0;
    const allowed = ALLOWED_ANNOTATIONS.has(dict.name('Subtype') ?? '');
    const hidden =
      (flags & (HIDDEN | NO_VIEW)) !== 0 ||
      (!allowed && (flags & INVISIBLE) !== 0) ||
      isHidden(dict.raw('OC'));
    if (allowed && !hidden) {
      kept.push(annotation instanceof Ref ? annotation : Ref.to(dict));
      continue;
    }
    const appearance = hidden ? undefined : normalAppearance(dict);
    if (appearance) {
      drawn.push(appearance);
      originals.push(dict.copy());
    }
    removed.add(dict);
  }
  drawAppearances(
    page,
    drawn.map((appearance, index) => ({ appearance, annotation: originals[index] ?? new Dict() })),
  );
  const orphaned = (object: PdfObject): boolean => {
    const dict = asDict(object);
    const parent = dict?.name('Subtype') === 'Popup' ? dict.dict('Parent') : undefined;
    return parent !== undefined && removed.has(parent);
  };
  const rest = kept.filter((object) => !orphaned(object));
  for (const object of rest) cleanAnnotation(object, removed);
  for (const dict of removed) emptyAnnotation(dict);
  page.set('Annots', rest.length > 0 ? rest : undefined);
}

function cleanAnnotation(object: PdfObject, removed: ReadonlySet<Dict>): void {
  const dict = resolve(object);
  if (!(dict instanceof Dict)) return;
  const flags = dict.number('F') ?? 0;
  dict.set('F', (flags & ~(INVISIBLE | HIDDEN | NO_VIEW)) | PRINT);
  dict.delete('AA', 'PA', 'CA', 'OC', 'AF', 'ExData', 'BM', 'ca');
  for (const key of ['IRT', 'Popup', 'Parent']) {
    const other = dict.dict(key);
    if (other && removed.has(other)) dict.delete(key);
  }
  if (dict.name('Subtype') === 'Widget') {
    dict.delete('A');
    completeWidget(dict);
    return;
  }
  if (dict.map.has('A')) dict.set('A', allowedActions(dict.raw('A')));
  if (!dict.map.has('AP')) return;
  const normal = normalAppearance(dict);
  dict.set('AP', normal && Dict.of({ N: normal }));
  dict.delete('AS');
}

/** Returns the appearance that readers show, if there is one. */
function normalAppearance(annotation: Dict): Ref | undefined {
  const normal = annotation.dict('AP')?.raw('N');
  const value = resolve(normal);
  if (value instanceof PdfStream) return normal instanceof Ref ? normal : Ref.to(value);
  if (!(value instanceof Dict)) return undefined;
  const state = annotation.get('AS');
  const shown = value.raw(state instanceof Name ? state.value : 'Off');
  return shown instanceof Ref && resolve(shown) instanceof PdfStream ? shown : undefined;
}

/** Empties a removed annotation, since other objects may refer to it. A merged form field keeps its field entries. */
function emptyAnnotation(dict: Dict): void {
  if (dict.name('Subtype') === 'Widget' && (dict.map.has('T') || dict.map.has('FT')))
    dict.delete(...WIDGET_ENTRIES);
  else dict.map.clear();
}
