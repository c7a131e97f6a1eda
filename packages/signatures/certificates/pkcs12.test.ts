import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issue } from '../tests/certificates.ts';
import { pbmac1, pkcs12Of } from '../tests/pkcs12.ts';
import { IterationBudget } from './pkcs12-decryption.ts';
import { readPkcs12 } from './pkcs12.ts';

const file = (name: string) => readFileSync(join(import.meta.dir, '../tests/fixtures/certificates', name));

describe('readPkcs12', () => {
  test('orders the chain, and finds the certificate of the key', () => {
    const { certificate, chain } = readPkcs12(file('rsa.p12'), 'secret');
    expect(certificate.name).toBe('Ada Lovelace');
    expect(chain.map(({ name }) => name)).toEqual(['Platen test intermediate', 'Platen test root']);
  });

  test('rejects certificates that are too large together', () => {
    const issuer = issue({ name: 'x'.repeat(30_000) });
    const signer = issue({ name: 'Ada', issuer });
    expect(() => readPkcs12(pkcs12Of(signer, [issuer]), '')).toThrow('larger than 50000 bytes');
  });

  test('opens a file that is authenticated with PBMAC1', () => {
    const pkcs12 = pkcs12Of(issue({ name: 'Ada' }), [], pbmac1('secret'));
    expect(readPkcs12(pkcs12, 'secret').certificate.name).toBe('Ada');
    expect(() => readPkcs12(pkcs12, 'wrong')).toThrow('is wrong');
  });

  test('rejects a PBMAC1 digest that is longer than any hash, without deriving a key of its length', () => {
    const pkcs12 = pkcs12Of(issue({ name: 'Ada' }), [], pbmac1('secret', { digestBytes: 600_000 }));
    // Deriving the key would take a long time and end with a wrong password.
    expect(() => readPkcs12(pkcs12, 'secret')).toThrow('is not a PKCS#12 file: it is malformed');
  });

  test('rejects truncated files, and reports changed bytes only as faults of the input', () => {
    const whole = file('ec.p12');
    for (let length = 0; length < whole.length; length += 97)
      expect(() => readPkcs12(whole.subarray(0, length), 'secret')).toThrow(/PKCS#12/);
    const names = new Set<string>();
    for (let at = 0; at < whole.length; at += 53) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      try {
        readPkcs12(changed, 'secret');
      } catch (error) {
        names.add((error as Error).name);
      }
    }
    expect([...names]).toEqual(['InputFault']);
  });
});

test('all key derivations of a file share one budget of iterations', () => {
  const budget = new IterationBudget();
  for (let derivation = 0; derivation < 10; derivation += 1) expect(budget.take(1_000_000)).toBe(1_000_000);
  expect(() => budget.take(1)).toThrow('too many iterations together');
  expect(() => new IterationBudget().take(1_000_000, 14)).toThrow('too many iterations together');
  for (const count of [0, 1.5e6, Number.NaN])
    expect(() => new IterationBudget().take(count)).toThrow('must have 1 to 1000000 iterations');
});
