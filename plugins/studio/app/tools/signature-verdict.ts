import type { Outcome } from './verdict.tsx';

/** The properties of a signature that decide about the verdict. */
export interface CheckedSignature {
  intact: boolean;
  trusted: boolean;
  changes_after: 'none' | 'allowed' | 'not_allowed';
}

/**
 * Summarizes the verification of a file. `valid` is also false if an intact and trusted signature has another
 * problem.
 */
export function verdictOf({
  signed,
  valid,
  signatures,
}: {
  signed: boolean;
  valid: boolean;
  signatures: readonly CheckedSignature[];
}): { outcome: Outcome; title: string } {
  if (!signed) return { outcome: 'open', title: 'The file has no signatures' };
  if (valid) return { outcome: 'good', title: 'All signatures are valid' };
  if (signatures.some(({ intact, changes_after: changes }) => !intact || changes === 'not_allowed'))
    return { outcome: 'bad', title: 'The file was changed after signing' };
  return signatures.every(({ trusted }) => trusted)
    ? { outcome: 'open', title: 'The file is intact, but a signature has problems' }
    : { outcome: 'open', title: 'The file is intact, but a signer is not trusted' };
}
