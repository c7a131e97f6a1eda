import {
  decodeText,
  Dict,
  encodeText,
  PdfString,
  Ref,
  resolve,
  type PdfObject,
  eachField,
} from '../objects/index.ts';
import type { MergeInput } from './merge-input.ts';
import { joinResources } from './resources.ts';
import { UniqueNames } from './names.ts';

/** Defaults that fields inherit from their form. */
const DEFAULTS = ['DA', 'Q'];

/**
 * Joins forms. Renames fields whose names are already taken, and fonts whose names denote other fonts in
 * earlier documents. Removes XFA, which cannot be merged; the AcroForm remains.
 */
export function joinForms(inputs: readonly MergeInput[], catalog: Dict): void {
  const fields: PdfObject[] = [];
  const order: PdfObject[] = [];
  const resources = new Dict();
  const taken = new UniqueNames();
  const needing: Dict[] = [];
  const forms = inputs.flatMap(({ document }) => document.catalog.dict('AcroForm') ?? []);
  for (const form of forms) {
    const roots = form.array('Fields') ?? [];
    const names = new Map<string, string>();
    const fonts = joinResources(resources, form.dict('DR'));
    for (const field of roots) {
      const dict = resolve(field);
      if (!(dict instanceof Dict)) continue;
      takeName(dict, names, taken);
      for (const key of DEFAULTS) if (!dict.map.has(key)) dict.set(key, form.raw(key));
      fields.push(field);
    }
    eachField(roots, (field, type) => {
      // An unsigned field may restrict changes to a document that no longer exists.
      if (type === 'Sig') field.delete('Lock');
      renameFonts(field, fonts);
    });
    order.push(...(form.array('CO') ?? []));
    if (form.get('NeedAppearances') === true) needing.push(form);
  }
  if (fields.length === 0) return;
  const joined = Dict.of({ Fields: fields, DR: resources });
  if (order.length > 0) joined.set('CO', order);
  if (needing.length === forms.length || needing.some(hasWidgetWithoutAppearance))
    joined.set('NeedAppearances', true);
  catalog.set('AcroForm', Ref.to(joined));
}

/**
 * Tells whether a form has a widget without an appearance. `NeedAppearances` makes readers redraw all fields,
 * including those of other documents, so it is set only if necessary.
 */
function hasWidgetWithoutAppearance(form: Dict): boolean {
  let found = false;
  eachField(form.array('Fields') ?? [], (field) => {
    if (field.name('Subtype') === 'Widget' && !field.dict('AP')) found = true;
  });
  return found;
}

/**
 * Gives a field a unique name. Fields with the same name in one form are one field and keep a common name.
 * `names` maps the names in the form to their unique names.
 */
function takeName(field: Dict, names: Map<string, string>, taken: UniqueNames): void {
  const title = field.string('T');
  if (!title) return;
  const wanted = decodeText(title);
  const free = names.get(wanted) ?? taken.claim(wanted);
  names.set(wanted, free);
  if (free !== wanted) field.set('T', encodeText(free));
}

function renameFonts(field: Dict, fonts: ReadonlyMap<string, string>): void {
  const appearance = field.string('DA');
  if (fonts.size === 0 || !appearance) return;
  const renamed = appearance.key.replaceAll(
    /\/([^\s()<>[\]{}/%]+)/g,
    (whole, font: string) => `/${fonts.get(font) ?? whole.slice(1)}`,
  );
  field.set('DA', new PdfString(Buffer.from(renamed, 'latin1')));
}
