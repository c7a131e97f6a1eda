import { afterAll, beforeEach, expect, test } from 'bun:test';
import { describeWithPdfTools, qpdfCheck } from '../../support/pdf/pdf.ts';
import { validateSignatures } from '../../support/signatures/certificates.ts';
import { issue, toPem, type Party } from '../../../packages/signatures/tests/certificates.ts';
import { pkcs12Of } from '../../../packages/signatures/tests/pkcs12.ts';
import {
  answerOcsp,
  answerTimestamp,
  makeCrl,
  type TsaBehaviour,
} from '../../../packages/signatures/tests/responders.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { base64 } from '../../support/signatures/sign-client.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';

const root = issue({ name: 'Test root', isAuthority: true });
const tsaParty = issue({
  name: 'TSA',
  issuer: root,
  purposes: { list: ['1.3.6.1.5.5.7.3.8'], critical: true },
  ...addresses(),
});
let tsa: TsaBehaviour | 'unreachable' = { signer: tsaParty };
let revoked = new Map<string, Date>();
let responder: 'ocsp' | 'none' = 'ocsp';

/** Returns the addresses of the responders on the server below. */
function addresses() {
  return {
    ocspUrl: `http://127.0.0.1:${server().port}/ocsp`,
    crlUrl: `http://127.0.0.1:${server().port}/crl`,
  };
}

function server() {
  return (started ??= Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const body = await request.bytes();
      if (pathname === '/tsa' && tsa !== 'unreachable')
        return new Response(new Uint8Array(await answerTimestamp(body, tsa)));
      if (pathname === '/ocsp' && responder === 'ocsp')
        return new Response(new Uint8Array(answerOcsp(body, { signer: root, revoked })));
      if (pathname === '/crl' && responder === 'ocsp')
        return new Response(new Uint8Array(makeCrl({ signer: root, revoked })));
      return new Response('', { status: 500 });
    },
  }));
}
// oxlint-disable-next-line no-var -- `issue` above needs the address before this line runs
var started: ReturnType<typeof Bun.serve> | undefined;
afterAll(() => started?.stop(true));

const ada = issue({ name: 'Ada', issuer: root, ...addresses() });
const service = sharedService({
  env: { EGRESS_ALLOW: `127.0.0.1:${server().port}` },
  config: {
    plugins: { 'pdf-tools': { tsaUrl: `http://127.0.0.1:${server().port}/tsa`, trustRoots: [toPem(root)] } },
  },
});

async function store(party: Party, issuers: readonly Party[] = [root]): Promise<string> {
  const pkcs12 = pkcs12Of(party, issuers).toString('base64');
  const { body } = await service().post('/v1/certificates', { pkcs12 });
  return body.id;
}

const sign = (certificate: string, more: object) =>
  service().post('/v1/pdf/sign', {
    pdf: base64(pagesPdf(1)),
    certificate,
    visible: false,
    output: 'base64',
    ...more,
  });

beforeEach(() => {
  tsa = { signer: tsaParty };
  revoked = new Map();
  responder = 'ocsp';
});

