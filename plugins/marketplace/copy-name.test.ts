import { expect, test } from 'bun:test';
import { nameCopy } from './copy-name.ts';

test.each([
  ['Invoice', 'Invoice (Copy)'],
  ['Invoice (Copy)', 'Invoice (Copy)'],
  ['(Copy) of it', '(Copy) of it (Copy)'],
  ['x'.repeat(200), `${'x'.repeat(193)} (Copy)`],
  [`${'x'.repeat(192)}🧾${'y'.repeat(6)}`, `${'x'.repeat(192)} (Copy)`],
])('a copy of %s is named %s', (name, copy) => {
  expect(nameCopy(name)).toBe(copy);
});
