import { describe, expect, test } from 'bun:test';
import type { KeyLimits } from '../../../src/accounts/key-limits.ts';
import { SCOPES, type Scope } from '../../../src/accounts/scopes.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { Browser } from '../../support/studio/studio.ts';

const service = sharedService({ env: { TRUST_PROXY: '1' } });
const YEAR_MS = 365 * 24 * 60 * 60_000;
const inYears = (years: number) => new Date(Date.now() + years * YEAR_MS).toISOString();

let clients = 0;
/** Returns a header that names another client each time, because refused keys are limited by address. */
const from = () => {
  clients += 1;
  return { 'X-Forwarded-For': `127.1.${clients >> 8}.${clients & 255}` };
};
const create = (key: string, body: object) =>
  service().request('POST', '/v1/keys', { key, body: { name: 'new', ...body }, headers: from() });
const remove = (key: string, id: string) =>
  service().request('DELETE', `/v1/keys/${id}`, { key, headers: from() });
const statusOf = async (key: string, headers = from()) =>
  (await service().request('GET', '/v1/files', { key, headers })).status;
const newManager = (limits: Partial<KeyLimits> = {}) =>
  service().newKeyOfAccount({ scopes: SCOPES, ...limits });

// An account has at most 100 keys.
let limitedManager: string | undefined;
let fullManager: string | undefined;

