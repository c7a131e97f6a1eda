import { describe, expect, test } from 'bun:test';
import { issue } from '../tests/certificates.ts';
import { answerOcsp, makeCrl } from '../tests/responders.ts';
import { OCSP_SIGNING, readCertificate } from '../certificates/certificate.ts';
import { crlStatus, readCrl } from './crl.ts';
import { createOcspRequest, ocspStatus, readOcsp } from './ocsp.ts';

const root = issue({ name: 'Root' });
const rootCertificate = readCertificate(root.der);
const certificate = readCertificate(issue({ name: 'Ada', issuer: root }).der);
const stranger = issue({ name: 'Root' });
const revoked = new Map([[certificate.serial, new Date('2026-01-02T03:04:05Z')]]);

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
    const responder = issue({ name: 'Responder', issuer: root, purposes });
    expect(ask({ signer: responder })).toMatchObject({ status: 'good', responder: { name: 'Responder' } });
    const unchecked = issue({ name: 'Responder', issuer: root, purposes, noCheck: true });
    expect(ask({ signer: unchecked })).not.toHaveProperty('responder');
    expect(ask({ signer: issue({ name: 'Responder', issuer: root }) })).toEqual({
      status: 'invalid',
      fault: 'the OCSP response is signed by a certificate that is not for OCSP',
    });
    expect(ask({ signer: issue({ name: 'Responder', issuer: stranger, purposes }) })?.status).toBe('invalid');
    expect(ask({ signer: stranger })?.status).toBe('invalid');
  });

  test('a response says nothing about other certificates', () => {
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

  test('that are signed but malformed are refused', () => {
    const change = (content: Buffer) => {
      // Replace the tag of the time in the entry with the tag of an octet string.
      content[content.indexOf('20260102030405Z') - 2] = 0x04;
    };
    expect(ask({ signer: root, revoked, change })).toEqual({
      status: 'invalid',
      fault: 'the revocation list is malformed',
    });
  });

  test('by a stranger with the same name are refused', () => {
    expect(ask({ signer: stranger })).toEqual({
      status: 'invalid',
      fault: 'the revocation list does not match its content',
    });
  });
});
