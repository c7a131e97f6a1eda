import { describe, expect, test } from 'bun:test';
import { issue } from '../tests/certificates.ts';
import { answerTimestamp } from '../tests/responders.ts';
import { digest } from '../asn1/algorithms.ts';
import { TIME_STAMPING } from '../certificates/certificate.ts';
import { createTimestampRequest, readTimestampResponse } from './timestamp.ts';

const root = issue({ name: 'Root' });

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
      { signer: issue({ name: 'Ada', issuer: root }) },
      'is signed with a certificate that is not for time stamping',
    ],
    [
      'a purpose that is not critical',
      { signer: issue({ name: 'TSA', issuer: root, purposes: { ...purposes, critical: false } }) },
      'not for time stamping',
    ],
  ])('with %s are refused', async (_, behaviour, fault) => {
    const answer = await answerTimestamp(request.der, { signer: tsa, ...behaviour });
    expect(() => readTimestampResponse(answer, request)).toThrow(fault);
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
    // The signature does not cover the versions and the lists that repeat its parts.
    expect(accepted.length).toBeLessThan(3);
  });
});
