import { InputFault, type PdfDocument } from '../../objects/index.ts';
import type { Form } from '../fields/read-fields.ts';
import { locksField, readSignatures } from '../fields/signatures.ts';
import type { Assignment } from './assignments.ts';

/** The lowest DocMDP level that allows filling in forms (ISO 32000-1 table 254). */
const FILL_IN = 2;
/** Permission bits that allow filling in: 4 modify, 6 annotate, 9 fill in (ISO 32000-1 table 22). */
const MAY_MODIFY = 1 << 3;
const MAY_FILL = (1 << 5) | (1 << 8);

/**
 * Checks that the fields may be filled. Returns whether the file is signed: its signatures then stay valid
 * only if the signed bytes do not change.
 * @throws {InputFault} if a signature, or the permissions of an encrypted file, forbid the changes.
 */
export function requirePermission(
  document: PdfDocument,
  form: Form,
  { assignments, flatten }: { assignments: readonly Assignment[]; flatten: boolean },
): { signed: boolean } {
  requireRight(document, flatten);
  const { signed, levels, locks } = readSignatures(document, form);
  if (!signed) return { signed };
  if (flatten)
    throw new InputFault(
      'flatten',
      'must be false: the PDF is signed, and flattening would invalidate the signature',
    );
  for (const level of levels) requireLevel(level);
  for (const { field } of assignments)
    if (locks.some((lock) => locksField(lock, field.name)))
      throw new InputFault(
        'fields',
        `${JSON.stringify(field.name)} is locked by a signature: filling it would invalidate the signature`,
      );
  if (form.xfa)
    throw new InputFault(
      'pdf',
      'is signed and has an XFA form: changing its values would invalidate the signature',
    );
  return { signed: true };
}

function requireLevel(level: number): void {
  if (level >= FILL_IN) return;
  throw new InputFault(
    'pdf',
    `has a signature that allows no changes (DocMDP, P = ${level}): filling a field would invalidate it`,
  );
}

function requireRight({ trailer, encrypted }: PdfDocument, flatten: boolean): void {
  if (!encrypted) return;
  const permissions = trailer.dict('Encrypt')?.number('P') ?? -1;
  if (flatten && (permissions & MAY_MODIFY) === 0)
    throw new InputFault(
      'flatten',
      'must be false: the PDF is encrypted, and its permissions do not allow changes to its pages',
    );
  if ((permissions & MAY_FILL) === 0)
    throw new InputFault('pdf', 'is encrypted, and its permissions do not allow filling in forms');
}
