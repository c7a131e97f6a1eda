import { afterAll, beforeEach, expect, test } from 'bun:test';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { pagesPdf } from '../support/pdf/samples.ts';
import { listen } from '../support/sites/listen.ts';
import { OperationClient } from '../support/pdf/pdf-operations.ts';
import { issue, toPem, type CertificateRequest } from '../../packages/signatures/tests/certificates.ts';
import { pkcs12Of } from '../../packages/signatures/tests/pkcs12.ts';
import { answerTimestamp, makeCrl } from '../../packages/signatures/tests/responders.ts';
import { signedPdf } from '../../packages/signatures/tests/sign-pdf.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { base64 } from '../support/signatures/sign-client.ts';

// The issuer of a certificate chooses the addresses in it. These tests put hostile servers at such addresses.

const PATIENCE_MS = 180_000;
const root = issue({ name: 'Root' });

let connections = 0;
const honeypot = createServer((_, response) => response.end('secret')).on('connection', () => {
  connections += 1;
});
const privateHost = await listen(honeypot);

let tsaPath = '/tsa';
const server = createServer((request, response) => void answer(request, response));
const host = await listen(server);
const url = (path: string) => `http://${host}${path}`;
const purposes = { list: ['1.3.6.1.5.5.7.3.8'], critical: true };
const authority = issue({ name: 'TSA', issuer: root, purposes, crlUrl: url('/crl') });

/** Responds in the way that the path names. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await buffer(request);
  const path = request.url === '/tsa' ? tsaPath : request.url;
  if (path === '/tsa') response.end(await answerTimestamp(body, { signer: authority }));
  else if (path === '/crl') response.end(makeCrl({ signer: root }));
  else if (path === '/redirect') response.writeHead(302, { location: `http://${privateHost}/` }).end();
  else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end();
  else if (path === '/endless') sendForever(response);
  else if (path === '/slow') {
    const timer = setInterval(() => response.write('0'), 100);
    response.on('close', () => clearInterval(timer));
  }
  // Other paths get no response.
}

function sendForever(response: ServerResponse): void {
  const piece = Buffer.alloc(65_536);
  const send = () => {
    while (!response.destroyed && response.write(piece));
    if (!response.destroyed) response.once('drain', send);
  };
  send();
}

afterAll(() => {
  for (const each of [server, honeypot]) {
    each.closeAllConnections();
    each.close();
  }
});

const service = sharedService({
  env: { EGRESS_ALLOW: host },
  config: { plugins: { 'pdf-tools': { tsaUrl: `http://${host}/tsa`, trustRoots: [toPem(root)] } } },
});
const verify = new OperationClient(service, 'verify');

beforeEach(() => {
  connections = 0;
  tsaPath = '/tsa';
});

/** Verifies a file that is signed with a new certificate. Returns the problems of its signature. */
async function problemsWith(request: Partial<CertificateRequest>): Promise<string> {
  const pdf = await signedPdf({ signer: issue({ name: 'Ada', issuer: root, ...request }) });
  const { valid, signatures } = await verify.read(pdf);
  expect(valid).toBe(false);
  return signatures[0].problems.join();
}

/** Signs with a new certificate. */
async function signWith(request: Partial<CertificateRequest>, level: string) {
  const ada = issue({ name: 'Ada', issuer: root, ...request });
  const pkcs12 = pkcs12Of(ada, [root]).toString('base64');
  const { body } = await service().post('/v1/certificates', { pkcs12 });
  const fields = { certificate: body.id, level, visible: false, output: 'base64' };
  return service().post('/v1/pdf/sign', { pdf: base64(pagesPdf(1)), ...fields });
}

test('a redirect to a private address is not followed', async () => {
  expect(await problemsWith({ crlUrl: url('/redirect') })).toContain(
    `${host} has an address that this service does not connect to`,
  );
  expect(await problemsWith({ ocspUrl: url('/redirect') })).toContain(`${host} answered with status 302`);
  const issuer = issue({ name: 'Intermediate', issuer: root, isAuthority: true });
  expect(await problemsWith({ issuer, issuerUrl: url('/redirect') })).toBe(
    'the issuer of the certificate of Ada is unknown',
  );
  tsaPath = '/redirect';
  const { status, body } = await signWith({}, 'b-t');
  expect([status, body.error.message]).toEqual([
    502,
    expect.stringContaining('the time stamping authority answered with status 302'),
  ]);
  expect(connections).toBe(0);
});

test('a redirect loop is aborted', async () => {
  expect(await problemsWith({ crlUrl: url('/loop') })).toContain(`${host} redirects too often`);
});

test('signing does not connect to private addresses in certificates', async () => {
  const ocspUrl = `http://${privateHost}/ocsp`;
  const { status, body } = await signWith({ ocspUrl, crlUrl: `http://${privateHost}/crl` }, 'b-lt');
  expect([status, body.error.code]).toEqual([503, 'UNAVAILABLE']);
  expect(body.error.message).toContain(`${privateHost} has an address that this service does not connect to`);
  expect(connections).toBe(0);
});

test('an endless response is aborted', async () => {
  expect(await problemsWith({ crlUrl: url('/endless') })).toContain(`${host} sent more than 10000000 bytes`);
  expect(await problemsWith({ ocspUrl: url('/endless') })).toContain(`${host} sent more than 200000 bytes`);
  const issuer = issue({ name: 'Intermediate', issuer: root, isAuthority: true });
  expect(await problemsWith({ issuer, issuerUrl: url('/endless') })).toBe(
    'the issuer of the certificate of Ada is unknown',
  );
  tsaPath = '/endless';
  const { status, body } = await signWith({}, 'b-t');
  expect([status, body.error.message]).toEqual([
    503,
    'the time stamping authority sent more than 100000 bytes',
  ]);
});

test.each(['/silent', '/slow'])(
  'the service stops waiting for a server that responds too slowly: %s',
  async (path) => {
    tsaPath = path;
    const [list, stamped] = await Promise.all([problemsWith({ crlUrl: url(path) }), signWith({}, 'b-t')]);
    expect(list).toContain(`${host} did not answer in time`);
    expect([stamped.status, stamped.body.error.message]).toEqual([
      503,
      'the time stamping authority did not answer in time',
    ]);
  },
  PATIENCE_MS,
);
