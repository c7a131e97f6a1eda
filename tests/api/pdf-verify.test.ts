import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';
import { listen } from '../support/listen.ts';
import { OperationClient } from '../support/pdf-operations.ts';
import { issue, toPem } from '../support/pki/certificates.ts';
import { answerOcsp, makeCrl, serialOf } from '../support/pki/responders.ts';
import { signedPdf } from '../support/pki/sign-pdf.ts';
import { sharedService } from '../support/shared-service.ts';
import { casesOfSuite } from '../support/suite.ts';
import { TestService } from '../support/service.ts';
import { hostilePdfs, pagesPdf } from './pdf-samples.ts';

const service = sharedService();
const operation = new OperationClient(service, 'verify');
const fixture = (file: string) => readFileSync(join(import.meta.dir, '../fixtures/signatures', file));
const trust = fixture('root.cert.pem').toString();

test('a file without signatures is not signed', async () => {
  expect(await operation.read(pagesPdf(1))).toEqual({ signed: false, valid: false, signatures: [] });
});

test('reports a B-LTA signature and its document timestamp', async () => {
  expect(await operation.read(fixture('b-lta.pdf'), { trust })).toEqual({
    signed: true,
    valid: true,
    signatures: [
      {
        field: 'Signature1',
        kind: 'signature',
        signer: 'Test p256',
        level: 'b-lta',
        intact: true,
        trusted: true,
        covers_whole_file: false,
        signed_at: expect.stringContaining('2026-'),
        timestamp: { time: expect.stringContaining('2026-'), authority: 'Test tsa', trusted: true },
        changes_after: 'allowed',
        certificate: {
          subject: expect.stringContaining('CN=Test p256'),
          serial_number: expect.stringMatching(/^[0-9a-f]+$/),
          not_before: '2020-01-01T00:00:00.000Z',
          not_after: '2400-01-01T00:00:00.000Z',
        },
        problems: [],
      },
      expect.objectContaining({
        kind: 'document_timestamp',
        signer: 'Test tsa',
        level: null,
        trusted: true,
        timestamp: null,
      }),
    ],
  });
});

test('trusts no root without the setting or the field', async () => {
  const { valid, signatures } = await operation.read(fixture('b-lta.pdf'));
  expect(valid).toBe(false);
  expect(signatures[0]).toMatchObject({ intact: true, trusted: false });
});

test('does not connect to private addresses in certificates', async () => {
  const { valid, signatures } = await operation.read(fixture('rsa-pss.pdf'), { trust });
  expect(valid).toBe(false);
  expect(signatures[0].problems[0]).toBe(
    'whether the certificate of Test rsa was revoked could not be determined: 127.0.0.1:9861 has an address that this service does not connect to; 127.0.0.1:9861 has an address that this service does not connect to',
  );
});

test('filling in a form is an allowed change', async () => {
  const root = issue({ name: 'Root' });
  const pdf = await signedPdf({ signer: issue({ name: 'Ada', issuer: root }) });
  const fields = [{ name: 'name', value: 'Grace' }];
  const filled = await service().post('/v1/pdf/forms/fill', {
    pdf: pdf.toString('base64'),
    fields,
    output: 'base64',
  });
  const result = await operation.read(Buffer.from(filled.body.data, 'base64'), { trust: toPem(root) });
  expect(result).toMatchObject({
    valid: true,
    signatures: [{ changes_after: 'allowed', covers_whole_file: false }],
  });
});

test.each([
  ['trust: contains no certificate in PEM', { trust: 'no PEM' }],
  ['trust: is malformed', { trust: '-----BEGIN CERTIFICATE-----\nMAMCAQE=\n-----END CERTIFICATE-----' }],
  ['trust: is not valid ASN.1', { trust: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----' }],
  ['output: unknown field', { output: 'url' }],
])('%s', async (message, fields) => {
  expect(await operation.rejection(fixture('plain.pdf'), fields)).toStartWith(message);
});

test('rejects a file that is not a PDF', async () => {
  expect(await operation.rejection('no PDF', {})).toStartWith('pdf: is not a PDF');
});

test.each(casesOfSuite(Object.keys(hostilePdfs), 8))('a hostile file is not signed: %s', async (name) => {
  const make = hostilePdfs[name as keyof typeof hostilePdfs] as () => string | Uint8Array;
  const { status, body } = await operation.post(make(), {});
  expect([200, 400]).toContain(status);
  if (status === 200) expect(body.valid).toBe(false);
});

test('trusts the roots of the operator, and asks the addresses that the operator allows', async () => {
  const root = issue({ name: 'Root' });
  const asked: string[] = [];
  const revoked = new Map<string, Date>();
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    asked.push(`${request.method} ${request.url}`);
    const body = await buffer(request);
    if (request.url === '/moved') response.writeHead(302, { location: '/list' }).end();
    else if (request.url === '/away') response.writeHead(302, { location: 'http://127.0.0.1:1/list' }).end();
    else if (request.url === '/endless') response.writeHead(200).end(Buffer.alloc(10_100_000));
    else
      response.end(
        body.length > 0 ? answerOcsp(body, { signer: root, revoked }) : makeCrl({ signer: root, revoked }),
      );
  };
  const host = await listen(createServer((request, response) => void answer(request, response)));
  const settings = {
    env: { EGRESS_ALLOW: host },
    config: { plugins: { 'pdf-tools': { trustRoots: [toPem(root)] } } },
  };
  await using own = await TestService.start(settings);
  const client = new OperationClient(() => own, 'verify');
  const signer = (path: string, kind: 'ocspUrl' | 'crlUrl') =>
    issue({ name: 'Ada', issuer: root, [kind]: `http://${host}${path}` });

  const ada = signer('/ocsp', 'ocspUrl');
  const pdf = await signedPdf({ signer: ada });
  expect(await client.read(pdf)).toMatchObject({ valid: true, signatures: [{ problems: [] }] });
  expect(asked).toEqual(['POST /ocsp']);

  const revokedAt = new Date('2026-02-03T04:05:06Z');
  revoked.set(serialOf(ada.certificate.serialNumber), revokedAt);
  const { valid, signatures } = await client.read(pdf);
  expect([valid, signatures[0].trusted]).toEqual([false, false]);
  expect(signatures[0].problems).toEqual(['the certificate of Ada was revoked on 2026-02-03T04:05:06Z']);

  const problemsOf = async (path: string) => {
    const read = await client.read(await signedPdf({ signer: signer(path, 'crlUrl') }));
    return read.signatures[0].problems.join('');
  };
  expect(await problemsOf('/moved')).toBe('');
  expect(await problemsOf('/away')).toContain('has an address that this service does not connect to');
  expect(await problemsOf('/endless')).toContain('sent more than 10000000 bytes');
});
