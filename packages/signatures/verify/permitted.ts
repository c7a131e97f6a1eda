import { decodeText, Dict, PdfString, resolve, type PdfDocument } from '@platen/pdf/objects';
import { listSignedFields, type SignedField } from './signature-fields.ts';

/** The changes that a signature permits after it was made. */
export interface PermittedChanges {
  /**
   * The DocMDP level. 1: no changes; 2: filling in forms and signing; 3: also annotations (ISO 32000-1 table
   * 254).
   */
  level: number;
  /** Tells whether the signature locks the value of a field (ISO 32000-1 table 255). */
  locks(fieldName: string): boolean;
}

/**
 * The level of a file without a certification. It forbids annotations, because they could cover the content.
 */
const DEFAULT_LEVEL = 2;

/** Returns the strictest level of the certifications in a revision, or the default if it is not certified. */
function certifiedLevel(revision: PdfDocument): number {
  const levels = listSignedFields(revision)
    .flatMap(({ signature }) => transformsOf(signature))
    .filter(({ method }) => method === 'DocMDP')
    .map(({ params }) => readLevel(params.number('P')) ?? DEFAULT_LEVEL);
  return levels.length === 0 ? DEFAULT_LEVEL : Math.min(...levels);
}

/**
 * Reads the changes that a signature permits from the revision that it covers. Later revisions do not count:
 * a certification that was added later could permit more.
 */
export function readPermitted({ signature, field }: SignedField, revision: PdfDocument): PermittedChanges {
  const locks = transformsOf(signature)
    .filter(({ method }) => method === 'FieldMDP')
    .map(({ params }) => params);
  let level = certifiedLevel(revision);
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
