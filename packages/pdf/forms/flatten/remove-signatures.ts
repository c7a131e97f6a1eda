import { currentAppearance, readRect } from './place-appearance.ts';
import { FlattenedStructure } from './structure.ts';
import { Edits } from '../edits/edits.ts';
import {
  asDict,
  Dict,
  eachField,
  encodeText,
  fieldTypeOf,
  name,
  readPages,
  type PdfDocument,
  type PdfObject,
} from '../../objects/index.ts';

// ISO 32000-1 table 165.
const HIDDEN = 1 << 1;
const NO_VIEW = 1 << 5;
const LOCKED = 1 << 7;

/**
 * The entries that a Stamp annotation keeps from a widget. All others belong to the field or to the widget
 * type.
 */
const KEPT = ['Type', 'Rect', 'P', 'NM', 'M', 'F', 'AP', 'StructParent', 'OC', 'Lang', 'Contents'];
const MAX_HOPS = 64;

/**
 * Removes the signatures of a document, because rewriting a file invalidates them, and the form if it has no
 * other fields. The appearance of a signature becomes a Stamp annotation: readers such as MuPDF draw a mark
 * of their own in place of the appearance of an unsigned signature field. Unsigned fields stay. Changes the
 * document.
 */
export function removeSignatures(document: PdfDocument): void {
  const { catalog } = document;
  // Usage rights are signatures too.
  catalog.delete('Perms');
  const form = catalog.dict('AcroForm');
  form?.delete('SigFlags');
  const signed = form ? removeFields(form) : new Set<Dict>();
  let structure: FlattenedStructure | undefined;
  for (const { dict: page } of readPages(document).pages) {
    const annotations = page.array('Annots');
    if (!annotations) continue;
    const rest = annotations.filter((annotation) => {
      const dict = asDict(annotation);
      if (!dict || !isSigned(dict, signed)) return true;
      structure ??= new FlattenedStructure(document, new Edits(document));
      if (becomeStamp(dict, structure)) return true;
      structure.remove(dict);
      return false;
    });
    if (rest.length < annotations.length) page.set('Annots', rest.length > 0 ? rest : undefined);
  }
  structure?.finish();
  const isEmpty = form?.array('Fields')?.length === 0 && !form.map.has('XFA');
  if (isEmpty && signed.size > 0) catalog.delete('AcroForm');
}

/**
 * Removes the signed fields from a form, and the fields that have no children without them. Returns them and
 * their widgets.
 */
function removeFields(form: Dict): Set<Dict> {
  const removed = new Set<Dict>();
  const fields: Dict[] = [];
  const roots = form.array('Fields') ?? [];
  eachField(roots, (field, type) => {
    fields.push(field);
    if (type === 'Sig' && field.dict('V')) eachField([field], (part) => removed.add(part));
  });
  if (removed.size === 0) return removed;
  const withoutRemoved = (items: readonly PdfObject[]) =>
    items.filter((item) => !removed.has(asDict(item) ?? form));
  // Children follow their parents in this list.
  for (const field of fields.toReversed()) {
    const kids = field.array('Kids');
    const rest = withoutRemoved(kids ?? []);
    if (!kids || removed.has(field) || rest.length === kids.length) continue;
    field.set('Kids', rest);
    if (rest.length === 0 && field.name('Subtype') !== 'Widget') removed.add(field);
  }
  for (const key of ['Fields', 'CO']) {
    const items = form.array(key);
    if (items) form.set(key, withoutRemoved(items));
  }
  return removed;
}

/**
 * Tells whether an annotation is the widget of a signature. Readers find fields that the form does not list
 * through the pages.
 */
function isSigned(annotation: Dict, signed: ReadonlySet<Dict>): boolean {
  if (annotation.name('Subtype') !== 'Widget') return false;
  if (signed.has(annotation)) return true;
  if (fieldTypeOf(annotation) !== 'Sig') return false;
  let field: Dict | undefined = annotation;
  for (let hops = 0; field && hops < MAX_HOPS; hops++) {
    if (field.dict('V')) return true;
    field = field.dict('Parent');
  }
  return false;
}

/**
 * Turns a widget into a Stamp annotation with the same appearance. Returns `false` if the widget shows
 * nothing.
 */
function becomeStamp(widget: Dict, structure: FlattenedStructure): boolean {
  const flags = widget.number('F') ?? 0;
  const appearance = currentAppearance(widget);
  if (!appearance || !readRect(widget) || (flags & (HIDDEN | NO_VIEW)) !== 0) return false;
  const normal = widget.dict('AP')?.raw('N') ?? null;
  const state = widget.name('AS') ?? '';
  const shown = asDict(normal) === appearance.dict ? normal : (asDict(normal)?.raw(state) ?? null);
  const contents = widget.string('Contents') ?? widget.string('TU') ?? encodeText('Signature');
  for (const key of widget.map.keys()) if (!KEPT.includes(key)) widget.delete(key);
  widget
    .set('Subtype', name('Stamp'))
    .set('Subj', encodeText('Signature'))
    .set('Contents', contents)
    .set('F', flags | LOCKED)
    .set('AP', Dict.of({ N: shown }));
  structure.retype(widget, 'Annot');
  return true;
}
