import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPkcs12 } from '@platen/pdf/signatures';
import { CERTIFICATE_PASSWORD, certificateFile } from '../support/certificates.ts';
import { platen, ServiceProcess } from '../support/process.ts';

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

  test('neither the database nor the log contains a private key or its password', async () => {
    const pkcs12 = certificateFile('rsa.p12');
    const { privateKey } = readPkcs12(pkcs12, CERTIFICATE_PASSWORD);
    const password = 'MARK-OF-THE-PASSWORD';
    const upload = (body: object) =>
      fetch(`${url}/v1/certificates`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ pkcs12: pkcs12.toString('base64'), ...body }),
      });
    expect((await upload({ password })).status).toBe(400);
    const stored = await upload({ password: CERTIFICATE_PASSWORD, name: 'MARK-OF-THE-NAME' });
    expect(stored.status).toBe(201);
    const database = await readDatabase();
    expect(database.includes('MARK-OF-THE-NAME')).toBe(true);
    // The secret exponent and the primes, wherever base64 begins.
    const encoded = [0, 1, 2].map((start) =>
      privateKey.subarray(600 + start, 660 + start).toString('base64'),
    );
    for (const secret of [privateKey.subarray(600, 640), ...encoded])
      expect(database.includes(secret)).toBe(false);
    for (const secret of [password, ...encoded, pkcs12.toString('base64', 100, 160)])
      expect(service.stderr).not.toContain(secret);
    expect(await stored.text()).not.toContain(encoded[0] ?? '');
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
    const own = join(folder, 'own');
    await mkdir(own);
    const made = await platen(['keys', 'create', '--email', 'bob@example.com'], { DATA_DIR: own });
    expect(made.code).toBe(0);
    expect((await stat(join(own, 'secret'))).mode & 0o777).toBe(0o600);
  });

  test.skipIf(process.platform !== 'linux')(
    "child processes do not inherit the service's environment",
    async () => {
      expect((await generate({ html: '<p>text</p><script>document.title = 1</script>' })).status).toBe(200);
      const started = await descendants(service.pid);
      const environments = await Promise.all(
        started.map((pid) => readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')),
      );
      // The browser, its renderers and the sandbox process.
      expect(environments.filter((text) => text.includes('PATH=')).length).toBeGreaterThan(2);
      expect(environments.filter((text) => text.includes('PLATEN_SECRET') || text.includes(SECRET))).toEqual(
        [],
      );
    },
  );
});

/** Lists the descendants of a process. */
async function descendants(root: number): Promise<number[]> {
  const list = Bun.spawn(['ps', '-eo', 'pid=,ppid='], { stdout: 'pipe' });
  const rows = (await new Response(list.stdout).text()).trim().split('\n');
  const parents = rows.map((row) => row.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    parents.flatMap(([pid = 0, of]) => (of === parent ? [pid, ...below(pid)] : []));
  return below(root);
}
