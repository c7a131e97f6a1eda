import { InputFault, type PdfDocument } from '../../objects/index.ts';
import type { Form } from '../fields/read-fields.ts';
import { locksField, readSignatures } from '../fields/signatures.ts';
import type { PlannedField } from './group-definitions.ts';

const APPEND_ONLY = 1 << 1;
// Adding fields requires both permissions (ISO 32000-1 table 22).
const MAY_CHANGE = 1 << 3;
const MAY_ANNOTATE = 1 << 5;

const ALLOWED: Readonly<Record<number, string>> = {
  1: 'no changes',
  2: 'only filling in forms and signing',
  3: 'only filling in forms, signing and annotations',
};

/** How a file may be changed. */
interface AddingRight {
  /** Whether signatures must stay valid. */
  signed: boolean;
  /** Whether only incremental updates are allowed. */
  appendOnly: boolean;
}

/**
 * Checks that the fields may be added. Returns whether the file is signed, and whether it may only be
 * appended to. Signatures stay valid only if the signed bytes do not change and validators accept the update.
 * The only new fields that they accept are signature fields.
 * @throws {InputFault} if a signature, or the permissions of an encrypted file, forbid new fields.
 */
export function requireRightToAddFields(
  document: PdfDocument,
  form: Form,
  planned: readonly PlannedField[],
): AddingRight {
  requireUnlocked(document);
  const { signed, levels, locks } = readSignatures(document, form);
  for (const level of levels) requireNoDocMdp(level);
  for (const { name, parts } of signed ? planned : []) {
    const [part] = parts;
    if (part && part.definition.type !== 'signature')
      throw new InputFault(
        `${part.path}.type`,
        'must be signature, because the PDF is signed: any other new field would invalidate the signature',
      );
    if (locks.some((lock) => locksField(lock, name)))
      throw new InputFault(
        `${part?.path}.name`,
        `${JSON.stringify(name)} is locked by a signature: a new field with this name would invalidate it`,
      );
  }
  const appendOnly = signed || ((form.dict?.number('SigFlags') ?? 0) & APPEND_ONLY) !== 0;
  return { signed, appendOnly };
}

/** Rejects all DocMDP levels, because none allows new fields (ISO 32000-1 table 254). */
function requireNoDocMdp(level: number): void {
  const allowed = ALLOWED[level];
  if (allowed === undefined) return;
  throw new InputFault(
    'pdf',
    `has a signature that allows ${allowed} (DocMDP, P = ${level}): new fields would invalidate it`,
  );
}

function requireUnlocked({ trailer, encrypted }: PdfDocument): void {
  const needed = MAY_CHANGE | MAY_ANNOTATE;
  if (!encrypted || ((trailer.dict('Encrypt')?.number('P') ?? -1) & needed) === needed) return;
  throw new InputFault('pdf', 'is encrypted, and its permissions do not allow new form fields');
}
