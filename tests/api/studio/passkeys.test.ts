import { describe, expect, test } from 'bun:test';
import { Authenticator, type Deviation } from '../../support/studio/authenticator.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { Browser, newLink, PASSWORD, withCollection } from '../../support/studio/studio.ts';

const service = sharedService({ env: { TRUST_PROXY: '1' } });

/**
 * Returns the address of the service with a host name, because browsers offer no passkeys at an IP address.
 */
const atLocalhost = () => {
  const { port } = new URL(service().url);
  return { origin: `http://localhost:${port}`, host: `localhost:${port}` };
};
const newAuthenticator = () => new Authenticator(atLocalhost().origin);

async function ownerAtLocalhost(): Promise<Browser> {
  const browser = (await Browser.signedIn(service())).another(atLocalhost());
  expect((await browser.signIn()).status).toBe(200);
  return browser;
}

/** Moves the sign-ins and confirmations of a person six minutes into the past. */
async function ageSessions(browser: Browser): Promise<void> {
  const { id: accountId } = (await browser.get('/studio/api/session')).body.account;
  await withCollection(service(), 'sessions', async (sessions) => {
    const past = Date.now() - 6 * 60_000;
    for (const { id } of await sessions.find({ where: { accountId } }))
      await sessions.update({ id }, { createdAt: past, confirmedAt: past });
  });
}

async function addPasskey(browser: Browser, authenticator: Authenticator, deviation?: Deviation) {
  const { body: started } = await browser.post('/studio/api/passkeys/options');
  const response = authenticator.register(started.options, deviation);
  return browser.post('/studio/api/passkeys', { ceremony: started.ceremony, response, name: 'Laptop' });
}

async function signInWith(browser: Browser, authenticator: Authenticator, deviation?: Deviation) {
  const { body: started } = await browser.post('/studio/api/passkeys/sign-in-options');
  const answer = { ceremony: started.ceremony, response: authenticator.signIn(started.options, deviation) };
  return { answer, result: await browser.post('/studio/api/passkeys/sign-in', answer) };
}

