import { describe, expect, test } from 'bun:test';
import type { ApiKey } from '../../../src/accounts/accounts.ts';
import { loadConfig } from '../../../src/config.ts';
import { openState } from '../../../src/state.ts';
import type { Collection } from '../../../src/store/store.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { Browser, newLink, PASSWORD, withCollection } from '../../support/studio/studio.ts';

const service = sharedService({ env: { TRUST_PROXY: '1' } });

/** Calls a function with the records of API keys. */
async function withKeys(work: (keys: Collection<ApiKey>) => Promise<unknown>): Promise<void> {
  const { env, dataDir } = service();
  const { store } = await openState(loadConfig({ env: { PATH: process.env['PATH'], ...env }, cwd: dataDir }));
  await work(await store.collection<ApiKey>({ name: 'api_keys' }));
  await store.close();
}

/** A token that an attacker planted. */
const PLANTED = 'x'.repeat(43);

describe('the cookie', () => {
  test('is HttpOnly, SameSite, Secure and bound to its host', async () => {
    const browser = await Browser.signedIn(service());
    expect(browser.setCookie).toMatch(
      /^__Host-platen_session=[0-9A-Za-z]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200; Secure$/,
    );
  });

  test('has no prefix over plain http on another host, and is then ignored over https', async () => {
    const owner = await Browser.signedIn(service());
    const plain = owner.another({ origin: 'http://pdf.example', host: 'pdf.example' });
    expect((await plain.signIn()).status).toBe(200);
    expect(plain.setCookie).toMatch(
      /^platen_session=[0-9A-Za-z]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/,
    );
    expect((await plain.get('/studio/api/keys')).status).toBe(200);
    const https = { origin: 'https://pdf.example', host: 'pdf.example', 'x-forwarded-proto': 'https' };
    const encrypted = owner.another(https);
    expect((await encrypted.get('/studio/api/keys', { cookie: plain.cookie })).status).toBe(401);
    expect((await encrypted.signIn()).status).toBe(200);
    expect(encrypted.setCookie).toMatch(/^__Host-platen_session=.*; Secure$/);
  });

  test('is not Secure at http://localhost for Safari, which would drop it', async () => {
    const owner = await Browser.signedIn(service());
    const engine = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit';
    const safari = owner.another({
      'user-agent': `${engine}/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15`,
    });
    expect((await safari.signIn()).status).toBe(200);
    expect(safari.setCookie).toMatch(
      /^platen_session=[0-9A-Za-z]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=43200$/,
    );
    expect((await safari.get('/studio/api/keys')).status).toBe(200);
    const page = { origin: '', 'sec-fetch-site': 'same-origin' };
    expect((await safari.get('/v1/templates', page)).status).toBe(200);
    const chrome = owner.another({
      'user-agent': `${engine}/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36`,
    });
    expect((await chrome.signIn()).status).toBe(200);
    expect(chrome.setCookie).toMatch(/^__Host-platen_session=.*; Secure$/);
    expect((await chrome.get('/studio/api/keys', { cookie: safari.cookie })).status).toBe(401);
    const https = { origin: 'https://pdf.example', host: 'pdf.example', 'x-forwarded-proto': 'https' };
    expect((await safari.get('/studio/api/keys', https)).status).toBe(401);
  });

  test('is Secure behind a proxy that hides https from the service, if the browser reports https', async () => {
    const owner = await Browser.signedIn(service());
    const hidden = { host: 'pdf.example', 'sec-fetch-site': 'same-origin' };
    const browser = owner.another({ ...hidden, origin: 'https://pdf.example' });
    expect((await browser.signIn()).status).toBe(200);
    expect(browser.setCookie).toMatch(/^__Host-platen_session=.*; Secure$/);
    const reading = { origin: '' };
    expect((await browser.get('/studio/api/session', reading)).body.signed_in).toBe(true);
    expect(browser.setCookie).toMatch(/^__Host-platen_session=.*; Secure$/);
    const plain = browser.cookie.replace('__Host-', '');
    expect((await browser.get('/studio/api/keys', { ...reading, cookie: plain })).status).toBe(401);
    const foreign = owner.another({ ...hidden, origin: 'https://evil.example' });
    expect((await foreign.signIn()).status).toBe(403);
  });

  test('gets a new token at each sign-in, never the token that the browser sends', async () => {
    const owner = await Browser.signedIn(service());
    const victim = owner.another();
    victim.cookie = `__Host-platen_session=${PLANTED}`;
    expect((await victim.signIn()).status).toBe(200);
    expect(victim.cookie).not.toContain(PLANTED);
    const attacker = owner.another();
    attacker.cookie = `__Host-platen_session=${PLANTED}`;
    expect((await attacker.get('/studio/api/keys')).status).toBe(401);

    const first = victim.cookie;
    await victim.signIn();
    expect(victim.cookie).not.toBe(first);
    expect((await attacker.get('/studio/api/keys', { cookie: first })).status).toBe(401);
  });

  test('is removed by signing out, which ends the session', async () => {
    const browser = await Browser.signedIn(service());
    const { cookie } = browser;
    expect((await browser.post('/studio/api/sign-out')).status).toBe(204);
    expect(browser.setCookie).toContain('Max-Age=0');
    expect((await browser.get('/studio/api/keys', { cookie })).status).toBe(401);
    expect((await browser.post('/studio/api/sign-out')).status).toBe(204);
  });
});

