import { afterAll, expect, test } from 'bun:test';
import { TestIdentityProvider } from '../support/studio/identity-provider.ts';
import { withCollection } from '../support/studio/studio.ts';
import { shareStudio } from './shared-studio.ts';

const provider = new TestIdentityProvider();
afterAll(() => provider[Symbol.dispose]());

const oidc = { ...provider.settings, name: 'Example Login' };
const studio = shareStudio({ config: { plugins: { studio: { oidc } } } });

/** Sets the person whom the provider signs in. */
function become(email: string, claims: object = {}): void {
  provider.departures = { claims: { sub: `sub ${email}`, email, ...claims } };
}

test('a person signs in at the provider, and returns to the view that they opened', async () => {
  const { browser, owner } = studio;
  become(owner.email);
  const { page } = await browser.visit();
  await page.goto('/studio/templates?tag=x');
  await page.getByRole('link', { name: 'Sign in with Example Login' }).click();
  await page.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
  expect(new URL(page.url()).search).toBe('?tag=x');
});

test('a person who may not sign in reads the reason, and can try again', async () => {
  become('ann@example.org');
  const visitor = await studio.browser.visit();
  const { page } = visitor;
  await page.goto('/studio');
  await page.getByRole('link', { name: 'Sign in with Example Login' }).click();
  const reason = page.getByRole('alert');
  expect(await reason.innerText()).toBe('Email addresses of your domain may not sign in here.');
  expect(await visitor.violations()).toEqual([]);
  provider.departures = { error: 'access_denied' };
  await page.getByRole('link', { name: 'Sign in with Example Login' }).click();
  await page.getByText('You declined the sign-in.').waitFor();
});

test('an invited person accepts the invitation at the provider', async () => {
  const { browser, owner } = studio;
  const invitation = { email: 'bob@example.com', role: 'editor' };
  const { url } = await owner.api<{ url: string }>('POST', '/studio/api/members/invitations', invitation);
  become('bob@example.com');
  const visitor = await browser.visit({ width: 360 });
  const { page } = visitor;
  await page.goto(new URL(url).pathname);
  await page.getByRole('heading', { name: 'You are invited' }).waitFor();
  expect([await visitor.violations(), await visitor.overflows()]).toEqual([[], false]);
  await page.getByRole('link', { name: 'Sign in with Example Login' }).click();
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto('/studio/members');
  await page.getByRole('main').getByText('bob@example.com').first().waitFor();

  // Without a password or passkey, the person confirms their identity at the provider.
  const past = Date.now() - 6 * 60_000;
  await withCollection(browser.service, 'sessions', async (sessions) => {
    for (const { id } of await sessions.find())
      await sessions.update({ id }, { createdAt: past, confirmedAt: past });
  });
  await page.getByRole('button', { name: 'Leave' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('link', { name: 'Sign in with Example Login again' }).click();
  await page.waitForURL('**/studio/members');
  await page.getByRole('button', { name: 'Leave' }).first().click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
