import { afterAll, describe, expect, test } from 'bun:test';
import { startService } from '../../../src/service.ts';
import { loadConfig } from '../../../src/config.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { TestService } from '../../support/service/service.ts';
import { rejection } from '../../support/rejection.ts';
import { TestIdentityProvider, type Departures } from '../../support/studio/identity-provider.ts';
import { claimsOf, OidcBrowser, OWN_NAVIGATION } from '../../support/studio/oidc-browser.ts';
import { Browser, PASSWORD } from '../../support/studio/studio.ts';

const provider = new TestIdentityProvider();
afterAll(() => provider[Symbol.dispose]());

const settings = { ...provider.settings, roleClaim: 'groups', name: 'Example' };
const service = sharedService({
  env: { TRUST_PROXY: '1' },
  config: { plugins: { studio: { oidc: settings } } },
});
const opening = sharedService({
  env: { TRUST_PROXY: '1', STUDIO_OIDC_CLIENT_SECRET: provider.settings.clientSecret },
  config: {
    plugins: {
      studio: { oidc: { ...settings, clientSecret: 'wrong', createAccounts: true, roleClaim: undefined } },
    },
  },
});

const person = (on: TestService = service(), email?: string) => new OidcBrowser(on, provider, email);

describe('a person who signs in at the identity provider', () => {
  test('continues as the person with the verified address, and stays this person when the address changes', async () => {
    const known = await Browser.signedIn(service());
    const browser = person(service(), known.email);
    expect((await browser.session()).service.identity_provider).toBe('Example');
    const all = { groups: ['staff', 'owner'] };
    expect(await browser.signInWith(claimsOf(browser, all), '?return_to=/studio/templates?tab=1')).toBe(
      '/studio/templates?tab=1',
    );
    expect(await browser.session()).toMatchObject({
      signed_in: true,
      account: { email: known.email },
      role: 'owner',
      has_password: true,
    });
    expect((await browser.get('/v1/audit?action=session.signed_in')).body.data).toHaveLength(1);
    const renamed = { ...claimsOf(browser, { ...all, email: 'renamed@example.com' }) };
    expect(await browser.signInWith(renamed)).toBe('/studio');
    expect((await browser.session()).account.email).toBe(known.email);
    // The password still works.
    expect((await known.another().signIn()).status).toBe(200);
  });

  test('without an account is refused, or gets one if the settings say so', async () => {
    const stranger = person();
    expect(await stranger.signInWith(claimsOf(stranger))).toBe('/studio?sign_in_error=no_account');
    expect((await stranger.session()).signed_in).toBe(false);
    const welcome = person(opening());
    expect(await welcome.signInWith(claimsOf(welcome))).toBe('/studio');
    const { account, role, person: who, has_password: hasPassword } = await welcome.session();
    expect([account.email, account.plan, role, who.operator, hasPassword]).toEqual([
      welcome.email,
      'free',
      'owner',
      false,
      false,
    ]);
    expect(await welcome.signInWith(claimsOf(welcome))).toBe('/studio');
    expect((await welcome.session()).account.id).toBe(account.id);
  });

  test('accepts the invitation of the own address', async () => {
    const company = await Browser.signedIn(service());
    const invited = person();
    const token = await company.invite(invited.email, 'editor');
    const other = person();
    expect(await other.signInWith(claimsOf(other), `?invitation=${token}`)).toBe(
      '/studio?sign_in_error=no_account',
    );
    const query = `?invitation=${token}&return_to=/studio`;
    expect(await invited.signInWith(claimsOf(invited, { groups: 'editor' }), query)).toBe('/studio');
    expect(await invited.session()).toMatchObject({ account: { email: company.email }, role: 'editor' });
    expect(await invited.signInWith(claimsOf(invited, { groups: 'editor' }))).toBe('/studio');
    expect((await company.get('/studio/api/members')).body.data).toHaveLength(2);
    expect(await person().signInWith(claimsOf(invited), `?invitation=${token}`)).toBe(
      '/studio?sign_in_error=invitation',
    );
  });

  test('takes back an address that somebody else used to accept an invitation', async () => {
    const company = await Browser.signedIn(service());
    const thief = await Browser.member(company, 'admin');
    const victim = person(service(), thief.email);
    expect(await victim.signInWith(claimsOf(victim, { groups: 'admin' }))).toBe('/studio');
    expect((await victim.session()).has_password).toBe(false);
    expect((await thief.get('/studio/api/session')).body.signed_in).toBe(false);
    expect((await thief.another().signIn()).status).toBe(401);
    // A later password of the victim stays.
    const changed = await victim.put('/studio/api/password', { password: PASSWORD });
    expect(changed.status).toBe(200);
    expect(await victim.signInWith(claimsOf(victim, { groups: 'admin' }))).toBe('/studio');
    expect((await victim.another().signIn()).status).toBe(200);
  });

  test.each([
    ['admin', 'admin'],
    [['viewer', 'editor'], 'editor'],
    ['owner', 'admin'],
    ['operator', 'viewer'],
    [undefined, 'viewer'],
    [{ admin: true }, 'viewer'],
  ])('with the role claim %p works as %s, where the account gives the role admin', async (groups, role) => {
    const company = await Browser.signedIn(service());
    const member = await Browser.member(company, 'admin');
    const browser = person(service(), member.email);
    expect(await browser.signInWith(claimsOf(browser, { groups }))).toBe('/studio');
    const session = await browser.session();
    expect([session.role, session.person.operator]).toEqual([role, false]);
    const create = await browser.post('/studio/api/keys', { name: 'k' });
    expect(create.status).toBe(role === 'admin' ? 201 : 403);
    // The limit belongs to the session, not to the membership.
    expect((await company.get('/studio/api/members')).body.data[1].role).toBe('admin');
    const kept = await browser.post('/studio/api/session/account', { account_id: session.account.id });
    expect(kept.body.role).toBe(role);
  });

  test('is asked to sign in again to confirm their identity', async () => {
    const known = await Browser.signedIn(service());
    const browser = person(service(), known.email);
    const url = await browser.start('?confirm=true');
    const { searchParams } = new URL(url);
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0']);
    const old = { auth_time: Math.floor(Date.now() / 1000) - 3_600 };
    expect(await browser.finish(provider.authorize(url, claimsOf(browser, old)))).toBe(
      '/studio?sign_in_error=rejected',
    );
    expect(await browser.signInWith(claimsOf(browser, { auth_time: undefined }), '?confirm=true')).toBe(
      '/studio?sign_in_error=rejected',
    );
    expect(await browser.signInWith(claimsOf(browser), '?confirm=true')).toBe('/studio');
    const other = await Browser.signedIn(service());
    const asOther = claimsOf(other);
    expect(await browser.signInWith(asOther, '?confirm=true')).toBe('/studio?sign_in_error=other_person');
  });

  test('of a suspended account is refused', async () => {
    const known = await Browser.signedIn(service());
    const { id } = (await known.get('/studio/api/session')).body.account;
    await service().accounts.update(id, { suspendedAt: Date.now() });
    const browser = person(service(), known.email);
    expect(await browser.signInWith(claimsOf(browser))).toBe('/studio?sign_in_error=suspended');
  });
});

