import { Dict, InputFault, resolve, type PdfDocument } from '../../../src/pdf/pdf.ts';
import type { Form } from '../fields/read-fields.ts';

const APPEND_ONLY = 1 << 1;
// ISO 32000-1 table 22: fields may be made when both are set.
const MAY_CHANGE = 1 << 3;
const MAY_ANNOTATE = 1 << 5;

const ALLOWED: Readonly<Record<number, string>> = {
  1: 'no changes',
  2: 'only filling in forms and signing',
  3: 'only filling in forms, signing and annotations',
};

/**
 * Tells whether a file has signatures, which hold only when what was signed stays byte for byte.
 * @throws {InputFault} when one of them, or the permissions of an encrypted file, forbid new fields.
 */
export function requireRightToAddFields(document: PdfDocument, form: Form): { signed: boolean } {
  requireUnlocked(document);
  let signed = ((form.dict?.number('SigFlags') ?? 0) & APPEND_ONLY) !== 0;
  const signatures: Dict[] = [];
  for (const { kind, nodes } of form.fields) {
    if (kind !== 'signature') continue;
    for (const { dict } of nodes) {
      const signature = dict.dict('V');
      if (!signature) continue;
      signatures.push(signature);
      // PDF 2.0: what a signature locks beside fields (ISO 32000-2 table 236).
      requireNoLevel(dict.dict('Lock')?.number('P'));
    }
  }
  for (const value of document.catalog.dict('Perms')?.map.values() ?? []) {
    const signature = resolve(value);
    if (signature instanceof Dict) signatures.push(signature);
  }
  for (const signature of signatures) {
    signed = true;
    for (const item of signature.array('Reference') ?? []) {
      const reference = resolve(item);
      if (!(reference instanceof Dict) || reference.name('TransformMethod') !== 'DocMDP') continue;
      requireNoLevel(reference.dict('TransformParams')?.number('P') ?? 2);
    }
  }
  return { signed };
}

/** No level allows new fields (ISO 32000-1 table 254). */
function requireNoLevel(level: number | undefined): void {
  const allowed = ALLOWED[level ?? 0];
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
