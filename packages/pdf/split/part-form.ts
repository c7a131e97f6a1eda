import { Dict, Ref, resolve, type PdfObject } from '../objects/index.ts';
import type { Part } from './part.ts';

/**
 * Builds the form of a part: the fields with a widget on its pages, and only those widgets. A part that keeps
 * document-level data also keeps the fields without a widget. Returns `undefined` for a form without fields.
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
    for (const field of part.source.fields)
      if (isWithoutWidget(field)) addWithAncestors(field, part, kids, fonts);
  if (!form || part.fields.size === 0) return undefined;
  for (const ref of part.fields) writeField(ref, part, kids.get(ref));
  const isKept = (field: PdfObject) => field instanceof Ref && part.fields.has(field);
  const written = new Dict();
  for (const key of ['DA', 'Q', 'NeedAppearances']) written.set(key, form.raw(key));
  written.set('Fields', (form.array('Fields') ?? []).filter(isKept));
  written.set('DR', usedResources(form.dict('DR'), fonts));
  const order = (form.array('CO') ?? []).filter(isKept);
  if (order.length > 0) written.set('CO', order);
  return written;
}

/** Tells whether a field has no widget. Programs store data in such fields. */
function isWithoutWidget(field: Ref): boolean {
  const dict = resolve(field);
  return (
    dict instanceof Dict &&
    dict.name('Subtype') !== 'Widget' &&
    !dict.map.has('Rect') &&
    !dict.array('Kids')?.length
  );
}

/**
 * Adds a widget or field and its ancestors to the part. `kids` collects the children of each ancestor that
 * are in the part.
 */
function addWithAncestors(node: Ref, part: Part, kids: Map<Ref, Set<Ref>>, fonts: Set<string>): void {
  if (part.fields.has(node)) return;
  for (let child = node; ;) {
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

/** Puts a field into the part with only those children that are in the part. */
function writeField(ref: Ref, part: Part, kids: ReadonlySet<Ref> | undefined): void {
  const dict = dictOf(ref, part);
  if (!dict || !kids) return;
  const kept = (dict.array('Kids') ?? []).filter((kid) => kid instanceof Ref && kids.has(kid));
  part.put(ref, dict.copy().set('Kids', kept));
}

function dictOf(ref: Ref, part: Part): Dict | undefined {
  const value = resolve(part.get(ref) ?? ref);
  return value instanceof Dict ? value : undefined;
}

/** Adds the names of the fonts in the default appearance of a form or field. */
function collectFonts(dict: Dict | undefined, fonts: Set<string>): void {
  const appearance = dict?.string('DA')?.key ?? '';
  for (const [, font] of appearance.matchAll(/\/([^\s()<>[\]{}/%]+)/g)) if (font) fonts.add(font);
}

/** Returns the default resources of a form with only the given fonts. */
function usedResources(resources: Dict | undefined, fonts: ReadonlySet<string>): Dict | undefined {
  const all = resources?.dict('Font');
  if (!resources || !all) return resources;
  return resources.copy().set('Font', new Dict([...all.map].filter(([font]) => fonts.has(font))));
}
