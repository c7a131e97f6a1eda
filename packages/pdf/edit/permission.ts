import { Dict, InputFault, resolve, type PdfDocument, eachField } from '../objects/index.ts';

/** A kind of change that signatures and encryption can forbid. */
export interface Change {
  /** The lowest DocMDP level that allows the change (ISO 32000-1 table 254). */
  level: number;
  /** The permission of an encrypted file that allows the change (ISO 32000-1 table 22). */
  permission: number;
  /** The change, as messages name it: "a stamp". */
  name: string;
  /** The changes that the permission allows: "annotations". */
  permits: string;
}

/** The addition of an annotation. */
export const ANNOTATION_CHANGE: Change = {
  level: 3,
  permission: 1 << 5,
  name: 'a stamp',
  permits: 'annotations',
};
/** Any other change. No DocMDP level allows it. */
export const DOCUMENT_CHANGE: Change = {
  level: 4,
  permission: 1 << 3,
  name: 'the change',
  permits: 'changes',
};

const ALLOWED: Readonly<Record<number, string>> = {
  2: 'only filling in forms and signing',
  3: 'only filling in forms, signing and annotations',
};
const APPEND_ONLY = 1 << 1;

/**
 * Tells whether a file is signed. Signatures stay valid only if the signed bytes do not change.
 * @throws {InputFault} if a signature or the permissions of an encrypted file forbid the change.
 */
export function requirePermission(document: PdfDocument, change: Change): { signed: boolean } {
  requireRight(document, change);
  const form = document.catalog.dict('AcroForm');
  let signed = ((form?.number('SigFlags') ?? 0) & APPEND_ONLY) !== 0;
  const signatures: Dict[] = [];
  eachField(form?.array('Fields') ?? [], (field, type) => {
    const signature = type === 'Sig' ? field.dict('V') : undefined;
    if (!signature) return;
    signatures.push(signature);
    // In PDF 2.0 a signature field lock can also restrict other changes (ISO 32000-2 table 236).
    requireLevel(field.dict('Lock')?.number('P'), change);
  });
  for (const value of document.catalog.dict('Perms')?.map.values() ?? []) {
    const signature = resolve(value);
    if (signature instanceof Dict) signatures.push(signature);
  }
  for (const signature of signatures) {
    signed = true;
    for (const item of signature.array('Reference') ?? []) {
      const reference = resolve(item);
      if (!(reference instanceof Dict) || reference.name('TransformMethod') !== 'DocMDP') continue;
      requireLevel(reference.dict('TransformParams')?.number('P') ?? 2, change);
    }
  }
  return { signed };
}

function requireLevel(level: number | undefined, { level: lowest, name }: Change): void {
  if (level === undefined || level >= lowest) return;
  throw new InputFault(
    'pdf',
    `has a signature that allows ${ALLOWED[level] ?? 'no changes'} (DocMDP, P = ${level}): ${name} would invalidate it`,
  );
}

/** Checks the permissions of an encrypted file. @throws {InputFault} if they forbid the change. */
function requireRight({ trailer, encrypted }: PdfDocument, { permission, permits }: Change): void {
  if (!encrypted || ((trailer.dict('Encrypt')?.number('P') ?? -1) & permission) !== 0) return;
  throw new InputFault('pdf', `is encrypted, and its permissions do not allow ${permits}`);
}
