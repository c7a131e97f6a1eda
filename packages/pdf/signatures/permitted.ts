import { decodeText, Dict, PdfString, resolve } from '../objects/index.ts';
import type { SignedField } from './signature-fields.ts';

/** The changes that a signature permits after it was made. */
export interface PermittedChanges {
  /** 1: none; 2: filling in forms and signing; 3: annotations as well (ISO 32000-1 table 254). */
  level: number;
  /** Tells whether the signature locks the value of a field (ISO 32000-1 table 255). */
  locks(fieldName: string): boolean;
}

/** Without a statement of the signer, forms may be filled in and signed, but annotations could cover the content. */
const DEFAULT_LEVEL = 2;

/** Reads which changes a signature permits. */
export function readPermitted({ signature, field }: SignedField): PermittedChanges {
  const locks: Dict[] = [];
  let level = DEFAULT_LEVEL;
  for (const item of signature.array('Reference') ?? []) {
    const reference = resolve(item);
    if (!(reference instanceof Dict)) continue;
    const params = reference.dict('TransformParams');
    const method = reference.name('TransformMethod');
    if (method === 'DocMDP') level = readLevel(params?.number('P')) ?? DEFAULT_LEVEL;
    if (method === 'FieldMDP' && params) locks.push(params);
  }
  const lock = field.dict('Lock');
  if (lock) {
    locks.push(lock);
    level = Math.min(level, readLevel(lock.number('P')) ?? level);
  }
  return { level, locks: (name) => locks.some((each) => isLocked(each, name)) };
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
