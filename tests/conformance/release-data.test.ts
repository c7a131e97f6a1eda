import { afterAll, afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { assemble } from '../../src/assembly.ts';
import { loadConfig } from '../../src/config.ts';
import { createLog } from '../../src/log.ts';
import { completed } from '../support/batch/batches.ts';
import { moveClock } from '../support/clock.ts';
import { TestService } from '../support/service/service.ts';
import { Authenticator } from '../support/studio/authenticator.ts';
import { Browser } from '../support/studio/studio.ts';
import { until } from '../support/until.ts';
import type { ReleaseData } from '../release-data/make.ts';

const DAY_MS = 24 * 60 * 60_000;
const RECEIVER = '127.0.0.1:9';

const root = mkdtempSync(join(tmpdir(), 'platen-test-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let dataDir = '';
let release: ReleaseData;
let clock: Disposable;

beforeEach(async () => {
  const folder = mkdtempSync(join(root, 'copy-'));
  const archive = join(import.meta.dir, '..', 'fixtures', 'data-0.1.0.tar.gz');
  const { exitCode, stderr } = Bun.spawnSync(['tar', '-xzf', archive, '-C', folder]);
  if (exitCode !== 0) throw new Error(stderr.toString());
  dataDir = join(folder, 'data');
  release = (await Bun.file(join(folder, 'fixture.json')).json()) as ReleaseData;
  // Links, receipts and deliveries are kept for 30 days.
  clock = moveClock(Date.parse(release.madeAt) + 60 * 60_000);
});

afterEach(() => {
  clock[Symbol.dispose]();
});

const start = () =>
  TestService.start({ env: { DATA_DIR: dataDir, TRUST_PROXY: '1', EGRESS_ALLOW: RECEIVER } });

async function storedFiles(): Promise<string[]> {
  const entries = await readdir(join(dataDir, 'files'), { recursive: true });
  return entries.filter((entry) => /file_\w+$/.test(entry));
}

describe('a data directory of release 0.1.0', () => {
  test('is read: records, files, links, templates, assets, certificates and people', async () => {
    await using service = await start();
    const get = async (path: string, key = release.key) => {
      const { status, body } = await service.get(path, key);
      expect([path, status]).toEqual([path, 200]);
      return body;
    };
    const { receipt, ...made } = await get(`/v1/generations/${release.generation}?receipt=true`);
    expect(receipt).not.toBeNull();
    expect(made).toMatchObject({ status: 'completed', file_name: 'first.pdf', pages: 1 });
    expect(await get(`/v1/generations/${release.fromTemplate}`)).toMatchObject({ status: 'completed' });
    for (const link of [made.url, release.mergedUrl]) {
      const { pathname, search } = new URL(link);
      const pdf = Buffer.from(await service.download(service.url + pathname + search));
      expect(pdf.toString('latin1', 0, 4)).toBe('%PDF');
    }
    expect(await get(`/v1/templates/${release.template}`)).toMatchObject({ version: 2, is_public: true });
    expect((await get(`/v1/templates/${release.template}?version=1`)).html_content).toContain('One');
    expect((await get('/v1/marketplace', release.cloner)).data).toHaveLength(1);
    expect(await get(`/v1/templates/${release.clone}`, release.cloner)).toMatchObject({ version: 1 });
    expect(await get(`/v1/assets/${release.asset}`)).toMatchObject({ name: release.asset });
    expect(await get(`/v1/certificates/${release.certificate}`)).toMatchObject({ id: release.certificate });
    expect((await get('/v1/usage')).used).toBeGreaterThanOrEqual(2);
    const browser = new Browser(service, {}, release.studio.email);
    expect((await browser.signIn(release.studio.password)).body.signed_in).toBe(true);
  }, 60_000);

  test('is read: failures, batches, proofs and passkeys', async () => {
    await using service = await start();
    const get = async (path: string) => (await service.get(path, release.key)).body;
    expect(await get(`/v1/generations/${release.failed}`)).toMatchObject({
      status: 'failed',
      file_name: 'refused.pdf',
      url: null,
      error: expect.stringMatching(/^TEMPLATE_ERROR: /),
    });
    const failures = (await get('/v1/generations?status=failed')).data;
    expect(failures.map(({ id }: { id: string }) => id)).toContain(release.failed);
    const mixed = await get(`/v1/batches/${release.mixedBatch}`);
    expect(mixed).toMatchObject({ status: 'completed', completed: 1, failed: 1 });
    expect(mixed.generations).toMatchObject([
      { status: 'completed', error: null },
      { status: 'failed', error: expect.stringMatching(/^TEMPLATE_ERROR: /) },
    ]);
    expect(await get(`/v1/generations/${release.proved}/proof`)).toEqual(release.proof);
    expect(release.proof).toMatchObject({ claims: [{ standard: 'PDF/A', level: '1b' }] });

    const { port } = new URL(service.url);
    const origin = `http://localhost:${port}`;
    const browser = new Browser(service, { origin, host: `localhost:${port}` });
    const { options, ceremony } = (await browser.post('/studio/api/passkeys/sign-in-options')).body;
    const response = new Authenticator(origin, release.studio.passkey).signIn(options);
    const signedIn = await browser.post('/studio/api/passkeys/sign-in', { ceremony, response });
    expect([signedIn.status, signedIn.body.account?.email]).toEqual([200, release.studio.email]);
  }, 60_000);

  test('is continued: the queued batch is completed, and the delivery is attempted again', async () => {
    await using service = await start();
    const accepted = { status: 202, headers: new Headers(), body: { batch_id: release.batch } };
    expect(await completed(service, accepted, release.key)).toMatchObject({ completed: 8, failed: 0 });
    await until(async () => {
      const { body } = await service.get('/v1/webhooks/deliveries', release.key);
      return body.data.some(({ attempts }: { attempts: number }) => attempts > 1);
    });
  }, 60_000);

  test('is written: new documents, new versions, and deletions with their bytes', async () => {
    await using service = await start();
    const { key } = release;
    const request = { template: release.template, data: { number: '8' }, file_name: 'eight' };
    const made = await service.post('/v1/generate', request, key);
    expect([made.status, made.body.file_name]).toEqual([200, 'eight.pdf']);
    const change = { body: { html_content: '<p>Three</p>' }, key };
    const path = `/v1/templates/${release.template}`;
    expect((await service.request('PUT', path, change)).body.version).toBe(3);
    const deleted = `/v1/generations/${release.generation}`;
    const { pathname } = new URL((await service.get(deleted, key)).body.url);
    const file = basename(pathname);
    expect((await storedFiles()).map((stored) => basename(stored))).toContain(file);
    expect((await service.request('DELETE', deleted, { key })).status).toBe(204);
    expect((await service.get(deleted, key)).status).toBe(404);
    expect((await storedFiles()).map((stored) => basename(stored))).not.toContain(file);
  }, 60_000);

  test('keeps all files that records name, and deletes a file that no record names', async () => {
    const config = loadConfig({ env: { DATA_DIR: dataDir }, cwd: dataDir });
    await using assembly = await assemble(config, createLog({ level: 'silent' }), () => '');
    const before = await storedFiles();
    expect(before.length).toBeGreaterThanOrEqual(3);
    expect(before.map((path) => basename(path))).toContain(release.unnamedFile);
    for (const [days, deleted] of [
      [29, 0],
      [60, 1],
    ] as const) {
      clock[Symbol.dispose]();
      clock = moveClock(Date.parse(release.madeAt) + days * DAY_MS);
      expect([days, await assembly.orphans.sweep()]).toEqual([days, deleted]);
    }
    const named = before.filter((path) => basename(path) !== release.unnamedFile);
    expect((await storedFiles()).toSorted()).toEqual(named.toSorted());
  }, 60_000);
});
