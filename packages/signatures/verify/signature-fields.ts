import { decodeText, Dict, Ref, resolve, type PdfDocument, type PdfObject } from '@platen/pdf/objects';

export interface SignedField {
  /** The full name of the field. */
  name: string;
  field: Dict;
  /** The indirect object of the field, if it is one. */
  ref: Ref | undefined;
  signature: Dict;
  /** The indirect object that contains the signature dictionary. */
  holder: Ref | undefined;
}

const MAX_DEPTH = 32;

/** A field or widget, and the attributes that it inherits. */
export interface FieldStep {
  field: Dict;
  ref: Ref | undefined;
  name: string;
  type: string | undefined;
  hasValue: boolean;
}

/** Lists each field and widget of a form once, in tree order. */
export function listFormFields(document: PdfDocument): FieldStep[] {
  const found: FieldStep[] = [];
  const seen = new Set<Dict>();
  const visit = (
    object: PdfObject,
    parent: Pick<FieldStep, 'name' | 'type' | 'hasValue'>,
    depth: number,
  ): void => {
    const field = resolve(object);
    if (!(field instanceof Dict) || seen.has(field) || depth > MAX_DEPTH) return;
    seen.add(field);
    const name = joinName(parent.name, field);
    const step = {
      field,
      ref: object instanceof Ref ? object : undefined,
      name,
      type: field.name('FT') ?? parent.type,
      hasValue: hasValue(field) || parent.hasValue,
    };
    found.push(step);
    for (const kid of field.array('Kids') ?? []) visit(kid, step, depth + 1);
  };
  for (const field of document.catalog.dict('AcroForm')?.array('Fields') ?? [])
    visit(field, { name: '', type: undefined, hasValue: false }, 0);
  return found;
}

/** Tells whether a field has a value of its own. */
export function hasValue(field: Dict): boolean {
  const value = field.get('V');
  return value !== undefined && value !== null;
}

/**
 * Returns the full name of a field: the full name of its parent and its partial name, separated by a full
 * stop.
 */
export function joinName(parent: string, field: Dict): string {
  const partial = field.string('T');
  if (!partial) return parent;
  const text = decodeText(partial);
  return parent === '' ? text : `${parent}.${text}`;
}

/** Lists the signed fields of a document. Two fields can have the same signature. */
export function listSignedFields(document: PdfDocument): SignedField[] {
  const found: SignedField[] = [];
  for (const { field, ref, name, type } of listFormFields(document)) {
    const signature = type === 'Sig' ? field.get('V') : undefined;
    if (!(signature instanceof Dict)) continue;
    const value = field.raw('V');
    found.push({ name, field, ref, signature, holder: value instanceof Ref ? value : ref });
  }
  return found;
}
