import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { join } from 'node:path';
import { appendUpdate, Dict, PdfDocument, PdfString, Ref } from '../../../packages/pdf/objects/index.ts';
import { listen } from '../../support/sites/listen.ts';
import { certificateFile, storeCertificate } from '../../support/signatures/certificates.ts';
import { OperationClient } from '../../support/pdf/pdf-operations.ts';
import { issue, toPem } from '../../../packages/signatures/tests/certificates.ts';
import { answerOcsp, makeCrl, serialOf } from '../../../packages/signatures/tests/responders.ts';
import { signedPdf } from '../../../packages/signatures/tests/sign-pdf.ts';
import { stream } from '../../../packages/pdf/tests/plain-pdf.ts';
import { appendRaw } from '../../../packages/pdf/tests/raw-update.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';
import { TestService } from '../../support/service/service.ts';
import { hostilePdfs, pagesPdf } from '../../support/pdf/samples.ts';
import { formPdf, widget } from '../../support/pdf/form-samples.ts';
import { docMdp } from '../../support/pdf/signed-samples.ts';

const service = sharedService();
const operation = new OperationClient(service, 'verify');
const fixture = (file: string) =>
  readFileSync(join(import.meta.dir, '../../../packages/signatures/tests/fixtures/signatures', file));
const trust = fixture('root.cert.pem').toString();

