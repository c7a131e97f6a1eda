import { afterAll, describe, expect, test } from 'bun:test';
import { startService } from '../../../src/service.ts';
import { loadConfig } from '../../../src/config.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { TestService } from '../../support/service/service.ts';
import { rejection } from '../../support/rejection.ts';
import { TestIdentityProvider, type Departures } from '../../support/studio/identity-provider.ts';
import { Browser, newLink, PASSWORD, withCollection } from '../../support/studio/studio.ts';

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

/** Headers of a navigation that comes from another site. */
const NAVIGATION = { origin: '', 'sec-fetch-site': 'cross-site' };
/** Headers of a navigation from a page of the studio. */
const OWN_NAVIGATION = { origin: '', 'sec-fetch-site': 'same-origin' };

/** A browser that keeps the cookie of a sign-in at the provider. */
class Person extends Browser {
  signInCookie = '';

  /** Begins a sign-in, and returns the URL of the provider. */
  async start(query = ''): Promise<string> {
    const { status, headers } = await this.get(`/studio/api/oidc/start${query}`, OWN_NAVIGATION);
    const [set = ''] = headers.getSetCookie().filter((cookie) => cookie.includes('platen_sign_in='));
    expect(status).toBe(302);
    if (set) expect(set).toMatch(/; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/);
    this.signInCookie = set.split(';')[0] ?? '';
    // The browser class takes every other cookie for that of the session.
    this.cookie = '';
    return headers.get('location') ?? '';
  }

  /** Opens the URL to which the provider sends the browser, and returns the path to which the studio sends it. */
  async finish(url: string): Promise<string> {
    const { pathname, search } = new URL(url);
    const cookie = this.signInCookie;
    const { status, headers } = await this.get(pathname + search, { ...NAVIGATION, cookie });
    const session = headers.getSetCookie().find((each) => each.includes('platen_session='));
    this.cookie = session?.split(';')[0] ?? '';
    expect(status).toBe(302);
    return headers.get('location') ?? '';
  }

  async signInWith(departures: Departures = {}, query = ''): Promise<string> {
    return this.finish(provider.authorize(await this.start(query), departures));
  }

  async session() {
    return (await this.get('/studio/api/session')).body;
  }
}

const person = (on: TestService = service(), email?: string) => new Person(on, {}, email);
/** Claims of a person with an own subject. */
const claimsOf = ({ email }: Browser, more: object = {}) => ({
  claims: { sub: `sub ${email}`, email, ...more },
});

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

