import { asDict, Dict, Name, PdfStream, Ref, resolve, type PdfObject } from '@platen/pdf/objects';
import { allowedActions } from './actions.ts';
import { drawAppearances } from './draw-appearances.ts';
import type { LevelRules } from '../../levels.ts';
import type { Breach } from '../../violation.ts';
import type { KeptAttachments } from './attachments.ts';
import { drawMissingAppearance, needsAppearance } from '@platen/pdf';
import { completeWidget } from './widgets.ts';

const INVISIBLE = 1;
const HIDDEN = 2;
const PRINT = 4;
const NO_VIEW = 32;
const TOGGLE_NO_VIEW = 256;
/** The entries of a widget. In a merged form field, all other entries belong to the field. */
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

/** The document state that {@link cleanAnnotations} needs. */
interface AnnotationContext {
  rules: LevelRules;
  attachments: KeptAttachments;
  /** Receives the violations that remain. */
  breaches: Breach[];
  /** Tells whether optional content hides an object with the given `OC` entry. */
  isHidden: (layers: PdfObject | undefined) => boolean;
}

/**
 * Makes the annotations of a page conform: they are printed and have only a normal appearance. Removes hidden
 * annotations, because PDF/A does not allow them. Turns the appearances of forbidden annotations into page
 * content. Draws missing appearances where the level requires them.
 */
export function cleanAnnotations(page: Dict, context: AnnotationContext): void {
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
    const allowed = isAllowed(dict, context);
    const hidden =
      (flags & (HIDDEN | NO_VIEW)) !== 0 ||
      (!allowed && (flags & INVISIBLE) !== 0) ||
      context.isHidden(dict.raw('OC'));
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
  for (const object of rest) cleanAnnotation(object, removed, context);
  for (const dict of removed) emptyAnnotation(dict);
  page.set('Annots', rest.length > 0 ? rest : undefined);
}

/**
 * Tells whether the level allows an annotation. Completes the file specification of an allowed file
 * attachment.
 */
function isAllowed(dict: Dict, { rules, attachments }: AnnotationContext): boolean {
  const type = dict.name('Subtype') ?? '';
  if (!rules.annotations.has(type)) return false;
  if (type !== 'FileAttachment') return true;
  const file = attachments.keep(dict.raw('FS'), 'attachment');
  if (file) dict.set('FS', file);
  return file !== undefined;
}

function cleanAnnotation(
  object: PdfObject,
  removed: ReadonlySet<Dict>,
  { rules, breaches }: AnnotationContext,
): void {
  const dict = resolve(object);
  if (!(dict instanceof Dict)) return;
  const flags = dict.number('F') ?? 0;
  dict.set('F', (flags & ~(INVISIBLE | HIDDEN | NO_VIEW | TOGGLE_NO_VIEW)) | PRINT);
  dict.delete('AA', 'PA', 'AF', 'ExData', 'BM', 'ca');
  if (!rules.transparency) dict.delete('CA');
  if (!rules.layers) dict.delete('OC');
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
  if (dict.map.has('AP')) {
    const normal = normalAppearance(dict);
    dict.set('AP', normal && Dict.of({ N: normal }));
    dict.delete('AS');
  }
  if (!rules.appearances || dict.map.has('AP') || !needsAppearance(dict)) return;
  const drawn = drawMissingAppearance(dict);
  if (drawn) dict.set('AP', Dict.of({ N: drawn }));
  else
    breaches.push({
      rule: 'appearances',
      message: 'an annotation without an appearance has text that cannot be drawn',
    });
}

/** Returns the appearance that readers show, or `undefined` if the annotation has no appearance. */
function normalAppearance(annotation: Dict): Ref | undefined {
  const normal = annotation.dict('AP')?.raw('N');
  const value = resolve(normal);
  if (value instanceof PdfStream) return normal instanceof Ref ? normal : Ref.to(value);
  if (!(value instanceof Dict)) return undefined;
  const state = annotation.get('AS');
  const shown = value.raw(state instanceof Name ? state.value : 'Off');
  return shown instanceof Ref && resolve(shown) instanceof PdfStream ? shown : undefined;
}

/**
 * Empties a removed annotation, because other objects may refer to it. A merged form field keeps the entries
 * of the field.
 */
function emptyAnnotation(dict: Dict): void {
  if (dict.name('Subtype') === 'Widget' && (dict.map.has('T') || dict.map.has('FT')))
    dict.delete(...WIDGET_ENTRIES);
  else dict.map.clear();
}
