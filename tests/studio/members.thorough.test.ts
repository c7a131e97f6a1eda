import { expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { Browser as ApiBrowser, withCollection } from '../support/studio/studio.ts';
import type { MemberRole } from '../../plugins/studio/members/roles.ts';
import { PASSWORD, type Visitor } from './browser.ts';
import { isLoaded } from './open-screen.ts';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio();

/** The names of buttons and links for which viewers lack the role. */
const FOR_EDITORS =
  /new|upload|create|delete|draft|make|run again|invite|publish|trash|cancel|copy to|use this|alias and tags of/i;

/** The names of buttons and links for which editors lack the role. */
const FOR_ADMINS = /upload certificate|create key|invite|revoke|export|delete the account/i;

/** Opens the path of a link. */
const openLink = (visitor: Visitor, url: string | null) =>
  visitor.page.goto(new URL(url ?? '', 'http://localhost').pathname);

/** Invites a person to the account of a visitor, and returns the URL of the link. */
async function invite(visitor: Visitor, email: string, role: MemberRole): Promise<string> {
  const body = { email, role };
  return (await visitor.api<{ url: string }>('POST', '/studio/api/members/invitations', body)).url;
}

/** Makes a new person a member of the account of a visitor, without a page. */
async function addMember(visitor: Visitor, role: MemberRole): Promise<ApiBrowser> {
  const owner = new ApiBrowser(studio.browser.service, {}, visitor.email);
  await owner.signIn();
  return ApiBrowser.member(owner, role);
}

async function signInAs(visitor: Visitor, email: string): Promise<void> {
  const { page } = visitor;
  if (await page.getByLabel('Email').isEditable()) await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Opens every view of the navigation. Returns the failures, and the controls with a forbidden name. */
async function deadEnds(page: Page, forbidden: RegExp): Promise<object> {
  const found: Record<string, string[]> = {};
  const entries = await page.getByRole('navigation', { name: 'Main' }).getByRole('link').all();
  const paths = await Promise.all(entries.map((entry) => entry.getAttribute('href')));
  for (const path of paths) {
    await page.goto(path ?? '');
    await page.getByRole('main').getByRole('heading', { level: 1 }).waitFor();
    await page.waitForFunction(isLoaded);
    const main = page.getByRole('main');
    const controls = await main.locator('a.button, button, input[type=file]').all();
    const names = await Promise.all(
      controls.map(async (each) => (await each.getAttribute('aria-label')) ?? (await each.innerText())),
    );
    const alerts = await main.getByRole('alert').allInnerTexts();
    const wrong = [...names.filter((name) => forbidden.test(name)), ...alerts];
    if (wrong.length > 0) found[path ?? ''] = wrong;
  }
  return found;
}

test('an owner invites a person, who joins, sees no dead ends as a viewer, and becomes an editor', async () => {
  const { owner } = studio;
  const { page } = owner;
  const template = await owner.cloneStarter('letter');
  const made = await owner.api<{ id: string }>('POST', '/v1/generate', { html: '<p>Hi', file_name: 'Hi' });
  await owner.api('POST', '/v1/assets', {
    name: 'dot.svg',
    data: btoa('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  });
  await owner.api('POST', '/v1/pdf/compress', { pdf: made.id });
  await owner.api('POST', `/v1/templates/${template}/cases/typical/accept`, {});
  await page.goto('/studio/members');
  await page.getByText('You are the only member.').waitFor();
  await page.getByRole('button', { name: 'Invite a person' }).click();
  const guest = await studio.browser.visit();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Email').fill(guest.email);
  await dialog.getByLabel('Role').selectOption('viewer');
  await dialog.getByRole('button', { name: 'Create the invitation' }).click();
  await dialog.getByText('The link works once, for seven days').waitFor();
  await dialog.getByRole('button', { name: 'Copy link' }).click();
  const url = await page.evaluate(() => navigator.clipboard.readText());
  expect(await dialog.locator('code').textContent()).toBe(url);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('cell', { name: guest.email, exact: true }).waitFor();
  expect(await page.content()).not.toContain(url);

  await openLink(guest, url);
  await guest.page.getByText(`${owner.email} invites you to their account with the role viewer.`).waitFor();
  expect(await guest.page.getByLabel('Email').inputValue()).toBe(guest.email);
  expect(await guest.violations()).toEqual([]);
  await guest.page.getByLabel('Password').fill(PASSWORD);
  await guest.page.getByRole('button', { name: 'Continue' }).click();
  await guest.page.getByRole('heading', { name: 'Overview' }).waitFor();
  await guest.page.getByText(`Viewer: ${guest.email}`).waitFor();
  expect(await deadEnds(guest.page, FOR_EDITORS)).toEqual({});
  // The same search finds the controls of an owner.
  const ofOwner = Object.keys(await deadEnds(page, FOR_EDITORS));
  expect(ofOwner).toEqual(expect.arrayContaining(['/studio/templates', '/studio/files', '/studio/members']));

  await guest.page.goto(`/studio/generations/${made.id}`);
  await guest.page.getByRole('link', { name: 'Download' }).waitFor();
  expect(await guest.page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  await guest.page.goto(`/studio/templates/${template}`);
  await guest.page.getByLabel('HTML of the template').waitFor();
  expect(await guest.violations()).toEqual([]);
  await guest.page.getByRole('button', { name: 'Tests' }).click();
  await guest.page.getByRole('button', { name: 'typical', exact: true }).click();
  await guest.page.getByAltText('Accepted page 1').waitFor();
  expect(await guest.page.getByRole('button', { name: /edit|accept|run|actions/i }).count()).toBe(0);
  await guest.page.getByRole('button', { name: 'Close', exact: true }).last().click();
  await guest.page.getByRole('button', { name: 'Versions' }).click();
  await guest.page.getByText('The HTML is the same as in the open version.').waitFor();
  expect(await guest.page.getByRole('button', { name: 'Restore this version' }).count()).toBe(0);
  await guest.page.goto('/studio/keys');
  await guest.page.getByText('This view needs the role “admin”.').waitFor();
  await guest.page.goto('/studio/templates/new');
  await guest.page.getByText('This view needs the role “editor”.').waitFor();

  await page.goto('/studio/members');
  await page.getByText('There are no unused invitations.').waitFor();
  await page.getByLabel(`Role of ${guest.email}`).selectOption('editor');
  await page.getByText(`${guest.email} is now an editor.`).waitFor();
  expect(await owner.violations()).toEqual([]);
  await guest.page.goto(`/studio/templates/${template}`);
  await guest.page.getByRole('button', { name: 'Make PDF' }).waitFor();
  await guest.page.getByRole('link', { name: 'PDF tools' }).waitFor();
  expect(await deadEnds(guest.page, FOR_ADMINS)).toEqual({});
  expect([...owner.offences, ...guest.offences]).toEqual([]);
}, 240_000);

test('a person with a sign-in accepts an invitation as this person, and switches between accounts', async () => {
  const company = await studio.browser.signIn();
  await company.api('POST', '/v1/templates', { name: 'Company letter', html_content: '<p>x' });
  const { email } = await studio.browser.signIn();
  const visitor = await studio.browser.signIn();
  const { page } = visitor;
  await openLink(visitor, await invite(company, email, 'viewer'));
  await page
    .getByText(`The invitation is for ${email}, and you are signed in as ${visitor.email}.`)
    .waitFor();
  await page.getByRole('button', { name: `Sign in as ${email}` }).click();
  await page.getByText(`Sign in as ${email} first.`).waitFor();
  expect(await visitor.violations()).toEqual([]);
  await signInAs(visitor, email);
  await page.getByRole('button', { name: 'Accept the invitation' }).click();
  await page.getByText('Company letter').waitFor();
  const account = page.getByLabel('Account', { exact: true });
  const chosen = () => account.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text);
  expect(await chosen()).toBe(company.email);

  const second = await visitor.context.newPage();
  await second.goto('/studio/templates');
  await second.getByText('Company letter').waitFor();
  await account.selectOption(email);
  await page.getByRole('heading', { name: 'Your first document' }).waitFor();
  await page.getByRole('link', { name: 'Templates', exact: true }).click();
  await page.getByText('No templates yet').waitFor();
  // The other page of the browser follows.
  await second.getByRole('heading', { name: 'Your first document' }).waitFor();
  await second.close();

  // The choice keeps the account while the person stays with unsaved changes.
  await page.goto('/studio/templates/new');
  await page.getByLabel('Name of the template').fill('Unsaved');
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: `Work in the account ${company.email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await page.getByLabel('Name of the template').inputValue()).toBe('Unsaved');
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: `Work in the account ${company.email}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await page.getByText('Company letter').waitFor();
  expect(await chosen()).toBe(company.email);

  await page.getByRole('link', { name: 'Members' }).click();
  expect(await page.getByRole('button', { name: 'Invite a person' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByText('keep your other accounts').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await page.getByText(`You have left the account ${company.email}.`).waitFor();
  await signInAs(visitor, email);
  await page.getByRole('heading', { name: 'Your first document' }).waitFor();
  expect(await account.count()).toBe(0);
  expect(visitor.offences).toEqual([]);
}, 240_000);

test('the ownership is transferred, and an admin is removed, after a confirmation of the identity', async () => {
  const owner = await studio.browser.signIn();
  const { page } = owner;
  const [heir, helper] = [await addMember(owner, 'editor'), await addMember(owner, 'admin')];
  await owner.api('POST', '/studio/api/keys', { name: 'Web shop' });
  const { person } = await owner.api<{ person: { id: string } }>('GET', '/studio/api/session');
  await withCollection(studio.browser.service, 'sessions', async (sessions) => {
    const createdAt = Date.now() - 6 * 60_000;
    for (const { id } of await sessions.find({ where: { accountId: person.id } }))
      await sessions.update({ id }, { createdAt });
  });
  const choose = async (email: string, action: string) => {
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  await page.goto('/studio/members');
  await page.getByText('To leave, make another member an owner first.').waitFor();
  await choose(helper.email, 'Remove');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  const confirmation = page.getByRole('dialog', { name: 'Confirm your identity' });
  await confirmation.getByText(`You signed in as ${owner.email}`).waitFor();
  await confirmation.getByLabel('Your password').fill(PASSWORD);
  await confirmation.getByRole('button', { name: 'Confirm' }).click();
  const review = page.getByRole('dialog', { name: 'Revoke API keys?' });
  await review.getByText(`${helper.email} is no longer a member.`).waitFor();
  await review.getByRole('button', { name: 'Keep all keys' }).click();

  await choose(heir.email, 'Transfer the ownership');
  await page.getByText(`First, ${heir.email} becomes an owner. Then you become an admin`).waitFor();
  expect(await owner.violations()).toEqual([]);
  await page.getByRole('dialog').getByRole('button', { name: 'Transfer the ownership' }).click();
  await page.getByText(`${heir.email} is now the owner, and you are an admin.`).waitFor();
  await page.getByText(`Admin: ${owner.email}`).waitFor();
  expect(await page.getByRole('button', { name: `Actions for ${heir.email}` }).count()).toBe(0);
  const { data } = await owner.api<{ data: { email: string; role: string }[] }>('GET', '/studio/api/members');
  expect(data.map(({ email, role }) => [email, role])).toEqual([
    [owner.email, 'admin'],
    [heir.email, 'owner'],
  ]);

  // Without another account, a person who leaves needs a new invitation.
  await page.goto('/studio/security');
  await page.getByText('Only owners can delete the account.').waitFor();
  await page.getByRole('link', { name: 'Members' }).click();
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByText('so your sign-in is deleted too').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Leave' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signInAs(owner, owner.email);
  await page.getByRole('alert').waitFor();
}, 240_000);

test('an invitation is revoked, and its link no longer works', async () => {
  const { owner } = studio;
  const { page } = owner;
  const email = `${crypto.randomUUID().slice(0, 8)}@example.com`;
  const url = await invite(owner, email, 'editor');
  await page.goto('/studio/members');
  await page.getByRole('button', { name: `Revoke the invitation of ${email}` }).click();
  await page.getByText(`The invitation of ${email} no longer works.`).waitFor();
  const guest = await studio.browser.visit();
  await openLink(guest, url);
  await guest.page.getByRole('heading', { name: 'This link no longer works' }).waitFor();
}, 120_000);