describe('POST /v1/keys', () => {
  test('creates a key with limits, which is listed without the key, works, and can be revoked', async () => {
    const manager = await newManager();
    const expiry = inYears(1);
    const { status, body, headers } = await create(manager, {
      name: ' Web shop ',
      scopes: ['files', 'generate', 'files'],
      expires_at: expiry,
      allowed_ips: ['127.0.0.1', '::1', '127.0.0.1/32'],
    });
    expect([status, headers.get('cache-control')]).toEqual([201, 'no-store']);
    const { key, ...listed } = body;
    expect(key).toMatch(/^plt_live_\w{49}$/);
    expect(listed).toMatchObject({
      id: expect.stringMatching(/^key_/),
      name: 'Web shop',
      hint: key.slice(-4),
      scopes: ['generate', 'files'],
      expires_at: expiry,
      allowed_ips: ['127.0.0.1/32', '::1/128'],
      created_by: expect.stringMatching(/^key_/),
      last_used_at: null,
      revoked_at: null,
    });
    expect((await service().get('/v1/keys?limit=1', manager)).body.data).toEqual([listed]);
    expect((await service().get(`/v1/keys/${body.id}`, manager)).body).toEqual(listed);
    expect(await statusOf(key, { 'X-Forwarded-For': '127.0.0.1' })).toBe(200);
    expect((await service().get('/v1/usage', key)).body.error.message).toBe(
      'the API key lacks the scope "usage"',
    );
    expect((await remove(manager, body.id)).status).toBe(204);
    expect(await statusOf(key, { 'X-Forwarded-For': '127.0.0.1' })).toBe(401);
    const { data } = (await service().get('/v1/keys?status=revoked', manager)).body;
    expect(data.map(({ id }: { id: string }) => id)).toContain(body.id);
  });

  test('needs the scope keys, which a key has only if its creator names it', async () => {
    expect((await create(service().key, {})).status).toBe(403);
    const manager = await newManager();
    const { body } = await create(manager, {});
    expect(body.scopes).toEqual(SCOPES.filter((scope) => scope !== 'keys' && scope !== 'audit'));
    expect((await create(body.key, {})).status).toBe(403);
    expect((await service().get('/v1/keys', body.key)).status).toBe(403);
    expect((await remove(body.key, body.id)).status).toBe(403);
  });

  const limited: KeyLimits = {
    scopes: ['generate', 'pdf', 'keys'],
    expiresAt: Date.now() + YEAR_MS,
    allowedIps: ['127.0.0.0/8', '2001:db8::/32'],
    test: false,
  };

  test('takes the limits that are absent from the key of the request', async () => {
    const { body } = await create(await newManager(limited), {});
    expect(body).toMatchObject({
      scopes: ['generate', 'pdf'],
      expires_at: new Date(limited.expiresAt ?? 0).toISOString(),
      allowed_ips: limited.allowedIps,
    });
  });

  test('creates a key with exactly the limits of its own', async () => {
    const fields = {
      scopes: limited.scopes,
      expires_at: new Date(limited.expiresAt ?? 0).toISOString(),
      allowed_ips: limited.allowedIps,
    };
    const { status, body } = await create(await newManager(limited), fields);
    expect(status).toBe(201);
    expect(body).toMatchObject(fields);
  });

  test.each<[string, object]>([
    ['scopes', { scopes: ['files'] }],
    ['scopes', { scopes: ['generate', 'audit'] }],
    ['scopes', { scopes: ['generate', 'generate', 'files'] }],
    ['scopes', { scopes: SCOPES }],
    ['expires_at', { expires_at: null }],
    ['expires_at', { expires_at: inYears(2) }],
    ['expires_at', { expires_at: '9999-12-31T23:59:59Z' }],
    ['allowed_ips', { allowed_ips: null }],
    ['allowed_ips', { allowed_ips: ['0.0.0.0/0'] }],
    ['allowed_ips', { allowed_ips: ['::/0'] }],
    ['allowed_ips', { allowed_ips: ['126.0.0.0/7'] }],
    ['allowed_ips', { allowed_ips: ['127.0.0.1', '128.0.0.1'] }],
    ['allowed_ips', { allowed_ips: ['::ffff:0:0/96'] }],
    ['allowed_ips', { allowed_ips: ['::ffff:10.0.0.1'] }],
    ['allowed_ips', { allowed_ips: ['::127.0.0.1'] }],
    ['allowed_ips', { allowed_ips: ['2001:db0::/28'] }],
  ])('refuses a key that exceeds %s: %p', async (path, fields) => {
    limitedManager ??= await newManager(limited);
    const { status, body } = await create(limitedManager, fields);
    expect([status, body.error.code, body.error.details[0].path]).toEqual([403, 'FORBIDDEN', path]);
  });

  test('refuses a key without scopes to a key that has none of the default scopes', async () => {
    const manager = await newManager({ scopes: ['keys'] });
    expect((await create(manager, {})).body.error.details[0].path).toBe('scopes');
    expect((await create(manager, { scopes: null })).status).toBe(403);
    expect((await create(manager, { scopes: ['keys'] })).status).toBe(201);
  });

  test.each<[string, object]>([
    ['scopes', { scopes: [] }],
    ['scopes', { scopes: 'generate' }],
    ['scopes', { scopes: {} }],
    ['scopes[0]', { scopes: ['*'] }],
    ['scopes[0]', { scopes: ['Generate'] }],
    ['scopes[0]', { scopes: [' generate'] }],
    ['scopes[0]', { scopes: ['gener\u0430te'] }],
    ['scopes[0]', { scopes: ['ｋｅｙｓ'] }],
    ['scopes[0]', { scopes: ['keys\u0000'] }],
    ['scopes[0]', { scopes: ['session'] }],
    ['scopes[0]', { scopes: ['public'] }],
    ['scopes[1]', { scopes: ['generate', null] }],
    ['expires_at', { expires_at: '' }],
    ['expires_at', { expires_at: 4_102_444_800_000 }],
    ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
    ['expires_at', { expires_at: '2099-02-30T00:00:00Z' }],
    ['expires_at', { expires_at: '2099-01-01T25:00:00Z' }],
    ['expires_at', { expires_at: '2099-01-01T00:00:00' }],
    ['expires_at', { expires_at: '2099-01-01' }],
    ['expires_at', { expires_at: '+275760-09-13T00:00:00Z' }],
    ['expires_at', { expires_at: '٢٠٩٩-01-01T00:00:00Z' }],
    ['allowed_ips', { allowed_ips: [] }],
    ['allowed_ips', { allowed_ips: '10.0.0.0/8' }],
    ['allowed_ips[0]', { allowed_ips: [null] }],
    ['allowed_ips[1]', { allowed_ips: ['10.0.0.0/8', '10.0.0.1/8'] }],
    ['allowed_ips[0]', { allowed_ips: ['10.0.0.0/33'] }],
    ['allowed_ips[0]', { allowed_ips: ['0177.0.0.1'] }],
    ['allowed_ips[0]', { allowed_ips: ['localhost'] }],
    ['allowed_ips', { allowed_ips: Array.from({ length: 51 }, (_, part) => `10.0.0.${part}`) }],
    ['name', { name: '' }],
    ['name', { name: 'a\u202eb' }],
    ['ancestors', { ancestors: [] }],
    ['account_id', { account_id: 'acct_1' }],
    ['test', { test: 'yes' }],
    ['test', { test: null }],
  ])('rejects an invalid %s with 400: %p', async (path, fields) => {
    fullManager ??= await newManager();
    const { status, body } = await create(fullManager, fields);
    expect([status, body.error.code, body.error.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path]);
  });
});

