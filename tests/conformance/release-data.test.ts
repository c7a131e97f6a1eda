import { afterAll, afterEach, beforeEach, describe, expect, setSystemTime, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemble } from '../../src/assembly.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { TestService } from '../support/service.ts';

const DAY_MS = 24 * 60 * 60_000;

/** The keys, ids and links in the data directory, which release 0.1.0 wrote. */
interface Release {
  madeAt: string;
  key: string;
  /** The key of the account that cloned the template. */
  cloner: string;
  htmlGeneration: string;
  htmlUrl: string;
  template: string;
  clone: string;
  fromTemplate: string;
  batch: string;
  /** A link to the result of a merge, which has no record. */
  mergedUrl: string;
  generations: [id: string, status: string][];
}

const root = mkdtempSync(join(tmpdir(), 'platen-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let dataDir = '';
let release: Release;

beforeEach(async () => {
  const folder = mkdtempSync(join(root, 'copy-'));
  const archive = join(import.meta.dir, '..', 'fixtures', 'data-0.1.0.tar.gz');
  const { exitCode, stderr } = Bun.spawnSync(['tar', '-xzf', archive, '-C', folder]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  dataDir = join(folder, 'data');
  release = (await Bun.file(join(folder, 'fixture.json')).json()) as Release;
  // Links, receipts and deliveries are kept for 30 days.
  setSystemTime(Date.parse(release.madeAt) + 60 * 60_000);
});

afterEach(() => {
  setSystemTime();
});

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'files'), { recursive: true });
  return entries.filter((entry) => /file_\w+$/.test(entry));
}

describe('a data directory of release 0.1.0', () => {
  test('is read: records, receipts, files, links, templates, batches and deliveries', async () => {
    await using service = await TestService.start({ env: { DATA_DIR: dataDir } });
    const get = async (path: string, key = release.key) => {
      const { status, body } = await service.get(path, key);
      expect([path, status]).toEqual([path, 200]);
      return body;
    };
    const onThisService = (link: string) => service.url + new URL(link).pathname + new URL(link).search;
    const { data } = await get('/v1/generations');
    expect(data.map((each: { id: string; status: string }) => [each.id, each.status])).toEqual(
      release.generations,
    );
    expect((await get('/v1/generations?status=failed')).data).toHaveLength(2);
    const { receipt, ...html } = await get(`/v1/generations/${release.htmlGeneration}?receipt=true`);
    expect(receipt).not.toBeNull();
    expect(html).toMatchObject({
      file_name: null,
      reference: null,
      metadata: {},
      expires_at: null,
      pages: 1,
    });
    expect(receipt.proof).toBeNull();
    const proof = await service.get(`/v1/generations/${release.htmlGeneration}/proof`, release.key);
    expect([proof.status, proof.body.error.code]).toEqual([404, 'NOT_FOUND']);
    for (const link of [html.url, release.htmlUrl, release.mergedUrl])
      expect(Buffer.from(await service.download(onThisService(link))).toString('latin1', 0, 4)).toBe('%PDF');
    expect(await get(`/v1/batches/${release.batch}`)).toMatchObject({
      status: 'completed',
      total: 3,
      completed: 2,
      failed: 1,
      canceled: 0,
    });
    expect((await get('/v1/batches')).data).toHaveLength(1);
    expect(await get(`/v1/templates/${release.template}`)).toMatchObject({ version: 2, is_public: true });
    expect((await get(`/v1/templates/${release.template}?version=1`)).html_content).toContain('One');
    expect((await get('/v1/marketplace', release.cloner)).data).toHaveLength(1);
    expect(await get(`/v1/templates/${release.clone}`, release.cloner)).toMatchObject({ version: 1 });
    expect((await get('/v1/webhooks/deliveries')).data).toHaveLength(2);
    expect((await get('/v1/usage')).used).toBe(5);
    expect((await get('/v1/files')).data).toEqual([]);
  }, 60_000);

  test('is written: new documents, new versions, names, and deletions with their bytes', async () => {
    await using service = await TestService.start({ env: { DATA_DIR: dataDir } });
    const { key } = release;
    const made = await service.post(
      '/v1/generate',
      { template: release.template, data: { number: '8' }, file_name: 'eight', expires_in: 3_600 },
      key,
    );
    expect([made.status, made.body.file_name]).toEqual([200, 'eight.pdf']);
    const path = `/v1/templates/${release.template}`;
    const change = { body: { html_content: '<p>Three</p>' }, key };
    expect((await service.request('PUT', path, change)).body.version).toBe(3);
    const files = (await storedFiles()).length;
    const { body: batch } = await service.get(`/v1/batches/${release.batch}`, key);
    for (const id of [release.htmlGeneration, batch.generations[0].id]) {
      expect((await service.request('DELETE', `/v1/generations/${id}`, { key })).status).toBe(204);
      expect((await service.get(`/v1/generations/${id}`, key)).status).toBe(404);
    }
    expect((await storedFiles()).length).toBe(files - 2);
    expect((await service.get(`/v1/batches/${release.batch}`, key)).body).toMatchObject({
      completed: 2,
      failed: 1,
      generations: [{ status: 'deleted' }, {}, {}],
    });
    expect((await service.get('/v1/generations', key)).body.data).toHaveLength(
      release.generations.length - 1,
    );
  }, 60_000);

  test('keeps all files that records name, and loses the others when their links have expired', async () => {
    const config = loadConfig({ env: { DATA_DIR: dataDir }, cwd: dataDir });
    await using assembly = await assemble(config, createLog({ level: 'silent' }), () => '');
    const before = await storedFiles();
    const now = Date.now();
    setSystemTime(now + 29 * DAY_MS);
    expect(await assembly.orphans.sweep()).toBe(0);
    setSystemTime(now + 60 * DAY_MS);
    expect(await assembly.orphans.sweep()).toBe(1);
    const after = await storedFiles();
    const merged = new URL(release.mergedUrl).pathname.split('/').at(-1) ?? '';
    expect(before.filter((file) => !after.includes(file)).map((file) => file.split('/').at(-1))).toEqual([
      merged,
    ]);
  }, 60_000);
});
