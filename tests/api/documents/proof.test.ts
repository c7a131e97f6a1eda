import { createHash } from 'node:crypto';
import { expect, setSystemTime, test } from 'bun:test';
import { completed, submit } from '../../support/batch/batches.ts';
import { base64 } from '../../support/pdf/pdf-operations.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { pagesPdf } from '../../support/pdf/samples.ts';

const service = sharedService();
const hashOf = (file: Uint8Array) => createHash('sha256').update(file).digest('hex');

/** Reads a proof, and checks that it has the hash of the downloaded file. */
async function proofOf(path: string, url: string) {
  const { status, body } = await service().get(`${path}/proof`);
  expect([status, body.error]).toEqual([200, undefined]);
  expect(body.sha256).toBe(hashOf(await service().download(url)));
  return body;
}

async function expectNoProof(path: string, key?: string) {
  const { status, body } = await service().get(`${path}/proof`, key);
  expect([status, body.error?.code]).toEqual([404, 'NOT_FOUND']);
  return body.error.message as string;
}

test('a generation with pdfa has a proof, also in its receipt', async () => {
  const since = new Date().toISOString();
  const { body } = await service().post('/v1/generate', { html: '<h1>Report</h1>', options: { pdfa: '2b' } });
  const path = `/v1/generations/${body.id}`;
  const proof = await proofOf(path, body.url);
  expect(proof).toEqual({
    sha256: expect.any(String),
    claims: [
      {
        standard: 'PDF/A',
        level: '2b',
        checked_by: expect.stringMatching(/^@platen\/pdf \d/),
        rules: expect.arrayContaining(['6.1.2', '6.2.11.4.1', '6.6.4']),
        passed_at: expect.any(String),
      },
    ],
    steps: [{ do: 'print' }, { do: 'pdfa' }],
  });
  const [{ passed_at: passedAt }] = proof.claims;
  expect(passedAt >= since && passedAt <= new Date().toISOString()).toBe(true);
  expect((await service().get(`${path}?receipt=true`)).body.receipt.proof).toEqual(proof);
});

test('a generation without claims, an image, and a generation of another account have no proof', async () => {
  const plain = await service().post('/v1/generate', { html: 'x' });
  const path = `/v1/generations/${plain.body.id}`;
  expect(await expectNoProof(path)).toBe(
    `the generation ${plain.body.id} has no proof: it was made without a claim such as PDF/A`,
  );
  expect((await service().get(`${path}?receipt=true`)).body.receipt.proof).toBeNull();
  const image = await service().post('/v1/images', { html: 'x', options: { width: 64, height: 64 } });
  await expectNoProof(`/v1/generations/${image.body.id}`);
  const archived = await service().post('/v1/generate', { html: 'x', options: { pdfa: true } });
  const other = await service().newKey();
  expect(await expectNoProof(`/v1/generations/${archived.body.id}`, other)).toBe('generation not found');
  expect(await expectNoProof('/v1/generations/gen_unknown')).toBe('generation not found');
});

test('the result of POST /v1/pdf/pdfa has a proof, which is deleted with the file', async () => {
  const pdf = base64(pagesPdf(2));
  const { body } = await service().post('/v1/pdf/pdfa', { pdf, level: '3u' });
  const path = `/v1/files/${body.file_id}`;
  const { claims, steps } = await proofOf(path, body.url);
  expect([claims.length, claims[0].level, steps]).toEqual([1, '3u', [{ do: 'pdfa' }]]);
  expect(await expectNoProof(path, await service().newKey())).toBe('file not found');
  expect((await service().request('DELETE', path)).status).toBe(204);
  expect(await expectNoProof(path)).toBe('file not found');

  const copy = await service().post('/v1/pdf/properties', { pdf, set: { title: 'Copy' } });
  await expectNoProof(`/v1/files/${copy.body.file_id}`);
  const upload = await service().post('/v1/files', { file: pdf });
  await expectNoProof(`/v1/files/${upload.body.id}`);
});

test('a pipeline confirms a claim for the result of its last step', async () => {
  const steps = [
    { do: 'pdfa', level: '2b' },
    { do: 'properties', set: { title: 'Final' } },
  ];
  const { body } = await service().post('/v1/pdf/pipeline', { pdf: base64(pagesPdf(1)), steps });
  const proof = await proofOf(`/v1/files/${body.file_id}`, body.url);
  expect(proof.claims).toMatchObject([{ standard: 'PDF/A', level: '2b' }]);
  expect(proof.steps).toEqual([{ do: 'pdfa' }, { do: 'properties' }]);

  const twice = [
    { do: 'pdfa', level: '3b' },
    { do: 'pdfa', level: '1b' },
  ];
  const again = await service().post('/v1/pdf/pipeline', { pdf: base64(pagesPdf(1)), steps: twice });
  const { claims } = await proofOf(`/v1/files/${again.body.file_id}`, again.body.url);
  expect(claims).toMatchObject([{ standard: 'PDF/A', level: '1b' }]);

  const generate = { html: '<h1>Offer</h1>', options: { pdfa: '3b' } };
  const number = { do: 'number', format: '{{pageNumber}}' };
  const made = await service().post('/v1/pdf/pipeline', { generate, steps: [number] });
  const generated = await proofOf(`/v1/generations/${made.body.id}`, made.body.url);
  expect(generated.claims).toMatchObject([{ standard: 'PDF/A', level: '3b' }]);
  expect(generated.steps).toEqual([{ do: 'print' }, { do: 'pdfa' }, { do: 'number' }]);
});

test('items of a batch have proofs, which a replay keeps and a deletion removes', async () => {
  const items = [{ html: 'a', options: { pdfa: '1b' } }, { html: 'b' }];
  const headers = { 'idempotency-key': crypto.randomUUID() };
  const batch = await completed(service(), await submit(service(), items, { headers }));
  const [archived, plain] = batch.generations.map(({ id }: { id: string }) => `/v1/generations/${id}`);
  const { body } = await service().get(archived);
  const proof = await proofOf(archived, body.url);
  expect(proof.claims).toMatchObject([{ standard: 'PDF/A', level: '1b' }]);
  await expectNoProof(plain);

  const replay = await submit(service(), items, { headers });
  expect(replay.body.batch_id).toBe(batch.batch_id);
  expect((await service().get(`${archived}/proof`)).body).toEqual(proof);

  expect((await service().request('DELETE', archived)).status).toBe(204);
  await expectNoProof(archived);
});

test('an expired generation has no proof', async () => {
  const { body } = await service().post('/v1/generate', {
    html: 'x',
    options: { pdfa: true },
    expires_in: 60,
  });
  const path = `/v1/generations/${body.id}`;
  expect((await service().get(`${path}/proof`)).status).toBe(200);
  setSystemTime(Date.now() + 61_000);
  try {
    await expectNoProof(path);
  } finally {
    setSystemTime();
  }
});
