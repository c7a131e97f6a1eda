import { describe, expect, test } from 'bun:test';
import { issue } from '../../../../tests/support/pki/certificates.ts';
import { checkIssued, readCertificate } from './certificate.ts';

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
  ])('signatures with %s are refused', (name, problem) => {
    const issuer = issue({ name: 'Issuer', kind: 'rsa', digest: name });
    const own = readCertificate(issuer.der);
    expect(checkIssued(own, own)).toBe(problem);
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
});
