import type { PdfDocument } from './document.ts';
import { Dict, Ref, resolve, type PdfObject } from './objects.ts';
import type { Page } from './page-tree.ts';

/** Calls back for each field and widget below some fields, with the field type that it has or inherits. Loops end. */
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

const MAX_HOPS = 32;

/**
 * Puts the fields that pages show, and the form does not know, into the form: readers that look at the pages take them for fields.
 * A document without a form has no fields. The document is changed.
 */
export function adoptStrayFields({ catalog }: PdfDocument, pages: readonly Page[]): void {
  const form = catalog.dict('AcroForm');
  if (!form) return;
  const known = new Set<Dict>();
  const learn = (roots: readonly PdfObject[]) => eachField(roots, (field) => known.add(field));
  const roots = [...(form.array('Fields') ?? [])];
  learn(roots);
  for (const { dict } of pages)
    for (const widget of dict.array('Annots') ?? []) {
      const own = resolve(widget);
      if (!(widget instanceof Ref) || !(own instanceof Dict)) continue;
      if (own.name('Subtype') !== 'Widget' || known.has(own)) continue;
      const parent = own.dict('Parent');
      if (parent && known.has(parent)) {
        const kids = parent.array('Kids');
        if (kids) kids.push(widget);
        else parent.set('Kids', [widget]);
      } else {
        const top = topOf(widget);
        if (top && !known.has(top.field)) {
          roots.push(top.ref);
          learn([top.ref]);
        }
      }
      learn([widget]);
    }
  form.set('Fields', roots);
}

/** The field above all others that a widget belongs to; `undefined` when that has no name. */
function topOf(widget: Ref): { ref: Ref; field: Dict } | undefined {
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
