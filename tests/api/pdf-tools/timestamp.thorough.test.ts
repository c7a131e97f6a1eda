import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { base64, OperationClient } from '../../support/pdf/pdf-operations.ts';
import { issue, toPem } from '../../../packages/signatures/tests/certificates.ts';
import { signedPdf } from '../../../packages/signatures/tests/sign-pdf.ts';
import { startTsa } from '../../support/signatures/tsa-server.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { pagesPdf, withQpdf } from '../../support/pdf/samples.ts';

const tsa = await startTsa();
const { root, honest } = tsa;

describe('with an authority', () => {
  const service = sharedService({
    config: { plugins: { 'pdf-tools': { tsaUrl: tsa.url, trustRoots: [toPem(root)] } } },
  });
  const timestamp = new OperationClient(service, 'timestamp');
  const verify = new OperationClient(service, 'verify');

  test('adds a timestamp that verify accepts', async () => {
    tsa.behaviour = { ...honest, time: new Date('2026-05-06T07:08:09Z') };
    const answer = await timestamp.read(pagesPdf(2), { output: 'base64' });
    expect(answer).toMatchObject({
      timestamp: '2026-05-06T07:08:09.000Z',
      file_id: expect.stringMatching(/^file_/),
    });
    const pdf = Buffer.from(answer.data, 'base64');
    expect(await verify.read(pdf)).toMatchObject({
      valid: true,
      signatures: [
        {
          field: 'Timestamp1',
          kind: 'document_timestamp',
          signer: 'TSA',
          signed_at: '2026-05-06T07:08:09.000Z',
          covers_whole_file: true,
          changes_after: 'none',
        },
      ],
    });
  });

  test.each([
    ['a signed file', () => signedPdf({ signer: issue({ name: 'Ada', issuer: root }) })],
    [
      'a certified file',
      () =>
        readFileSync(
          join(import.meta.dir, '../../../packages/signatures/tests/fixtures/signatures/certified-1.pdf'),
        ),
    ],
    ['a file with object streams', () => withQpdf(pagesPdf(2), ['--object-streams=generate'])],
    ['an encrypted file', () => withQpdf(pagesPdf(2), ['--encrypt', '', 'owner', '256', '--'])],
    ['a damaged file', () => pagesPdf(2).replace(/startxref\s+\d+/, 'startxref 7')],
  ])('keeps %s valid', async (_, make) => {
    tsa.behaviour = honest;
    const first = await timestamp.write(await make(), {});
    const second = await timestamp.write(first, {});
    expect(second.subarray(0, first.length).equals(first)).toBe(true);
    const { signatures } = await verify.read(second);
    const stamps = signatures.filter(({ kind }: { kind: string }) => kind === 'document_timestamp');
    expect(stamps).toMatchObject([
      { field: 'Timestamp1', intact: true, trusted: true, changes_after: 'allowed', problems: [] },
      { field: 'Timestamp2', intact: true, trusted: true, changes_after: 'none', problems: [] },
    ]);
    expect(signatures.every(({ intact }: { intact: boolean }) => intact)).toBe(true);
  });

  test.each([
    ['refuses the request', { refuses: true }],
    ['is for other content', { wrongImprint: true }],
    ['does not repeat the nonce of the request', { wrongNonce: true }],
    [
      'is signed with a certificate that is not for time stamping',
      { signer: issue({ name: 'TSA', issuer: root }) },
    ],
  ])('an authority whose response %s is a 502', async (problem, dishonest) => {
    tsa.behaviour = { ...honest, ...dishonest };
    const { status, body } = await timestamp.post(pagesPdf(1), {});
    expect([status, body.error.code]).toEqual([502, 'TSA_ERROR']);
    expect(body.error.message).toStartWith(`the response of the time stamping authority ${problem}`);
  });

  test.each([403, 405, 404])('an authority that responds with status %i is a 502', async (refusal) => {
    tsa.behaviour = refusal;
    const { status, body } = await timestamp.post(pagesPdf(1), {});
    expect([status, body.error.code]).toEqual([502, 'TSA_ERROR']);
    expect(body.error.message).toBe(
      `the time stamping authority answered with status ${refusal}: the operator should check plugins.pdf-tools.tsaUrl and the access to the authority`,
    );
  });

  test.each(['silent', 408, 429, 500] as const)(
    'an authority that is silent or fails (%p) is a 503',
    async (fault) => {
      tsa.behaviour = fault;
      const { status, body, headers } = await timestamp.post(pagesPdf(1), {});
      expect([status, body.error.code, headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '30']);
    },
  );

  test('can be a step of a pipeline', async () => {
    tsa.behaviour = honest;
    const steps = [{ do: 'watermark', text: 'Draft' }, { do: 'timestamp' }];
    const { body } = await service().post('/v1/pdf/pipeline', {
      pdf: base64(pagesPdf(1)),
      steps,
      output: 'base64',
    });
    expect(await verify.read(Buffer.from(body.data, 'base64'))).toMatchObject({ valid: true });
  });
});

describe('without an authority', () => {
  const service = sharedService();

  test('the response is a 400 that names the setting', async () => {
    const { status, body } = await new OperationClient(service, 'timestamp').post(pagesPdf(1), {});
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toContain('plugins.pdf-tools.tsaUrl');
  });
});
