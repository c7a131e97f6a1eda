import { InputFault, type PdfDocument } from '../../objects/index.ts';
import type { Form } from '../fields/read-fields.ts';
import { locksField, readSignatures } from '../fields/signatures.ts';
import type { PlannedField } from './group.ts';

const APPEND_ONLY = 1 << 1;
// ISO 32000-1 table 22: fields may be made when both are set.
const MAY_CHANGE = 1 << 3;
const MAY_ANNOTATE = 1 << 5;

const ALLOWED: Readonly<Record<number, string>> = {
  1: 'no changes',
  2: 'only filling in forms and signing',
  3: 'only filling in forms, signing and annotations',
};

/** What has to stay of a file. */
export interface AddingRight {
  /** Whether signatures are to hold. */
  signed: boolean;
  /** Whether nothing but an update is allowed. */
  appendOnly: boolean;
}

/**
 * Tells whether a file has signatures, which hold only when what was signed stays byte for byte, and when nothing is added that
 * validators take for another document: a field that is to be signed is what they take for the next step of signing.
 * @throws {InputFault} when a signature, or the permissions of an encrypted file, forbid new fields.
 */
export function requireRightToAddFields(
  document: PdfDocument,
  form: Form,
  planned: readonly PlannedField[],
): AddingRight {
  requireUnlocked(document);
  const { signed, levels, locks } = readSignatures(document, form);
  for (const level of levels) requireNoLevel(level);
  for (const { name, parts } of signed ? planned : []) {
    const [part] = parts;
    if (part && part.definition.type !== 'signature')
      throw new InputFault(
        `${part.path}.type`,
        'must be signature, for the PDF is signed: any other new field would make the signature invalid',
      );
    if (locks.some((lock) => locksField(lock, name)))
      throw new InputFault(
        `${part?.path}.name`,
        `${JSON.stringify(name)} is locked by a signature: a new field of this name would make it invalid`,
      );
  }
  const appendOnly = signed || ((form.dict?.number('SigFlags') ?? 0) & APPEND_ONLY) !== 0;
  return { signed, appendOnly };
}

/** No level allows new fields (ISO 32000-1 table 254). */
function requireNoLevel(level: number): void {
  const allowed = ALLOWED[level];
  if (allowed === undefined) return;
  throw new InputFault(
    'pdf',
    `has a signature that allows ${allowed} (DocMDP, P = ${level}): new fields would make it invalid`,
  );
}

function requireUnlocked({ trailer, encrypted }: PdfDocument): void {
  const needed = MAY_CHANGE | MAY_ANNOTATE;
  if (!encrypted || ((trailer.dict('Encrypt')?.number('P') ?? -1) & needed) === needed) return;
  throw new InputFault('pdf', 'is encrypted, and its permissions do not allow new form fields');
}