const now = Math.floor(Date.now() / 1000);
const untrusted: [string, Departures][] = [
  ['another audience', { claims: { aud: 'another-client' } }],
  [
    'several audiences without an authorized party',
    { claims: { aud: ['another', 'platen'], azp: 'another' } },
  ],
  ['another issuer', { claims: { iss: 'https://login.example.org' } }],
  ['another nonce', { claims: { nonce: 'x' } }],
  ['no nonce', { claims: { nonce: undefined } }],
  ['no subject', { claims: { sub: undefined } }],
  ['an expired token', { claims: { exp: now - 3_600, iat: now - 7_200 } }],
  ['no expiry', { claims: { exp: undefined } }],
  ['a token of the future', { claims: { nbf: now + 3_600 } }],
  ['a signature of another key', { isForged: true }],
  ['no signature', { algorithm: 'none' }],
  ['a signature with a shared secret', { algorithm: 'HS256' }],
  ['another state', { state: 'x' }],
  ['an error', { error: 'server_error' }],
  ['no ID token', { tokenResponse: () => Response.json({ access_token: 'x', token_type: 'Bearer' }) }],
  ['a refused code', { tokenResponse: () => Response.json({ error: 'invalid_grant' }, { status: 400 }) }],
  ['a redirect', { tokenResponse: () => Response.redirect('http://127.0.0.1:1/') }],
  ['no JSON', { tokenResponse: () => new Response('<html>') }],
  ['a failure', { tokenResponse: () => new Response('x', { status: 500 }) }],
  ['an endless response', { tokenResponse: () => new Response('x'.repeat(2_000_000)) }],
];

