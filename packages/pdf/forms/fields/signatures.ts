import {
  decodeText,
  Dict,
  PdfString,
  resolve,
  type PdfDocument,
  type PdfObject,
} from '../../objects/index.ts';
import type { Form } from './read-fields.ts';

/** The changes that the signatures of a file allow. */
interface SignatureRules {
  /** Whether the file is signed. Usage rights (UR3) do not count, although they are signed. */
  signed: boolean;
  /**
   * DocMDP levels (ISO 32000-1 table 254) and lock levels (ISO 32000-2 table 236). Empty if all changes are
   * allowed.
   */
  levels: number[];
  /** The field locks (ISO 32000-1 table 256). */
  locks: Dict[];
}

/** The default DocMDP level. */
const DEFAULT_LEVEL = 2;

/** Reads the changes that the signatures of a document allow. */
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
      if (method === 'DocMDP') levels.push(parameters?.number('P') ?? DEFAULT_LEVEL);
      if (method === 'FieldMDP' && parameters) locks.push(parameters);
    }
  return { signed: signatures.size > 0, levels, locks };
}

/** Tells whether a lock applies to a field. A name in a lock includes all fields below it. */
export function locksField(lock: Dict, name: string): boolean {
  const action = lock.name('Action');
  const named = (lock.array('Fields') ?? []).some((item) => includesField(item, name));
  if (action === 'Include') return named;
  return action === 'Exclude' ? !named : action === 'All';
}

function includesField(item: PdfObject, name: string): boolean {
  const text = resolve(item);
  if (!(text instanceof PdfString)) return false;
  const covered = decodeText(text);
  return name === covered || name.startsWith(`${covered}.`);
}
