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
import type { Member } from './member.ts';
import { joinResources } from './resources.ts';
import { TakenNames } from './names.ts';

/** What a field takes from its form when neither it nor a field above it says so. */
const DEFAULTS = ['DA', 'Q'];

/**
 * Joins forms. A field whose name is taken gets another; so does a font of the forms' resources that stands for another one in an
 * earlier document. Signatures lose their value and keep their appearance. XFA, which cannot be joined, goes: what remains is the
 * form that every reader knows.
 */
export function joinForms(members: readonly Member[], catalog: Dict): void {
  const fields: PdfObject[] = [];
  const order: PdfObject[] = [];
  const resources = new Dict();
  const taken = new TakenNames();
  const needs: Dict[] = [];
  const forms = members.flatMap(({ document }) => document.catalog.dict('AcroForm') ?? []);
  for (const form of forms) {
    const own = form.array('Fields') ?? [];
    const names = new Map<string, string>();
    const fonts = joinResources(resources, form.dict('DR'));
    for (const field of own) {
      const dict = resolve(field);
      if (!(dict instanceof Dict)) continue;
      takeName(dict, names, taken);
      for (const key of DEFAULTS) if (!dict.map.has(key)) dict.set(key, form.raw(key));
      fields.push(field);
    }
    eachField(own, (field, type) => {
      if (type === 'Sig') field.delete('V', 'Lock');
      renameFonts(field, fonts);
    });
    order.push(...(form.array('CO') ?? []));
    if (form.get('NeedAppearances') === true) needs.push(form);
  }
  if (fields.length === 0) return;
  const joined = Dict.of({ Fields: fields, DR: resources });
  if (order.length > 0) joined.set('CO', order);
  if (needs.length === forms.length || needs.some(lacksAppearance)) joined.set('NeedAppearances', true);
  catalog.set('AcroForm', Ref.to(joined));
}

/**
 * Tells whether a form has a widget without an appearance. The flag makes readers draw all fields anew, those of the other documents
 * too; when every widget is drawn already, nobody misses it.
 */
function lacksAppearance(form: Dict): boolean {
  let lacks = false;
  eachField(form.array('Fields') ?? [], (field) => {
    if (field.name('Subtype') === 'Widget' && !field.dict('AP')) lacks = true;
  });
  return lacks;
}

/** Fields of one form that have one name are one field to readers, and stay so: `names` are those that the form has by now. */
function takeName(field: Dict, names: Map<string, string>, taken: TakenNames): void {
  const own = field.string('T');
  if (!own) return;
  const wanted = decodeText(own);
  const free = names.get(wanted) ?? taken.take(wanted);
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
