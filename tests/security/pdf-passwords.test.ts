import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { samplePdf } from '../../plugins/pdf-tools/examples.ts';
import { readDataFolder } from '../support/service/data-folder.ts';
import { platen, ServiceProcess } from '../support/service/process.ts';
import { until } from '../support/until.ts';

const OWNER = 'owner5518secret';
const USER = 'user5518secret';
const SECRETS = [OWNER, USER];
const MARKER = 'marker5518';

const protect = { ownerPassword: OWNER, userPassword: USER };
const fields = { owner_password: OWNER, user_password: USER };

let folder: string;
let dataDir: string;
let service: ServiceProcess;
let base: string;
let key: string;
let env: Record<string, string>;
/** The text of all responses. */
let responses = '';

async function call(method: string, path: string, body?: object, headers?: Record<string, string>) {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  responses += text + JSON.stringify([...response.headers]);
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}

function expectAbsent(bytes: Buffer | string): void {
  for (const secret of SECRETS) expect([secret, bytes.includes(secret)]).toEqual([secret, false]);
}

describe('passwords of PDFs are in', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'platen-passwords-'));
    dataDir = join(folder, 'data');
    const config = join(folder, 'platen.config.json');
    await writeFile(config, JSON.stringify({ plugins: { 'pdf-tools': { protect: true } } }));
    env = { DATA_DIR: dataDir, PLATEN_CONFIG: config, LOG_LEVEL: 'trace' };
    service = new ServiceProcess(env);
    base = await service.ready();
    key = await service.firstKey();

    const { body: made } = await call('POST', '/v1/pdf/protect', { pdf: samplePdf, ...fields });
    expect(made.protected).toBe(true);
    expect((await call('POST', '/v1/pdf/unlock', { pdf: made.file_id, password: USER })).status).toBe(200);
    const rejected: [string, object][] = [
      ['/v1/pdf/unlock', { pdf: made.file_id, password: `${OWNER}!` }],
      ['/v1/pdf/unlock', { pdf: samplePdf, password: OWNER.repeat(100) }],
      ['/v1/pdf/protect', { pdf: 'no PDF', ...fields }],
      ['/v1/pdf/protect', { pdf: samplePdf, owner_password: `${OWNER}\n`, user_password: OWNER.repeat(20) }],
      ['/v1/pdf/protect', { pdf: made.file_id, ...fields, unknown: 1 }],
      ['/v1/generate', { html: 'x', options: { protect: { ...protect, unknown: 1 } } }],
      ['/v1/generate', { html: 'x', options: { protect, pdfa: true } }],
      ['/v1/generate', { html: 'x', options: { protect: { ownerPassword: `${OWNER}\n` } } }],
      ['/v1/generate', { html: '{{#if', data: {}, options: { protect } }],
      ['/v1/templates', { name: 'x', html_content: 'x', options: { protect } }],
    ];
    for (const [path, body] of rejected) {
      const { status } = await call('POST', path, body);
      expect([path, status]).toEqual([path, 400]);
    }
    await call('POST', '/v1/generate', { html: `<p>${MARKER}`, options: { protect }, reference: MARKER });

    const items = Array.from({ length: 20 }, () => ({ html: `<p>${MARKER}`, options: { protect } }));
    const idempotent = { 'Idempotency-Key': 'passwords' };
    const { body: batch } = await call('POST', '/v1/generate/batch', { items }, idempotent);
    // Read while items wait.
    const waiting = await readDataFolder(dataDir);
    expect(waiting.includes(MARKER)).toBe(true);
    expectAbsent(waiting);
    await call('POST', '/v1/generate/batch', { items }, idempotent);
    await until(async () => (await call('GET', `/v1/batches/${batch.batch_id}`)).body.status === 'completed');
    const { body: done } = await call('GET', `/v1/batches/${batch.batch_id}`);
    expect([done.completed, done.failed]).toEqual([20, 0]);
    for (const { id } of done.generations.slice(0, 3))
      await call('GET', `/v1/generations/${id}?receipt=true`);
    await call('GET', '/v1/files');
    await call('GET', '/v1/generations?limit=100');
  }, 120_000);

  afterAll(async () => {
    service.kill('SIGTERM');
    await service.exited;
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  test('no file of the data directory', async () => {
    const data = await readDataFolder(dataDir);
    expect(data.includes(MARKER)).toBe(true);
    expectAbsent(data);
  });

  test('no line of the log', () => {
    expect(service.stderr).toContain('/v1/pdf/unlock');
    expectAbsent(service.stderr);
    expectAbsent(service.stdout);
  });

  test('no response', () => {
    expect(responses).toContain('owner_password');
    expectAbsent(responses);
  });

  test('no export of the account', async () => {
    const file = join(folder, 'export.zip');
    const args = ['accounts', 'export', '--email', 'admin@localhost', '--out', file];
    expect((await platen(args, env)).code).toBe(0);
    const child = Bun.spawn(['unzip', '-p', file], { stdout: 'pipe', stderr: 'ignore' });
    const text = Buffer.from(await new Response(child.stdout).arrayBuffer());
    expect(text.includes(MARKER)).toBe(true);
    expectAbsent(text);
  }, 60_000);
});
