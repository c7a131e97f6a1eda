import { describe, expect, test } from 'bun:test';
import { extendedService } from '../../support/service/shared-service.ts';
import { assembledRoutes } from '../../support/studio/assembled-routes.ts';
import { Browser, newLink, PASSWORD, withCollection } from '../../support/studio/studio.ts';

const service = extendedService();

/**
 * The resources of the API that a session works with. They are the documents of the account and give no
 * access to it.
 */
const DOCUMENTS =
  /^\/v1\/(?:ai|assets|batches|files|generate|generations|images|integrations|marketplace|pdf|starter-templates|templates|webhook-endpoints\/:id\/test|webhooks\/deliveries)(?:\/|$)/;

const routes = assembledRoutes();

const nameOf = ({ method, path }: { method: string; path: string }) => `${method.toUpperCase()} ${path}`;

describe('every route', () => {
  test('of the studio needs a confirmation, or has a reason not to need it', () => {
    const studio = routes().filter(({ path }) => path === '/' || path.startsWith('/studio'));
    expect(studio.length).toBeGreaterThan(40);
    expect(studio.filter(({ spec }) => spec.confirmation === undefined).map(nameOf)).toEqual([]);
  });

  test('of the API that changes something needs a confirmation, or works on documents', () => {
    const unlisted = routes().filter(
      ({ method, path, spec }) =>
        path.startsWith('/v1/') &&
        method !== 'get' &&
        spec.confirmation !== 'required' &&
        !DOCUMENTS.test(path),
    );
    expect(unlisted.map(({ path }) => path)).toEqual([]);
  });
});

/** Moves the sign-ins and confirmations of a person six minutes into the past. */
async function ageSessions(browser: Browser): Promise<void> {
  const { id: accountId } = (await browser.get('/studio/api/session')).body.account;
  await withCollection(service(), 'sessions', async (sessions) => {
    const past = Date.now() - 6 * 60_000;
    for (const { id } of await sessions.find({ where: { accountId } }))
      await sessions.update({ id }, { createdAt: past, confirmedAt: past });
  });
}

describe('an action that outlasts a session', () => {
  test('needs a confirmation five minutes after the sign-in, on every such route', async () => {
    const lasting = routes()
      .filter(({ spec }) => spec.confirmation === 'required')
      .map(nameOf);
    expect(lasting).toContain('POST /v1/keys');
    expect(lasting.length).toBeGreaterThan(10);
    const operator = await Browser.signedIn(service(), 'operator');
    const victim = (await (await Browser.signedIn(service())).get('/studio/api/session')).body.account.id;
    await ageSessions(operator);
    for (const route of lasting) {
      const [method = '', path = ''] = route.split(' ');
      const answer = await operator.request(
        method,
        path.replace(':id', victim),
        method === 'GET' || method === 'DELETE' ? undefined : { name: 'stolen' },
      );
      expect([route, answer.status]).toEqual([route, 403]);
      expect(answer.body.error.details[0].code).toBe('CONFIRMATION_REQUIRED');
    }
    const confirmed = await operator.post('/studio/api/session/confirm', { password: PASSWORD });
    expect(confirmed.status).toBe(204);
    expect((await operator.get('/studio/api/session/confirmed')).status).toBe(204);
    expect((await operator.get('/studio/api/webhook-secret')).status).toBe(200);
    expect((await operator.post('/studio/api/keys', { name: 'mine' })).status).toBe(201);
    expect((await operator.post(`/studio/api/accounts/${victim}/link`)).status).toBe(201);
  });

  test('needs no confirmation right after the sign-in, nor with an API key', async () => {
    const browser = await Browser.signedIn(service());
    const { status, body } = await browser.post('/studio/api/keys', { name: 'first' });
    expect(status).toBe(201);
    const upload = await service().request('POST', '/v1/certificates', { key: body.key, body: {} });
    expect(upload.status).toBe(400);
  });
});

