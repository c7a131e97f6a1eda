import { describe, expect, test } from 'bun:test';
import { issue, toPem } from '../tests/certificates.ts';
import { signedPdf } from '../tests/sign-pdf.ts';
import { first, verify } from '../tests/verify-file.ts';

const root = issue({ name: 'Root' });
const roots = toPem(root);

/** Returns a SubjectPublicKeyInfo: the algorithm without parameters, and the bits of the key. */
function publicKeyInfo(oid: string, key: Uint8Array): Buffer {
  const algorithm = Buffer.concat([Buffer.of(0x30, oid.length / 2), Buffer.from(oid, 'hex')]);
  const bits = Buffer.concat([Buffer.of(0x03, key.length + 1, 0), key]);
  return Buffer.concat([Buffer.of(0x30, algorithm.length + bits.length), algorithm, bits]);
}

describe('a signer with a key that is not supported', () => {
  const ed448 = publicKeyInfo('06032b6571', Buffer.alloc(57, 7));
  const dsa = publicKeyInfo('06072a8648ce380401', Buffer.from('02021235', 'hex'));

  test.each([
    ['Ed448', ed448, '1.3.101.113', 'sha512'],
    ['DSA', dsa, '2.16.840.1.101.3.4.3.2', 'sha256'],
    ['DSA', dsa, '1.2.840.10040.4.1', 'sha256'],
    ['DSA', dsa, '1.2.840.10040.4.3', 'sha1'],
  ])('is named: %s', async (name, info, algorithm, digest) => {
    const signer = issue({ name: 'Eve', issuer: root, publicKeyInfo: info });
    const { valid, signatures } = verify(await signedPdf({ signer, algorithm, digest }), { roots });
    expect(valid).toBe(false);
    expect(signatures).toMatchObject([
      {
        signer: { name: 'Eve' },
        intact: false,
        faults: [`the signature uses ${name}, which is not supported, so it cannot be checked`],
      },
    ]);
  });
});

describe('a signer that is named by its key identifier', () => {
  test.each(['p256', 'rsa', 'ed25519'] as const)('is found: %s', async (kind) => {
    const signer = issue({ name: 'Ada', issuer: root, kind });
    const pdf = await signedPdf({ signer, byKeyId: true });
    expect(verify(pdf, { roots })).toMatchObject({
      valid: true,
      signatures: [{ signer: { name: 'Ada' }, level: 'b-b' }],
    });
  });

  test('is the one that the signed attribute names, if its key has several certificates', async () => {
    const earlier = issue({ name: 'Ada', issuer: root });
    const signer = issue({ name: 'Ada', issuer: root, key: earlier });
    const pdf = await signedPdf({ signer, chain: [earlier], byKeyId: true });
    const result = verify(pdf, { roots });
    expect(result).toMatchObject({ valid: true });
    expect(Buffer.from(first(result).signer?.der ?? []).equals(signer.der)).toBe(true);
  });

  test('is missing if no certificate has this identifier', async () => {
    const signer = issue({ name: 'Ada', issuer: root });
    const other = issue({ name: 'Ada', issuer: root });
    const pdf = await signedPdf({ signer: { ...signer, der: other.der }, byKeyId: true });
    expect(first(verify(pdf, { roots })).faults).toEqual([
      'the signature does not include the certificate of its signer',
    ]);
  });
});
