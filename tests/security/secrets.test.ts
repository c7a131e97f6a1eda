import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPkcs12 } from '@platen/signatures';
import { CERTIFICATE_PASSWORD, certificateFile } from '../support/signatures/certificates.ts';
import { keyNeedles, needlesOf, readFolder } from '../support/signatures/key-search.ts';
import { pagesPdf } from '../support/pdf/samples.ts';
import { descendantsOf, platen, ServiceProcess } from '../support/service/process.ts';
import { base64 } from '../support/signatures/sign-client.ts';

const SECRET = 'the secret of this test, 7431';

let folder: string;
let dataDir: string;
let service: ServiceProcess;
let url: string;
let key: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  // The service creates this folder.
  dataDir = join(folder, 'data');
  service = new ServiceProcess({ DATA_DIR: dataDir, PLATEN_SECRET: SECRET, LOG_LEVEL: 'trace' });
  url = await service.ready();
  const args = ['keys', 'create', '--email', 'ann@example.com', '--plan', 'pro'];
  key = (await platen(args, { DATA_DIR: dataDir, PLATEN_SECRET: SECRET })).stdout.trim();
});

afterAll(async () => {
  service.kill('SIGTERM');
  await service.exited;
  await rm(folder, { recursive: true, force: true });
});

function generate(body: object): Promise<Response> {
  return fetch(`${url}/v1/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Reads all database files. */
async function readDatabase(): Promise<Buffer> {
  const names = (await readdir(dataDir)).filter((name) => name.startsWith('platen.sqlite'));
  expect(names).toContain('platen.sqlite');
  return Buffer.concat(await Promise.all(names.map((name) => readFile(join(dataDir, name)))));
}

describe('secrets', () => {
  test('the database contains neither API keys nor the secret that hashes them', async () => {
    expect(key).toStartWith('plt_live_');
    expect((await generate({ html: '<p>text</p>' })).status).toBe(200);
    const database = await readDatabase();
    // Proves that these are the right files.
    expect(database.includes('ann@example.com')).toBe(true);
    for (const secret of [key, key.slice('plt_live_'.length, -6), SECRET])
      expect(database.includes(secret)).toBe(false);
  });

  test('no file, log or response contains a private key or its password', async () => {
    const password = 'MARK-OF-THE-PASSWORD';
    const responses: string[] = [];
    const call = async (path: string, body?: object) => {
      const answer = await fetch(`${url}${path}`, {
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body && { method: 'POST', body: JSON.stringify(body) }),
      });
      responses.push(await answer.text());
      return { status: answer.status, body: JSON.parse(responses.at(-1) ?? '') };
    };
    const needles: Buffer[] = [Buffer.from(password)];
    const pdfs: Buffer[] = [];
    for (const name of ['rsa.p12', 'ec.p12']) {
      const pkcs12 = certificateFile(name);
      const { privateKey } = readPkcs12(pkcs12, CERTIFICATE_PASSWORD);
      const secrets = keyNeedles(privateKey);
      // Proves that the search would find the key.
      expect(secrets.some((secret) => privateKey.toString('base64').includes(secret.toString()))).toBe(true);
      needles.push(...secrets, ...needlesOf(pkcs12.subarray(300)));
      const upload = { pkcs12: pkcs12.toString('base64'), name: `MARK-OF-${name}` };
      expect((await call('/v1/certificates', { ...upload, password })).status).toBe(400);
      const stored = await call('/v1/certificates', { ...upload, password: CERTIFICATE_PASSWORD });
      expect(stored.status).toBe(201);
      await call(`/v1/certificates/${stored.body.id}`);
      const request = { certificate: stored.body.id, visible: false, output: 'base64' };
      const signed = await call('/v1/pdf/sign', { pdf: base64(pagesPdf(1)), ...request });
      expect(signed.status).toBe(200);
      pdfs.push(Buffer.from(signed.body.data, 'base64'));
    }
    await call('/v1/certificates');
    const places = {
      files: Buffer.concat(await readFolder(dataDir)),
      log: Buffer.from(`${service.stdout}${service.stderr}`),
      responses: Buffer.from(responses.join()),
      pdfs: Buffer.concat(pdfs),
    };
    // Proves that these are the right places.
    for (const place of ['files', 'responses'] as const)
      expect(places[place].includes('MARK-OF-rsa.p12')).toBe(true);
    expect(places.log.includes('"msg":"request"')).toBe(true);
    const found = Object.entries(places).flatMap(([place, bytes]) =>
      needles.some((needle) => bytes.includes(needle)) ? [place] : [],
    );
    expect(found).toEqual([]);
  });

  test('logs contain no keys, documents or data', async () => {
    const body = {
      html: '<p>MARK-OF-THE-HTML {{name}}</p><script>throw 1</script>',
      data: { name: 'MARK-OF-THE-DATA' },
    };
    expect((await generate(body)).status).toBe(200);
    expect((await generate({ ...body, html: '{{#if MARK-OF-THE-HTML' })).status).toBe(400);
    const thrown = '<script>throw new Error("MARK-OF-THE-HTML {{name}}")</script>';
    expect((await generate({ ...body, html: thrown, options: { strict: true } })).status).toBe(400);
    expect(service.stderr).toContain('"reason":"SCRIPT_ERROR"');
    expect(service.stderr).toContain('"msg":"request"');
    for (const text of [key, SECRET, 'MARK-OF-THE-HTML', 'MARK-OF-THE-DATA'])
      expect(service.stderr).not.toContain(text);
  });

  test.skipIf(process.platform === 'win32')(
    'a data directory that the service created has mode 0700',
    async () => {
      expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    },
  );

  test('a secret that the service generated has mode 0600', async () => {
    const newDir = join(folder, 'new');
    await mkdir(newDir);
    const made = await platen(['keys', 'create', '--email', 'bob@example.com'], { DATA_DIR: newDir });
    expect(made.code).toBe(0);
    expect((await stat(join(newDir, 'secret'))).mode & 0o777).toBe(0o600);
  });

  test.skipIf(process.platform !== 'linux')(
    "child processes do not inherit the service's environment",
    async () => {
      expect((await generate({ html: '<p>text</p><script>document.title = 1</script>' })).status).toBe(200);
      const started = await descendantsOf(service.pid);
      const environments = await Promise.all(
        started.map(({ pid }) => readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')),
      );
      // The browser, its renderers and the sandbox process.
      expect(environments.filter((text) => text.includes('PATH=')).length).toBeGreaterThan(2);
      expect(environments.filter((text) => text.includes('PLATEN_SECRET') || text.includes(SECRET))).toEqual(
        [],
      );
    },
  );
});
