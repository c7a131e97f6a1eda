import {
  Dict,
  geometryOf,
  InputFault,
  pickPage,
  placeOn,
  Ref,
  type Direct,
  type Page,
  type PdfDocument,
} from '../../objects/index.ts';
import { TextPainter } from '../appearance/widget-appearance.ts';
import { Field, passOn } from '../fields/field.ts';
import { readForm, type Form } from '../fields/read-fields.ts';
import type { Filled } from '../fill/fill.ts';
import { withoutUsageRights } from '../fill/finish-form.ts';
import { buildField, type BuiltField, type Spot } from './build-field.ts';
import { withFonts } from './default-resources.ts';
import { checkDefinition, sizeOf, type FieldDefinition } from './definition.ts';
import { groupDefinitions, type PlannedField } from './group.ts';
import { FieldTree, TakenNames } from './names.ts';
import { requireRightToAddFields } from './permission.ts';
import { saveWithWidgets } from './save.ts';
import { tagWidgets } from './structure.ts';

const SIGNATURES_EXIST = 1;

/** Fields that are to be added. */
export interface AddOrder {
  definitions: readonly FieldDefinition[];
  /** What the browser drew of what an earlier call wanted. */
  drawn?: readonly Uint8Array[] | undefined;
}

/**
 * Adds fields to a document, or says what the browser is to draw first. The file stays byte for byte, and an update is appended; a
 * damaged one without signatures is written anew.
 * @throws {InputFault} naming the definition that is wrong, and for a signature that would not hold.
 */
export function addFields(document: PdfDocument, { definitions, drawn }: AddOrder): Filled {
  for (const [index, definition] of definitions.entries()) checkDefinition(definition, `fields[${index}]`);
  const planned = groupDefinitions(definitions);
  const form = readForm(document);
  const taken = new TakenNames(form.fields.map((field) => field.name));
  for (const { name, parts } of planned) taken.take(name, `${parts[0]?.path}.name`);
  const spots = planned.map((field) => field.parts.map((part) => findSpot(form.pages, part)));
  const { signed, appendOnly } = requireRightToAddFields(document, form, planned);
  requirePlainForm(form, signed);
  const { dict, changed, built } = extendForm(form, planned, spots);
  const painter = new TextPainter(dict, drawn);
  for (const field of built) drawText(field, painter);
  if (painter.wanted.length > 0 && !drawn) return { wanted: painter.wanted };
  // A validator would take it for a change of what was signed.
  const structure = signed ? [] : tagWidgets(document.catalog, built);
  for (const [element, value] of structure) changed.set(element, value);
  const ref = document.catalog.raw('AcroForm');
  const isObject = ref instanceof Ref && form.dict !== undefined;
  if (isObject) changed.set(ref, dict);
  const permissions = signed ? undefined : withoutUsageRights(document.catalog);
  const isChanged = !isObject || permissions !== undefined;
  const catalog = isChanged ? document.catalog.copy() : undefined;
  if (!isObject) catalog?.set('AcroForm', Ref.to(dict));
  if (permissions) catalog?.set('Perms', permissions.map.size > 0 ? permissions : undefined);
  const widgets = built.flatMap((field) => field.widgets);
  return { pdf: saveWithWidgets(document, { pages: form.pages, changed, catalog, widgets, appendOnly }) };
}

function drawText({ name, dict, widgets, text }: BuiltField, painter: TextPainter): void {
  if (text === '') return;
  const field = new Field(name, passOn(dict, new Map()));
  for (const { widget } of widgets) {
    const appearance = painter.paint(field, widget, { text });
    if (appearance) widget.dict.set('AP', Dict.of({ N: appearance }));
  }
}

function findSpot(pages: readonly Page[], { definition, path }: PlannedField['parts'][number]): Spot {
  return within(path, () => {
    const page = pickPage(pages, definition.page);
    const { width, height } = sizeOf(definition);
    const placement = placeOn(page, { x: definition.x, y: definition.y, width, height });
    const { unit, rotation } = geometryOf(page);
    return { ...placement, page, unit, turn: rotation };
  });
}

/** Puts the place of a definition before the field that is blamed. */
function within<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InputFault ? new InputFault(`${path}.${error.field}`, error.message) : error;
  }
}

/** Readers of XFA would not show what is added to the other form; so the other form is what stays. */
function requirePlainForm({ xfa, fields }: Form, signed: boolean): void {
  if (!xfa) return;
  if (fields.length === 0)
    throw new InputFault('pdf', 'is an XFA form and nothing else, to which no fields can be added');
  if (signed)
    throw new InputFault(
      'pdf',
      'is signed and has an XFA form, which would have to go: the signature would cover another form',
    );
}

interface ExtendedForm {
  dict: Dict;
  /** Nodes of the tree that were there before. */
  changed: Map<Ref, Direct>;
  built: BuiltField[];
}

function extendForm(
  form: Form,
  planned: readonly PlannedField[],
  spots: readonly (readonly Spot[])[],
): ExtendedForm {
  const dict = form.dict?.copy() ?? new Dict();
  const { fonts, resources } = withFonts(dict);
  if (resources) dict.set('DR', resources);
  const tree = new FieldTree(dict.array('Fields') ?? []);
  const built = planned.map((field, index) => {
    const made = buildField(field, spots[index] ?? [], fonts);
    tree.add(field.name, made.ref, made.dict);
    return made;
  });
  const { fields, changed } = tree.finish();
  dict.set('Fields', fields).delete('XFA');
  if (planned.some(({ parts }) => parts[0]?.definition.type === 'signature'))
    dict.set('SigFlags', (dict.number('SigFlags') ?? 0) | SIGNATURES_EXIST);
  return { dict, changed, built };
}
