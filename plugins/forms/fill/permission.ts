import {
  decodeText,
  Dict,
  InputFault,
  PdfString,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '../../../src/pdf/pdf.ts';
import type { Form } from '../fields/read-fields.ts';
import type { Assignment } from './values.ts';

/** From this level on forms may be filled in (ISO 32000-1 table 254). */
const FILL_IN = 2;
/** Bits of an encrypted file's permissions that allow filling in: 4 modify, 6 annotate, 9 fill in (ISO 32000-1 table 22). */
const MAY_MODIFY = 1 << 3;
const MAY_FILL = (1 << 5) | (1 << 8);

/**
 * Tells whether a file has signatures, which hold only when what was signed stays byte for byte.
 * @throws {InputFault} when one of them, or the permissions of an encrypted file, forbid what is asked for.
 */
export function requirePermission(
  document: PdfDocument,
  form: Form,
  { assignments, flatten }: { assignments: readonly Assignment[]; flatten: boolean },
): { signed: boolean } {
  requireRight(document, flatten);
  const signatures: Dict[] = [];
  const locks: Dict[] = [];
  for (const field of form.fields) {
    const signature = field.kind === 'signature' ? field.get('V') : undefined;
    if (!(signature instanceof Dict)) continue;
    signatures.push(signature);
    for (const { dict } of field.nodes) {
      const lock = dict.dict('Lock');
      if (!lock) continue;
      locks.push(lock);
      requireLevel(lock.number('P'));
    }
  }
  const certification = document.catalog.dict('Perms')?.dict('DocMDP');
  if (certification && !signatures.includes(certification)) signatures.push(certification);
  if (signatures.length === 0) return { signed: false };
  if (flatten)
    throw new InputFault(
      'flatten',
      'the PDF is signed: flattening changes its pages, which would make the signature invalid',
    );
  for (const signature of signatures) {
    for (const item of signature.array('Reference') ?? []) {
      const reference = resolve(item);
      if (!(reference instanceof Dict)) continue;
      const parameters = reference.dict('TransformParams');
      const method = reference.name('TransformMethod');
      if (method === 'DocMDP') requireLevel(parameters?.number('P') ?? FILL_IN);
      if (method === 'FieldMDP' && parameters) locks.push(parameters);
    }
  }
  for (const { field } of assignments)
    if (locks.some((lock) => locksField(lock, field.name)))
      throw new InputFault(
        'fields',
        `${JSON.stringify(field.name)} is locked by a signature: filling it would make the signature invalid`,
      );
  if (form.xfa)
    throw new InputFault(
      'pdf',
      'is signed and has an XFA form, whose values cannot be changed without making the signature invalid',
    );
  return { signed: true };
}

function requireLevel(level: number | undefined): void {
  if (level === undefined || level >= FILL_IN) return;
  throw new InputFault(
    'pdf',
    `has a signature that allows no changes (DocMDP, P = ${level}): filling a field would make it invalid`,
  );
}

/** ISO 32000-1 table 256: all fields, those that are listed, or all but those. A name stands for all fields below it, too. */
function locksField(lock: Dict, name: string): boolean {
  const action = lock.name('Action');
  const named = (lock.array('Fields') ?? []).some((item) => covers(item, name));
  if (action === 'Include') return named;
  return action === 'Exclude' ? !named : action === 'All';
}

function covers(item: PdfObject, name: string): boolean {
  const text = resolve(item);
  if (!(text instanceof PdfString)) return false;
  const covered = decodeText(text);
  return name === covered || name.startsWith(`${covered}.`);
}

function requireRight({ trailer, encrypted }: PdfDocument, flatten: boolean): void {
  if (!encrypted) return;
  const permissions = trailer.dict('Encrypt')?.number('P') ?? -1;
  if (flatten && (permissions & MAY_MODIFY) === 0)
    throw new InputFault(
      'flatten',
      'the PDF is encrypted, and its permissions do not allow changes of its pages',
    );
  if ((permissions & MAY_FILL) === 0)
    throw new InputFault('pdf', 'is encrypted, and its permissions do not allow filling in forms');
}
