import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { issue, toPem, type Party } from '../tests/certificates.ts';
import { answerOcsp, answerTimestamp, makeCrl, serialOf } from '../tests/responders.ts';
import { signedPdf } from '../tests/sign-pdf.ts';
import { first, verify } from '../tests/verify-file.ts';
import { PdfError } from '@platen/pdf/objects';
import { digest } from '../asn1/algorithms.ts';
import { OCSP_SIGNING, TIME_STAMPING } from '../certificates/certificate.ts';
import type { RemoteRequest } from '../revocation/remote-data.ts';
import { createTimestampRequest, readTimestampResponse } from '../cms/timestamp.ts';

const isThorough = process.env['TEST_SUITE'] === 'thorough';

const fixtures = join(import.meta.dir, '../tests/fixtures/signatures');
const fixture = (file: string) => readFileSync(join(fixtures, file));
const rootPem = fixture('root.cert.pem').toString();
const intermediatePem = fixture('interm.cert.pem').toString();

const root = issue({ name: 'Root' });
const roots = toPem(root);

describe('files of pyHanko', () => {
  test.each([
    ['plain.pdf', ['b-b']],
    ['signed-twice.pdf', ['b-b', 'b-b']],
    ['certified-1.pdf', ['b-b']],
    ['certified-then-signed.pdf', ['b-b', 'b-b']],
  ])('%s is valid', (file, levels) => {
    const result = verify(fixture(file), { roots: intermediatePem });
    expect(result).toMatchObject({ signed: true, valid: true, asked: [] });
    expect(result.signatures.map(({ level }) => level)).toEqual(levels as never);
    const [last] = result.signatures.toReversed();
    expect(last).toMatchObject({ changesAfter: 'none', coversWholeFile: true, faults: [] });
  });

  test('a B-LTA file is valid without requests, and its timestamps are found', () => {
    const { valid, asked, signatures } = verify(fixture('b-lta.pdf'), { roots: rootPem });
    expect({ valid, asked }).toEqual({ valid: true, asked: [] });
    expect(signatures).toMatchObject([
      {
        kind: 'signature',
        level: 'b-lta',
        timestamp: { authority: 'Test tsa', trusted: true },
        changesAfter: 'allowed',
      },
      { kind: 'document_timestamp', level: null, trusted: true },
    ]);
  });

  test('nothing is trusted without roots', () => {
    const signature = first(verify(fixture('b-lta.pdf')));
    expect(signature).toMatchObject({ intact: true, trusted: false, level: 'b-lta' });
    expect(signature.faults).toContain('the certificate of Test root is not among the trusted roots');
  });

  test('a signature with RSA-PSS is intact, and revocation data is requested', () => {
    const { asked, signatures } = verify(fixture('rsa-pss.pdf'), { roots: rootPem });
    expect(signatures).toMatchObject([{ intact: true, trusted: false, level: 'b-b' }]);
    expect(asked.map((each) => each.split(' ')[0])).toEqual(['ocsp', 'crl', 'crl']);
  });

  test('an expired certificate is not trusted', () => {
    const signature = first(verify(fixture('expired.pdf'), { roots: rootPem }));
    expect(signature).toMatchObject({ intact: true, trusted: false });
    expect(signature.faults).toEqual(['the certificate of Test expired expired on 2021-01-01T00:00:00Z']);
  });
});

