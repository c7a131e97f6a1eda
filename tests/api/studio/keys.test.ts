import { describe, expect, test } from 'bun:test';
import { extendedService } from '../../support/service/shared-service.ts';
import { Browser } from '../../support/studio/studio.ts';

const service = extendedService();

/** Creates keys of the account of a browser and returns their ids, oldest first. */
async function createKeys(browser: Browser, count: number): Promise<string[]> {
  const account = await service().accounts.findByEmail(browser.email);
  if (!account) throw new Error('the account is missing');
  const ids: string[] = [];
  for (let left = count; left > 0; left -= 1)
    ids.push((await service().accounts.createKey(account, `key ${left}`)).record.id);
  return ids;
}

const idsOf = (list: { body: { data: { id: string }[] } }) => list.body.data.map(({ id }) => id);

describe('the list of API keys', () => {
  test('reaches an active key that is older than 120 revoked keys, and every revoked key', async () => {
    const browser = await Browser.signedIn(service());
    const [oldest = '', ...others] = await createKeys(browser, 121);
    for (const id of others) await service().accounts.revokeKey(id);
    const active = await browser.get('/studio/api/keys?status=active');
    expect(idsOf(active)).toEqual([oldest]);
    expect(active.body.has_more).toBe(false);
    const first = await browser.get('/studio/api/keys?status=revoked');
    expect(first.body.has_more).toBe(true);
    const rest = await browser.get('/studio/api/keys?status=revoked&offset=100');
    expect(rest.body.has_more).toBe(false);
    expect([...idsOf(first), ...idsOf(rest)].toSorted()).toEqual(others.toSorted());
    expect((await browser.get('/studio/api/keys?limit=1')).body.data[0].id).not.toBe(oldest);
  });

  test('rejects an unknown status', async () => {
    const browser = await Browser.signedIn(service());
    const { status, body } = await browser.get('/studio/api/keys?status=lost');
    expect(status).toBe(400);
    expect(body.error.message).toBe('status: must be "active" or "revoked"');
  });
});

describe('the revocation of several keys', () => {
  test('ends their access at once and no other, and each can be restored for a moment', async () => {
    const browser = await Browser.signedIn(service());
    const made = [];
    for (const name of ['a', 'b', 'c']) made.push((await browser.post('/studio/api/keys', { name })).body);
    const [a, b, c] = made;
    const { status, body } = await browser.post('/studio/api/keys/revoke', { ids: [b.id, a.id] });
    expect(status).toBe(200);
    expect(idsOf({ body })).toEqual([b.id, a.id]);
    expect(body.data[0].revoked_at).not.toBeNull();
    expect((await service().get('/v1/usage', a.key)).status).toBe(401);
    expect((await service().get('/v1/usage', b.key)).status).toBe(401);
    expect((await service().get('/v1/usage', c.key)).status).toBe(200);
    expect((await browser.post(`/studio/api/keys/${b.id}/restore`)).status).toBe(200);
    expect((await service().get('/v1/usage', b.key)).status).toBe(200);
  });

  test('keeps the time of the first revocation', async () => {
    const browser = await Browser.signedIn(service());
    const { id } = (await browser.post('/studio/api/keys', { name: 'k' })).body;
    const first = await browser.delete(`/studio/api/keys/${id}`);
    const second = await browser.post('/studio/api/keys/revoke', { ids: [id] });
    expect(second.body.data[0].revoked_at).toBe(first.body.revoked_at);
  });

  test('revokes none if one of them is unknown or belongs to another account', async () => {
    const browser = await Browser.signedIn(service());
    const { id, key } = (await browser.post('/studio/api/keys', { name: 'k' })).body;
    const [foreign = ''] = await createKeys(await Browser.signedIn(service()), 1);
    for (const unknown of [foreign, 'key_unknown']) {
      const { status, body } = await browser.post('/studio/api/keys/revoke', { ids: [id, unknown] });
      expect(status).toBe(400);
      expect(body.error.details[0].path).toBe('ids[1]');
    }
    expect((await service().get('/v1/usage', key)).status).toBe(200);
  });

  test.each([
    ['an empty list', { ids: [] }, 'ids'],
    ['a key that is listed twice', { ids: ['key_a', 'key_a'] }, 'ids'],
    ['101 keys', { ids: Array.from({ length: 101 }, (_, index) => `key_${index}`) }, 'ids'],
    ['a number', { ids: [7] }, 'ids[0]'],
    ['no list', {}, 'ids'],
  ])('rejects %s', async (_, body, path) => {
    const browser = await Browser.signedIn(service());
    const answer = await browser.post('/studio/api/keys/revoke', body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.details[0].path).toBe(path);
  });

  test('is not open to API keys', async () => {
    const key = await service().newKey();
    const withKey = await service().request('POST', '/studio/api/keys/revoke', {
      key,
      body: { ids: ['key_a'] },
    });
    expect(withKey.status).toBe(403);
  });
});
