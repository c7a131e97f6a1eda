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
} from '../../../src/pdf/pdf.ts';
import { readForm, type Form } from '../fields/read-fields.ts';
import { buildField, type BuiltField, type Spot } from './build-field.ts';
import { withFonts } from './default-resources.ts';
import { checkDefinition, sizeOf, type FieldDefinition } from './definition.ts';
import { groupDefinitions, type PlannedField } from './group.ts';
import { FieldTree, TakenNames } from './names.ts';
import { requireRightToAddFields } from './permission.ts';
import { saveWithWidgets } from './save.ts';

const SIGNATURES_EXIST = 1;

/**
 * Adds fields to a document. The file stays byte for byte, and an update is appended; a damaged one without signatures is written anew.
 * Texts and choices are empty yet: their values are filled in afterwards.
 * @throws {InputFault} naming the definition that is wrong, and for a signature that would not hold.
 */
export function addFields(document: PdfDocument, definitions: readonly FieldDefinition[]): Uint8Array {
  for (const [index, definition] of definitions.entries()) checkDefinition(definition, `fields[${index}]`);
  const planned = groupDefinitions(definitions);
  const form = readForm(document);
  const taken = new TakenNames(form.fields.map((field) => field.name));
  for (const { name, parts } of planned) taken.take(name, `${parts[0]?.path}.name`);
  const spots = planned.map((field) => field.parts.map((part) => findSpot(form.pages, part)));
  const { signed } = requireRightToAddFields(document, form);
  requirePlainForm(form, signed);
  const { dict, changed, built } = extendForm(form, planned, spots);
  const ref = document.catalog.raw('AcroForm');
  const isObject = ref instanceof Ref && form.dict !== undefined;
  if (isObject) changed.set(ref, dict);
  const catalog = isObject ? undefined : document.catalog.copy().set('AcroForm', Ref.to(dict));
  const widgets = built.flatMap((field) => field.widgets);
  return saveWithWidgets(document, { pages: form.pages, changed, catalog, widgets, signed });
}

function findSpot(pages: readonly Page[], { definition, path }: PlannedField['parts'][number]): Spot {
  return within(path, () => {
    const page = pickPage(pages, definition.page);
    const { width, height } = sizeOf(definition);
    const placement = placeOn(page, { x: definition.x, y: definition.y, width, height });
    const { unit, rotation } = geometryOf(page);
    const rounded = (length: number) => Math.round((length / unit) * 10_000) / 10_000;
    return {
      ...placement,
      page,
      unit,
      turn: rotation,
      size: { width: rounded(width), height: rounded(height) },
    };
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