describe('tampering', () => {
  test('a changed byte anywhere is detected', async () => {
    const issuer = issue({ name: 'Intermediate', issuer: root, isAuthority: true });
    const pdf = await signedPdf({ signer: issue({ name: 'Ada', issuer }), chain: [issuer] });
    const start = pdf.indexOf('/Contents<') + '/Contents<'.length;
    const end = pdf.indexOf('0'.repeat(500), start);
    const undetected: string[] = [];
    const positions = [
      ...Array.from({ length: pdf.length }, (_, at) => at).filter(
        (at) => at < start || at > pdf.indexOf('>', end),
      ),
      ...Array.from({ length: end - start }, (_, index) => start + index),
    ];
    for (const at of positions.filter((_, index) => index % (isThorough ? 3 : 400) === 0)) {
      const changed = Buffer.from(pdf);
      changed[at] = (changed[at] ?? 0) ^ 1;
      try {
        if (verify(changed, { roots }).valid) undetected.push(`${at - start}`);
      } catch (error) {
        // The file is damaged.
        expect(error).toBeInstanceOf(PdfError);
      }
    }
    expect(undetected).toEqual([]);
  }, 600_000);

  test('bytes in the padding of a signature are detected', () => {
    const pdf = fixture('plain.pdf');
    const at = pdf.lastIndexOf('00>');
    pdf[at] = 0x31;
    expect(first(verify(pdf, { roots: intermediatePem })).faults).toEqual([
      'the signature is followed by other bytes',
    ]);
  });

  test.each([
    [
      'a gap around another string',
      (text: string) =>
        text.replace(
          /ByteRange \[0 (\d+) (\d+) (\d+)/,
          (_, a, b, c) => `ByteRange [0 ${Number(a) - 1} ${b} ${c}`,
        ),
    ],
    ['no byte ranges', (text: string) => text.replace('/ByteRange', '/ByteRanga')],
    ['a start after the first byte', (text: string) => text.replace('ByteRange [0 ', 'ByteRange [1 ')],
    ['a signature of other contents', (text: string) => text.replace('/Contents <', '/Content2 <')],
  ])('%s is detected', (_, change) => {
    const changed = Buffer.from(change(fixture('plain.pdf').toString('latin1')), 'latin1');
    const signature = first(verify(changed, { roots: intermediatePem }));
    expect(signature.intact).toBe(false);
    expect(signature.faults).toHaveLength(1);
  });

  test('bytes after the last revision are detected', () => {
    const extended = Buffer.concat([fixture('plain.pdf'), Buffer.from('1 0 obj<</Type/Catalog>>endobj')]);
    expect(first(verify(extended, { roots: intermediatePem }))).toMatchObject({
      intact: true,
      coversWholeFile: false,
      changesAfter: 'not_allowed',
      faults: ['bytes that are not a part of the document were appended after signing'],
    });
  });
});

describe('trust', () => {
  const sign = (signer: Party, chain: Party[] = []) => signedPdf({ signer, chain });
  const addresses = { ocspUrl: 'http://ocsp.test/', crlUrl: 'http://crl.test/' };

  test.each(['rsa', 'rsa-pss', 'p256', 'p384', 'p521', 'ed25519'] as const)(
    'a signature with %s is valid',
    async (kind) => {
      const pdf = await signedPdf({ signer: issue({ name: 'Ada', issuer: root, kind }), digest: 'sha512' });
      expect(verify(pdf, { roots }).valid).toBe(true);
    },
  );

  test.each([
    ['SHA-1', { digest: 'sha1' }, 'the signature uses SHA-1, which is too weak'],
    ['MD5', { digest: 'md5' }, 'the signature uses MD5, which is too weak'],
    [
      'an RSA key of 1024 bits',
      { kind: 'rsa-1024' },
      'the signature uses an RSA key of 1024 bits, which is too weak',
    ],
    [
      'the format adbe.pkcs7.sha1',
      { subFilter: 'adbe.pkcs7.sha1' },
      'the signature uses SHA-1, which is too weak',
    ],
  ] as const)('a signature with %s is weak, not altered', async (_, options, fault) => {
    const { kind = 'rsa', ...request } = { kind: undefined, ...options };
    const pdf = await signedPdf({ signer: issue({ name: 'Ada', issuer: root, kind }), ...request });
    const { intact, trusted, faults } = first(verify(pdf, { roots }));
    expect({ intact, trusted, faults }).toEqual({ intact: true, trusted: false, faults: [fault] });
    const changed = Buffer.from(pdf);
    changed.write('101', changed.indexOf('100 100 re'));
    expect(first(verify(changed, { roots })).intact).toBe(false);
  });

  test.each([
    ['is not yet valid', { notBefore: new Date(Date.now() + 86_400_000) }, 'is not valid before'],
    [
      'has an unknown critical extension',
      { critical: ['1.2.3.4'] },
      'critical extension that is not supported',
    ],
    [
      'is only for servers',
      { purposes: { list: ['1.3.6.1.5.5.7.3.1'], critical: false } },
      'is not for signing documents',
    ],
    ['is only for key exchange', { keyUsage: 0x20 }, 'is not for signing documents'],
  ])('a certificate that %s is refused', async (_, request, fault) => {
    const signature = first(verify(await sign(issue({ name: 'Ada', issuer: root, ...request })), { roots }));
    expect([signature.intact, signature.trusted]).toEqual([true, false]);
    expect(signature.faults.join()).toContain(fault);
  });

  test('a certificate of a signer does not issue others', async () => {
    const ada = issue({ name: 'Ada', issuer: root });
    const signature = first(verify(await sign(issue({ name: 'Eve', issuer: ada }), [ada]), { roots }));
    expect(signature.faults).toEqual(['the certificate of Ada is not allowed to issue certificates']);
  });

  test('the missing certificate of an issuer is fetched', async () => {
    const issuer = issue({ name: 'Intermediate', issuer: root, isAuthority: true });
    const pdf = await sign(issue({ name: 'Ada', issuer, issuerUrl: 'http://ca.test/i.crt' }));
    expect(verify(pdf, { roots, answer: () => issuer.der })).toMatchObject({
      valid: true,
      asked: ['certificate http://ca.test/i.crt'],
    });
    expect(first(verify(pdf, { roots })).faults).toEqual(['the issuer of the certificate of Ada is unknown']);
  });

  test('revocation is checked by OCSP, and by a list if OCSP does not answer', async () => {
    const signer = issue({ name: 'Ada', issuer: root, ...addresses });
    const pdf = await sign(signer);
    const revoked = new Map([[serialOf(signer.certificate.serialNumber), new Date('2026-01-01T00:00:00Z')]]);
    const answerWith = (data: { revoked?: typeof revoked }, kinds: string) => (request: RemoteRequest) => {
      if (!kinds.includes(request.kind)) return undefined;
      return request.body
        ? answerOcsp(request.body, { signer: root, ...data })
        : makeCrl({ signer: root, ...data });
    };
    expect(verify(pdf, { roots, answer: answerWith({}, 'ocsp crl') })).toMatchObject({
      valid: true,
      asked: ['ocsp http://ocsp.test/'],
    });
    expect(verify(pdf, { roots, answer: answerWith({}, 'crl') })).toMatchObject({
      valid: true,
      asked: ['ocsp http://ocsp.test/', 'crl http://crl.test/'],
    });
    for (const kinds of ['ocsp', 'crl'])
      expect(first(verify(pdf, { roots, answer: answerWith({ revoked }, kinds) })).faults).toEqual([
        'the certificate of Ada was revoked on 2026-01-01T00:00:00Z',
      ]);
    expect(first(verify(pdf, { roots })).faults).toEqual([
      'whether the certificate of Ada was revoked could not be determined: ocsp.test could not be reached; crl.test could not be reached',
    ]);
  });

  test.each([
    ['was not revoked', {}, 'good', ''],
    [
      'was revoked',
      {},
      'revoked',
      'the certificate of the OCSP responder Responder was revoked on 2026-01-01T00:00:00Z',
    ],
    [
      'cannot be checked',
      {},
      'away',
      'whether the certificate of the OCSP responder Responder was revoked could not be determined: crl.test could not be reached',
    ],
    ['needs no check (id-pkix-ocsp-nocheck)', { noCheck: true }, 'away', ''],
    ['has no address', { crlUrl: undefined }, 'away', ''],
  ] as const)('a delegated OCSP responder that %s', async (_, more, list, reason) => {
    const purposes = { list: [OCSP_SIGNING], critical: false };
    const responder = issue({
      name: 'Responder',
      issuer: root,
      purposes,
      ...('crlUrl' in more ? {} : { crlUrl: 'http://crl.test/responder' }),
      ...('noCheck' in more ? more : {}),
    });
    const pdf = await sign(issue({ name: 'Ada', issuer: root, ocspUrl: addresses.ocspUrl }));
    const revoked = new Map(
      list === 'revoked'
        ? [[serialOf(responder.certificate.serialNumber), new Date('2026-01-01T00:00:00Z')]]
        : [],
    );
    const result = verify(pdf, {
      roots,
      answer: ({ body }) => {
        if (body) return answerOcsp(body, { signer: responder });
        return list === 'away' ? undefined : makeCrl({ signer: root, revoked });
      },
    });
    expect([result.valid, first(result).faults]).toEqual(
      reason === ''
        ? [true, []]
        : [false, [`whether the certificate of Ada was revoked could not be determined: ${reason}`]],
    );
    const asksList = Object.keys(more).length === 0;
    expect(result.asked).toEqual([
      'ocsp http://ocsp.test/',
      ...(asksList ? ['crl http://crl.test/responder'] : []),
    ]);
  });

  test('an OCSP responder does not confirm itself', async () => {
    const purposes = { list: [OCSP_SIGNING], critical: false };
    const responder = issue({ name: 'Responder', issuer: root, purposes, ocspUrl: 'http://ocsp.test/own' });
    const pdf = await sign(issue({ name: 'Ada', issuer: root, ocspUrl: addresses.ocspUrl }));
    const answer = ({ body }: RemoteRequest) => body && answerOcsp(body, { signer: responder });
    expect(first(verify(pdf, { roots, answer })).faults.join()).toContain(
      'the certificate of the OCSP responder Responder cannot confirm itself',
    );
  });

  test('outdated revocation data does not count', async () => {
    const pdf = await sign(issue({ name: 'Ada', issuer: root, crlUrl: addresses.crlUrl }));
    const old = { from: new Date('2025-01-01'), until: new Date('2025-02-01') };
    const signature = first(verify(pdf, { roots, answer: () => makeCrl({ signer: root, ...old }) }));
    expect(signature.faults.join()).toContain('crl.test sent outdated data');
  });

  test('nothing is fetched for a certificate of an unknown root', async () => {
    const pdf = await sign(issue({ name: 'Eve', issuer: issue({ name: 'Other' }), ...addresses }));
    expect(verify(pdf, { roots })).toMatchObject({ valid: false, asked: [] });
  });
});

describe('signature timestamps', () => {
  const tsa = issue({ name: 'TSA', issuer: root, purposes: { list: [TIME_STAMPING], critical: true } });
  const time = new Date(Date.now() - 86_400_000);
  const stamp = (signer: Party, wrong: boolean) => async (value: Uint8Array) => {
    const request = createTimestampRequest(digest('sha256', wrong ? Buffer.from('other') : value));
    return readTimestampResponse(await answerTimestamp(request.der, { signer, time }), request).token;
  };

  test('prove that a certificate that has expired since was valid', async () => {
    const signer = issue({ name: 'Ada', issuer: root, notAfter: new Date(Date.now() - 3_600_000) });
    expect(verify(await signedPdf({ signer }), { roots }).valid).toBe(false);
    const pdf = await signedPdf({ signer, timestamp: stamp(tsa, false) });
    expect(verify(pdf, { roots })).toMatchObject({ valid: true });
    expect(first(verify(pdf, { roots }))).toMatchObject({
      level: 'b-t',
      timestamp: { authority: 'TSA', trusted: true },
    });
  });

  test('of other content, or of an authority that is not trusted, do not count', async () => {
    const signer = issue({ name: 'Ada', issuer: root });
    const other = first(verify(await signedPdf({ signer, timestamp: stamp(tsa, true) }), { roots }));
    expect([other.level, other.faults]).toEqual(['b-b', ['the signature timestamp is for other content']]);
    const purposes = { list: [TIME_STAMPING], critical: true };
    const stranger = issue({ name: 'Stranger', issuer: issue({ name: 'Other root' }), purposes });
    const untrusted = first(
      verify(await signedPdf({ signer, timestamp: stamp(stranger, false) }), { roots }),
    );
    expect(untrusted.timestamp).toMatchObject({ authority: 'Stranger', trusted: false });
    expect(untrusted.faults).toEqual(['the issuer of the certificate of Stranger is unknown']);
  });
});
