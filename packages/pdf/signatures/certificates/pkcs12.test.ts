import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issue } from '../../tests/pki/certificates.ts';
import { pkcs12Of } from '../../tests/pki/pkcs12.ts';
import { readPkcs12 } from './pkcs12.ts';

const file = (name: string) => readFileSync(join(import.meta.dir, '../../tests/fixtures/certificates', name));

describe('readPkcs12', () => {
  test('orders the chain, and finds the certificate of the key', () => {
    const { certificate, chain } = readPkcs12(file('rsa.p12'), 'secret');
    expect(certificate.name).toBe('Ada Lovelace');
    expect(chain.map(({ name }) => name)).toEqual(['Platen test intermediate', 'Platen test root']);
  });

  test('rejects certificates that are larger than any list could show', () => {
    const issuer = issue({ name: 'x'.repeat(30_000) });
    const signer = issue({ name: 'Ada', issuer });
    expect(() => readPkcs12(pkcs12Of(signer, [issuer]), '')).toThrow('larger than 50000 bytes');
  });

  test('answers for every truncation and for changed bytes', () => {
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
