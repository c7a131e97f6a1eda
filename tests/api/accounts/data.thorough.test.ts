import { describe, expect, test } from 'bun:test';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPkcs12 } from '@platen/signatures';
import {
  ANN,
  COLLECTIONS_OF_ANN,
  collectionsWith,
  startFilled,
  storedFiles,
} from '../../support/accounts/filled-account.ts';
import { moveClock } from '../../support/clock.ts';
import { CERTIFICATE_PASSWORD, certificateFile } from '../../support/signatures/certificates.ts';
import { keyNeedles, readFolder } from '../../support/signatures/key-search.ts';
import { until } from '../../support/until.ts';
import { unzip } from '../../support/unzip.ts';
import { docx, paragraph } from '../../../packages/office-templates/tests/make-file.ts';
import { peakMemoryOf, platen } from '../../support/service/process.ts';
import { loadConfig } from '../../../src/config.ts';
import { newId } from '../../../src/ids.ts';
import { NO_PROPERTIES } from '../../../plugins/files/exports.ts';
import { fileRecords } from '../../../plugins/files/collections.ts';
import { openFiles, openState } from '../../../src/state.ts';
import { onMongoAndS3, TestService } from '../../support/service/service.ts';

/** unzip checks the archives independently of the library that writes them. */
const unzipMissing = Bun.which('unzip') === null;

describe('platen accounts delete', () => {
  test('without --yes, lists the data and deletes nothing', async () => {
    await using opened = await startFilled();
    const { service, filled } = opened;
    const { code, stdout, stderr } = await platen(['accounts', 'delete', '--email', ANN], service.env);
    expect([code, stderr]).toEqual([
      1,
      `platen: nothing is deleted; add --yes to delete ${ANN} and these records\n`,
    ]);
    for (const [name, count] of [
      ['api-keys', 1],
      ['usage', 1],
      ['webhook-secrets', 1],
      ['events', 6],
      ['webhook-deliveries', 3],
      ['webhook-endpoints', 1],
      ['generations', 3],
      ['batches', 1],
      ['files', 1],
      ['templates', 1],
      ['assets', 1],
      ['published-assets', 1],
      ['certificates', 1],
      ['notes', 1],
    ])
      expect(stdout).toMatch(new RegExp(`^${name} +${count}$`, 'm'));
    expect((await service.get(`/v1/generations/${filled.generation.id}`, filled.key)).status).toBe(200);
  });

  test('erases everything while the service runs, and nothing of other accounts', async () => {
    await using opened = await startFilled();
    const { service, filled } = opened;
    const { key, accountId, generation, batchId, templateId, cloneId, bobsKey } = filled;
    const files = onMongoAndS3 ? undefined : await storedFiles(service);
    expect(await collectionsWith(service, accountId)).toEqual(expect.arrayContaining(COLLECTIONS_OF_ANN));
    expect(await platen(['accounts', 'delete', '--email', ANN, '--yes'], service.env)).toEqual({
      code: 0,
      stdout: '',
      stderr: '',
    });
    // The key is rejected at once.
    expect((await service.get('/v1/generations', key)).status).toBe(401);
    expect((await fetch(generation.url)).status).toBe(404);
    expect((await service.get(`/v1/marketplace/${templateId}`, bobsKey)).status).toBe(404);
    expect((await service.get('/v1/marketplace', bobsKey)).body.data).toEqual([]);
    expect((await service.get(`/v1/templates/${cloneId}`, bobsKey)).body.html_content).toContain('Two');
    expect((await service.get('/v1/generations', bobsKey)).body.data).toHaveLength(1);
    expect((await service.get('/v1/assets/logo.png', bobsKey)).status).toBe(200);
    expect((await service.get('/v1/notes', bobsKey)).body.data).toEqual([{ text: 'a note of Bob' }]);
    if (files) expect([files.length, (await storedFiles(service)).length]).toEqual([7, 2]);
    // Only the record of the second pass, an hour later, still names the account.
    expect(await collectionsWith(service, accountId)).toEqual(['deletions']);
    for (const text of [generation.id, batchId, templateId, ANN])
      expect([text, await collectionsWith(service, text)]).toEqual([text, []]);
    expect(await platen(['accounts', 'delete', '--email', ANN, '--yes'], service.env)).toMatchObject({
      code: 1,
      stderr: `platen: the account ${ANN} does not exist; the accounts are admin@localhost, bob@example.com\n`,
    });
  });

  test('erases what a request that was in progress stored afterwards', async () => {
    await using opened = await startFilled();
    const { service, filled } = opened;
    const slow = '<script>for(const end=Date.now()+12000;Date.now()<end;);</script>';
    const pending = service.post('/v1/generate', { html: slow }, filled.key);
    const items = Array.from({ length: 3 }, () => ({ html: slow }));
    await service.post('/v1/generate/batch', { items }, filled.key);
    await platen(['accounts', 'delete', '--email', ANN, '--yes'], service.env);
    expect((await pending).status).toBe(200);
    using _ = moveClock(Date.now() + 61 * 60_000);
    await until(async () => (await collectionsWith(service, filled.accountId)).length === 0);
    if (!onMongoAndS3) await until(async () => (await storedFiles(service)).length === 2);
  }, 90_000);

  test('is completed by the service when the command dies', async () => {
    await using opened = await startFilled();
    const { service, filled } = opened;
    const { store } = await openState(loadConfig({ env: service.env, cwd: service.dataDir }));
    const deletions = await store.collection<{ id: string; kind: string; recordId: string; at: number }>({
      name: 'deletions',
    });
    // The state after the first write of the command and `kill -9`.
    const { accountId } = filled;
    await deletions.insert({
      id: `account:${accountId}`,
      kind: 'account',
      recordId: accountId,
      at: Date.now(),
    });
    await until(async () => (await service.accounts.findByEmail(ANN)) === null);
    expect(await collectionsWith(service, accountId)).toEqual(['deletions']);
    await store.close();
  });

  test('fails for an email address without an account', async () => {
    await using service = await TestService.start();
    for (const args of [
      ['delete', '--yes'],
      ['export', '--out', join(service.dataDir, 'x.zip')],
    ])
      expect(await platen(['accounts', ...args, '--email', 'none@example.com'], service.env)).toMatchObject({
        code: 1,
        stderr: 'platen: the account none@example.com does not exist; the accounts are admin@localhost\n',
      });
  });
});

