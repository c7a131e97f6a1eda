import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platen } from '../../support/service/process.ts';
import { mongoServer } from '../../support/service/servers.ts';
import { TestService } from '../../support/service/service.ts';
import { loadConfig } from '../../../src/config.ts';
import { startService } from '../../../src/service.ts';

setDefaultTimeout(60_000);
const server = await mongoServer();
const secret = 'a secret of the tests';

describe.if(server !== undefined)('a service on MongoDB', () => {
  test('makes and lists PDFs, with a key from the command line', async () => {
    const { url = '' } = (await mongoServer()) ?? {};
    const env = { MONGODB_URL: url, PLATEN_SECRET: secret };
    await using service = await TestService.start({ env });
    const args = ['keys', 'create', '--email', 'ann@example.com', '--plan', 'pro'];
    const made = await platen(args, { ...env, DATA_DIR: service.dataDir });
    expect(made.stderr).toBe('');
    const key = made.stdout.trim();
    const answer = await service.post('/v1/generate', { html: '<p>Hello</p>' }, key);
    expect(answer.body).toMatchObject({ status: 'completed', pages: 1 });
    const stored = await service.post('/v1/templates', { name: 'T', html_content: '<p>{{a}}</p>' }, key);
    const { id: template } = stored.body;
    const printed = await service.post('/v1/generate', { template }, key);
    const byTemplate = `template_id=${template}&status=completed&created_after=2026-01-01`;
    const found = await service.get(`/v1/generations?${byTemplate}`, key);
    expect(found.body.data.map(({ id }: { id: string }) => id)).toEqual([printed.body.id]);
    const earlier = await service.get(`/v1/generations?${byTemplate}&created_before=2026-01-02`, key);
    expect(earlier.body.data).toEqual([]);
    const list = await service.get('/v1/generations', key);
    expect(JSON.stringify(list.body)).toContain(answer.body.id);
    expect((await service.get('/readyz', null)).status).toBe(200);
  });

  test('creates no first key', async () => {
    const { url = '' } = (await mongoServer()) ?? {};
    const dataDir = await mkdtemp(join(tmpdir(), 'platen-test-'));
    const env = {
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATA_DIR: dataDir,
      MONGODB_URL: url,
      PLATEN_SECRET: secret,
    };
    const service = await startService(loadConfig({ env, cwd: dataDir }));
    expect(service.firstKey).toBeUndefined();
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
  });
});

describe('MONGODB_URL', () => {
  test.each([
    ['a value that is not a URL', 'localhost', 'mongodb://user:password@host:27017/database'],
    ['a URL with an unknown option', 'mongodb://ann:geheim@127.0.0.1:1/x?colour=red', 'colour'],
    ['an unreachable server', 'mongodb://ann:geheim@127.0.0.1:1/x', '127.0.0.1:1'],
  ])('with %s stops the command with one sentence', async (_, url, part) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'platen-test-'));
    const { code, stdout, stderr } = await platen(['accounts', 'list'], {
      MONGODB_URL: url,
      PLATEN_SECRET: secret,
      DATA_DIR: dataDir,
    });
    await rm(dataDir, { recursive: true, force: true });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toStartWith('platen: MONGODB_URL: ');
    expect(stderr.trim().split('\n').length).toBe(1);
    expect(stderr).toContain(part);
    expect(stderr).not.toContain('geheim');
  });
});
