import type { PdfDocument } from './document.ts';
import { Dict, Ref, resolve, type PdfObject } from './objects.ts';
import type { Page } from './page-tree.ts';

/**
 * Calls `call` for every field and widget below `roots`, with its own or inherited field type. Visits each
 * once, even in cyclic trees.
 */
export function eachField(
  roots: readonly PdfObject[],
  call: (field: Dict, type: string | undefined) => void,
): void {
  const seen = new Set<Dict>();
  const waiting: { field: PdfObject; type: string | undefined }[] = [];
  const add = (fields: readonly PdfObject[], type: string | undefined) => {
    for (let index = fields.length - 1; index >= 0; index--)
      waiting.push({ field: fields[index] ?? null, type });
  };
  add(roots, undefined);
  for (let step = waiting.pop(); step; step = waiting.pop()) {
    const dict = resolve(step.field);
    if (!(dict instanceof Dict) || seen.has(dict)) continue;
    seen.add(dict);
    const type = dict.name('FT') ?? step.type;
    call(dict, type);
    add(dict.array('Kids') ?? [], type);
  }
}

/** The maximum depth of a field hierarchy. */
const MAX_HOPS = 64;

/** Returns the type of a field or widget: its own, or that of its closest ancestor with a type. */
export function fieldTypeOf(field: Dict): string | undefined {
  let dict: Dict | undefined = field;
  for (let hops = 0; dict && hops < MAX_HOPS; hops++) {
    const type = dict.name('FT');
    if (type !== undefined) return type;
    dict = dict.dict('Parent');
  }
  return undefined;
}

/**
 * Adds the fields of widgets on pages that the form does not list, because some readers find fields through
 * the pages. Does nothing to a document without a form. Changes the document.
 */
export function adoptStrayFields({ catalog }: PdfDocument, pages: readonly Page[]): void {
  const form = catalog.dict('AcroForm');
  if (!form) return;
  const known = new Set<Dict>();
  const addKnown = (roots: readonly PdfObject[]) => eachField(roots, (field) => known.add(field));
  const roots = [...(form.array('Fields') ?? [])];
  addKnown(roots);
  for (const { dict } of pages)
    for (const widget of dict.array('Annots') ?? []) {
      const field = resolve(widget);
      if (!(widget instanceof Ref) || !(field instanceof Dict)) continue;
      if (field.name('Subtype') !== 'Widget' || known.has(field)) continue;
      const parent = field.dict('Parent');
      if (parent && known.has(parent)) {
        const kids = parent.array('Kids');
        if (kids) kids.push(widget);
        else parent.set('Kids', [widget]);
      } else {
        const top = topmostField(widget);
        if (top && !known.has(top.field)) {
          roots.push(top.ref);
          addKnown([top.ref]);
        }
      }
      addKnown([widget]);
    }
  form.set('Fields', roots);
}

/** Finds the root of a widget's field hierarchy. Returns `undefined` if the root has no name. */
function topmostField(widget: Ref): { ref: Ref; field: Dict } | undefined {
  let ref = widget;
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    const field = resolve(ref);
    if (!(field instanceof Dict)) return undefined;
    const parent = field.raw('Parent');
    if (!(parent instanceof Ref)) return field.string('T') ? { ref, field } : undefined;
    ref = parent;
  }
  return undefined;
}
