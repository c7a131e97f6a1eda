import {
  decodeText,
  Dict,
  PdfString,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '../../objects/index.ts';
import type { Form } from './read-fields.ts';

/** What the signatures of a file say about changes after them. */
export interface SignatureRules {
  /** Whether there are any. The rights that Adobe's reader grants (UR3) are none, though they are signed. */
  signed: boolean;
  /** Levels of DocMDP (ISO 32000-1 table 254), and those of locks (ISO 32000-2 table 236); none when everything is allowed. */
  levels: number[];
  /** Which fields are locked (ISO 32000-1 table 256). */
  locks: Dict[];
}

/** A signature that transforms as DocMDP without a level has this one. */
const USUAL_LEVEL = 2;

/** Reads what the signatures of a document allow. */
export function readSignatures({ catalog }: PdfDocument, form: Form): SignatureRules {
  const signatures = new Set<Dict>();
  const levels: number[] = [];
  const locks: Dict[] = [];
  for (const field of form.fields) {
    const signature = field.kind === 'signature' ? field.get('V') : undefined;
    if (!(signature instanceof Dict)) continue;
    signatures.add(signature);
    for (const { dict } of field.nodes) {
      const lock = dict.dict('Lock');
      const level = lock?.number('P');
      if (lock) locks.push(lock);
      if (level !== undefined) levels.push(level);
    }
  }
  const certification = catalog.dict('Perms')?.dict('DocMDP');
  if (certification) signatures.add(certification);
  for (const signature of signatures)
    for (const item of signature.array('Reference') ?? []) {
      const reference = resolve(item);
      if (!(reference instanceof Dict)) continue;
      const parameters = reference.dict('TransformParams');
      const method = reference.name('TransformMethod');
      if (method === 'DocMDP') levels.push(parameters?.number('P') ?? USUAL_LEVEL);
      if (method === 'FieldMDP' && parameters) locks.push(parameters);
    }
  return { signed: signatures.size > 0, levels, locks };
}

/** Tells whether a lock is on a field: on all, on those that are listed, or on all but those. A name stands for all fields below it, too. */
export function locksField(lock: Dict, name: string): boolean {
  const action = lock.name('Action');
  const named = (lock.array('Fields') ?? []).some((item) => covers(item, name));
  if (action === 'Include') return named;
  return action === 'Exclude' ? !named : action === 'All';
}

function covers(item: PdfObject, name: string): boolean {
  const text = resolve(item);
  if (!(text instanceof PdfString)) return false;
  const covered = decodeText(text);
  return name === covered || name.startsWith(`${covered}.`);
}
