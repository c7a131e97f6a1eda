import { expect, spyOn, test } from 'bun:test';
import { atFullCost } from '../../../tests/support/studio/password-cost.ts';
import { createPasswords } from './passwords.ts';

/** Returns the parameters of a hash, without its salt and its digest. */
const costOf = (hash: string) => hash.split('$').slice(0, -2).join('$');

test('passwords are hashed with argon2id, 64 MiB and two passes', async () => {
  const passwords = createPasswords();
  const hash = await atFullCost(() => passwords.hash('correct horse'));
  expect(hash).toStartWith('$argon2id$v=19$m=65536,t=2,p=1$');
  expect(await passwords.verify('correct horse', hash)).toBe(true);
  expect(await passwords.verify('correct horses', hash)).toBe(false);
});

test('an account without a password costs the same work as one with a password', async () => {
  const passwords = createPasswords();
  const hash = await passwords.hash('correct horse');
  const verify = spyOn(Bun.password, 'verify');
  try {
    for (const stored of [hash, null, undefined]) {
      verify.mockClear();
      expect(await passwords.verify('correct horse', stored)).toBe(stored === hash);
      expect(verify.mock.calls.map(([, compared]) => costOf(compared as string))).toEqual([costOf(hash)]);
    }
  } finally {
    verify.mockRestore();
  }
});

test('a password is the same however the keyboard composes its characters', async () => {
  const passwords = createPasswords();
  expect(await passwords.verify('Zoë rides', await passwords.hash('Zoe\u0308 rides'))).toBe(true);
});