describe('a session', () => {
  test('lasts twelve hours after its last use', async () => {
    const browser = await Browser.signedIn(service());
    const { body } = await browser.get('/studio/api/session');
    const { id, expires_at: expiresAt } = body.session;
    const halfDay = 12 * 60 * 60_000;
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - halfDay)).toBeLessThan(60_000);

    const now = Date.now();
    await withCollection(service(), 'sessions', (sessions) =>
      sessions.update({ id }, { lastUsedAt: now - 3_600_000, expiresAt: now + 60_000 }),
    );
    const extended = (await browser.get('/studio/api/session')).body.session.expires_at;
    expect(Date.parse(extended)).toBeGreaterThanOrEqual(now + halfDay);

    await withCollection(service(), 'sessions', (sessions) =>
      sessions.update({ id }, { expiresAt: now - 1 }),
    );
    expect((await browser.get('/studio/api/session')).body.signed_in).toBe(false);
    expect((await browser.get('/studio/api/keys')).status).toBe(401);
    expect((await browser.get('/v1/usage')).status).toBe(401);
  });

  test('can be listed and ended from another browser', async () => {
    const browser = await Browser.signedIn(service());
    const other = browser.another({ 'user-agent': 'Another Browser/1.0' });
    await other.signIn();
    const { body } = await browser.get('/studio/api/sessions');
    expect(body.data).toHaveLength(2);
    expect(body.data[0]).toMatchObject({ current: false, user_agent: 'Another Browser/1.0' });
    expect(body.data[1].current).toBe(true);
    expect((await browser.delete(`/studio/api/sessions/${body.data[0].id}`)).status).toBe(204);
    expect((await other.get('/studio/api/keys')).status).toBe(401);
    await other.signIn();
    expect((await browser.delete('/studio/api/sessions')).status).toBe(204);
    expect((await other.get('/studio/api/keys')).status).toBe(401);
    expect((await browser.get('/studio/api/keys')).status).toBe(200);
  });

  test('authenticates the public API as its account', async () => {
    const browser = await Browser.signedIn(service());
    const created = await browser.post('/v1/templates', {
      name: 'Mine',
      category: 'invoice',
      html_content: '<p>{{name}}</p>',
    });
    expect(created.status).toBe(201);
    const { body } = await browser.get('/v1/templates');
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Mine']);
    expect((await browser.get('/v1/usage')).body.plan).toBe('pro');
  });

  test('is not accepted with a request from a page of another origin', async () => {
    const browser = await Browser.signedIn(service());
    const origin = 'https://evil.example';
    const foreign: Record<string, string>[] = [
      { origin },
      { origin, 'sec-fetch-site': 'same-origin' },
      { origin: 'null' },
      { origin: '', 'sec-fetch-site': 'cross-site' },
      { origin: '', 'sec-fetch-site': 'same-site' },
      { origin: new URL(service().url).origin, 'sec-fetch-site': 'cross-site' },
    ];
    // Failures count by address.
    foreign.forEach((headers, index) => (headers['x-forwarded-for'] = `198.51.100.${index}`));
    for (const headers of [...foreign, { origin: '' }]) {
      const change = await browser.post('/studio/api/keys', { name: 'stolen' }, headers);
      expect(change.status).toBe(403);
      expect((await browser.post('/v1/generate', { html: 'x' }, headers)).status).toBe(401);
      expect((await browser.post('/studio/api/sign-out', undefined, headers)).status).toBe(403);
    }
    for (const headers of foreign) {
      expect((await browser.get('/v1/templates', headers)).status).toBe(401);
      expect((await browser.get('/studio/api/keys', headers)).status).toBe(403);
      expect((await browser.get('/studio/api/session', headers)).body.signed_in).toBe(false);
    }
    expect((await browser.get('/studio/api/keys')).body.data).toEqual([]);
    const image = { origin: '', 'sec-fetch-site': 'same-origin' };
    expect((await browser.get('/v1/templates', image)).status).toBe(200);
  });

  test('cannot be started by a page of another origin', async () => {
    const owner = await Browser.signedIn(service());
    const token = await newLink(service(), { email: owner.email });
    for (const headers of [{ origin: 'https://evil.example' }, { origin: '' }]) {
      const foreign = owner.another(headers);
      expect((await foreign.signIn()).status).toBe(403);
      expect((await foreign.post('/studio/api/link/claim', { token, password: PASSWORD })).status).toBe(403);
      expect((await foreign.post('/studio/api/passkeys/sign-in-options')).status).toBe(403);
      expect(foreign.cookie).toBe('');
    }
  });

  test('is required by /studio/api, which rejects API keys', async () => {
    const key = await service().newKey();
    for (const path of ['/studio/api/keys', '/studio/api/sessions', '/studio/api/passkeys'])
      expect((await service().get(path, key)).status).toBe(403);
    expect((await service().get('/studio/api/keys', null)).status).toBe(401);
    expect((await service().get('/studio/api/no-such-route', null)).status).toBe(404);
  });

  test('ends when the account is suspended, and neither keys nor passwords work', async () => {
    const browser = await Browser.signedIn(service());
    const { key } = (await browser.post('/studio/api/keys', { name: 'k' })).body;
    const { id } = (await browser.get('/studio/api/session')).body.account;
    await service().accounts.update(id, { suspendedAt: Date.now() });
    expect((await service().get('/v1/usage', key)).status).toBe(403);
    expect((await browser.get('/v1/usage')).status).toBe(403);
    expect((await browser.get('/studio/api/keys')).status).toBe(403);
    expect((await browser.get('/studio/api/session')).body.signed_in).toBe(false);
    expect((await browser.another().signIn()).status).toBe(403);
    await service().accounts.update(id, { suspendedAt: null });
    expect((await service().get('/v1/usage', key)).status).toBe(200);
    expect((await browser.get('/studio/api/keys')).status).toBe(200);
  });
});

