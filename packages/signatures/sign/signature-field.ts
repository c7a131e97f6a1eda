import { Dict, InputFault, type Direct, type PdfObject, type Ref } from '@platen/pdf/objects';
import { FieldNames, FieldTree } from '@platen/pdf/forms';
import type { Field, Widget } from '@platen/pdf/forms';
import type { Form } from '@platen/pdf/forms';

export interface ChosenField {
  name: string;
  /** The field in the file; absent for a new one. */
  existing: { node: { dict: Dict; ref: Ref }; widget: (Widget & { ref: Ref }) | undefined } | undefined;
}

const MAX_TRIES = 100_000;

/**
 * Chooses the signature field: the existing field with the given name, or a new field.
 * @throws {InputFault} that names `field`, if the field is signed or is not a signature field, or if it does
 * not exist and the file has other unsigned fields
 */
export function chooseField(form: Form, given: string | undefined): ChosenField {
  if (given === undefined) return { name: freeName(form), existing: undefined };
  const field = form.fields.find((each) => each.name === given);
  if (!field) rejectMistyped(form, given);
  return { name: given, existing: field && requireEmpty(field) };
}

/** The maximum number of fields that a message names, and the maximum length of each name. */
const MAX_NAMED = 20;
const MAX_NAME_CHARACTERS = 200;

/** Rejects the name of a new field in a file with fields to sign, because the name is probably mistyped. */
function rejectMistyped(form: Form, given: string): void {
  const unsigned = form.fields.filter(
    (field) => field.kind === 'signature' && !(field.get('V') instanceof Dict),
  );
  if (unsigned.length === 0) return;
  const names = unsigned
    .slice(0, MAX_NAMED)
    .map(({ name }) => JSON.stringify(name.slice(0, MAX_NAME_CHARACTERS)));
  const more = unsigned.length > MAX_NAMED ? ` and ${unsigned.length - MAX_NAMED} others` : '';
  throw new InputFault(
    'field',
    `${JSON.stringify(given)} does not exist: the fields to sign are ${names.join(', ')}${more}. Leave out "field" to add a new one`,
  );
}

function requireEmpty(field: Field): NonNullable<ChosenField['existing']> {
  const quoted = JSON.stringify(field.name);
  if (field.kind !== 'signature')
    throw new InputFault('field', `${quoted} is a field of the type ${field.kind}, not a signature field`);
  if (field.get('V') instanceof Dict) throw new InputFault('field', `${quoted} is already signed`);
  const [node] = field.nodes;
  const [widget] = field.widgets;
  if (!node?.ref || (widget && !widget.ref) || field.widgets.length > 1)
    throw new InputFault(
      'field',
      `${quoted} cannot be signed: it has no single widget that is an indirect object`,
    );
  return {
    node: { dict: node.dict, ref: node.ref },
    widget: widget?.ref ? { ...widget, ref: widget.ref } : undefined,
  };
}

function freeName(form: Form): string {
  const taken = new Set(form.fields.map((field) => field.name));
  for (let number = 1; number < MAX_TRIES; number++)
    if (!taken.has(`Signature${number}`)) return `Signature${number}`;
  throw new InputFault('pdf', `has more than ${MAX_TRIES} signature fields`);
}

/** Adds a new field to the form. Returns the new list of fields, and the changed nodes of the field tree. */
export function addToTree(
  form: Form,
  { name: fullName, ref, dict }: { name: string; ref: Ref; dict: Dict },
): {
  fields: PdfObject[];
  changed: Map<Ref, Direct>;
} {
  new FieldNames(form.fields.map((field) => field.name)).take(fullName, 'field');
  const tree = new FieldTree(form.dict?.array('Fields') ?? []);
  tree.add(fullName, ref, dict);
  return tree.finish();
}