describe('a key that another key created', () => {
  test('ends with its creator, and so do the keys that it created', async () => {
    const manager = await newManager();
    const parent = (await create(manager, { scopes: ['keys', 'files'] })).body;
    const child = (await create(parent.key, { scopes: ['keys', 'files'] })).body;
    const grandchild = (await create(child.key, {})).body;
    expect(await statusOf(grandchild.key)).toBe(200);
    expect((await remove(manager, parent.id)).status).toBe(204);
    for (const { key } of [parent, child, grandchild]) expect(await statusOf(key)).toBe(401);
    expect((await create(child.key, {})).status).toBe(401);
  });

  test('does not outlive a creator that is revoked while it creates keys', async () => {
    const manager = await newManager();
    const parent = (await create(manager, { scopes: ['keys', 'files'] })).body;
    const [, ...answers] = await Promise.all([
      remove(manager, parent.id),
      ...Array.from({ length: 8 }, () => create(parent.key, {})),
    ]);
    for (const { body } of answers) if (body.key) expect(await statusOf(body.key)).toBe(401);
    expect(await statusOf(parent.key)).toBe(401);
  });

  test('can revoke itself, and is not restored by creating another', async () => {
    const own = (await create(await newManager(), { scopes: ['keys', 'files'] })).body;
    expect((await remove(own.key, own.id)).status).toBe(204);
    expect((await create(own.key, {})).status).toBe(401);
  });

  test('creates others only in short chains, because each use reads its creators', async () => {
    let key = await newManager();
    const statuses: number[] = [];
    while (statuses.at(-1) !== 403 && statuses.length < 10) {
      const { status, body } = await create(key, { scopes: ['keys'] });
      statuses.push(status);
      key = body.key ?? key;
    }
    expect(statuses).toEqual([201, 201, 201, 201, 201, 403]);
  });

  test('expires with its creator', async () => {
    const { accounts } = service();
    const account = (await accounts.authenticate(service().key))?.account;
    if (!account) throw new Error('the service has no account');
    const scopes: Scope[] = ['files', 'keys'];
    const limits = { scopes, expiresAt: Date.now() - 1 };
    const expired = await accounts.createKey(account, 'expired', { limits });
    expect(await statusOf(expired.key)).toBe(401);
    expect((await create(expired.key, {})).status).toBe(401);
    // As if the creator had expired since.
    const creator = { ...expired.record, expiresAt: null };
    const child = await accounts.createKey(account, 'child', { limits: { scopes }, creator });
    expect(await statusOf(child.key)).toBe(401);
  });
});

test('keys of another account are neither shown nor revoked', async () => {
  const manager = await newManager();
  const foreign = (await create(manager, { name: 'foreign' })).body;
  const other = await service().forNewAccount();
  const otherManager = await other.newKeyOfAccount({ scopes: SCOPES });
  expect((await service().get(`/v1/keys/${foreign.id}`, otherManager)).status).toBe(404);
  expect((await remove(otherManager, foreign.id)).status).toBe(404);
  const { data } = (await service().get('/v1/keys', otherManager)).body;
  expect(data.map(({ id }: { id: string }) => id)).not.toContain(foreign.id);
  expect((await service().get(`/v1/keys?starting_after=${foreign.id}`, otherManager)).status).toBe(400);
  expect(await statusOf(foreign.key)).toBe(200);
});

describe('a session of the studio', () => {
  test('creates keys with the rights of the account, if its person was there recently', async () => {
    const browser = await Browser.signedIn(service());
    const body = { name: 'Manager', scopes: ['keys', 'files'] };
    const created = await browser.post('/v1/keys', body);
    expect(created.status).toBe(201);
    expect(created.body.created_by).toBeNull();
    expect((await create(created.body.key, { scopes: ['generate'] })).status).toBe(403);
    const listed = await browser.get('/studio/api/keys');
    expect(listed.body.data[0]).toMatchObject({ id: created.body.id, scopes: ['files', 'keys'] });
  });

  test('creates keys with limits at /studio/api/keys', async () => {
    const browser = await Browser.signedIn(service());
    const body = { name: 'Shop', scopes: ['files'], expires_at: inYears(1), allowed_ips: ['10.0.0.0/8'] };
    const created = await browser.post('/studio/api/keys', body);
    expect([created.status, created.body]).toEqual([201, expect.objectContaining(body)]);
    const invalid = await browser.post('/studio/api/keys', { ...body, scopes: [] });
    expect([invalid.status, invalid.body.error.details[0].path]).toEqual([400, 'scopes']);
  });
});

test('an account has at most 100 keys that are not revoked', async () => {
  const own = await service().forNewAccount();
  const manager = await own.newKeyOfAccount({ scopes: SCOPES });
  for (let count = 2; count < 99; count += 1) await own.newKeyOfAccount({});
  const last = await create(manager, {});
  expect(last.status).toBe(201);
  const refused = await create(manager, {});
  expect([refused.status, refused.body.error.code]).toEqual([409, 'CONFLICT']);
  await remove(manager, last.body.id);
  expect((await create(manager, {})).status).toBe(201);
});

describe('allowed_ips', () => {
  test('refuses a request from elsewhere', async () => {
    const key = await service().newKeyOfAccount({ allowedIps: ['203.0.113.0/24'] });
    const { status, body } = await service().get('/v1/files', key);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
    expect(body.error.message).toMatch(
      /^the API key does not accept requests from the address \S*127\.0\.0\.1$/,
    );
    expect((await service().get('/files/file_none', key)).status).toBe(403);
  });

  test.each<[string, number]>([
    ['203.0.113.9', 200],
    ['::ffff:203.0.113.9', 200],
    ['203.0.113.9:4711', 200],
    ['[2001:db8::1]:80', 200],
    ['203.0.114.9', 403],
    ['203.0.113.9, 198.51.100.1', 403],
    ['2001:db9::1', 403],
    ['::203.0.113.9', 403],
    ['203.0.113.9.', 403],
  ])('applies to the client %p behind a trusted proxy: %p', async (address, expected) => {
    const key = await service().newKeyOfAccount({ allowedIps: ['203.0.113.0/24', '2001:db8::/32'] });
    const headers = { 'X-Forwarded-For': address };
    expect((await service().request('GET', '/v1/files', { key, headers })).status).toBe(expected);
  });
});