test.skipIf(onMongoAndS3)('exports and erases the files of all versions of an office template', async () => {
  await using service = await TestService.start();
  const key = await service.newKey('enterprise', ANN);
  const send = (method: string, path: string, body: unknown) => service.request(method, path, { body, key });
  const files = ['One', 'Two', 'Draft'].map((text) => Buffer.from(docx(paragraph(text))));
  const [one, two, draft] = files.map((file) => file.toString('base64'));
  const { id } = (await send('POST', '/v1/templates', { name: 'Letter', file: one })).body;
  expect((await send('PUT', `/v1/templates/${id}`, { file: two })).status).toBe(200);
  expect((await send('PUT', `/v1/templates/${id}`, { file: draft, draft: true })).status).toBe(200);
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  const archive = join(folder, 'ann.zip');
  const account = ['--email', ANN];
  expect(await platen(['accounts', 'export', ...account, '--out', archive], service.env)).toMatchObject({
    code: 0,
  });
  const exported = await unzip(await readFile(archive));
  for (const file of files) expect(exported.some(({ content }) => content.equals(file))).toBe(true);
  const listed = exported.find(({ name }) => name === 'templates.json')?.content.toString() ?? '';
  expect(JSON.parse(listed)).toMatchObject([{ id, format: 'docx', versions: [{}, {}, { draft: true }] }]);
  expect(await storedFiles(service)).toHaveLength(3);
  expect(await platen(['accounts', 'delete', ...account, '--yes'], service.env)).toMatchObject({ code: 0 });
  expect(await storedFiles(service)).toEqual([]);
  await rm(folder, { recursive: true });
});

