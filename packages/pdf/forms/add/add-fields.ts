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
import { Field, inheritAttributes } from '../fields/field.ts';
import { readForm, type Form } from '../fields/read-fields.ts';
import type { FormResult } from '../form-result.ts';
import { withoutUsageRights } from '../edits/usage-rights.ts';
import { buildField, type BuiltField, type WidgetPlacement } from './build-field.ts';
import { withFonts } from './default-resources.ts';
import { checkDefinition, sizeOf, type FieldDefinition } from './definition.ts';
import { groupDefinitions, type PlannedField } from './group-definitions.ts';
import { FieldTree, FieldNames } from './field-tree.ts';
import { requireRightToAddFields } from './permission.ts';
import { saveWithWidgets } from './save.ts';
import { tagWidgets } from './structure.ts';

const SIGNATURES_EXIST = 1;

/** A request to add fields. */
export interface AddFieldsRequest {
  definitions: readonly FieldDefinition[];
  /** The PDFs drawn for the texts that an earlier call returned in `toDraw`. */
  drawn?: readonly Uint8Array[] | undefined;
}

/**
 * Adds fields to a document, or returns the texts that a browser must draw first. Appends an incremental
 * update, so the original bytes are unchanged. Rewrites damaged files unless they are signed.
 * @throws {InputFault} if a definition is invalid, or a signature would become invalid.
 */
export function addFields(document: PdfDocument, { definitions, drawn }: AddFieldsRequest): FormResult {
  for (const [index, definition] of definitions.entries()) checkDefinition(definition, `fields[${index}]`);
  const planned = groupDefinitions(definitions);
  const form = readForm(document);
  const taken = new FieldNames(form.fields.map((field) => field.name));
  for (const { name, parts } of planned) taken.take(name, `${parts[0]?.path}.name`);
  const placements = planned.map((field) => field.parts.map((part) => placeWidget(form.pages, part)));
  const { signed, appendOnly } = requireRightToAddFields(document, form, planned);
  requirePlainForm(form, signed);
  const { dict, changed, built } = extendForm(form, planned, placements);
  const painter = new TextPainter(dict, drawn);
  for (const field of built) drawText(field, painter);
  if (painter.toDraw.length > 0 && !drawn) return { toDraw: painter.toDraw };
  // Validators treat a change to the structure tree as a change to the signed content.
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
  const field = new Field(name, inheritAttributes(dict, new Map()));
  for (const { widget } of widgets) {
    const appearance = painter.paint(field, widget, { text });
    if (appearance) widget.dict.set('AP', Dict.of({ N: appearance }));
  }
}

function placeWidget(
  pages: readonly Page[],
  { definition, path }: PlannedField['parts'][number],
): WidgetPlacement {
  return prefixField(path, () => {
    const page = pickPage(pages, definition.page);
    const { width, height } = sizeOf(definition);
    const placement = placeOn(page, { x: definition.x, y: definition.y, width, height });
    const { unit, rotation } = geometryOf(page);
    return { ...placement, page, unit, rotation };
  });
}

/** Prefixes the field of an error with the path of the definition. */
function prefixField<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof InputFault ? new InputFault(`${path}.${error.field}`, error.message) : error;
  }
}

/**
 * Rejects files with only an XFA form, and signed files with an XFA form. From other files the XFA form is
 * removed, because readers of XFA would not show the new fields.
 */
function requirePlainForm({ xfa, fields }: Form, signed: boolean): void {
  if (!xfa) return;
  if (fields.length === 0)
    throw new InputFault('pdf', 'has only an XFA form: fields can only be added to an AcroForm');
  if (signed)
    throw new InputFault(
      'pdf',
      'is signed and has an XFA form: adding fields would require its removal and invalidate the signature',
    );
}

interface ExtendedForm {
  dict: Dict;
  /** Changed nodes that already existed. */
  changed: Map<Ref, Direct>;
  built: BuiltField[];
}

function extendForm(
  form: Form,
  planned: readonly PlannedField[],
  placements: readonly (readonly WidgetPlacement[])[],
): ExtendedForm {
  const dict = form.dict?.copy() ?? new Dict();
  const { fonts, resources } = withFonts(dict);
  if (resources) dict.set('DR', resources);
  const tree = new FieldTree(dict.array('Fields') ?? []);
  const built = planned.map((field, index) => {
    const made = buildField(field, placements[index] ?? [], fonts);
    tree.add(field.name, made.ref, made.dict);
    return made;
  });
  const { fields, changed } = tree.finish();
  dict.set('Fields', fields).delete('XFA');
  if (planned.some(({ parts }) => parts[0]?.definition.type === 'signature'))
    dict.set('SigFlags', (dict.number('SigFlags') ?? 0) | SIGNATURES_EXIST);
  return { dict, changed, built };
}
