import { describe, expect, test } from 'bun:test';
import { Integer } from 'asn1js';
import { AlgorithmIdentifier } from 'pkijs';
import { issue } from '../tests/certificates.ts';
import { checkSignature } from '../asn1/algorithms.ts';
import { checkIssued, readCertificate } from './certificate.ts';
import { CertificatePool } from './path.ts';

const root = issue({ name: 'Root' });
const rootCertificate = readCertificate(root.der);
const signer = issue({
  name: 'Ada',
  issuer: root,
  ocspUrl: 'http://ocsp.test/',
  crlUrl: 'http://crl.test/a',
});
const certificate = readCertificate(signer.der);

describe('certificates', () => {
  test('are read with their addresses', () => {
    expect(certificate).toMatchObject({
      name: 'Ada',
      issuer: rootCertificate.subject,
      authorityKeyId: rootCertificate.keyId,
      ocspUrls: ['http://ocsp.test/'],
      crlUrls: ['http://crl.test/a'],
      isAuthority: false,
    });
  });

  test.each(['rsa', 'rsa-pss', 'p256', 'p384', 'p521', 'ed25519'] as const)(
    '%s signatures are verified',
    (kind) => {
      const issuer = issue({ name: 'Issuer', kind });
      const issued = readCertificate(issue({ name: 'Ada', issuer }).der);
      expect(checkIssued(issued, readCertificate(issuer.der))).toBeUndefined();
      expect(checkIssued(issued, rootCertificate)).toBeDefined();
    },
  );

  test.each([
    ['md5', 'uses MD5, which is too weak'],
    ['sha1', 'uses SHA-1, which is too weak'],
  ])('signatures with %s are refused', (name, fault) => {
    const issuer = issue({ name: 'Issuer', kind: 'rsa', digest: name });
    const selfSigned = readCertificate(issuer.der);
    expect(checkIssued(selfSigned, selfSigned)).toBe(fault);
  });

  test('a certificate with trailing or changed bytes is not accepted', () => {
    expect(() => readCertificate(Buffer.concat([signer.der, Buffer.of(0)]))).toThrow(
      'followed by other bytes',
    );
    const changed = Buffer.from(signer.der);
    const last = changed.length - 1;
    changed[last] = (changed[last] ?? 0) ^ 1;
    expect(checkIssued(readCertificate(changed), rootCertificate)).toBe('does not match its content');
  });

  test('malformed parameters of a signature are a fault', () => {
    const algorithm = new AlgorithmIdentifier({
      algorithmId: '1.2.840.113549.1.1.10',
      algorithmParams: new Integer({ value: 1 }),
    });
    const { publicKey } = readCertificate(issue({ name: 'Issuer', kind: 'rsa' }).der);
    const bytes = Buffer.from('signed');
    expect(checkSignature({ publicKey, algorithm, bytes, signature: bytes })).toBe(
      'has malformed parameters of RSA-PSS',
    );
  });

  test('authorities that certify each other do not lead to an endless search', () => {
    const [a, b] = [issue({ name: 'A' }), issue({ name: 'B' })];
    const certified = Array.from({ length: 14 }, () => [
      issue({ name: 'A', key: a, issuer: b, isAuthority: true }),
      issue({ name: 'B', key: b, issuer: a, isAuthority: true }),
    ]).flat();
    const leaf = readCertificate(issue({ name: 'Ada', issuer: a }).der);
    const pool = new CertificatePool(
      [],
      certified.map(({ der }) => readCertificate(der)),
    );
    // Each search reuses the issuers that the earlier searches verified.
    for (let search = 0; search < 5; search += 1)
      expect(pool.findPath(leaf)).toMatchObject({ isTrusted: false, certificates: { length: 8 } });
  });
});
