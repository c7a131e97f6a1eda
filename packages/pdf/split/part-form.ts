import { Dict, Ref, resolve, type PdfObject } from '../objects/index.ts';
import type { Part } from './part.ts';

/**
 * Builds the form of a part: the fields with a widget on its pages, and only those widgets. Signatures become invalid,
 * so their values are removed; their appearance is kept. Returns `undefined` if there are no fields.
 */
export function buildPartForm(annotations: readonly PdfObject[], part: Part): Dict | undefined {
  const form = part.source.document.catalog.dict('AcroForm');
  const kids = new Map<Ref, Set<Ref>>();
  const fonts = new Set<string>();
  collectFonts(form, fonts);
  for (const annotation of annotations) {
    if (annotation instanceof Ref && part.source.fields.has(annotation))
      addWithAncestors(annotation, part, kids, fonts);
  }
  if (part.isDocument)
    for (const field of part.source.fields) if (isHidden(field)) addWithAncestors(field, part, kids, fonts);
  if (!form || part.fields.size === 0) return undefined;
  for (const ref of part.fields) trim(ref, part, kids.get(ref));
  const isKept = (field: PdfObject) => field instanceof Ref && part.fields.has(field);
  const own = new Dict();
  for (const key of ['DA', 'Q', 'NeedAppearances']) own.set(key, form.raw(key));
  own.set('Fields', (form.array('Fields') ?? []).filter(isKept));
  own.set('DR', usedResources(form.dict('DR'), fonts));
  const order = (form.array('CO') ?? []).filter(isKept);
  if (order.length > 0) own.set('CO', order);
  return own;
}

/** Tells whether a field has no widget. Programs store data in such fields. */
function isHidden(field: Ref): boolean {
  const dict = resolve(field);
  return (
    dict instanceof Dict &&
    dict.name('Subtype') !== 'Widget' &&
    !dict.map.has('Rect') &&
    !dict.array('Kids')?.length
  );
}

/** Adds a widget and its parent fields to the part. */
function addWithAncestors(widget: Ref, part: Part, kids: Map<Ref, Set<Ref>>, fonts: Set<string>): void {
  let child = widget;
  for (;;) {
    if (part.fields.has(child) && child === widget) return;
    part.fields.add(child);
    const dict = dictOf(child, part);
    collectFonts(dict, fonts);
    const parent = dict?.raw('Parent');
    if (!(parent instanceof Ref) || !part.source.fields.has(parent)) return;
    const known = kids.get(parent);
    if (known?.has(child)) return;
    kids.set(parent, (known ?? new Set()).add(child));
    child = parent;
  }
}

function trim(ref: Ref, part: Part, kids: ReadonlySet<Ref> | undefined): void {
  const dict = dictOf(ref, part);
  if (!dict) return;
  const isSigned = dict.map.has('V') && fieldType(dict) === 'Sig';
  if (!kids && !isSigned) return;
  const copy = dict.copy();
  if (kids)
    copy.set(
      'Kids',
      (dict.array('Kids') ?? []).filter((kid) => kid instanceof Ref && kids.has(kid)),
    );
  if (isSigned) copy.delete('V', 'Lock');
  part.put(ref, copy);
}

function fieldType(dict: Dict): string | undefined {
  let field: Dict | undefined = dict;
  for (let hops = 0; field && hops < 32; hops++) {
    const type = field.name('FT');
    if (type !== undefined) return type;
    field = field.dict('Parent');
  }
  return undefined;
}

function dictOf(ref: Ref, part: Part): Dict | undefined {
  const value = resolve(part.get(ref) ?? ref);
  return value instanceof Dict ? value : undefined;
}

function collectFonts(dict: Dict | undefined, fonts: Set<string>): void {
  const appearance = dict?.string('DA')?.key ?? '';
  for (const [, font] of appearance.matchAll(/\/([^\s()<>[\]{}/%]+)/g)) if (font) fonts.add(font);
}

function usedResources(resources: Dict | undefined, fonts: ReadonlySet<string>): Dict | undefined {
  const all = resources?.dict('Font');
  if (!resources || !all) return resources;
  return resources.copy().set('Font', new Dict([...all.map].filter(([font]) => fonts.has(font))));
}
