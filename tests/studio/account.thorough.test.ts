import { afterAll, beforeAll, expect, test } from 'bun:test';
import { Receiver } from '../support/sites/receiver.ts';
import { until } from '../support/until.ts';
import { unzip } from '../support/unzip.ts';
import { Browser as ApiBrowser, newLink } from '../support/studio/studio.ts';
import { PASSWORD, StudioBrowser } from './browser.ts';

let release = () => {};
const released = new Promise<void>((resolve) => (release = resolve));
const receiver = new Receiver(async ({ path }) => {
  if (path === '/held.css') await released;
  return new Response(null, { status: 204 });
});
let browser: StudioBrowser;

beforeAll(async () => {
  browser = await StudioBrowser.start({ env: { EGRESS_ALLOW: receiver.host } });
}, 120_000);

afterAll(async () => {
  release();
  await browser?.[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

test('a batch shows its progress without a reload', async () => {
  const visitor = await browser.signIn();
  const { page } = visitor;
  const html = `<link rel="stylesheet" href="${receiver.url('/held.css')}"><p>Hi</p>`;
  await visitor.api('POST', '/v1/generate/batch', { items: [{ html: '<p>Hi</p>' }, { html }] });
  await until(() => receiver.at('/held.css').length === 1);
  await page.goto('/studio/batches');
  await page.getByText('Processing').waitFor();
  release();
  await page.getByText('2 of 2 documents').waitFor();
  await page.getByText('Completed').waitFor();
  await page.getByRole('link', { name: 'Show documents' }).click();
  await page.getByText('Batch, no. 2').waitFor();
}, 120_000);

test('a delivery is shown with its message and sent again, and the secret is replaced', async () => {
  const visitor = await browser.signIn();
  const { page } = visitor;
  const webhook = receiver.url('/hook');
  const { id } = await visitor.api<{ id: string }>('POST', '/v1/generate', { html: '<p>Hi</p>', webhook });
  await until(() => receiver.at('/hook').length === 1);
  await page.goto('/studio/webhooks');
  await page.getByRole('button', { name: 'Deliveries' }).click();
  await page.getByRole('button', { name: 'generation.completed' }).click();
  expect(await page.getByLabel('Message').textContent()).toContain(id);
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('The message is being sent again.').waitFor();
  await until(() => receiver.at('/hook').length === 2);

  await page.getByRole('button', { name: 'Endpoints' }).click();
  const secret = page.locator('.secret code');
  expect(await secret.textContent()).toMatch(/^whsec_•+$/);
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByText(/^whsec_[^•]+$/).waitFor();
  const before = await secret.textContent();
  expect(before).toMatch(/^whsec_[^•]+$/);
  await page.getByRole('button', { name: 'Replace' }).click();
  await page.getByRole('button', { name: 'Replace' }).last().click();
  await page.getByText(/^Messages are also signed with the previous secret until/).waitFor();
  expect(await secret.textContent()).not.toBe(before);
}, 120_000);

test('an asset is uploaded, shows how templates use it, and is deleted', async () => {
  const visitor = await browser.signIn();
  const { page } = visitor;
  await page.goto('/studio/asset-library');
  await page.getByText('No assets').waitFor();
  await page.getByLabel('Files', { exact: true }).setInputFiles({
    name: 'mark.svg',
    mimeType: 'image/svg+xml',
    buffer: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>'),
  });
  await page.getByText('asset:mark.svg').waitFor();
  await page.getByRole('button', { name: 'Actions for mark.svg' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete' }).last().click();
  await page.getByText('No assets').waitFor();
}, 120_000);

test('another session is listed and ended', async () => {
  const visitor = await browser.signIn();
  const other = await browser.visit();
  await other.page.goto('/studio/keys');
  await other.page.getByLabel('Email').fill(visitor.email);
  await other.page.getByLabel('Password').fill(PASSWORD);
  await other.page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await other.page.getByRole('heading', { name: 'API keys' }).waitFor();
  const { page } = visitor;
  await page.goto('/studio/security');
  await page.getByRole('button', { name: 'End session', exact: true }).click();
  await page.getByRole('button', { name: 'End session', exact: true }).waitFor({ state: 'detached' });
  await other.page.getByRole('link', { name: 'Usage' }).click();
  await other.page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await other.page.getByText('Your session has ended. Sign in again.').waitFor();
}, 120_000);

test('after a change of the password, the keys of the last week are offered for revocation', async () => {
  const visitor = await browser.signIn();
  const { page } = visitor;
  for (const name of ['Web shop', 'Unknown']) await visitor.api('POST', '/studio/api/keys', { name });
  await page.goto('/studio/security');
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill('another long password');
  await page.getByRole('button', { name: 'Change the password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke API keys?' });
  await dialog.getByText('The password was changed, and all other sessions have ended.').waitFor();
  expect(await dialog.getByRole('checkbox').count()).toBe(2);
  await dialog.getByRole('button', { name: 'Revoke 2 keys' }).waitFor();
  expect(await visitor.violations()).toEqual([]);
  await dialog.getByRole('checkbox', { name: 'Web shop' }).uncheck();
  await dialog.getByRole('button', { name: 'Revoke 1 key', exact: true }).click();
  await page.getByText('The key no longer works.').waitFor();
  await page.getByRole('link', { name: 'API keys' }).click();
  await page.getByRole('cell', { name: 'Web shop', exact: true }).waitFor();
  expect(await page.getByRole('cell', { name: 'Unknown', exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Revoked' }).click();
  await page.getByRole('cell', { name: 'Unknown', exact: true }).waitFor();
}, 120_000);

test('after the end of all other sessions, the keys made since a date are selected', async () => {
  const visitor = await browser.signIn();
  const { page } = visitor;
  for (const name of ['First', 'Second']) await visitor.api('POST', '/studio/api/keys', { name });
  await new ApiBrowser(browser.service, {}, visitor.email).signIn();
  // The keys of today are ten days old for this page.
  const day = 24 * 60 * 60_000;
  await page.clock.setFixedTime(Date.now() + 10 * day);
  await page.goto('/studio/security');
  await page.getByRole('button', { name: 'End all other sessions' }).click();
  const dialog = page.getByRole('dialog', { name: 'Revoke API keys?' });
  const revoke = dialog.getByRole('button', { name: 'Revoke', exact: true });
  await revoke.waitFor();
  expect(await revoke.isDisabled()).toBe(true);
  const date = dialog.getByLabel('Select the keys created since');
  await date.fill(new Date(Date.now() - 2 * day).toISOString().slice(0, 10));
  await dialog.getByRole('button', { name: 'Revoke 2 keys' }).waitFor();
  await dialog.getByRole('button', { name: 'Keep all keys' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { data } = await visitor.api<{ data: { revoked_at: string | null }[] }>('GET', '/studio/api/keys');
  expect(data.map(({ revoked_at }) => revoked_at)).toEqual([null, null]);
}, 120_000);

test('after a new password by link, the keys are offered for revocation', async () => {
  const visitor = await browser.signIn();
  await visitor.api('POST', '/studio/api/keys', { name: 'Web shop' });
  const { page } = await browser.visit();
  await page.goto(`/studio/link/${await newLink(browser.service, { email: visitor.email })}`);
  await page.getByLabel('Password').fill('another long password');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Revoke 1 key', exact: true }).click();
  await page.getByText('The key no longer works.').waitFor();
  expect(page.url()).not.toContain('changed');
}, 120_000);

test('all keys can be reached, however many there are', async () => {
  const visitor = await browser.signIn();
  const { page } = visitor;
  const { accounts } = browser.service;
  const account = await accounts.findByEmail(visitor.email);
  if (!account) throw new Error('the account is missing');
  await accounts.createKey(account, 'The oldest');
  for (let left = 101; left > 0; left -= 1) {
    const { record } = await accounts.createKey(account, `Revoked ${left}`);
    await accounts.revokeKey(record.id);
  }
  await page.goto('/studio/keys');
  await page.getByRole('cell', { name: 'The oldest', exact: true }).waitFor();
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Revoked' }).click();
  await page.getByRole('cell', { name: 'Revoked 1', exact: true }).waitFor();
  expect(await page.getByRole('cell', { name: 'Revoked 101', exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.getByRole('cell', { name: 'Revoked 101', exact: true }).waitFor();
}, 120_000);

test('an account is exported as an archive, and deleted with its email address and password', async () => {
  const visitor = await browser.signIn();
  const { page } = visitor;
  await visitor.cloneStarter('letter');
  await page.goto('/studio/security');
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  const download = await started;
  expect(download.suggestedFilename()).toMatch(/^platen-[\d-]+\.zip$/);
  const entries = await unzip(await Bun.file(await download.path()).bytes());
  expect(entries.map(({ name }) => name)).toContain('account.json');

  await page.getByRole('button', { name: 'Delete the account' }).click();
  await page.getByText(/It erases .*1 template/).waitFor();
  const erase = page.getByRole('button', { name: 'Delete everything' });
  expect(await erase.isDisabled()).toBe(true);
  await page.getByLabel(`Type ${visitor.email} to confirm`).fill(visitor.email);
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await erase.click();
  await page
    .getByRole('alert')
    .getByText(/password/)
    .waitFor();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await erase.click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}, 120_000);

test('an operator creates an account, invites its owner, limits it, and suspends it', async () => {
  const operator = await browser.signIn({ role: 'operator' });
  const { page } = operator;
  const email = `${crypto.randomUUID().slice(0, 8)}@example.com`;
  await page.goto('/studio/accounts');
  await page.getByRole('button', { name: 'New account' }).click();
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Create the account' }).click();
  const link = await page.getByText(/\/studio\/link\//).textContent();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByLabel('Search by email').fill(email);
  const row = page.getByRole('row').filter({ hasText: email });
  await row.waitFor();
  const choose = async (action: string) => {
    await page.getByRole('button', { name: `Actions for ${email}` }).click();
    await page.getByRole('menuitem', { name: action }).click();
  };
  const owner = await browser.visit();
  await owner.page.goto(new URL(link ?? '').pathname);
  await owner.page.getByLabel('Password').fill(PASSWORD);
  await owner.page.getByRole('button', { name: 'Continue' }).click();
  await owner.page.getByRole('heading', { name: 'Your first document' }).waitFor();

  await choose('Plan and limit');
  await page.getByLabel('Monthly limit').fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  await row.getByText('0 of 7').waitFor();
  await choose('Suspend');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  await choose('Suspend');
  await page.getByRole('dialog').getByRole('button', { name: 'Suspend' }).click();
  await page.getByText(`${email} is suspended.`).waitFor();
  const reason = owner.page.getByText('This account is suspended. Ask the operator of this server.');
  await owner.page.getByRole('link', { name: 'API keys' }).click();
  await reason.waitFor();
  await owner.page.reload();
  await reason.waitFor();

  await page.getByLabel('Search by email').fill(operator.email);
  await row.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: `Actions for ${operator.email}` }).click();
  await page.getByRole('menuitem', { name: 'Plan and limit' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Suspend' }).count()).toBe(0);
}, 120_000);

test('an error message can be dismissed, and disappears when the view changes', async () => {
  const visitor = await browser.signIn();
  const { page } = visitor;
  await visitor.api('POST', '/studio/api/keys', { name: 'Web shop' });
  await page.goto('/studio/keys');
  await page.route('**/studio/api/keys/*', (route) => route.abort());
  const fail = async () => {
    await page.getByRole('button', { name: 'Actions for Web shop' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByText('The service cannot be reached').waitFor();
  };
  await fail();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  expect(await page.getByText('The service cannot be reached').count()).toBe(0);
  await fail();
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  expect(await page.getByText('The service cannot be reached').count()).toBe(0);
}, 120_000);
