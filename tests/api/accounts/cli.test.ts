import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { platen } from '../../support/service/process.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite, isBeyondNpmTest, isThorough } from '../../support/suite.ts';

const service = sharedService();
const run = (...args: string[]) => platen(args, service().env);

describe('platen keys and accounts, during a running service', () => {
  test('a new key works at once, and a revoked key gets 401 at once', async () => {
    const { stdout, stderr, code } = await run(
      'keys',
      'create',
      '--email',
      'Ann@Example.com',
      '--plan',
      'pro',
      '--name',
      'ci',
    );
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^plt_live_[0-9A-Za-z]{49}\n$/);
    const key = stdout.trim();
    const answer = await service().get('/v1/generations', key);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ratelimit-limit')).toBe('100');

    const list = (await run('keys', 'list', '--email', 'ann@example.com')).stdout;
    expect(list).not.toContain(key);
    const [, id = ''] = new RegExp(`(key_\\S+) +ann@example\\.com +ci +…${key.slice(-4)} `).exec(list) ?? [];
    expect(await run('keys', 'revoke', id)).toMatchObject({ code: 0 });
    expect((await service().get('/v1/generations', key)).status).toBe(401);
    expect(await run('keys', 'revoke', id)).toMatchObject({ code: 0 });
    expect(await run('keys', 'revoke', 'key_none')).toMatchObject({
      code: 1,
      stderr: 'platen: the key key_none does not exist\n',
    });
  });

  test('a key can be limited', async () => {
    const create = ['keys', 'create', '--email', 'limited@example.com'];
    const limits = ['--scopes', 'usage,files', '--expires-at', '2999-01-31T00:00:00Z'];
    const { stdout } = await run(...create, ...limits, '--allowed-ips', '127.0.0.0/8,::1');
    const key = stdout.trim();
    expect((await service().get('/v1/usage', key)).status).toBe(200);
    expect((await service().get('/v1/generations', key)).status).toBe(403);
    expect((await run('keys', 'list', '--email', 'limited@example.com')).stdout).toMatch(
      / 2999-01-31T00:00:00\.000Z {2}127\.0\.0\.0\/8,::1\/128 {2}files,usage {2}live\n$/,
    );
  });

  test('a test key has its own prefix and is listed as one', async () => {
    const { stdout } = await run('keys', 'create', '--email', 'tester@example.com', '--test');
    expect(stdout).toMatch(/^plt_test_[0-9A-Za-z]{49}\n$/);
    expect((await service().get('/v1/usage', stdout.trim())).headers.get('ratelimit-policy')).toStartWith(
      '"test";',
    );
    expect((await run('keys', 'list', '--email', 'tester@example.com')).stdout).toMatch(/ test\n$/);
  });

  test.if(isBeyondNpmTest)('a second key for an email address belongs to the same account', async () => {
    await run('keys', 'create', '--email', 'two@example.com');
    await run('keys', 'create', '--email', 'two@example.com');
    const { stdout } = await run('accounts', 'list');
    expect(stdout.match(/two@example\.com/g)?.length).toBe(1);
  });

  test('accounts are created, changed and listed', async () => {
    expect(await run('accounts', 'create', '--email', 'b@example.com', '--plan', 'starter')).toMatchObject({
      code: 0,
    });
    expect(await run('accounts', 'create', '--email', 'b@example.com')).toMatchObject({
      code: 1,
      stderr: 'platen: the account b@example.com already exists\n',
    });
    expect(
      await run('accounts', 'set', '--email', 'b@example.com', '--plan', 'pro', '--monthly-limit', '12'),
    ).toMatchObject({ code: 0, stdout: 'b@example.com: plan pro, monthly limit 12\n' });
    expect((await run('accounts', 'list')).stdout).toMatch(/b@example\.com +pro +0 +12 /);
    expect(await run('accounts', 'set', '--email', 'b@example.com', '--monthly-limit', 'plan')).toMatchObject(
      { code: 0 },
    );
    const key = (await run('keys', 'create', '--email', 'b@example.com')).stdout.trim();
    expect((await service().post('/v1/generate', { html: 'x' }, key)).status).toBe(200);
    expect((await run('accounts', 'list')).stdout).toMatch(/b@example\.com +pro +1 +plan /);
  });

  const wrong: [string[], string][] = [
    [['accounts', 'create', '--email', 'nonsense'], 'must be an email address'],
    [['accounts', 'create'], '--email'],
    [['keys', 'create', '--email', 'a@b.c', '--scopes', 'generate,all'], '"all" is not a scope'],
    [['keys', 'create', '--email', 'a@b.c', '--scopes', ''], '"" is not a scope'],
    [
      ['keys', 'create', '--email', 'a@b.c', '--expires-at', 'tomorrow'],
      '--expires-at: must be a time with its time zone',
    ],
    [
      ['keys', 'create', '--email', 'a@b.c', '--allowed-ips', '10.0.0.1/8'],
      '--allowed-ips: has bits after its prefix; write 10.0.0.0/8',
    ],
    [['accounts', 'set', '--email', 'b@example.com'], 'nothing to change'],
    [
      ['accounts', 'set', '--email', 'unknown@example.com', '--plan', 'pro'],
      'the account unknown@example.com does not exist',
    ],
    [['accounts', 'set', '--email', 'b@example.com', '--monthly-limit', '-3'], 'whole number'],
    [
      ['keys', 'create', '--email', 'a@b.c', '--plan', 'gold'],
      'Allowed choices are free, starter, pro, enterprise',
    ],
  ];
  test.each(casesOfSuite(wrong, 8))('%j is rejected', async (args, says) => {
    const { code, stdout, stderr } = await run(...args);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(says);
  });

  test('an unknown command is wrong usage', async () => {
    const { code, stdout, stderr } = await run('nothing');
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain("unknown command 'nothing'");
  });
});

describe('platen doctor', () => {
  let dataDir = '';
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'platen-test-'));
  });
  afterAll(() => rm(dataDir, { recursive: true, force: true }));

  test('reports the state of each part in under 24 lines', async () => {
    const { code, stdout } = await platen(['doctor'], { DATA_DIR: dataDir });
    for (const part of ['store', 'files', 'sandbox', 'egress', 'browser', 'fonts']) {
      expect(stdout).toMatch(new RegExp(`^(ok  |FAIL)  ${part} `, 'm'));
    }
    expect(stdout).toMatch(/^ok {4}browser +Chromium \d+/m);
    expect(stdout.split('\n').length).toBeLessThan(24);
    expect(code).toBe(stdout.includes('FAIL') ? 1 : 0);
  });

  test.if(isThorough)('names a part that does not work', async () => {
    const { code, stdout, stderr } = await platen(['doctor'], {
      DATA_DIR: dataDir,
      CHROMIUM_PATH: '/bin/false',
    });
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(/^FAIL {2}browser /m);
    expect(stdout).toMatch(/^ok {4}store/m);
  });
});