describe('a session restores a key', () => {
  /**
   * Returns a person's session of six minutes and a new one, a revocation of which the old one may not undo.
   */
  async function twoSessions(): Promise<{ old: Browser; recent: Browser; id: string; key: string }> {
    const old = await Browser.signedIn(service());
    const { id, key } = (await old.post('/studio/api/keys', { name: 'k' })).body;
    await ageSessions(old);
    const recent = old.another();
    expect((await recent.signIn()).status).toBe(200);
    return { old, recent, id, key };
  }
  const statusOf = async (key: string) => (await service().get('/v1/usage', key)).status;

  test.each(['one', 'several'])('that it revoked itself, as %s', async (number) => {
    const { old, id, key } = await twoSessions();
    if (number === 'one') await old.delete(`/studio/api/keys/${id}`);
    else await old.post('/studio/api/keys/revoke', { ids: [id] });
    expect(await statusOf(key)).toBe(401);
    expect((await old.post(`/studio/api/keys/${id}/restore`)).body.revoked_at).toBeNull();
    expect((await old.post(`/studio/api/keys/${id}/restore`)).status).toBe(200);
    expect(await statusOf(key)).toBe(200);
  });

  test.each(['another session', 'another session, by a list,', 'a command'])(
    'that %s revoked only with a confirmation',
    async (revoker) => {
      const { old, recent, id, key } = await twoSessions();
      if (revoker === 'another session') await recent.delete(`/studio/api/keys/${id}`);
      else if (revoker === 'a command') await service().accounts.revokeKey(id);
      else await recent.post('/studio/api/keys/revoke', { ids: [id] });
      // A second revocation does not make it the session's own.
      await old.delete(`/studio/api/keys/${id}`);
      const refused = await old.post(`/studio/api/keys/${id}/restore`);
      expect([refused.status, refused.body.error.details[0].code]).toEqual([403, 'CONFIRMATION_REQUIRED']);
      expect(await statusOf(key)).toBe(401);
      expect((await recent.post(`/studio/api/keys/${id}/restore`)).status).toBe(200);
      expect(await statusOf(key)).toBe(200);
    },
  );

  test('that another session revoked again only with a confirmation', async () => {
    const { old, recent, id } = await twoSessions();
    await old.delete(`/studio/api/keys/${id}`);
    expect((await old.post(`/studio/api/keys/${id}/restore`)).status).toBe(200);
    await recent.delete(`/studio/api/keys/${id}`);
    expect((await old.post(`/studio/api/keys/${id}/restore`)).status).toBe(403);
  });
});

describe('a sign-in link', () => {
  test('is not created for the own account or that of another operator', async () => {
    const operator = await Browser.signedIn(service(), 'operator');
    const other = await Browser.signedIn(service(), 'operator');
    for (const browser of [operator, other]) {
      const { id } = (await browser.get('/studio/api/session')).body.account;
      expect((await operator.post(`/studio/api/accounts/${id}/link`)).status).toBe(409);
    }
  });

  test('ends with a change of the password, in the same write', async () => {
    const browser = await Browser.signedIn(service());
    const unused = await newLink(service(), { email: browser.email });
    const { id } = (await browser.get('/studio/api/session')).body.account;
    // The state after the first write of a change, when the process dies before any other.
    const epoch = await withCollection(service(), 'users', async (users) => {
      const user = await users.get(id);
      await users.update({ id }, { generation: (user?.generation ?? 0) + 1 });
      return user?.generation;
    });
    expect(epoch).toBe(1);
    const stranger = browser.another();
    expect((await stranger.post('/studio/api/link', { token: unused })).status).toBe(404);
    const claim = { token: unused, password: 'a hijacked password' };
    expect((await stranger.post('/studio/api/link/claim', claim)).status).toBe(404);
    expect((await browser.another().signIn()).status).toBe(200);
  });

  test.each(['password', 'sessions', 'link'])('ends with a new %s', async (what) => {
    const browser = await Browser.signedIn(service());
    const unused = await newLink(service(), { email: browser.email });
    const open = async () => (await browser.another().post('/studio/api/link', { token: unused })).status;
    expect(await open()).toBe(200);
    if (what === 'password')
      await browser.put('/studio/api/password', {
        current_password: PASSWORD,
        password: 'another long password',
      });
    else if (what === 'sessions') await browser.delete('/studio/api/sessions');
    else {
      const token = await newLink(service(), { email: browser.email });
      const claim = await browser.another().post('/studio/api/link/claim', { token, password: PASSWORD });
      expect(claim.status).toBe(201);
    }
    expect(await open()).toBe(404);
  });

  test('ends with all other sessions, and the own session stays', async () => {
    const browser = await Browser.signedIn(service());
    const other = browser.another();
    await other.signIn();
    const unused = await newLink(service(), { email: browser.email });
    expect((await browser.delete('/studio/api/sessions')).status).toBe(204);
    expect((await other.get('/studio/api/keys')).status).toBe(401);
    expect((await browser.get('/studio/api/keys')).status).toBe(200);
    expect((await browser.get('/studio/api/sessions')).body.data).toHaveLength(1);
    expect((await browser.post('/studio/api/link', { token: unused })).status).toBe(404);
  });
});

test('a suspended account is reported with a stable code', async () => {
  const browser = await Browser.signedIn(service());
  const { key } = (await browser.post('/studio/api/keys', { name: 'k' })).body;
  const { id } = (await browser.get('/studio/api/session')).body.account;
  await service().accounts.update(id, { suspendedAt: Date.now() });
  for (const answer of [
    await browser.get('/studio/api/keys'),
    await browser.another().signIn(),
    await service().get('/v1/usage', key),
  ]) {
    expect(answer.status).toBe(403);
    expect(answer.body.error.details[0].code).toBe('ACCOUNT_SUSPENDED');
  }
});
