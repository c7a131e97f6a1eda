import { afterAll, expect, test } from 'bun:test';
import { sign as signBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../../src/plugin.ts';
import { validateSignatures } from '../../support/signatures/certificates.ts';
import { describeWithPdfTools } from '../../support/pdf/pdf.ts';
import { issue, toPem } from '../../../packages/signatures/tests/certificates.ts';
import { TestService } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { base64 } from '../../support/signatures/sign-client.ts';
import { until } from '../../support/until.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';

const folder = mkdtempSync(join(tmpdir(), 'platen-signer-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const root = issue({ name: 'Test root', isAuthority: true });
const seal = issue({ name: 'Company seal', issuer: root });
const remote = issue({ name: 'Remote seal', kind: 'rsa', issuer: root });

/** Writes a program, and returns the command that runs it. */
function writeProgram(name: string, body: string): string[] {
  const path = join(folder, `${name}.ts`);
  writeFileSync(path, body);
  return [process.execPath, path];
}

const key = JSON.stringify(seal.privateKey.export({ type: 'pkcs8', format: 'pem' }));
const program = writeProgram(
  'sign',
  `import { sign } from 'node:crypto';
   const data = new Uint8Array(await new Response(Bun.stdin.stream()).arrayBuffer());
   await Bun.write(Bun.stdout, sign('sha256', data, ${key}));`,
);

const requests: { authorization: string | null; type: string | null }[] = [];
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { headers } = request;
    requests.push({ authorization: headers.get('authorization'), type: headers.get('content-type') });
    return new Response(new Uint8Array(signBytes('sha256', await request.bytes(), remote.privateKey)));
  },
});
server.unref();

/** Resolve the requests to a signer that does not respond. */
const held: ((response: Response) => void)[] = [];
const stuck = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: () => new Promise<Response>((resolve) => held.push(resolve)),
});
stuck.unref();

const accounts = ['admin@localhost'];
const pemPath = join(folder, 'seal.pem');
writeFileSync(pemPath, toPem(seal, root));
const service = sharedService({
  config: {
    plugins: {
      'pdf-tools': {
        signers: {
          seal: { certificates: pemPath, accounts, command: program },
          remote: {
            certificates: toPem(remote, root),
            accounts,
            url: `http://127.0.0.1:${server.port}/sign`,
            headers: { Authorization: 'Bearer of the test' },
          },
          failing: { certificates: pemPath, accounts, command: writeProgram('fail', 'process.exit(3)') },
          endless: {
            certificates: pemPath,
            accounts,
            command: writeProgram('endless', 'for (;;) await Bun.write(Bun.stdout, "x".repeat(100_000));'),
          },
          leaving: {
            certificates: pemPath,
            accounts,
            command: writeProgram(
              'leave',
              `Bun.spawn(['/bin/sleep', '600'], { stdin: 'ignore', stdout: 'inherit' }).unref();
               process.exit(3);`,
            ),
          },
          stuck: { certificates: pemPath, accounts, url: `http://127.0.0.1:${stuck.port}/` },
          other: { certificates: toPem(remote), accounts, command: program },
        },
      },
    },
  },
});

const post = (certificate: string, more: object = {}, as?: string) =>
  service().post(
    '/v1/pdf/sign',
    { pdf: base64(pagesPdf(1)), certificate, visible: false, output: 'base64', ...more },
    as,
  );

describeWithPdfTools('a configured signer', () => {
  test.each([
    ['seal', 'Company seal'],
    ['remote', 'Remote seal'],
  ])('signs with %s', async (name, signer) => {
    const { status, body } = await post(`signer:${name}`);
    expect([status, body.error]).toEqual([200, undefined]);
    const validated = await validateSignatures(Buffer.from(body.data, 'base64'));
    expect(validated).toMatchObject([{ signer, valid: true, coversFile: true }]);
  });

  test('receives its configured headers', async () => {
    requests.length = 0;
    await post('signer:remote');
    expect(requests).toEqual([{ authorization: 'Bearer of the test', type: 'application/octet-stream' }]);
  });

  test('is not found for other accounts or by unknown names', async () => {
    const stranger = await service().newKey();
    const foreign = await post('signer:seal', {}, stranger);
    const unknown = await post('signer:none');
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect([foreign, unknown].map(({ body }) => body.error.message)).toEqual([
      'certificate signer:seal not found',
      'certificate signer:none not found',
    ]);
  });

  test.each(['failing', 'endless', 'leaving'])('is a 503 if its program or service is %s', async (name) => {
    const { status, body } = await post(`signer:${name}`);
    expect([status, body.error.message]).toEqual([503, `the signer ${name} gave no signature`]);
  });

  test('that does not respond delays no other signer', async () => {
    const waiting = Array.from({ length: 4 }, () => post('signer:stuck'));
    await until(() => held.length === 4);
    const first = await Promise.race([post('signer:seal'), ...waiting]);
    expect([first.status, first.body.error]).toEqual([200, undefined]);
    for (const respond of held) respond(new Response(null, { status: 500 }));
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  });

  test('whose signature has another key is a 400', async () => {
    const { status, body } = await post('signer:other');
    expect([status, body.error.message]).toEqual([400, 'certificate: does not fit the key of its signer']);
  });
});

test.each([
  [
    { certificates: '/none.pem', command: ['/bin/true'] },
    'plugins.pdf-tools.signers.a.certificates: cannot be read',
  ],
  [{ certificates: '-----BEGIN', command: ['/bin/true'] }, 'plugins.pdf-tools.signers.a.certificates: '],
  [{ certificates: toPem(seal) }, 'plugins.pdf-tools.signers.a: needs either command or url'],
])('an invalid setting stops the service: %j', async (settings, message) => {
  const config = { plugins: { 'pdf-tools': { signers: { a: { accounts, ...settings } } } } };
  const error = await TestService.start({ config }).catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(ConfigError);
  expect((error as ConfigError).message).toStartWith(message);
});