describe('the response of the identity provider', () => {
  test.each(untrusted)('with %s is rejected', async (_, departures) => {
    const known = await Browser.signedIn(service());
    const browser = person(service(), known.email);
    const { claims = {} } = departures;
    const good = claimsOf(browser).claims;
    const answer = await browser.signInWith({ ...departures, claims: { ...good, ...claims } });
    expect(answer).toBe('/studio?sign_in_error=rejected');
    expect((await browser.session()).signed_in).toBe(false);
    expect(await browser.signInWith({ claims: good })).toBe('/studio');
  });

  test.each([
    ['an unverified address', { email_verified: false }, 'unverified'],
    ['an address without a verification', { email_verified: undefined }, 'unverified'],
    ['a verification that is no boolean', { email_verified: 'true' }, 'unverified'],
    ['no address', { email: undefined }, 'unverified'],
    ['a list of addresses', { email: ['ann@example.com'] }, 'unverified'],
    ['another domain', { email: 'ann@example.org' }, 'domain'],
    ['a subdomain', { email: 'ann@mail.example.com' }, 'domain'],
    ['a longer domain', { email: 'ann@notexample.com' }, 'domain'],
    ['a domain in the local part', { email: 'ann@example.com@evil.org' }, 'domain'],
    ['a listed domain at the end of a strange address', { email: 'ann@evil.org@example.com' }, 'domain'],
    ['a look-alike', { email: 'ann@exаmple.com' }, 'domain'],
    ['a space', { email: 'ann@example.com ' }, 'domain'],
    ['an empty local part', { email: '@example.com' }, 'domain'],
  ])('with %s is refused', async (_, more, reason) => {
    const browser = person(opening());
    expect(await browser.signInWith(claimsOf(browser, more))).toBe(`/studio?sign_in_error=${reason}`);
    expect((await browser.session()).signed_in).toBe(false);
  });

  test('in which the person declines is explained', async () => {
    expect(await person().signInWith({ error: 'access_denied' })).toBe('/studio?sign_in_error=denied');
  });

  test('works once, and only in the browser that began the sign-in', async () => {
    const known = await Browser.signedIn(service());
    const browser = person(service(), known.email);
    const back = provider.authorize(await browser.start(), claimsOf(browser));
    const stranger = person();
    expect(await stranger.finish(back)).toBe('/studio?sign_in_error=rejected');
    await stranger.start();
    expect(await stranger.finish(back)).toBe('/studio?sign_in_error=rejected');
    expect(await browser.finish(back)).toBe('/studio');
    const redeemed = provider.redeemed;
    expect(await browser.finish(back)).toBe('/studio?sign_in_error=rejected');
    expect(provider.redeemed).toBe(redeemed);
    const changed = person(service(), known.email);
    const again = provider.authorize(await changed.start(), claimsOf(changed));
    changed.signInCookie = `${changed.signInCookie.slice(0, -2)}AA`;
    expect(await changed.finish(again)).toBe('/studio?sign_in_error=rejected');
  });
});

describe('the page to return to', () => {
  test.each([
    'https://evil.example',
    '//evil.example',
    '/v1/templates',
    '/studio\\evil',
    '/studios',
    '/studio/\n',
  ])('must be a path of the studio, not %p', async (path) => {
    const { status, body } = await person().get(
      `/studio/api/oidc/start?return_to=${encodeURIComponent(path)}`,
    );
    expect([status, body.error.details[0].path]).toEqual([400, 'return_to']);
  });
});

describe('the identity provider', () => {
  test.each([
    [{ sub: 'subject' }, '/studio'],
    [{ sub: 'another subject' }, '/studio?sign_in_error=rejected'],
    [{ sub: 'subject', email_verified: false }, '/studio?sign_in_error=unverified'],
  ])('that sends the address only as user info %p leads to %s', async (more, path) => {
    using other = new TestIdentityProvider();
    const config = { plugins: { studio: { oidc: { ...other.settings, createAccounts: true } } } };
    await using own = await TestService.start({ config });
    other.userInfo = { email: 'ann@example.com', email_verified: true, ...more };
    const browser = new OidcBrowser(own, other);
    const claims = { email: undefined, email_verified: undefined };
    expect(await browser.signInWith({ claims })).toBe(path);
  });

  test('that refuses the client secret is explained', async () => {
    using other = new TestIdentityProvider();
    const oidc = { ...other.settings, clientSecret: 'wrong' };
    await using own = await TestService.start({ config: { plugins: { studio: { oidc } } } });
    const browser = new OidcBrowser(own, other);
    expect(await browser.signInWith()).toBe('/studio?sign_in_error=refused');
  });

  test('that does not respond or names another issuer is explained', async () => {
    using other = new TestIdentityProvider();
    other.metadata = { issuer: 'https://login.example.org' };
    const config = { plugins: { studio: { oidc: other.settings } } };
    await using wrong = await (
      await import('../../support/service/service.ts')
    ).TestService.start({ config });
    const { headers } = await person(wrong).get('/studio/api/oidc/start', OWN_NAVIGATION);
    expect(headers.get('location')).toBe('/studio?sign_in_error=unavailable');
    other.metadata = {};
    expect(
      (await person(wrong).get('/studio/api/oidc/start', OWN_NAVIGATION)).headers.get('location'),
    ).toStartWith(`${other.issuer}/authorize?`);
  });

  test.each([
    [{ issuer: 'http://login.example.com' }, 'plugins.studio.oidc.issuer: must begin with https://'],
    [{ issuer: 'login.example.com' }, 'plugins.studio.oidc.issuer: must be the URL of the issuer'],
    [{ clientSecret: undefined }, 'STUDIO_OIDC_CLIENT_SECRET: must be set too'],
    [{ allowedDomains: [] }, 'plugins.studio.oidc.allowedDomains: must'],
    [{ allowedDomains: ['*.example.com'] }, 'plugins.studio.oidc.allowedDomains[0]: must be a domain'],
  ])('with the settings %p stops the start', async (more, message) => {
    const { env, dataDir } = service();
    const config = loadConfig({
      env: { ...env, PATH: process.env['PATH'], PORT: '0', LOG_LEVEL: 'silent' },
      cwd: dataDir,
    });
    const oidc = JSON.parse(JSON.stringify({ ...provider.settings, ...more }));
    const error = await rejection(startService({ ...config, plugins: { studio: { oidc } } }));
    expect((error as Error).message).toStartWith(message);
  });
});