describe('API keys', () => {
  test('are created, named and listed without the key', async () => {
    const browser = await Browser.signedIn(service());
    const created = await browser.post('/studio/api/keys', { name: 'Shop' });
    expect(created.status).toBe(201);
    const { id, key } = created.body;
    expect((await service().get('/v1/usage', key)).status).toBe(200);
    const renamed = await browser.put(`/studio/api/keys/${id}`, { name: 'Web shop' });
    expect(renamed.body).toMatchObject({ id, name: 'Web shop', hint: key.slice(-4), revoked_at: null });
    const list = await browser.get('/studio/api/keys');
    expect(JSON.stringify(list.body)).not.toContain(key);
    expect(list.body.data[0].last_used_at).not.toBeNull();
    const nameless = await browser.post('/studio/api/keys', { name: ' ' });
    expect(nameless.status).toBe(400);
    expect(nameless.body.error.details[0].path).toBe('name');
  });

  test('are listed in pages, and limited to a hundred that are not revoked', async () => {
    const browser = await Browser.signedIn(service());
    const account = await service().accounts.findByEmail(browser.email);
    if (!account) throw new Error('the account is missing');
    for (let left = 100; left > 0; left -= 1) await service().accounts.createKey(account, 'k');
    const page = await browser.get('/studio/api/keys?limit=40&offset=70');
    expect(page.body.data).toHaveLength(30);
    expect(page.body.has_more).toBe(false);
    expect((await browser.get('/studio/api/keys?limit=99')).body.has_more).toBe(true);
    expect((await browser.post('/studio/api/keys', { name: 'one more' })).status).toBe(409);
    await browser.delete(`/studio/api/keys/${page.body.data[0].id}`);
    expect((await browser.post('/studio/api/keys', { name: 'one more' })).status).toBe(201);
  });

  test('are rejected once they are revoked, and can be restored for 15 seconds', async () => {
    const browser = await Browser.signedIn(service());
    const { id, key } = (await browser.post('/studio/api/keys', { name: 'k' })).body;
    const revoked = await browser.delete(`/studio/api/keys/${id}`);
    expect(revoked.status).toBe(200);
    const { revoked_at: at, restorable_until: until } = revoked.body;
    expect(Date.parse(until) - Date.parse(at)).toBe(15_000);
    expect((await service().get('/v1/usage', key)).status).toBe(401);
    expect((await browser.post(`/studio/api/keys/${id}/restore`)).body.revoked_at).toBeNull();
    expect((await service().get('/v1/usage', key)).status).toBe(200);

    await browser.delete(`/studio/api/keys/${id}`);
    await withKeys((keys) => keys.update({ id }, { revokedAt: Date.now() - 15_001 }));
    expect((await browser.post(`/studio/api/keys/${id}/restore`)).status).toBe(409);
    expect((await service().get('/v1/usage', key)).status).toBe(401);
  });

  test('of another account are not found, nor are its sessions and passkeys', async () => {
    const [owner, other] = [await Browser.signedIn(service()), await Browser.signedIn(service())];
    const { id, key } = (await owner.post('/studio/api/keys', { name: 'k' })).body;
    const session = (await owner.get('/studio/api/session')).body.session.id;
    expect((await other.get('/studio/api/keys')).body.data).toEqual([]);
    expect((await other.get('/studio/api/sessions')).body.data).toHaveLength(1);
    const attempts = [
      other.put(`/studio/api/keys/${id}`, { name: 'mine' }),
      other.delete(`/studio/api/keys/${id}`),
      other.post(`/studio/api/keys/${id}/restore`),
      other.delete(`/studio/api/sessions/${session}`),
      other.put(`/studio/api/passkeys/${id}`, { name: 'mine' }),
      other.delete(`/studio/api/passkeys/${id}`),
    ];
    for (const answer of await Promise.all(attempts)) expect(answer.status).toBe(404);
    expect((await service().get('/v1/usage', key)).status).toBe(200);
    expect((await owner.get('/studio/api/keys')).body.data[0].name).toBe('k');
  });
});
