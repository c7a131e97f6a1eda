import { Dict, InputFault, resolve, type PdfDocument, eachField } from '../objects/index.ts';

/** The lowest DocMDP level that allows annotations (ISO 32000-1 table 254). */
const ANNOTATIONS = 3;
const MAY_ANNOTATE = 1 << 5;
const APPEND_ONLY = 1 << 1;

/**
 * Tells whether a file is signed. Signatures stay valid only if the signed bytes do not change.
 * @throws {InputFault} if a signature or the permissions of an encrypted file forbid annotations.
 */
export function requirePermission(document: PdfDocument): { signed: boolean } {
  requireRightToAnnotate(document);
  const form = document.catalog.dict('AcroForm');
  let signed = ((form?.number('SigFlags') ?? 0) & APPEND_ONLY) !== 0;
  const signatures: Dict[] = [];
  eachField(form?.array('Fields') ?? [], (field, type) => {
    const signature = type === 'Sig' ? field.dict('V') : undefined;
    if (!signature) return;
    signatures.push(signature);
    // In PDF 2.0 a signature field lock can also restrict other changes (ISO 32000-2 table 236).
    requireLevel(field.dict('Lock')?.number('P'));
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
      requireLevel(reference.dict('TransformParams')?.number('P') ?? 2);
    }
  }
  return { signed };
}

function requireLevel(level: number | undefined): void {
  if (level === undefined || level >= ANNOTATIONS) return;
  const allows = level === 2 ? 'only filling in forms and signing' : 'no changes';
  throw new InputFault(
    'pdf',
    `has a signature that allows ${allows} (DocMDP, P = ${level}): a stamp would invalidate it`,
  );
}

function requireRightToAnnotate({ trailer, encrypted }: PdfDocument): void {
  if (!encrypted || ((trailer.dict('Encrypt')?.number('P') ?? -1) & MAY_ANNOTATE) !== 0) return;
  throw new InputFault('pdf', 'is encrypted, and its permissions do not allow annotations');
}
