import {
  asDict,
  Dict,
  geometryOf,
  resolve,
  type Box,
  type Page,
  type PdfDocument,
} from '../../objects/index.ts';
import { contentStream, PageContents } from '../../edit/page-content.ts';
import { n } from '../appearance/widget-frame.ts';
import type { Form } from '../fields/read-fields.ts';
import type { Edits } from '../edits/edits.ts';
import { dropUsageRights } from '../edits/usage-rights.ts';
import { currentAppearance, placeAppearance, readRect, SharedForms } from './place-appearance.ts';
import { FlattenedStructure } from './structure.ts';

// ISO 32000-1 table 165.
const HIDDEN = 1 << 1;
const PRINT = 1 << 2;
const NO_VIEW = 1 << 5;

/** Annotations that stay: links, attached files, and marks of prepress software. */
const KEPT = new Set(['Link', 'FileAttachment', 'PrinterMark', 'TrapNet']);
/** After this many comparisons on a page, every further annotation below a field counts as covered. */
const MAX_COMPARISONS = 2_000_000;

/**
 * Turns the appearances of a form's fields into page content, and removes the fields, the widgets and the
 * form. With `annotations`, also turns other annotations into page content, if they have an appearance and
 * are not links or attached files. Without it, turns only those under a field, because they would otherwise
 * cover the field's content.
 */
export function flattenForm(
  document: PdfDocument,
  form: Form,
  { edits, annotations }: { edits: Edits; annotations: boolean },
): void {
  const buttons = new Set<Dict>();
  const widgets = new Set<Dict>();
  for (const field of form.fields)
    for (const { dict } of field.widgets) {
      widgets.add(dict);
      if (field.kind === 'button') buttons.add(dict);
    }
  const structure = new FlattenedStructure(document, edits);
  const forms = new SharedForms();
  const contents = new PageContents(document);
  const changed = new Set<Dict>();
  for (const page of form.pages) {
    // Change a page object only once, even if it occurs twice.
    if (changed.has(page.dict)) continue;
    changed.add(page.dict);
    const listed = (page.dict.array('Annots') ?? []).flatMap((item) => asDict(item) ?? []);
    const removed = new Set(listed.filter((dict) => widgets.has(dict) || (annotations && isFlattened(dict))));
    if (!annotations) addCovered(listed, removed);
    if (removed.size === 0) continue;
    const shown = listed.filter((dict) => removed.has(dict) && isDrawn(dict, buttons));
    addContent(page, shown, { edits, structure, forms, contents });
    removeAnnotations(page, removed, edits);
    for (const dict of removed) structure.remove(dict);
  }
  structure.finish();
  for (const field of form.fields)
    for (const { ref } of [...field.nodes, ...field.widgets]) if (ref) edits.remove(ref);
  edits.touchCatalog().delete('AcroForm');
  dropUsageRights(document, edits);
}

/**
 * Tells whether an annotation other than a field is flattened. A visible annotation without an appearance,
 * such as a note, is not.
 */
function isFlattened(dict: Dict): boolean {
  const type = dict.name('Subtype') ?? '';
  if (KEPT.has(type)) return false;
  return type === 'Popup' || type === 'Widget' || currentAppearance(dict) !== undefined || isInvisible(dict);
}

/** Tells whether readers never show an annotation on the screen. */
function isInvisible(dict: Dict): boolean {
  return ((dict.number('F') ?? 0) & (HIDDEN | NO_VIEW)) !== 0;
}

function isDrawn(dict: Dict, buttons: ReadonlySet<Dict>): boolean {
  if (isInvisible(dict) || dict.name('Subtype') === 'Popup') return false;
  // A push button has no value, but a printed one may be an image.
  return !buttons.has(dict) || ((dict.number('F') ?? 0) & PRINT) !== 0;
}

/** Adds to `removed` the annotations below a flattened one, because they would cover its content. */
function addCovered(listed: readonly Dict[], removed: Set<Dict>): void {
  const above: Box[] = [];
  let comparisons = 0;
  for (const dict of listed.toReversed()) {
    const rect = readRect(dict);
    if (!rect || isInvisible(dict)) continue;
    if (!removed.has(dict)) {
      if (above.length === 0 || !isFlattened(dict) || dict.name('Subtype') === 'Popup') continue;
      comparisons += above.length;
      if (comparisons <= MAX_COMPARISONS && !above.some((other) => overlap(rect, other))) continue;
      removed.add(dict);
    }
    above.push(rect);
  }
}

function overlap(a: Box, b: Box): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}

/** Removes annotations from a page, and the pop-up windows of removed annotations. */
function removeAnnotations(page: Page, removed: ReadonlySet<Dict>, edits: Edits): void {
  const annotations = page.dict.array('Annots');
  if (!annotations) return;
  const kept = annotations.filter((annotation) => {
    const dict = resolve(annotation);
    if (!(dict instanceof Dict)) return true;
    const parent = dict.name('Subtype') === 'Popup' ? dict.dict('Parent') : undefined;
    return !removed.has(dict) && !(parent && removed.has(parent));
  });
  edits.touch({ ref: page.ref, dict: page.dict }).set('Annots', kept.length > 0 ? kept : undefined);
}

function addContent(
  page: Page,
  shown: readonly Dict[],
  {
    edits,
    structure,
    forms,
    contents,
  }: { edits: Edits; structure: FlattenedStructure; forms: SharedForms; contents: PageContents },
): void {
  const existing = page.dict.get('Resources') ?? resolve(page.inherited.get('Resources'));
  const resources = existing instanceof Dict ? existing.copy() : new Dict();
  const objects = resources.dict('XObject')?.copy() ?? new Dict();
  const operators: string[] = [];
  let number = 0;
  const { rotation } = geometryOf(page);
  for (const dict of shown) {
    const placed = placeAppearance(dict, rotation, forms);
    if (!placed) continue;
    while (objects.map.has(`Field${number}`)) number++;
    objects.set(`Field${number}`, placed.form);
    const { begin, end } = structure.mark(page, dict);
    operators.push(`${begin}q ${placed.matrix.map(n6).join(' ')} cm /Field${number} Do Q\n${end}`);
  }
  if (operators.length === 0) return;
  const dict = edits.touch({ ref: page.ref, dict: page.dict });
  dict.set('Resources', resources.set('XObject', objects));
  dict.set('Contents', contents.append(dict.raw('Contents'), contentStream(operators.join(''))));
}

function n6(value: number): string {
  return n(value * 1e3) === '0' ? '0' : String(Math.round(value * 1e6) / 1e6);
}