describeWithPdfTools('levels of POST /v1/pdf/sign', () => {
  test.each(casesOfSuite(['b-lta', 'b-t', 'b-lt'], 6))(
    '%s is reached, and verify confirms it',
    async (level) => {
      const certificate = await store(ada);
      const { status, body } = await sign(certificate, { level });
      expect([status, body.error]).toEqual([200, undefined]);
      expect(body.level).toBe(level);
      const pdf = Buffer.from(body.data, 'base64');
      await qpdfCheck(pdf);
      const [validated] = await validateSignatures(pdf);
      expect(validated).toMatchObject({ signer: 'Ada', valid: true });
      // The data in the file suffices without the responders.
      responder = 'none';
      const verified = await service().post('/v1/pdf/verify', { pdf: body.data });
      const [signature] = verified.body.signatures;
      if (level !== 'b-t') expect([verified.body.valid, signature.problems]).toEqual([true, []]);
      expect(signature).toMatchObject({ level, intact: true, timestamp: { authority: 'TSA' } });
    },
  );

  test('are offered by the studio', async () => {
    const { body } = await service().get('/studio/api/session', null);
    expect(body.service.has_timestamps).toBe(true);
  });

  test('are named in the proof of a signed file', async () => {
    const { body } = await sign(await store(ada), { level: 'b-lta', output: undefined });
    const { body: proof } = await service().get(`/v1/files/${body.file_id}/proof`);
    expect(proof.claims).toMatchObject([{ standard: 'PAdES', level: 'B-LTA' }]);
  });

  test.if(isThorough)('can be reached by several signers', async () => {
    const first = await sign(await store(ada), { level: 'b-lt' });
    const other = issue({ name: 'Grace', kind: 'p256', issuer: root, ...addresses() });
    const second = await sign(await store(other, []), { level: 'b-lta', pdf: first.body.data });
    expect([second.status, second.body.error]).toEqual([200, undefined]);
    const validated = await validateSignatures(Buffer.from(second.body.data, 'base64'));
    expect(validated.filter(({ type }) => type.includes('CAdES')).map(({ valid }) => valid)).toEqual([
      true,
      true,
    ]);
    const verified = await service().post('/v1/pdf/verify', { pdf: second.body.data });
    expect(verified.body.valid).toBe(true);
  });

  test('can be reached in a certified document', async () => {
    const { status, body } = await sign(await store(ada), { level: 'b-lta', certify: 'no_changes' });
    expect([status, body.error]).toEqual([200, undefined]);
    const verified = await service().post('/v1/pdf/verify', { pdf: body.data });
    expect([verified.body.valid, verified.body.signatures[0].problems]).toEqual([true, []]);
  });

  test('a revoked certificate is a 400', async () => {
    const serial = Buffer.from(ada.certificate.serialNumber.valueBlock.valueHexView).toString('hex');
    revoked = new Map([[serial, new Date(Date.now() - 86_400_000)]]);
    const { status, body } = await sign(await store(ada), { level: 'b-lt' });
    expect(status).toBe(400);
    expect(body.error.message).toStartWith(
      'level: b-lt cannot be reached: the certificate of Ada was revoked on 20',
    );
  });

  test('certificates without addresses, or of an unknown issuer, are a 400', async () => {
    const closed = issue({ name: 'Closed', issuer: root });
    const noAddress = await sign(await store(closed), { level: 'b-lt' });
    expect([noAddress.status, noAddress.body.error.message]).toEqual([
      400,
      'level: b-lt cannot be reached: the certificate of Closed has no address of an OCSP responder or of a revocation list. Use b-t',
    ]);
    const unknown = issue({ name: 'Other root', isAuthority: true });
    const stray = issue({ name: 'Stray', issuer: unknown, ...addresses() });
    const noIssuer = await sign(await store(stray, []), { level: 'b-lt' });
    expect(noIssuer.body.error.message).toStartWith(
      'level: b-lt cannot be reached: the issuer of the certificate of Stray is unknown',
    );
  });

  test('responders that fail are a 503 that names them', async () => {
    responder = 'none';
    const { status, body } = await sign(await store(ada), { level: 'b-lt' });
    expect(status).toBe(503);
    expect(body.error.message).toContain(
      'whether the certificate of Ada was revoked could not be determined',
    );
  });

  test('an unreachable authority is a 503, and a response for other content a 502', async () => {
    const certificate = await store(ada);
    tsa = 'unreachable';
    expect((await sign(certificate, { level: 'b-t' })).status).toBe(503);
    tsa = { signer: tsaParty, wrongImprint: true };
    const { status, body } = await sign(certificate, { level: 'b-t' });
    expect([status, body.error.code]).toEqual([502, 'TSA_ERROR']);
  });
});
