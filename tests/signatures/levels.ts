import { join } from 'node:path';
import { issue, toPem, type Party } from '../support/pki/certificates.ts';
import { pkcs12Of } from '../support/pki/pkcs12.ts';
import { answerOcsp, answerTimestamp, makeCrl } from '../support/pki/responders.ts';
import { pagesPdf } from '../api/pdf-samples.ts';
import { TestService } from '../support/service.ts';

/** The requests of the files that pyHanko judges: one for each signer, in their order. */
const CASES: Record<string, object[]> = {
  'b-b': [{}],
  'b-b visible': [{ visible: true, x: 20, y: 20 }],
  'b-b certified': [{ certify: 'form_filling' }, {}],
  'b-t': [{ level: 'b-t' }],
  'b-lt': [{ level: 'b-lt' }],
  'b-lta': [{ level: 'b-lta' }],
  'b-lta certified': [{ level: 'b-lta', certify: 'no_changes' }],
  'two signers': [{ level: 'b-lt' }, { level: 'b-lta', visible: true, x: 20, y: 120 }],
};

/** Writes signed files of every level and the root of their certificates, for pyHanko. */
export async function writeLevels(folder: string): Promise<void> {
  const root = issue({ name: 'Test root', kind: 'rsa', isAuthority: true });
  using responders = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const body = await request.bytes();
      const { pathname } = new URL(request.url);
      if (pathname === '/tsa') return answer(await answerTimestamp(body, { signer: authority }));
      if (pathname === '/ocsp') return answer(answerOcsp(body, { signer: root }));
      return answer(makeCrl({ signer: root }));
    },
  });
  const origin = `http://127.0.0.1:${responders.port}`;
  const addresses = { ocspUrl: `${origin}/ocsp`, crlUrl: `${origin}/crl` };
  const purposes = { list: ['1.3.6.1.5.5.7.3.8'], critical: true };
  const authority: Party = issue({ name: 'TSA', kind: 'rsa', issuer: root, purposes, ...addresses });
  await using service = await TestService.start({
    env: { EGRESS_ALLOW: `127.0.0.1:${responders.port}` },
    config: { plugins: { 'pdf-tools': { tsaUrl: `${origin}/tsa`, trustRoots: [toPem(root)] } } },
  });
  const certificates: string[] = [];
  for (const kind of ['rsa', 'p256'] as const) {
    const signer = issue({ name: `Signer ${kind}`, kind, issuer: root, ...addresses });
    const pkcs12 = pkcs12Of(signer, [root]).toString('base64');
    certificates.push((await service.post('/v1/certificates', { pkcs12 })).body.id);
  }
  await Bun.write(join(folder, 'root.pem'), toPem(root));
  for (const [name, signatures] of Object.entries(CASES)) {
    let pdf = Buffer.from(pagesPdf(1), 'latin1').toString('base64');
    for (const [index, request] of signatures.entries()) {
      const certificate = certificates[index];
      const sent = { pdf, certificate, visible: false, output: 'base64', ...request };
      const { status, body } = await service.post('/v1/pdf/sign', sent);
      if (status !== 200) throw new Error(`${name}: ${status} ${body.error?.message}`);
      pdf = body.data;
    }
    await Bun.write(join(folder, `${name}.pdf`), Buffer.from(pdf, 'base64'));
  }
}

function answer(bytes: Uint8Array): Response {
  return new Response(new Uint8Array(bytes));
}
