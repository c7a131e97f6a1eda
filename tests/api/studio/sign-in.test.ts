import { describe, expect, spyOn, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';
import { Browser, newLink, PASSWORD, withCollection } from '../../support/studio/studio.ts';

// Each browser has its own address, because failures are counted by address.
const service = sharedService({ env: { TRUST_PROXY: '1' } });

/** Sets all counts of failures to a number of failures. */
function setCounts(count: number): Promise<void> {
  return withCollection(service(), 'attempts', async (attempts) => {
    for (const { id } of await attempts.find()) await attempts.update({ id }, { count });
  });
}

describe('a sign-in link', () => {
  test('names its account, and signs in once', async () => {
    const browser = new Browser(service());
    const token = await newLink(service(), { email: browser.email });
    const link = await browser.post('/studio/api/link', { token });
    expect(link.status).toBe(200);
    expect(link.body).toMatchObject({ email: browser.email, role: 'owner', existing: false });
    expect(Date.parse(link.body.expires_at) - Date.now()).toBeLessThanOrEqual(24 * 60 * 60_000);

    const claimed = await browser.post('/studio/api/link/claim', { token, password: PASSWORD });
    expect(claimed.status).toBe(201);
    expect(claimed.body).toMatchObject({
      signed_in: true,
      account: { email: browser.email },
      role: 'owner',
      has_password: true,
    });
    expect((await browser.get('/studio/api/session')).body.signed_in).toBe(true);

    const again = new Browser(service());
    expect((await again.post('/studio/api/link', { token })).status).toBe(404);
    const second = await again.post('/studio/api/link/claim', { token, password: PASSWORD });
    expect(second.status).toBe(404);
    expect(second.headers.getSetCookie()).toEqual([]);
  });

  test('signs in only one of several simultaneous requests', async () => {
    const { email } = new Browser(service());
    const token = await newLink(service(), { email });
    const claims = Array.from({ length: 6 }, () =>
      new Browser(service()).post('/studio/api/link/claim', { token, password: PASSWORD }),
    );
    const statuses = (await Promise.all(claims)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([201, 404, 404, 404, 404, 404]);
  });

  test('remains valid after a request that fails, and not after a day', async () => {
    const browser = new Browser(service());
    const token = await newLink(service());
    const short = await browser.post('/studio/api/link/claim', {
      token,
      email: browser.email,
      password: 'short',
    });
    expect(short.status).toBe(400);
    expect(short.body.error.details[0].path).toBe('password');
    const nameless = await browser.post('/studio/api/link/claim', { token, password: PASSWORD });
    expect(nameless.body.error.details[0].path).toBe('email');
    const taken = await Browser.signedIn(service());
    const conflict = await browser.post('/studio/api/link/claim', {
      token,
      email: taken.email,
      password: PASSWORD,
    });
    expect(conflict.status).toBe(409);
    expect((await browser.post('/studio/api/link', { token })).status).toBe(200);
    await withCollection(service(), 'links', (links) =>
      links.update({ accountId: null, usedAt: null }, { expiresAt: Date.now() - 1 }),
    );
    expect((await browser.post('/studio/api/link', { token })).status).toBe(404);
  });

  test('works again after a request whose process died', async () => {
    const browser = new Browser(service());
    const token = await newLink(service(), { email: browser.email });
    const account = await service().accounts.findByEmail(browser.email);
    // Sets the state after the first write of the request.
    const setLease = (claimedUntil: number) =>
      withCollection(service(), 'links', (links) =>
        links.update({ accountId: account?.id ?? '' }, { claimedUntil }),
      );
    const redeem = async () =>
      (await browser.post('/studio/api/link/claim', { token, password: PASSWORD })).status;
    await setLease(Date.now() + 60_000);
    expect(await redeem()).toBe(404);
    await setLease(Date.now() - 1);
    expect(await redeem()).toBe(201);
  });

  test('sets a new password for an account, and ends its sessions', async () => {
    const browser = await Browser.signedIn(service());
    const token = await newLink(service(), { email: browser.email });
    const other = browser.another();
    expect((await other.post('/studio/api/link', { token })).body.existing).toBe(true);
    const claim = { token, password: 'another long password' };
    expect((await other.post('/studio/api/link/claim', claim)).status).toBe(201);
    expect((await browser.get('/studio/api/keys')).status).toBe(401);
    expect((await browser.another().signIn()).status).toBe(401);
    expect((await browser.another().signIn(claim.password)).status).toBe(200);
  });
});

describe('a password', () => {
  test('that is wrong gets the same response as an unknown email address', async () => {
    const known = await Browser.signedIn(service());
    const wrong = await known.another().signIn('wrong password');
    const unknown = await new Browser(service()).signIn('wrong password');
    expect(wrong.status).toBe(401);
    expect(unknown.status).toBe(401);
    expect(unknown.body.error.message).toBe(wrong.body.error.message);
    expect(wrong.headers.getSetCookie()).toEqual([]);
  });

  test('of an unknown email address is hashed too', async () => {
    const known = await Browser.signedIn(service());
    const verify = spyOn(Bun.password, 'verify');
    try {
      for (const browser of [known.another(), new Browser(service())]) {
        verify.mockClear();
        expect((await browser.signIn('wrong password')).status).toBe(401);
        expect(verify).toHaveBeenCalledTimes(1);
      }
    } finally {
      verify.mockRestore();
    }
  });

  test('can be guessed ten times from a network, also simultaneously, and the owner is not locked out', async () => {
    const owner = await Browser.signedIn(service());
    const stranger = { 'x-forwarded-for': '203.0.113.9' };
    const guesses = Array.from({ length: 14 }, () => owner.another(stranger).signIn('wrong password'));
    const answers = await Promise.all(guesses);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10);
    const limited = answers.filter(({ status }) => status === 429);
    expect(limited).toHaveLength(4);
    const wait = Number(limited[0]?.headers.get('retry-after'));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(15 * 60);
    expect((await owner.another(stranger).signIn()).status).toBe(429);
    expect((await owner.another().signIn()).status).toBe(200);
  });

  test('can be guessed a hundred times from all networks, except those with a session of the account', async () => {
    const home = { 'x-forwarded-for': '203.0.113.77' };
    const owner = await Browser.signedIn(service());
    expect((await owner.another(home).signIn()).status).toBe(200);
    const { email } = owner;
    await withCollection(service(), 'attempts', async (attempts) => {
      for (const { id } of await attempts.find()) await attempts.delete({ id });
    });
    expect((await owner.another().signIn('wrong password')).status).toBe(401);
    // The network and its failures for the account stay below their limits.
    await setCounts(100);
    const strangers = [owner.another(), new Browser(service(), {}, email)];
    for (const stranger of strangers) expect((await stranger.signIn()).status).toBe(429);
    expect((await owner.another(home).signIn()).status).toBe(200);
    expect((await owner.post('/studio/api/session/confirm', { password: PASSWORD })).status).toBe(204);
  });

  test('can be guessed ten times in a session, from whatever network', async () => {
    const owner = await Browser.signedIn(service());
    const confirm = async (network: number, password: string) => {
      const headers = { 'x-forwarded-for': `203.0.113.${network}` };
      return (await owner.post('/studio/api/session/confirm', { password }, headers)).status;
    };
    for (let network = 0; network < 10; network += 1) expect(await confirm(network, 'wrong')).toBe(403);
    expect(await confirm(11, PASSWORD)).toBe(429);
    expect((await owner.another().signIn()).status).toBe(200);
  });

  test('can be guessed thirty times from an address', async () => {
    const guess = async () => {
      const browser = new Browser(service(), { 'x-forwarded-for': '192.0.2.77' });
      return (await browser.signIn('wrong password')).status;
    };
    expect(await guess()).toBe(401);
    await setCounts(29);
    expect(await guess()).toBe(401);
    expect(await guess()).toBe(429);
    expect((await new Browser(service()).signIn('wrong password')).status).toBe(401);
  });

  test('can be guessed thirty times from a network of IPv6 addresses', async () => {
    const guess = async (address: string) => {
      const browser = new Browser(service(), { 'x-forwarded-for': address });
      return (await browser.signIn('wrong password')).status;
    };
    expect(await guess('2001:db8:1::1')).toBe(401);
    await setCounts(30);
    expect(await guess('2001:DB8:1:0:a:b:c:d')).toBe(429);
    expect(await guess('2001:db8:1:1::1')).toBe(401);
  });

  test('that is correct resets the failures of its account', async () => {
    const owner = await Browser.signedIn(service());
    await owner.another().signIn('wrong password');
    await setCounts(9);
    expect((await owner.another().signIn()).status).toBe(200);
    expect((await owner.another().signIn('wrong password')).status).toBe(401);
    expect((await owner.another().signIn()).status).toBe(200);
  });

  test('is changed only with the current password, and then all other sessions end', async () => {
    const browser = await Browser.signedIn(service());
    const other = browser.another();
    await other.signIn();
    const password = 'a new long password';
    const missing = await browser.put('/studio/api/password', { password });
    expect(missing.status).toBe(400);
    expect(missing.body.error.details[0].path).toBe('current_password');
    const wrong = await browser.put('/studio/api/password', { password, current_password: 'wrong one' });
    expect(wrong.status).toBe(403);
    expect(wrong.body.error.details[0]).toMatchObject({ path: 'current_password', code: 'PASSWORD_WRONG' });
    const before = browser.cookie;
    const changed = await browser.put('/studio/api/password', { password, current_password: PASSWORD });
    expect(changed.status).toBe(200);
    expect(browser.cookie).not.toBe(before);
    expect((await browser.get('/studio/api/keys')).status).toBe(200);
    expect((await other.get('/studio/api/keys')).status).toBe(401);
    expect((await other.get('/studio/api/session')).body.signed_in).toBe(false);
    expect((await browser.another().get('/studio/api/keys', { cookie: before })).status).toBe(401);
    expect((await browser.another().signIn()).status).toBe(401);
    expect((await browser.another().signIn(password)).status).toBe(200);
  });
});

test('the store contains neither tokens nor passwords', async () => {
  const browser = new Browser(service());
  const token = await newLink(service(), { email: browser.email });
  await browser.post('/studio/api/link/claim', { token, password: PASSWORD });
  const all = await Promise.all(
    (['users', 'sessions', 'links', 'attempts'] as const).map((name) =>
      withCollection(service(), name, (collection) => collection.find()),
    ),
  );
  const text = JSON.stringify(all);
  expect(text).toContain('$argon2id$');
  for (const secret of [token, PASSWORD, browser.cookie.split('=')[1] ?? '']) {
    expect(secret.length).toBeGreaterThan(10);
    expect(text).not.toContain(secret);
  }
});
