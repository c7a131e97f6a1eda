import { describe, expect, test } from 'bun:test';
import { sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plainPdf } from '../tests/plain-pdf.ts';
import { PdfDocument } from '../objects/index.ts';
import { Asn1, Asn1Error } from './asn1.ts';
import { readCertificate } from './certificate.ts';
import { algorithmOf, encodeSignature, isSignedBy, signatureBytes, signedAttributes } from './cms.ts';
import { oid, sequence, tagged } from './der.ts';
import { hashAround } from './finish-signature.ts';
import { readPkcs12 } from './pkcs12.ts';
import { prepareSignature } from './prepare-signature.ts';

const file = (name: string) =>
  readFileSync(join(import.meta.dir, '../../../tests/fixtures/certificates', name));
const identity = readPkcs12(file('ec.p12'), 'secret');

describe('readPkcs12', () => {
  test('orders the chain, and finds the certificate of the key', () => {
    const { certificate, chain } = readPkcs12(file('rsa.p12'), 'secret');
    expect(certificate.commonName).toBe('Ada Lovelace');
    expect(chain.map((der) => readCertificate(der).commonName)).toEqual([
      'Platen test intermediate',
      'Platen test root',
    ]);
  });

  test('answers for every truncation and for changed bytes', () => {
    const whole = file('ec.p12');
    for (let length = 0; length < whole.length; length += 97)
      expect(() => readPkcs12(whole.subarray(0, length), 'secret')).toThrow(/PKCS#12/);
    for (let at = 0; at < 400; at += 13) {
      const changed = Buffer.from(whole);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      try {
        readPkcs12(changed, 'secret');
      } catch (error) {
        expect(['InputFault']).toContain((error as Error).name);
      }
    }
  });
});

describe('DER', () => {
  test('encodes lengths and object identifiers', () => {
    expect(oid('1.2.840.113549.1.7.2').toString('hex')).toBe('06092a864886f70d010702');
    expect(oid('2.16.840.1.101.3.4.2.1').toString('hex')).toBe('0609608648016503040201');
    expect(tagged(4, Buffer.alloc(200)).subarray(0, 3).toString('hex')).toBe('0481c8');
    expect(sequence(Buffer.alloc(70_000)).subarray(0, 5).toString('hex')).toBe('3083011170');
  });

  test('is read back, and other types are rejected', () => {
    const read = Asn1.parse(sequence(oid('1.2.3.4'), tagged(4, Buffer.from('ab'))));
    expect([read.at(0).oid, read.at(1).bytes.toString()]).toEqual(['1.2.3.4', 'ab']);
    expect(() => read.at(1).oid).toThrow(Asn1Error);
    expect(() => read.at(2)).toThrow(Asn1Error);
    expect(() => Asn1.parse(Buffer.from('30', 'hex'))).toThrow(Asn1Error);
  });
});

describe('prepareSignature', () => {
  const pdf = Buffer.from(
    plainPdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R>>',
    ]),
    'latin1',
  );
  const prepare = (more: object = {}) =>
    prepareSignature(PdfDocument.open(pdf), { signer: 'Ada', at: 0, reservedBytes: 9_000, ...more });

  test('covers every byte but the signature', () => {
    const prepared = prepare();
    const [, a, b, c] = /\/ByteRange \[0 (\d+) (\d+) (\d+)\]/.exec(prepared.pdf.toString('latin1')) ?? [];
    expect(prepared.pdf.toString('latin1', Number(a), Number(a) + 1)).toBe('<');
    expect(prepared.pdf.toString('latin1', Number(b) - 1, Number(b))).toBe('>');
    expect(Number(b) + Number(c)).toBe(prepared.pdf.length);
    expect(prepared.digits).toBe(2 * 9_000);
  });

  test('is not misled by a text that looks like its own', () => {
    const reason = '/ByteRange [0 9999999999 9999999999 9999999999]\n/Contents <00>';
    const prepared = prepare({ reason });
    expect(prepared.pdf.toString('latin1')).toContain('9999999999]');
    expect(prepared.pdf.toString('latin1', prepared.offset - 11, prepared.offset)).toBe('/Contents <');
  });

  test('a signature is made of its parts, and a wrong one is noticed', () => {
    const { certificate, chain, privateKey } = identity;
    const prepared = prepare({ reservedBytes: signatureBytes(certificate, chain) });
    const { hash } = algorithmOf(certificate);
    const attributes = signedAttributes(certificate, hashAround(prepared.pdf, prepared, hash));
    const key = { key: privateKey, format: 'der', type: 'pkcs8' } as const;
    const parts = { certificate, chain, attributes, signature: sign(hash, attributes, key) };
    expect(isSignedBy(parts)).toBe(true);
    expect(isSignedBy({ ...parts, attributes: Buffer.from('other') })).toBe(false);
    expect(isSignedBy({ ...parts, signature: Buffer.alloc(0) })).toBe(false);
    expect(encodeSignature(parts).length * 2).toBeLessThanOrEqual(prepared.digits);
  });
});