describe('an attack on a person by way of the identity provider:', () => {
  const asOwner = (browser: Browser, more: object = {}) => claimsOf(browser, { groups: 'owner', ...more });

  test('a navigation from another site neither signs in nor accepts an invitation', async () => {
    const attacker = await Browser.signedIn(service());
    const token = await attacker.invite(`${crypto.randomUUID()}@example.com`, 'admin');
    for (const site of ['cross-site', 'same-site', 'none']) {
      const path = `/studio/api/oidc/start?invitation=${token}`;
      const { status, headers } = await person().get(path, { origin: '', 'sec-fetch-site': site });
      expect([status, headers.get('location'), headers.getSetCookie()]).toEqual([302, '/studio', []]);
    }
  });

  test('a Kelvin sign in the address is not the letter k', async () => {
    const known = new Browser(service(), {}, `frank${crypto.randomUUID()}@example.com`);
    const token = await newLink(service(), { email: known.email });
    await known.post('/studio/api/link/claim', { token, password: PASSWORD });
    const claims = { sub: 'other', email: known.email.replace('k', '\u212A') };
    expect(await person().signInWith({ claims })).toBe('/studio?sign_in_error=domain');
  });

  test('an address that belonged to another person does not make this person a member', async () => {
    const [known, other, company] = [
      await Browser.signedIn(service()),
      await Browser.signedIn(service()),
      await Browser.signedIn(service()),
    ];
    const browser = person(service(), known.email);
    await browser.signInWith(asOwner(browser));
    const token = await company.invite(other.email, 'editor');
    const answer = await browser.signInWith(asOwner(browser, { email: other.email }), `?invitation=${token}`);
    expect(answer).toBe('/studio?sign_in_error=invitation');
    expect((await company.get('/studio/api/members')).body.data).toHaveLength(1);
    expect((await other.post('/studio/api/link/claim', { token })).status).toBe(201);
  });

  test('two invitations of a new address that are accepted at once leave one person', async () => {
    const companies = [await Browser.signedIn(service()), await Browser.signedIn(service())];
    const email = `${crypto.randomUUID()}@example.com`;
    const attempts = await Promise.all(
      companies.map(async (company) => {
        const browser = person(service(), email);
        const url = await browser.start(`?invitation=${await company.invite(email, 'editor')}`);
        return { browser, back: provider.authorize(url, asOwner(browser)) };
      }),
    );
    const answers = await Promise.all(attempts.map(({ browser, back }) => browser.finish(back)));
    for (const answer of answers) expect(answer).toStartWith('/studio');
    expect(answers).toContain('/studio');
    const persons = await withCollection(service(), 'users', (users) => users.count({ email }));
    expect(persons).toBe(1);
  });

  test('another subject with the address of a person is refused until a sign-in link', async () => {
    const known = await Browser.signedIn(service());
    const browser = person(service(), known.email);
    await browser.signInWith(asOwner(browser));
    const successor = asOwner(browser, { sub: 'a new employee' });
    expect(await person().signInWith(successor)).toBe('/studio?sign_in_error=other_subject');
    const token = await newLink(service(), { email: known.email });
    await known.another().post('/studio/api/link/claim', { token, password: PASSWORD });
    expect(await person().signInWith(successor)).toBe('/studio');
  });

  test('the limit of the role claim cannot be lifted in the limited session', async () => {
    const member = await Browser.member(await Browser.signedIn(service()), 'admin');
    const browser = person(service(), member.email);
    await browser.signInWith(claimsOf(browser, { groups: 'viewer' }));
    expect((await browser.put('/studio/api/password', { password: PASSWORD })).status).toBe(200);
    const again = browser.another();
    expect((await again.signIn()).body.role).toBe('viewer');
    await browser.signInWith(claimsOf(browser, { groups: 'admin' }));
    expect((await again.get('/studio/api/session')).body.role).toBe('admin');
  });

  test('the role claim also limits an operator', async () => {
    const operator = await Browser.signedIn(service(), 'operator');
    const browser = person(service(), operator.email);
    await browser.signInWith(claimsOf(browser, { groups: 'admin' }));
    expect((await browser.session()).person.operator).toBe(false);
    expect((await browser.get('/studio/api/accounts')).status).toBe(403);
    await browser.signInWith(asOwner(browser));
    expect((await browser.get('/studio/api/accounts')).status).toBe(200);
  });

  test('an account that its first person left to others is not theirs again', async () => {
    const first = await Browser.signedIn(opening());
    await Browser.member(first, 'owner');
    await first.delete(`/studio/api/members/${(await first.get('/studio/api/session')).body.person.id}`);
    const browser = person(opening(), first.email);
    for (const attempt of [1, 2])
      expect([attempt, await browser.signInWith(claimsOf(browser))]).toEqual([
        attempt,
        '/studio?sign_in_error=no_account',
      ]);
  });

  test('a sign-in without the person counts as no confirmation of the identity', async () => {
    const known = await Browser.signedIn(service());
    const browser = person(service(), known.email);
    const create = () => browser.post('/studio/api/keys', { name: 'k' });
    await browser.signInWith(asOwner(browser, { auth_time: undefined }));
    expect((await create()).body.error.details[0].code).toBe('CONFIRMATION_REQUIRED');
    await browser.signInWith(asOwner(browser, { auth_time: Math.floor(Date.now() / 1000) - 3_600 }));
    expect((await create()).status).toBe(403);
    await browser.signInWith(asOwner(browser));
    expect((await create()).status).toBe(201);
  });

  test('a member who joins at the provider is in the audit log', async () => {
    const company = await Browser.signedIn(service());
    const browser = person();
    await browser.signInWith(
      asOwner(browser),
      `?invitation=${await company.invite(browser.email, 'editor')}`,
    );
    const { data } = (await company.get('/v1/audit?action=member.joined')).body;
    expect(data.map(({ actor }: { actor: { name: string } }) => actor.name)).toEqual([browser.email]);
  });

  test('HEAD does not use up an attempt', async () => {
    const known = await Browser.signedIn(service());
    const browser = person(service(), known.email);
    const back = provider.authorize(await browser.start(), asOwner(browser));
    const { pathname, search } = new URL(back);
    const headers = { ...NAVIGATION, cookie: browser.signInCookie };
    expect((await browser.request('HEAD', pathname + search, undefined, headers)).status).toBe(302);
    expect(await browser.finish(back)).toBe('/studio');
  });
});
