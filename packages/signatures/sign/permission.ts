import { InputFault, type PdfDocument } from '@platen/pdf/objects';
import type { Form } from '@platen/pdf/forms';
import { locksField, readSignatures } from '@platen/pdf/forms';

/** The changes that a certification allows, and their DocMDP levels (ISO 32000-2 table 257). */
export const CERTIFICATION_LEVELS = { no_changes: 1, form_filling: 2, annotations: 3 } as const;

/** The changes that a certification allows. */
export type Certification = keyof typeof CERTIFICATION_LEVELS;

/** The properties of a signature on which permissions depend. */
export interface SignatureKind {
  certify?: Certification | undefined;
  /** The name of the signature field. */
  field: string;
  /** Whether the field is added to the file, and whether it is visible. */
  isNew: boolean;
  isVisible: boolean;
}

const ALLOWED: Readonly<Record<number, string>> = {
  2: 'only filling in forms and signing',
  3: 'only filling in forms, signing and annotations',
};
// ISO 32000-1 table 22.
const MAY_CHANGE = 1 << 3;
const MAY_ANNOTATE = 1 << 5;
const MAY_FILL = 1 << 8;

/**
 * Checks that a file may be signed. Returns whether it is already signed.
 * @throws {InputFault} if a signature or the permissions of an encrypted file forbid it
 */
export function requireRightToSign(document: PdfDocument, form: Form, request: SignatureKind): boolean {
  const { signed, levels, locks } = readSignatures(document, form);
  requireRight(document, request);
  if (signed && request.certify)
    throw new InputFault(
      'certify',
      'must be null: the PDF is signed, and only the first signature can certify it. Certify before the other signatures',
    );
  for (const level of levels) requireLevel(level, request);
  if (locks.some((lock) => locksField(lock, request.field)))
    throw new InputFault(
      'field',
      `${JSON.stringify(request.field)} is locked by a signature: signing it would invalidate that signature`,
    );
  return signed;
}

function requireLevel(level: number, { isNew, isVisible }: SignatureKind): void {
  if (level === 1)
    throw new InputFault(
      'pdf',
      'has a signature that allows no changes (DocMDP, P = 1): another signature would invalidate it',
    );
  const allowed = ALLOWED[level];
  if (allowed === undefined || !isNew || !isVisible) return;
  throw new InputFault(
    'visible',
    `must be false: the PDF has a signature that allows ${allowed} (DocMDP, P = ${level}), and a new visible field would invalidate it. Alternatively, sign an existing field with "field"`,
  );
}

function requireRight({ trailer, encrypted }: PdfDocument, { isNew }: SignatureKind): void {
  if (!encrypted) return;
  const permissions = trailer.dict('Encrypt')?.number('P') ?? -1;
  const mayAdd = (permissions & MAY_CHANGE) !== 0 && (permissions & MAY_ANNOTATE) !== 0;
  const maySign = mayAdd || (!isNew && (permissions & (MAY_FILL | MAY_ANNOTATE)) !== 0);
  if (!maySign) throw new InputFault('pdf', 'is encrypted, and its permissions do not allow signatures');
}
