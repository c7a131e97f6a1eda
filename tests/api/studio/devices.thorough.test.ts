import { beforeEach, describe, expect, test } from 'bun:test';
import { Authenticator } from '../../support/studio/authenticator.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { Browser, newLink, PASSWORD, withCollection } from '../../support/studio/studio.ts';

const service = sharedService({ env: { TRUST_PROXY: '1' } });

/** Sets all counts of failures to a number of failures. */
function setCounts(count: number): Promise<void> {
  return withCollection(service(), 'attempts', async (attempts) => {
    for (const { id } of await attempts.find()) await attempts.update({ id }, { count });
  });
}

beforeEach(() =>
  withCollection(service(), 'attempts', async (attempts) => {
    for (const { id } of await attempts.find()) await attempts.delete({ id });
  }),
);

/** Makes strangers guess the password of an account until it accepts no more of their guesses. */
async function lockStrangersOut(owner: Browser): Promise<void> {
  expect((await owner.another().signIn('wrong password')).status).toBe(401);
  await setCounts(100);
  expect((await owner.another().signIn()).status).toBe(429);
}

/** Opens the browser of a person who has signed out and moved to another network. */
async function travelling(owner: Browser): Promise<Browser> {
  const browser = owner.another();
  expect((await browser.signIn()).status).toBe(200);
  expect((await browser.post('/studio/api/sign-out')).status).toBe(204);
  const elsewhere = owner.another();
  elsewhere.device = browser.device;
  expect(elsewhere.device).toMatch(/^(?:__Host-)?platen_device=[0-9A-Za-z.]+$/);
  return elsewhere;
}

