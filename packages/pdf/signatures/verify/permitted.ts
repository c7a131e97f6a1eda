import { decodeText, Dict, PdfString, resolve, type PdfDocument } from '../../objects/index.ts';
import { listSignedFields, type SignedField } from './signature-fields.ts';

/** The changes that a signature permits after it was made. */
export interface PermittedChanges {
  /** The DocMDP level. 1: no changes; 2: filling in forms and signing; 3: also annotations (ISO 32000-1 table 254). */
  level: number;
  /** Tells whether the signature locks the value of a field (ISO 32000-1 table 255). */
  locks(fieldName: string): boolean;
}

/** The level of a file without a certification. It forbids annotations, because they could cover the content. */
const DEFAULT_LEVEL = 2;

/** Returns the level of the certification of a document, or the default if it is not certified. */
export function certifiedLevel(document: PdfDocument): number {
  for (const { signature } of listSignedFields(document)) {
    const certification = transformsOf(signature).find(({ method }) => method === 'DocMDP');
    if (certification) return readLevel(certification.params.number('P')) ?? DEFAULT_LEVEL;
  }
  return DEFAULT_LEVEL;
}

/** Reads the changes that a signature permits. `documentLevel` applies to a signature that does not state a level. */
export function readPermitted({ signature, field }: SignedField, documentLevel: number): PermittedChanges {
  const locks: Dict[] = [];
  let level = documentLevel;
  for (const { method, params } of transformsOf(signature)) {
    if (method === 'DocMDP') level = readLevel(params.number('P')) ?? DEFAULT_LEVEL;
    if (method === 'FieldMDP') locks.push(params);
  }
  const lock = field.dict('Lock');
  if (lock) {
    locks.push(lock);
    level = Math.min(level, readLevel(lock.number('P')) ?? level);
  }
  return { level, locks: (name) => locks.some((each) => isLocked(each, name)) };
}

function transformsOf(signature: Dict): { method: string | undefined; params: Dict }[] {
  return (signature.array('Reference') ?? []).flatMap((item) => {
    const reference = resolve(item);
    if (!(reference instanceof Dict)) return [];
    const params = reference.dict('TransformParams') ?? new Dict();
    return [{ method: reference.name('TransformMethod'), params }];
  });
}

function readLevel(value: number | undefined): number | undefined {
  return value === 1 || value === 2 || value === 3 ? value : undefined;
}

function isLocked(lock: Dict, fieldName: string): boolean {
  const names = (lock.array('Fields') ?? []).flatMap((each) => {
    const text = resolve(each);
    return text instanceof PdfString ? [decodeText(text)] : [];
  });
  const isListed = names.some((name) => fieldName === name || fieldName.startsWith(`${name}.`));
  const action = lock.name('Action');
  if (action === 'Include') return isListed;
  if (action === 'Exclude') return !isListed;
  return true;
}
