import { afterAll, beforeAll, expect, test } from 'bun:test';
import { validateSignatures } from '../support/signatures/certificates.ts';
import { issue, toPem } from '../../packages/signatures/tests/certificates.ts';
import { pkcs12Of } from '../../packages/signatures/tests/pkcs12.ts';
import { answerOcsp, answerTimestamp, makeCrl } from '../../packages/signatures/tests/responders.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { requireVeraPdf, validateWithVeraPdf } from '../support/pdf/verapdf.ts';

const root = issue({ name: 'Test root', isAuthority: true });
const revoked = new Map<string, Date>();
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { pathname } = new URL(request.url);
    const body = await request.bytes();
    if (pathname === '/tsa')
      return new Response(new Uint8Array(await answerTimestamp(body, { signer: tsa })));
    if (pathname === '/ocsp')
      return new Response(new Uint8Array(answerOcsp(body, { signer: root, revoked })));
    return new Response(new Uint8Array(makeCrl({ signer: root, revoked })));
  },
});
afterAll(() => server.stop(true));
const url = `http://127.0.0.1:${server.port}`;
const addresses = { ocspUrl: `${url}/ocsp`, crlUrl: `${url}/crl` };
const purposes = { list: ['1.3.6.1.5.5.7.3.8'], critical: true };
const tsa = issue({ name: 'TSA', issuer: root, purposes, ...addresses });
const ada = issue({ name: 'Ada', issuer: root, ...addresses });

const service = sharedService({
  env: { EGRESS_ALLOW: `127.0.0.1:${server.port}` },
  config: { plugins: { 'pdf-tools': { tsaUrl: `${url}/tsa`, trustRoots: [toPem(root)] } } },
});

const CONTRACT = `<!doctype html><html lang="en"><title>Contract</title><h1>Contract</h1><p>We agree.</p>
  <p><label for="buyer">Signature of the buyer</label> <input type="signature" name="buyer" id="buyer"></p>`;
const LEVELS = ['b-b', 'b-t', 'b-lt', 'b-lta'] as const;
const PROFILES = ['1b', '2b', '3b', 'ua1'] as const;
/** The options for each place of a signature. */
const PLACES = {
  invisible: { visible: false },
  visible: { x: 300, y: 20 },
  'in a field of the HTML': { field: 'buyer' },
};

if (requireVeraPdf()) {
  /** Signed files by name, for each profile that they must conform to. */
  const files = new Map(PROFILES.map((profile) => [profile, new Map<string, Uint8Array>()]));
  let certificate = '';
  beforeAll(async () => {
    const pkcs12 = pkcs12Of(ada, [root]).toString('base64');
    const { body } = await service().post('/v1/certificates', { pkcs12 });
    certificate = body.id;
  });

  async function sign(pdfa: '1b' | '2b' | '3b', signature: object): Promise<string> {
    const options = { accessible: true, pdfa, signature: { certificate, ...signature } };
    const { status, body } = await service().post('/v1/generate', {
      html: CONTRACT,
      options,
      output: 'base64',
    });
    expect([status, body.error]).toEqual([200, undefined]);
    const { body: proof } = await service().get(`/v1/generations/${body.id}/proof`);
    const claims = proof.claims.map(({ standard }: { standard: string }) => standard);
    expect(claims).toEqual(['PDF/A', 'PDF/UA', 'PAdES']);
    return body.data;
  }

  async function keep(data: string, pdfa: '1b' | '2b' | '3b', name: string): Promise<void> {
    const pdf = Buffer.from(data, 'base64');
    // pdfsig does not validate document timestamps.
    const signatures = (await validateSignatures(pdf)).filter(({ type }) => type.includes('CAdES'));
    expect(signatures.map(({ valid }) => valid)).not.toContain(false);
    expect(signatures).not.toEqual([]);
    for (const profile of [pdfa, 'ua1'] as const) files.get(profile)?.set(name, pdf);
  }

  test.each(['1b', '2b', '3b'] as const)(
    'signs an accessible PDF/A-%s file at each level',
    async (pdfa) => {
      for (const level of LEVELS)
        for (const [place, options] of Object.entries(PLACES))
          await keep(await sign(pdfa, { level, ...options }), pdfa, `${pdfa} ${level}, ${place}`);
    },
    300_000,
  );

  test('adds a second signature and a document timestamp', async () => {
    const first = await sign('3b', { level: 'b-t', field: 'buyer' });
    const second = await service().post('/v1/pdf/sign', {
      pdf: first,
      certificate,
      visible: false,
      output: 'base64',
    });
    expect([second.status, second.body.error]).toEqual([200, undefined]);
    await keep(second.body.data, '3b', 'two signatures');
    const stamped = await service().post('/v1/pdf/timestamp', { pdf: second.body.data, output: 'base64' });
    expect([stamped.status, stamped.body.error]).toEqual([200, undefined]);
    await keep(stamped.body.data, '3b', 'two signatures and a timestamp');
  }, 60_000);

  test.each([...PROFILES])(
    'veraPDF accepts every signed file as %s',
    async (profile) => {
      const made = files.get(profile) ?? new Map<string, Uint8Array>();
      expect(made.size).toBeGreaterThanOrEqual(LEVELS.length * Object.keys(PLACES).length);
      const violations = [...(await validateWithVeraPdf(made, profile))].filter(
        ([, found]) => found.length > 0,
      );
      expect(violations).toEqual([]);
    },
    120_000,
  );
}