test('each sign-in sets the cookie of the device beside that of the session', async () => {
  const browser = new Browser(service());
  const token = await newLink(service(), { email: browser.email });
  const claimed = await browser.post('/studio/api/link/claim', { token, password: PASSWORD });
  const signedIn = await browser.another().signIn();
  for (const { headers } of [claimed, signedIn]) expect(headers.getSetCookie()).toHaveLength(2);
  expect(browser.setDevice).toMatch(
    /^__Host-platen_device=[0-9A-Za-z]{22}\.\d+\.[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=15552000; Secure$/,
  );
  const { device } = browser;
  await browser.post('/studio/api/sign-out');
  expect(browser.cookie).toBe('');
  expect(browser.device).toBe(device);
  const anonymous = await browser.get('/studio/api/keys');
  expect(anonymous.status).toBe(401);
});

describe('while strangers guess the password', () => {
  test('from twenty networks, they are locked out and a known browser is not', async () => {
    const owner = await Browser.signedIn(service());
    const known = await travelling(owner);
    expect((await owner.another().signIn('wrong password')).status).toBe(401);
    await setCounts(97);
    const strangers = Array.from({ length: 20 }, () => owner.another().signIn('wrong password'));
    const statuses = (await Promise.all(strangers)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(3);
    expect(statuses.filter((status) => status === 429)).toHaveLength(17);
    expect((await owner.another().signIn()).status).toBe(429);
    expect((await known.signIn()).status).toBe(200);
  });

  test('from the network of the owner, a known browser is not locked out', async () => {
    const owner = await Browser.signedIn(service());
    const known = await travelling(owner);
    const office = { 'x-forwarded-for': '198.51.100.7' };
    expect((await owner.another(office).signIn('wrong password')).status).toBe(401);
    await setCounts(30);
    expect((await owner.another(office).signIn()).status).toBe(429);
    const there = owner.another(office);
    there.device = known.device;
    expect((await there.signIn()).status).toBe(200);
  });

  test('a foreign, forged or outdated cookie of a device does not help', async () => {
    const owner = await Browser.signedIn(service());
    const foreign = await Browser.signedIn(service());
    const outdated = owner.device;
    const password = 'another long password';
    expect((await owner.put('/studio/api/password', { current_password: PASSWORD, password })).status).toBe(
      200,
    );
    await lockStrangersOut(owner);
    const [, value = ''] = owner.device.split('=');
    const forged = `__Host-platen_device=${value.slice(0, -4)}${value.endsWith('0000') ? '1111' : '0000'}`;
    for (const device of [
      foreign.device,
      outdated,
      forged,
      '__Host-platen_device=',
      `__Host-platen_device=${value}x`,
    ]) {
      const browser = owner.another();
      browser.device = device;
      expect([device, (await browser.signIn(password)).status]).toEqual([device, 429]);
    }
    const current = owner.another();
    current.device = owner.device;
    expect((await current.signIn(password)).status).toBe(200);
  });

  test('passkeys and links still sign in', async () => {
    // Browsers offer no passkeys at an IP address.
    const { port } = new URL(service().url);
    const byName = { origin: `http://localhost:${port}`, host: `localhost:${port}` };
    const authenticator = new Authenticator(byName.origin);
    const owner = (await Browser.signedIn(service())).another(byName);
    expect((await owner.signIn()).status).toBe(200);
    const added = (await owner.post('/studio/api/passkeys/options')).body;
    const registration = { ceremony: added.ceremony, response: authenticator.register(added.options) };
    expect((await owner.post('/studio/api/passkeys', registration)).status).toBe(201);
    await lockStrangersOut(owner);
    const stranger = new Browser(service(), byName);
    const { body } = await stranger.post('/studio/api/passkeys/sign-in-options');
    const proof = { ceremony: body.ceremony, response: authenticator.signIn(body.options) };
    expect((await stranger.post('/studio/api/passkeys/sign-in', proof)).status).toBe(200);
    const token = await newLink(service(), { email: owner.email });
    const claim = await owner.another().post('/studio/api/link/claim', { token, password: PASSWORD });
    expect(claim.status).toBe(201);
  });
});

describe('a known browser', () => {
  test('has ten guesses in 15 minutes, which count neither for strangers nor for other browsers', async () => {
    const owner = await Browser.signedIn(service());
    const [first, second] = [await travelling(owner), await travelling(owner)];
    expect((await first.signIn('wrong password')).status).toBe(401);
    const counted = await withCollection(service(), 'attempts', (attempts) => attempts.find());
    expect(counted.filter(({ count }) => count > 0)).toHaveLength(1);
    await setCounts(9);
    const statuses = await Promise.all(
      [1, 2, 3].map(async () => (await first.signIn('wrong password')).status),
    );
    expect(statuses.toSorted((a, b) => a - b)).toEqual([401, 429, 429]);
    const limited = await first.signIn();
    expect(limited.status).toBe(429);
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await second.signIn()).status).toBe(200);
    expect((await owner.another().signIn()).status).toBe(200);
  });

  test('that ends all other sessions stays known, and the others become unknown', async () => {
    const owner = await Browser.signedIn(service());
    const other = await travelling(owner);
    const before = owner.device;
    expect((await owner.delete('/studio/api/sessions')).status).toBe(204);
    expect(owner.device).not.toBe(before);
    await lockStrangersOut(owner);
    expect((await other.signIn()).status).toBe(429);
    await owner.post('/studio/api/sign-out');
    expect((await owner.signIn()).status).toBe(200);
  });

  test('is not created by a session without its cookie', async () => {
    const owner = await Browser.signedIn(service());
    const thief = owner.another();
    thief.cookie = owner.cookie;
    for (const path of ['/studio/api/session', '/studio/api/keys'])
      expect((await thief.get(path)).status).toBe(200);
    expect((await thief.delete('/studio/api/sessions')).status).toBe(204);
    expect((await thief.post('/studio/api/session/confirm', { password: PASSWORD })).status).toBe(204);
    expect(thief.device).toBe('');
  });

  test('is forgotten when the account is deleted', async () => {
    const owner = await Browser.signedIn(service());
    const deleted = await owner.post('/studio/api/account/delete', {
      email: owner.email,
      password: PASSWORD,
    });
    expect(deleted.status).toBe(204);
    expect([owner.cookie, owner.device]).toEqual(['', '']);
  });
});
