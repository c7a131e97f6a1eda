import { describe, expect, test } from 'bun:test';
import { issue } from '../../../tests/support/pki/certificates.ts';
import { answerOcsp, answerTimestamp, makeCrl } from '../../../tests/support/pki/responders.ts';
import { digest } from './algorithms.ts';
import { checkIssued, readCertificate, OCSP_SIGNING, TIME_STAMPING } from './certificate.ts';
import { crlStatus, readCrl } from './crl.ts';
import { createOcspRequest, ocspStatus, readOcsp } from './ocsp.ts';
import { createTimestampRequest, readTimestampResponse } from './timestamp.ts';

const root = issue({ name: 'Root' });
const rootCertificate = readCertificate(root.der);
const signer = issue({
  name: 'Ada',
  issuer: root,
  ocspUrl: 'http://ocsp.test/',
  crlUrl: 'http://crl.test/a',
});
const certificate = readCertificate(signer.der);
const stranger = issue({ name: 'Root' });
const revoked = new Map([[certificate.serial, new Date('2026-01-02T03:04:05Z')]]);

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

describe('OCSP', () => {
  const request = createOcspRequest(certificate, rootCertificate);
  const ask = (data: Parameters<typeof answerOcsp>[1]) =>
    ocspStatus(readOcsp(answerOcsp(request, data)), certificate, rootCertificate);

  test('tells good and revoked certificates apart', () => {
    expect(ask({ signer: root })?.status).toBe('good');
    expect(ask({ signer: root, revoked })).toMatchObject({
      status: 'revoked',
      revokedAt: Date.parse('2026-01-02T03:04:05Z'),
    });
  });

  test('accepts a responder of the issuer, and no other certificate', () => {
    const purposes = { list: [OCSP_SIGNING], critical: false };
    expect(ask({ signer: issue({ name: 'Responder', issuer: root, purposes }) })?.status).toBe('good');
    expect(ask({ signer: issue({ name: 'Responder', issuer: root }) })).toEqual({
      status: 'invalid',
      problem: 'the OCSP response is signed by a certificate that is not for OCSP',
    });
    expect(ask({ signer: issue({ name: 'Responder', issuer: stranger, purposes }) })?.status).toBe('invalid');
    expect(ask({ signer: stranger })?.status).toBe('invalid');
  });

  test('is not about other certificates', () => {
    const other = readCertificate(issue({ name: 'Eve', issuer: root }).der);
    expect(
      ocspStatus(readOcsp(answerOcsp(request, { signer: root })), other, rootCertificate),
    ).toBeUndefined();
  });
});

describe('revocation lists', () => {
  const ask = (data: Parameters<typeof makeCrl>[0]) =>
    crlStatus(readCrl(makeCrl(data)), certificate, rootCertificate);

  test('tell good and revoked certificates apart', () => {
    expect(ask({ signer: root })?.status).toBe('good');
    expect(ask({ signer: root, revoked: new Map([['01020304', new Date()]]) })?.status).toBe('good');
    expect(ask({ signer: root, revoked })).toMatchObject({
      status: 'revoked',
      revokedAt: Date.parse('2026-01-02T03:04:05Z'),
    });
  });

  test('by a stranger with the same name are refused', () => {
    expect(ask({ signer: stranger })).toEqual({
      status: 'invalid',
      problem: 'the revocation list does not match its content',
    });
  });
});

describe('timestamps', () => {
  const purposes = { list: [TIME_STAMPING], critical: true };
  const tsa = issue({ name: 'TSA', issuer: root, purposes });
  const request = createTimestampRequest(digest('sha256', Buffer.from('document')));

  test('of an honest authority are accepted', async () => {
    const time = new Date('2026-05-06T07:08:09Z');
    const answer = await answerTimestamp(request.der, { signer: tsa, time });
    expect(readTimestampResponse(answer, request).time).toBe(time.getTime());
  });

  test.each([
    ['other content', { wrongImprint: true }, 'is for other content'],
    ['another nonce', { wrongNonce: true }, 'does not repeat the nonce'],
    ['a refusal', { refuses: true }, 'refuses the request (status 2)'],
    [
      'a certificate for other purposes',
      { signer },
      'is signed with a certificate that is not for time stamping',
    ],
    [
      'a purpose that is not critical',
      { signer: issue({ name: 'TSA', issuer: root, purposes: { ...purposes, critical: false } }) },
      'not for time stamping',
    ],
  ])('with %s are refused', async (_, behaviour, problem) => {
    const answer = await answerTimestamp(request.der, { signer: tsa, ...behaviour });
    expect(() => readTimestampResponse(answer, request)).toThrow(problem);
  });

  test('with any changed byte are refused', async () => {
    const answer = await answerTimestamp(request.der, { signer: tsa });
    const accepted: number[] = [];
    for (let at = 0; at < answer.length; at += 43) {
      const changed = Buffer.from(answer);
      changed[at] = (changed[at] ?? 0) ^ 0x11;
      try {
        if (readTimestampResponse(changed, request).token.length > 0) accepted.push(at);
      } catch {
        continue;
      }
    }
    // Bytes outside the signature: versions and lists that only repeat it.
    expect(accepted.length).toBeLessThan(3);
  });
});