describe('platen accounts export', () => {
  test.skipIf(unzipMissing)('writes the data of all plugins and the PDFs, and no secrets', async () => {
    await using opened = await startFilled();
    const { service, filled } = opened;
    const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
    const archive = join(folder, 'ann.zip');
    const run = () => platen(['accounts', 'export', '--email', ANN, '--out', archive], service.env);
    expect(await run()).toEqual({ code: 0, stdout: '', stderr: '' });
    expect((await stat(archive)).mode & 0o777).toBe(0o600);
    // unzip also verifies the checksums.
    const unzipped = Bun.spawnSync(['unzip', '-q', archive, '-d', join(folder, 'out')]);
    expect(unzipped.stderr.toString()).toBe('');
    const read = async (name: string) => JSON.parse(await readFile(join(folder, 'out', name), 'utf8'));
    expect(await read('account.json')).toMatchObject({ id: filled.accountId, email: ANN, plan: 'pro' });
    const fields = { options: null, sample_data: {}, schema: { number: 'string' } };
    expect(await read('templates.json')).toEqual([
      expect.objectContaining({
        id: filled.templateId,
        name: 'Invoice of Ann',
        is_public: true,
        versions: [
          { ...fields, version: 1, html_content: '<p>One {{number}}</p>' },
          { ...fields, version: 2, html_content: '<p>Two {{number}}</p><img src="asset:logo.png">' },
        ],
      }),
    ]);
    const generations = await read('generations.json');
    expect(generations).toHaveLength(3);
    expect(generations).toContainEqual(
      expect.objectContaining({
        id: filled.generation.id,
        reference: 'order 7',
        receipt: expect.objectContaining({ phases: expect.anything() }),
      }),
    );
    for (const { file_id: id } of generations.filter(
      ({ status }: { status: string }) => status === 'completed',
    ))
      expect(await readFile(join(folder, 'out', 'files', `${id}.pdf`), 'latin1')).toStartWith('%PDF');
    expect(await read('files.json')).toEqual([
      expect.objectContaining({ operation: 'merge', reference: 'merged 7' }),
    ]);
    const names = await readdir(join(folder, 'out', 'files'));
    expect(names.filter((name) => name.endsWith('.pdf'))).toHaveLength(3);
    // The asset, and its copy that was published with the template.
    expect(names.filter((name) => name.endsWith('.png'))).toHaveLength(2);
    expect((await read('batches.json'))[0]).toMatchObject({ batch_id: filled.batchId, total: 3 });
    expect(await read('batch-requests.json')).toEqual([]);
    expect(await read('events.json')).toHaveLength(6);
    expect(await read('webhook-deliveries.json')).toHaveLength(3);
    expect(await read('webhook-endpoints.json')).toEqual([
      expect.objectContaining({ events: ['file.created'], enabled: true }),
    ]);
    expect(await read('usage.json')).toEqual([
      expect.objectContaining({ month: expect.stringMatching(/^\d{4}-\d\d$/), used: 3 }),
    ]);
    expect(await read('notes.json')).toEqual([{ text: 'a note of Ann' }]);
    const [apiKey] = await read('api-keys.json');
    expect(Object.keys(apiKey)).not.toContain('hash');
    expect(apiKey.hint).toBe(filled.key.slice(-4));
    const all = (await readFile(archive, 'latin1')).replaceAll(/%PDF[^]*?%%EOF/g, '');
    for (const secret of [filled.key, 'whsec_', 'Bob']) expect(all).not.toContain(secret);
    expect(await read('certificates.json')).toMatchObject([{ name: 'Certificate of Ann' }]);
    const { privateKey } = readPkcs12(certificateFile('ec.p12'), CERTIFICATE_PASSWORD);
    const exported = Buffer.concat(await readFolder(join(folder, 'out')));
    expect(keyNeedles(privateKey).filter((needle) => exported.includes(needle))).toEqual([]);
    // An archive that exists is kept.
    await writeFile(archive, 'mine');
    const again = await run();
    expect([again.code, again.stdout]).toEqual([1, '']);
    expect(again.stderr).toContain(`${archive} cannot be written`);
    expect(await readFile(archive, 'utf8')).toBe('mine');
    await rm(folder, { recursive: true });
  });

  test.skipIf(unzipMissing)(
    'contains the requests of batches that have not ended',
    async () => {
      await using service = await TestService.start();
      const key = await service.newKey('pro', ANN);
      const slow = '<script>for(const end=Date.now()+3000;Date.now()<end;);</script>';
      const items = Array.from({ length: 12 }, (_, n) => ({ html: slow, data: { n } }));
      const { body } = await service.post('/v1/generate/batch', { items }, key);
      const archive = join(service.dataDir, 'ann.zip');
      await platen(['accounts', 'export', '--email', ANN, '--out', archive], service.env);
      const requests = JSON.parse(
        Bun.spawnSync(['unzip', '-p', archive, 'batch-requests.json']).stdout.toString(),
      );
      expect(requests.at(-1)).toEqual({
        id: body.generations.at(-1).id,
        batch_id: body.batch_id,
        request: expect.objectContaining({ source: { html: slow }, data: { n: 11 } }),
      });
      await service.post(`/v1/batches/${body.batch_id}/cancel`, {}, key);
    },
    60_000,
  );

  test('holds only a small part of the files in memory', async () => {
    await using service = await TestService.start();
    await service.newKey('pro', ANN);
    const config = loadConfig({ env: service.env, cwd: service.dataDir });
    const { store } = await openState(config);
    const files = await openFiles(config, { sign: () => '', verify: () => 'valid' });
    const records = await store.collection(fileRecords);
    const account = (await service.accounts.list()).find(({ email }) => email === ANN);
    const pdf = new Uint8Array(50_000_000);
    const sizeBytes = pdf.length;
    for (let n = 0; n < 20; n += 1) {
      const id = newId('file_');
      await files.put(id, pdf);
      const owner = { accountId: account?.id ?? '', operation: 'upload', pages: 1, sizeBytes };
      await records.insert({ id, ...owner, ...NO_PROPERTIES, createdAt: Date.now() });
    }
    await store.close();
    const archive = join(service.dataDir, 'ann.zip');
    const peak = await peakMemoryOf(['accounts', 'export', '--email', ANN, '--out', archive], service.env);
    expect((await stat(archive)).size).toBeGreaterThan(1_000_000_000);
    // The archive has 1 GB. Bun downloads an object from S3 faster than the archive is written, so several
    // files can be in memory there.
    expect(peak).toBeLessThan(onMongoAndS3 ? 700_000_000 : 450_000_000);
  }, 120_000);
});