describe('POST /v1/pdf/verify', () => {
  test('reports a file without signatures as not signed', async () => {
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
    let connections = 0;
    const honeypot = createServer(() => {}).on('connection', () => (connections += 1));
    const host = await listen(honeypot);
    const url = (path: string) => `http://${host}/${path}`;
    const root = issue({ name: 'Root' });
    const refused = `${host} has an address that this service does not connect to`;
    const signer = issue({ name: 'Ada', issuer: root, ocspUrl: url('ocsp'), crlUrl: url('crl') });
    const known = await operation.read(await signedPdf({ signer }), { trust: toPem(root) });
    expect([known.valid, known.signatures[0].problems]).toEqual([
      false,
      [`whether the certificate of Ada was revoked could not be determined: ${refused}; ${refused}`],
    ]);
    const issuer = issue({ name: 'Intermediate', issuer: root, isAuthority: true });
    const stranger = issue({ name: 'Eve', issuer, issuerUrl: url('issuer') });
    const unknown = await operation.read(await signedPdf({ signer: stranger }), { trust: toPem(root) });
    expect(unknown.signatures[0].problems).toEqual(['the issuer of the certificate of Eve is unknown']);
    expect(connections).toBe(0);
    honeypot.close();
  });

  describe('tampering', () => {
    const root = issue({ name: 'Root' });
    const make = () => signedPdf({ signer: issue({ name: 'Ada', issuer: root }) });
    const read = (pdf: Uint8Array) => operation.read(pdf, { trust: toPem(root) });
    const flip = (pdf: Buffer, at: number) => pdf.writeUInt8(pdf.readUInt8(at) ^ 1, at);
    /** Changes a hexadecimal digit of the value of the signature, counted from its end. */
    const flipDigit = (pdf: Buffer, fromEnd: number) => {
      const start = pdf.indexOf('/Contents<') + '/Contents<'.length;
      const bytes = 4 + Number.parseInt(pdf.toString('latin1', start + 4, start + 8), 16);
      const at = start + 2 * bytes - fromEnd;
      pdf.write(pdf.toString('latin1', at, at + 1) === '0' ? '1' : '0', at);
    };

    test('an unchanged file is valid', async () => {
      expect(await read(await make())).toMatchObject({ valid: true });
    });

    test.each([
      ['the first byte range', (pdf: Buffer) => flip(pdf, pdf.indexOf('100 100 re'))],
      ['the second byte range', (pdf: Buffer) => flip(pdf, pdf.lastIndexOf('Read this'))],
      ['the cross-reference table', (pdf: Buffer) => flip(pdf, pdf.lastIndexOf('65535'))],
      ['the value of the signature', (pdf: Buffer) => flipDigit(pdf, 20)],
    ])('one changed byte in %s is detected', async (_, change) => {
      const pdf = await make();
      change(pdf);
      const { signed, valid, signatures } = await read(pdf);
      expect([signed, valid, signatures[0].intact]).toEqual([true, false, false]);
      expect(signatures[0].problems).toContain('the signature does not match its content');
    });

    test('appended bytes are detected', async () => {
      const { valid, signatures } = await read(Buffer.concat([await make(), Buffer.from('\n% more')]));
      expect([valid, signatures[0]]).toMatchObject([
        false,
        { intact: true, covers_whole_file: false, changes_after: 'not_allowed' },
      ]);
    });

    test.each([
      ['no_changes', 'not_allowed'],
      ['form_filling', 'allowed'],
    ])('an update is checked against the certification %s', async (certify, changes) => {
      const entries = docMdp(`/P ${certify === 'no_changes' ? 1 : 2}/V/1.2`);
      const pdf = await signedPdf({ signer: issue({ name: 'Ada', issuer: root }), entries });
      const document = PdfDocument.open(pdf);
      const [, field] = document.catalog.dict('AcroForm')?.array('Fields') ?? [];
      if (!(field instanceof Ref && field.value instanceof Dict))
        throw new Error('the file has no text field');
      const filled = field.value.copy().set('V', new PdfString(Buffer.from('Eve')));
      const { valid, signatures } = await read(appendUpdate(document, new Map([[field, filled]])));
      expect([valid, signatures[0].changes_after]).toEqual([changes === 'allowed', changes]);
    });
  });

  const send = async (path: string, pdf: Uint8Array | string, request: object) => {
    const data = Buffer.from(pdf as string, typeof pdf === 'string' ? 'latin1' : undefined);
    const sent = { pdf: data.toString('base64'), output: 'base64', ...request };
    const { status, body } = await service().post(path, sent);
    if (status !== 200) throw new Error(`${status} ${body.error?.message}`);
    return Buffer.from(body.data, 'base64');
  };

  test.each(['', '/NeedAppearances true', '/NeedAppearances true/DA(/Helv 0 Tf 0 g)'])(
    'allows filling in a signed form with the entries "%s"',
    async (entries) => {
      const certificate = await storeCertificate(service(), 'rsa.p12');
      const fields = [widget('/FT/Tx/T(a)'), widget('/FT/Tx/T(b)/V(there already)/Rect[10 50 310 70]')];
      const form = formPdf(fields, { form: entries });
      const signed = await send('/v1/pdf/sign', form, {
        certificate,
        certify: 'form_filling',
        visible: false,
      });
      const filled = await send('/v1/pdf/forms/fill', signed, { fields: [{ name: 'a', value: 'Ada' }] });
      const rootOfSigner = certificateFile('root.pem').toString();
      expect(await operation.read(filled, { trust: rootOfSigner })).toMatchObject({
        valid: true,
        signatures: [{ changes_after: 'allowed', problems: [] }],
      });
    },
  );

  test.if(isThorough)('allows further signatures in existing fields and in new ones', async () => {
    const certificate = await storeCertificate(service(), 'rsa.p12');
    const box = { page: 0, x: 10, width: 60, height: 30 };
    let pdf = await send('/v1/pdf/forms/add-fields', pagesPdf(2), {
      fields: ['buyer', 'seller'].map((name, index) => ({
        name,
        type: 'signature',
        y: 10 + 50 * index,
        ...box,
      })),
    });
    for (const request of [{ field: 'buyer' }, { field: 'seller', visible: false }, { page: 1 }])
      pdf = await send('/v1/pdf/sign', pdf, { certificate, ...request });
    const { signatures } = await operation.read(pdf);
    const changes = signatures.map((each: { field: string; intact: boolean; changes_after: string }) => [
      each.field,
      each.intact,
      each.changes_after,
    ]);
    expect(changes).toEqual([
      ['buyer', true, 'allowed'],
      ['seller', true, 'allowed'],
      ['Signature1', true, 'none'],
    ]);
    // A field without a signature could hide the page.
    const fields = [{ name: 'next', type: 'signature', y: 150, ...box }];
    const extended = await send('/v1/pdf/forms/add-fields', pdf, { fields });
    expect((await operation.read(extended)).signatures[0].changes_after).toBe('not_allowed');
    const signed = await send('/v1/pdf/sign', extended, { certificate, field: 'next' });
    expect((await operation.read(signed)).signatures[0].changes_after).toBe('allowed');
  });

  test('reports objects that only some viewers would find', async () => {
    const root = issue({ name: 'Root' });
    const pdf = await signedPdf({
      signer: issue({ name: 'Ada', issuer: root }),
      entries: docMdp('/P 1/V/1.2'),
    });
    const forged = `4 0 obj\n${stream('1 0 0 rg 0 0 300 200 re f')}\nendobj\n`;
    const changed = appendRaw(pdf, {
      objects: { 60: 'null' },
      before: forged,
      after: `%${'x'.repeat(5000)}`,
    });
    const { valid, signatures } = await operation.read(changed, { trust: toPem(root) });
    expect([valid, signatures[0].changes_after, signatures[0].problems]).toEqual([
      false,
      'not_allowed',
      ['the bytes after the signed revision have an object that no cross-reference section names (4)'],
    ]);
  });

  test('allows a change that fills in a form', async () => {
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
  ])('rejects an invalid field with "%s"', async (message, fields) => {
    expect(await operation.rejection(fixture('plain.pdf'), fields)).toStartWith(message);
  });

  test('rejects a file that is not a PDF', async () => {
    expect(await operation.rejection('no PDF', {})).toStartWith('pdf: is not a PDF');
  });

  test.each(casesOfSuite(Object.keys(hostilePdfs) as (keyof typeof hostilePdfs)[], 16))(
    'never confirms the hostile file %s',
    async (name) => {
      const { status, body } = await operation.post(hostilePdfs[name](), {});
      expect([200, 400]).toContain(status);
      if (status === 200) expect(body.valid).toBe(false);
    },
  );

  test('trusts the roots of the operator, and connects to the addresses that the operator allows', async () => {
    const root = issue({ name: 'Root' });
    const requests: string[] = [];
    const revoked = new Map<string, Date>();
    const respond = async (request: IncomingMessage, response: ServerResponse) => {
      requests.push(`${request.method} ${request.url}`);
      const body = await buffer(request);
      if (request.url === '/moved') response.writeHead(302, { location: '/list' }).end();
      else if (request.url === '/away')
        response.writeHead(302, { location: 'http://127.0.0.1:1/list' }).end();
      else if (request.url === '/endless') response.writeHead(200).end(Buffer.alloc(10_100_000));
      else
        response.end(
          body.length > 0 ? answerOcsp(body, { signer: root, revoked }) : makeCrl({ signer: root, revoked }),
        );
    };
    const host = await listen(createServer((request, response) => void respond(request, response)));
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
    expect(requests).toEqual(['POST /ocsp']);

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
});
