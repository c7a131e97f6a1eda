import { expect, test } from 'bun:test';
import { verdictOf, type CheckedSignature } from './signature-verdict.ts';

const good: CheckedSignature = { intact: true, trusted: true, changes_after: 'none' };
const titleOf = (valid: boolean, ...signatures: CheckedSignature[]) =>
  verdictOf({ signed: signatures.length > 0, valid, signatures }).title;

test('the verdict names the worst property of all signatures', () => {
  expect(titleOf(false)).toBe('The file has no signatures');
  expect(titleOf(true, good, { ...good, changes_after: 'allowed' })).toBe('All signatures are valid');
  expect(titleOf(false, good, { ...good, trusted: false })).toBe(
    'The file is intact, but a signer is not trusted',
  );
  for (const fault of [{ intact: false }, { changes_after: 'not_allowed' }] as const)
    expect(titleOf(false, { ...good, ...fault }, { ...good, trusted: false })).toBe(
      'The file was changed after signing',
    );
});

test('a trusted signature that is invalid for another reason is not blamed on its signer', () => {
  expect(titleOf(false, good)).toBe('The file is intact, but a signature has problems');
});