describe('a passkey', () => {
  test('signs in without an email address and a password, again and again', async () => {
    const owner = await ownerAtLocalhost();
    const authenticator = newAuthenticator();
    const added = await addPasskey(owner, authenticator);
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({ name: 'Laptop', last_used_at: null });

    for (let round = 0; round < 2; round += 1) {
      const browser = new Browser(service(), atLocalhost());
      const { result } = await signInWith(browser, authenticator);
      expect(result.status).toBe(200);
      expect(result.body).toMatchObject({ account: { email: owner.email }, passkeys: 1 });
      expect((await browser.get('/studio/api/keys')).status).toBe(200);
    }
    const { body } = await owner.get('/studio/api/passkeys');
    expect(body.data[0].last_used_at).not.toBeNull();
  });

  test('is accepted once for each challenge', async () => {
    const owner = await ownerAtLocalhost();
    const authenticator = newAuthenticator();
    await addPasskey(owner, authenticator);
    const browser = new Browser(service(), atLocalhost());
    const { answer } = await signInWith(browser, authenticator);
    const replayed = await new Browser(service(), atLocalhost()).post('/studio/api/passkeys/sign-in', answer);
    expect([400, 401]).toContain(replayed.status);
    expect(replayed.headers.getSetCookie()).toEqual([]);
  });

  test('is rejected for another site, without user verification, for another challenge, and when it was copied', async () => {
    const owner = await ownerAtLocalhost();
    const authenticator = newAuthenticator();
    await addPasskey(owner, authenticator);
    const deviations: Deviation[] = [
      { origin: 'https://evil.example' },
      { unverified: true },
      { challenge: 'AAAA' },
    ];
    for (const deviation of deviations) {
      const browser = new Browser(service(), atLocalhost());
      expect((await signInWith(browser, authenticator, deviation)).result.status).toBe(401);
    }
    await signInWith(new Browser(service(), atLocalhost()), authenticator);
    authenticator.rewind();
    const copy = await signInWith(new Browser(service(), atLocalhost()), authenticator);
    expect(copy.result.status).toBe(401);
    const stranger = await signInWith(new Browser(service(), atLocalhost()), newAuthenticator());
    expect(stranger.result.status).toBe(401);
  });

  test('cannot be registered by another site, without user verification, or with an attestation certificate', async () => {
    const owner = await ownerAtLocalhost();
    const certificates = new Map<string, Uint8Array>([['x5c', new Uint8Array([1])]]);
    const deviations: Deviation[] = [
      { origin: 'https://evil.example' },
      { unverified: true },
      { challenge: 'AAAA' },
      { attestation: { format: 'packed', statement: certificates } },
      { attestation: { format: 'android-safetynet', statement: new Map() } },
    ];
    for (const deviation of deviations) {
      const refused = await addPasskey(owner, newAuthenticator(), deviation);
      expect(refused.status).toBe(400);
      expect(refused.body.error.details[0].path).toBe('response');
    }
    const { body: started } = await owner.post('/studio/api/passkeys/options');
    const response = newAuthenticator().register(started.options);
    const broken = { ...response, response: { ...response.response, attestationObject: 'oWNmbXRkbm9uZQ' } };
    const refused = await owner.post('/studio/api/passkeys', {
      ceremony: started.ceremony,
      response: broken,
    });
    expect(refused.status).toBe(400);
    const forged = await owner.post('/studio/api/passkeys', { ceremony: 'x', response });
    expect(forged.body.error.details[0].path).toBe('ceremony');
  });

  test('is registered for the account that started, and only once', async () => {
    const [owner, other] = [await ownerAtLocalhost(), await ownerAtLocalhost()];
    const authenticator = newAuthenticator();
    const { body: started } = await owner.post('/studio/api/passkeys/options');
    const answer = { ceremony: started.ceremony, response: authenticator.register(started.options) };
    expect((await other.post('/studio/api/passkeys', answer)).status).toBe(400);
    expect((await owner.post('/studio/api/passkeys', answer)).status).toBe(201);
    expect((await owner.post('/studio/api/passkeys', answer)).status).toBe(400);
    expect((await addPasskey(other, authenticator)).status).toBe(409);
  });

  test('can be the only way to sign in, and then cannot be removed', async () => {
    const browser = new Browser(service(), atLocalhost());
    const token = await newLink(service(), { email: browser.email });
    const { body: started } = await browser.post('/studio/api/link/passkey-options', { token });
    expect(started.options.user.name).toBe(browser.email);
    const authenticator = newAuthenticator();
    const passkey = { ceremony: started.ceremony, response: authenticator.register(started.options) };
    const both = await browser.post('/studio/api/link/claim', { token, passkey, password: PASSWORD });
    expect(both.status).toBe(400);
    const claimed = await browser.post('/studio/api/link/claim', { token, passkey });
    expect(claimed.status).toBe(201);
    expect(claimed.body).toMatchObject({ has_password: false, passkeys: 1 });
    expect((await new Browser(service(), atLocalhost(), browser.email).signIn()).status).toBe(401);

    const [{ id }] = (await browser.get('/studio/api/passkeys')).body.data;
    expect((await browser.delete(`/studio/api/passkeys/${id}`)).status).toBe(409);
    const set = await browser.put('/studio/api/password', { password: PASSWORD });
    expect(set.body).toMatchObject({ has_password: true });
    expect((await browser.put(`/studio/api/passkeys/${id}`, { name: 'Phone' })).body.name).toBe('Phone');
    expect((await browser.delete(`/studio/api/passkeys/${id}`)).status).toBe(204);
    const gone = await signInWith(new Browser(service(), atLocalhost()), authenticator);
    expect(gone.result.status).toBe(401);
  });

  test('is added only to a session that signed in or was confirmed within five minutes', async () => {
    const owner = await ownerAtLocalhost();
    const authenticator = newAuthenticator();
    expect((await addPasskey(owner, authenticator)).status).toBe(201);
    const options = () => owner.post('/studio/api/passkeys/options');
    const confirm = (body: object) => owner.post('/studio/api/session/confirm', body);

    await ageSessions(owner);
    const refused = await options();
    expect([refused.status, refused.body.error.details[0].code]).toEqual([403, 'CONFIRMATION_REQUIRED']);
    expect((await confirm({})).status).toBe(400);
    expect((await confirm({ password: 'not the password' })).status).toBe(403);
    expect((await options()).status).toBe(403);
    expect((await confirm({ password: PASSWORD })).status).toBe(204);
    expect((await options()).status).toBe(200);

    await ageSessions(owner);
    const answer = async (from: Authenticator) => {
      const { body: started } = await owner.post('/studio/api/passkeys/sign-in-options');
      return { passkey: { ceremony: started.ceremony, response: from.signIn(started.options) } };
    };
    const stranger = newAuthenticator();
    await addPasskey(await ownerAtLocalhost(), stranger);
    expect((await confirm(await answer(stranger))).status).toBe(403);
    expect((await options()).status).toBe(403);
    expect((await confirm(await answer(authenticator))).status).toBe(204);
    expect((await options()).status).toBe(200);
  });

  test('confirms the session before a first password is set and the account is deleted', async () => {
    const browser = new Browser(service(), atLocalhost());
    const token = await newLink(service(), { email: browser.email });
    const { body: started } = await browser.post('/studio/api/link/passkey-options', { token });
    const authenticator = newAuthenticator();
    const passkey = { ceremony: started.ceremony, response: authenticator.register(started.options) };
    expect((await browser.post('/studio/api/link/claim', { token, passkey })).status).toBe(201);
    await ageSessions(browser);
    const change = () => browser.put('/studio/api/password', { password: PASSWORD });
    expect((await change()).status).toBe(403);
    expect((await browser.post('/studio/api/account/delete', { email: browser.email })).status).toBe(403);
    const noPassword = await browser.post('/studio/api/session/confirm', { password: PASSWORD });
    expect([noPassword.status, noPassword.body.error.details[0].path]).toEqual([400, 'password']);
    const { body } = await browser.post('/studio/api/passkeys/sign-in-options');
    const proof = { ceremony: body.ceremony, response: authenticator.signIn(body.options) };
    expect((await browser.post('/studio/api/session/confirm', { passkey: proof })).status).toBe(204);
    expect((await change()).status).toBe(200);
  });

  test('is not available at an IP address', async () => {
    const owner = await Browser.signedIn(service());
    expect((await owner.get('/studio/api/session')).body.service.passkeys_available).toBe(false);
    expect((await owner.post('/studio/api/passkeys/options')).status).toBe(409);
    expect((await owner.get('/studio/api/session')).body.service.may_protect).toBe(false);
    const named = await ownerAtLocalhost();
    expect((await named.get('/studio/api/session')).body.service.passkeys_available).toBe(true);
  });
});
