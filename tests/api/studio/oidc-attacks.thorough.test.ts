import { afterAll, expect, test } from 'bun:test';
import { sharedService } from '../../support/service/shared-service.ts';
import type { TestService } from '../../support/service/service.ts';
import { TestIdentityProvider } from '../../support/studio/identity-provider.ts';
import { claimsOf, NAVIGATION, OidcBrowser } from '../../support/studio/oidc-browser.ts';
import { Browser, newLink, PASSWORD, withCollection } from '../../support/studio/studio.ts';

const provider = new TestIdentityProvider();
afterAll(() => provider[Symbol.dispose]());

const settings = { ...provider.settings, roleClaim: 'groups' };
const service = sharedService({
  env: { TRUST_PROXY: '1' },
  config: { plugins: { studio: { oidc: settings } } },
});
const opening = sharedService({
  env: { TRUST_PROXY: '1' },
  config: { plugins: { studio: { oidc: { ...provider.settings, createAccounts: true } } } },
});
const person = (on: TestService = service(), email?: string) => new OidcBrowser(on, provider, email);
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
  await browser.signInWith(asOwner(browser), `?invitation=${await company.invite(browser.email, 'editor')}`);
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
