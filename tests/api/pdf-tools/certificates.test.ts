import { describe, expect, test } from 'bun:test';
import {
  CERTIFICATE_PASSWORD,
  certificateFile,
  storeCertificate,
} from '../../support/signatures/certificates.ts';
import { formOf, postForm } from '../../support/service/multipart.ts';
import { issue, toPem } from '../../../packages/signatures/tests/certificates.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

const base64 = (name: string) => certificateFile(name).toString('base64');

describe('/v1/certificates', () => {
  test('stores a PKCS#12 file, and shows the certificate without its key', async () => {
    const { status, body } = await service().post('/v1/certificates', {
      name: 'Contracts',
      pkcs12: base64('rsa.p12'),
      password: CERTIFICATE_PASSWORD,
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.stringMatching(/^cert_\w{24}$/),
      name: 'Contracts',
      subject: 'CN=Ada Lovelace, O=Analytical Engines, C=GB',
      issuer: 'O=Platen, CN=Platen test intermediate',
      not_before: expect.stringMatching(/^20\d\d-/),
      not_after: expect.stringMatching(/^21\d\d-/),
      key_type: 'RSA 2048',
      created_at: expect.any(String),
    });
    expect((await service().get(`/v1/certificates/${body.id}`)).body).toEqual(body);
    const list = await service().get('/v1/certificates');
    expect(list.body.data).toContainEqual(body);
  });

  test.each([
    ['rsa.p12', 'Ada Lovelace', 'RSA 2048'],
    ['ec.p12', '王 Änne', 'EC P-384'],
    // Older programs encrypt with RC2 and 3DES.
    ['rsa-legacy.p12', 'Ada Lovelace', 'RSA 2048'],
    ['rsa-3des.p12', 'Ada Lovelace', 'RSA 2048'],
    ['no-mac.p12', 'Ada Lovelace', 'RSA 2048'],
  ])('reads %s from a multipart request', async (file, name, keyType) => {
    const form = formOf([
      ['file', certificateFile(file), 'any name.p12'],
      ['password', CERTIFICATE_PASSWORD],
    ]);
    const { status, body } = await postForm(service(), '/v1/certificates', form);
    expect([status, body.name, body.key_type]).toEqual([201, name, keyType]);
  });

  test.each([
    ['rsa.p12', 'wrong', 'password: is wrong: it does not open the PKCS#12 file'],
    ['rsa.p12', '', 'password: is wrong: it does not open the PKCS#12 file'],
    ['rsa-legacy.p12', 'Secret', 'password: is wrong: it does not open the PKCS#12 file'],
    ['no-mac.p12', 'wrong', 'password: is wrong: it does not open the PKCS#12 file'],
    ['no-key.p12', 'secret', 'pkcs12: has no private key: export the certificate together with its key'],
    ['expired.p12', 'secret', 'pkcs12: the certificate expired on 20'],
    ['edwards.p12', 'secret', 'pkcs12: has a key of an unsupported algorithm (ed25519): use RSA'],
    ['small.p12', 'secret', 'pkcs12: has a key of an unsupported algorithm (rsa 1024): use RSA'],
    ['server.p12', 'secret', 'pkcs12: has a certificate that does not allow signatures (key usage)'],
    ['root.pem', 'secret', 'pkcs12: is PEM, not PKCS#12: send a .p12 or .pfx file.'],
  ])('rejects %s with the password "%s"', async (file, password, message) => {
    const { status, body } = await service().post('/v1/certificates', { pkcs12: base64(file), password });
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toStartWith(message);
    expect(body.error.details[0].path).toBe(message.split(':')[0]);
  });

  const nested = Buffer.alloc(200_000, Buffer.from([0x30, 0x80]));
  test.each([
    ['one of pkcs12 and file is required', {}],
    ['send pkcs12 or file, not both', { pkcs12: base64('rsa.p12'), file: base64('rsa.p12') }],
    ['pkcs12: is not a PKCS#12 file', { pkcs12: '' }],
    ['pkcs12: is not valid base64', { pkcs12: '!!!' }],
    ['pkcs12: is not a PKCS#12 file', { pkcs12: nested.toString('base64') }],
    ['pkcs12: is larger than 1000000 bytes', { pkcs12: Buffer.alloc(1_000_001).toString('base64') }],
    ['pkcs12: is not a PKCS#12 file', { pkcs12: base64('rsa.p12').slice(0, 2_000) }],
    ['pkcs12: must be a base64 string', { pkcs12: 7 }],
    ['password: must be a string', { pkcs12: 'AA==', password: 7 }],
    ['name: must be a string of 1 to 200 characters', { pkcs12: 'AA==', name: '' }],
    ['key: unknown field', { pkcs12: 'AA==', key: 'x' }],
  ])('rejects an invalid request with "%s"', async (message, request) => {
    const { status, body } = await service().post('/v1/certificates', request);
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toStartWith(message);
  });

  test.each([
    [
      'a part',
      (pem: string) => postForm(service(), '/v1/certificates', formOf([['pkcs12', Buffer.from(pem)]])),
    ],
    ['base64', (pem: string) => service().post('/v1/certificates', { pkcs12: btoa(pem) })],
    ['text', (pem: string) => service().post('/v1/certificates', { pkcs12: pem })],
  ])('says how to convert a PEM file that is sent as %s', async (_, send) => {
    const { status, body } = await send(`Bag Attributes\n${toPem(issue({ name: 'Ada' }))}`);
    expect([status, body.error.message]).toEqual([
      400,
      'pkcs12: is PEM, not PKCS#12: send a .p12 or .pfx file. OpenSSL makes one with: openssl pkcs12 -export -in certificate.pem -inkey key.pem -out certificate.p12',
    ]);
  });

  test('a certificate belongs to one account', async () => {
    const id = await storeCertificate(service(), 'ec.p12');
    const stranger = await service().newKey();
    const path = `/v1/certificates/${id}`;
    expect((await service().get(path, stranger)).status).toBe(404);
    expect((await service().request('DELETE', path, { key: stranger })).status).toBe(404);
    expect((await service().get('/v1/certificates', stranger)).body).toEqual({ data: [], has_more: false });
    expect((await service().request('DELETE', path)).status).toBe(204);
    expect((await service().get(path)).status).toBe(404);
    expect((await service().request('DELETE', path)).status).toBe(404);
  });

  test('lists are paged, newest first', async () => {
    const other = await service().forNewAccount();
    const ids = [];
    for (const file of ['rsa.p12', 'ec.p12', 'rsa-3des.p12']) {
      ids.unshift(await storeCertificate(other, file));
      // The times of creation have milliseconds.
      await Bun.sleep(2);
    }
    const first = await other.get('/v1/certificates?limit=2');
    const second = await other.get('/v1/certificates?limit=2&offset=2');
    expect([first.body.has_more, second.body.has_more]).toEqual([true, false]);
    const shown = [...first.body.data, ...second.body.data].map(({ id }: { id: string }) => id);
    expect(shown).toEqual(ids);
  });
});
