import { describe, expect, test } from 'bun:test';
import { docx, paragraph } from '../../packages/office-templates/tests/make-file.ts';
import { describeWithOffice } from '../support/office/office.ts';
import { withCollection } from '../support/studio/studio.ts';
import { PASSWORD } from './browser.ts';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio();

test('a new key works, a revoked one does not, and undo restores it', async () => {
  const { page } = studio.owner;
  await page.goto('/studio/keys');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await page.getByLabel('Name').fill('Web shop');
  await page.getByRole('button', { name: 'Create key' }).last().click();
  await page.getByText('Copy your key now').waitFor();
  await page.getByRole('button', { name: 'Copy key' }).click();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Copy your key now').waitFor({ state: 'detached' });
  const statusWith = async () => (await studio.browser.service.request('GET', '/v1/usage', { key })).status;
  expect(key).toStartWith('plt_live_');
  expect(await statusWith()).toBe(200);
  expect(await page.content()).not.toContain(key);

  await page.getByRole('button', { name: 'Actions for Web shop' }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  await page.getByText('“Web shop” no longer works.').waitFor();
  expect(await statusWith()).toBe(401);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('“Web shop” works again.').waitFor();
  expect(await statusWith()).toBe(200);
}, 120_000);

test('a new key has the limits of the form, which the list shows', async () => {
  const { page } = studio.owner;
  await page.goto('/studio/keys');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await page.getByLabel('Name').fill('Limited');
  await page.getByLabel('Limit what the key may do').check();
  for (const box of await page.getByRole('group', { name: 'Scopes' }).getByRole('checkbox').all())
    await box.uncheck();
  await page.getByLabel('Read the usage').check();
  await page.getByLabel('Expires on').fill('2999-01-31');
  await page.getByLabel('Allowed addresses').fill('127.0.0.0/8\n::1');
  await page.getByRole('button', { name: 'Create key' }).last().click();
  await page.getByText('Copy your key now').waitFor();
  await page.getByRole('button', { name: 'Copy key' }).click();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText(/^usage · expires .*2999 · from 127\.0\.0\.0\/8, ::1\/128$/).waitFor();
  const statusOf = async (path: string) =>
    (await studio.browser.service.request('GET', path, { key })).status;
  expect([await statusOf('/v1/usage'), await statusOf('/v1/files')]).toEqual([200, 403]);
}, 120_000);

describe('versions', () => {
  test('an older version is compared as text and as pages, and restored', async () => {
    const { page } = studio.owner;
    const id = await studio.owner.cloneStarter('invoice-simple');
    const { html_content: html } = await studio.owner.api<{ html_content: string }>(
      'GET',
      `/v1/templates/${id}`,
    );
    await studio.owner.api('PUT', `/v1/templates/${id}`, {
      html_content: html.replace('</body>', '<p>Second</p></body>'),
    });
    await page.goto(`/studio/templates/${id}`);
    await page.getByText(/^Printed in/).waitFor();
    await page.getByRole('button', { name: 'Versions' }).click();
    await page.getByText('Version 1 compared with the editor').waitFor();
    await page.getByRole('textbox', { name: 'Text of the editor' }).getByText('<p>Second</p>').waitFor();
    await page.getByRole('button', { name: 'Pages' }).click();
    await page.getByText('Changed areas are marked.').waitFor();
    await page.getByRole('button', { name: 'Restore this version' }).click();
    await page.getByText('Version 1 is now version 3.').waitFor();
    const restored = await studio.owner.api<{ html_content: string; version: number }>(
      'GET',
      `/v1/templates/${id}`,
    );
    expect(restored).toMatchObject({ html_content: html, version: 3 });
    expect(await page.getByLabel('HTML of the template').textContent()).not.toContain('Second');
  }, 120_000);
});

test('notes name missing files, failed scripts and characters that no font has, and go when they are corrected', async () => {
  const { page } = studio.owner;
  const { id } = await studio.owner.api<{ id: string }>('POST', '/v1/templates', {
    name: 'Faulty',
    html_content:
      '<p>A\u{10FFF0}</p><img src="asset:none.png" alt=""><script>throw new Error("oops")</script>',
  });
  await page.goto(`/studio/templates/${id}`);
  await page.getByRole('button', { name: '3 notes' }).click();
  await page.getByText(/^Printed without asset:none\.png: .+/).waitFor();
  await page.getByText(/^A script failed.*oops/).waitFor();
  await page.getByText('printed as boxes: \u{10FFF0} (U+10FFF0).').waitFor();
  await page.getByLabel('HTML of the template').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('<p>B\u{10FFF0}</p>');
  await page.getByRole('button', { name: '1 note' }).waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('<p>C</p>');
  await page.getByRole('button', { name: '1 note' }).waitFor({ state: 'detached' });
}, 120_000);

test("a template's script runs in the print, never in the studio", async () => {
  const { page } = studio.owner;
  const { id } = await studio.owner.api<{ id: string }>('POST', '/v1/templates', {
    name: 'Hostile',
    html_content:
      '<p>Hi</p><script>window.top.owned = 1; document.title = "owned"; fetch("/v1/templates")</script><img src=x onerror="window.top.owned = 1">',
  });
  await page.goto(`/studio/templates/${id}`);
  await page.getByText(/^Printed in/).waitFor();
  expect(await page.evaluate(() => 'owned' in window)).toBe(false);
  expect(await page.title()).toBe('Hostile · Platen');
  expect(await page.locator('iframe').count()).toBe(0);
}, 120_000);

test('a published template is copied from the marketplace by another account, which sees nothing else', async () => {
  const id = await studio.owner.cloneStarter('quote');
  await studio.owner.api('POST', `/v1/marketplace/${id}/publish`);
  const other = await studio.browser.signIn();
  const { page } = other;
  await page.goto('/studio/templates');
  await page.getByText('No templates yet').waitFor();
  await page.goto(`/studio/templates/${id}`);
  await page.getByText('This does not exist').waitFor();
  expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  await page.goto('/studio/marketplace');
  await page
    .getByRole('button', { name: /^Quote/ })
    .first()
    .click();
  await page.getByRole('button', { name: 'Copy to my templates' }).click();
  await page.getByText(/^Printed in/).waitFor();
  expect(other.offences).toEqual([]);
}, 120_000);

test('unsaved changes are kept until the person decides, also with the back and forward buttons', async () => {
  const { page } = await studio.browser.signIn();
  const question = page.getByRole('heading', { name: 'Leave without saving?' });
  const path = () => new URL(page.url()).pathname;
  await page.goto('/studio/keys');
  await page.getByRole('link', { name: 'Templates', exact: true }).click();
  await page.getByRole('link', { name: 'New template' }).click();
  await page.getByText(/^Printed in/).waitFor();
  await page.getByLabel('Name of the template').fill('Mine');
  await page.getByText('Not saved yet').waitFor();
  for (const leave of [() => history.back(), () => history.go(-2)]) {
    await page.evaluate(leave);
    await question.waitFor();
    await page.waitForFunction(() => location.pathname === '/studio/templates/new');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await question.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Name of the template').inputValue()).toBe('Mine');
  }
  await page.getByRole('link', { name: 'API keys' }).click();
  await question.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  await page.evaluate(() => history.back());
  await page.getByRole('button', { name: 'Leave' }).click();
  await page.getByText('No templates yet').waitFor();
  expect(path()).toBe('/studio/templates');
  await page.evaluate(() => history.back());
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  expect(path()).toBe('/studio/keys');
}, 120_000);

test('a session that ends elsewhere leads to the sign-in, which returns to the same view', async () => {
  const other = await studio.browser.signIn();
  const { page } = other;
  await page.goto('/studio/batches');
  await page.getByText('No batches yet').waitFor();
  await other.context.clearCookies();
  await page.getByRole('link', { name: 'Generations' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await page.getByLabel('Email').fill(other.email);
  await page.getByLabel('Password').fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('email or password is wrong').waitFor();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Generations' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/studio/generations');
}, 120_000);

test('a passkey is added and signs in', async () => {
  const visitor = await studio.browser.signIn({ byName: true });
  const { page, context } = visitor;
  const session = await context.newCDPSession(page);
  await session.send('WebAuthn.enable');
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.goto('/studio/security');
  await page.getByText('With a passkey, you sign in').waitFor();
  const { account } = await visitor.api<{ account: { id: string } }>('GET', '/studio/api/session');
  await withCollection(studio.browser.service, 'sessions', async (sessions) => {
    const createdAt = Date.now() - 6 * 60_000;
    await sessions.update({ accountId: account.id }, { createdAt });
  });
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Your password').fill('not the password');
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('The password is wrong').waitFor();
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByText('You can now sign in with this passkey.').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('heading', { name: 'Your first document' }).waitFor();
}, 120_000);

test('the palette, the menu and dialogs work by keyboard', async () => {
  const { page } = studio.owner;
  await page.goto('/studio/keys');
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').fill('usage');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/studio/usage');
  await page.goBack();
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await page.getByRole('button', { name: 'Actions for Web shop' }).focus();
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement?.textContent === 'Rename');
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Revoke');
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
    'Actions for Web shop',
  );
}, 120_000);

describeWithOffice('a template that is a file', () => {
  test('is uploaded, filled, changed, compared, renamed, drafted and published', async () => {
    const { page } = studio.owner;
    const choose = (label: string, name: string, text: string) =>
      page.getByLabel(label).setInputFiles({
        name,
        mimeType: 'application/octet-stream',
        buffer: Buffer.from(docx(paragraph(text))),
      });
    await page.goto('/studio/templates');
    await choose('Template file', 'Office letter.docx', 'Dear {{formatCurrency price currency}}');
    await page.getByText('Version 1, docx').waitFor();
    await page
      .getByRole('alert')
      .getByText(/^Paragraph 1: the helper "formatCurrency" takes/)
      .waitFor();
    await page.getByRole('textbox', { name: 'Sample data' }).fill('{"price": 1, "currency": "EUR"}');
    await page.getByAltText('Page 1 of Version 1').waitFor();
    await page.getByRole('button', { name: 'Save the sample data' }).click();
    await choose('Next version', 'broken.docx', '{{#if a}}');
    await page.getByText('broken.docx paragraph 1: the block "{{#if a}}" is not closed').waitFor();
    await choose('Next version', 'next.docx', 'Hello {{price}}');
    await page.getByText('Version 2, docx').waitFor();
    await page.getByLabel('Compare with').selectOption({ label: 'version 1' });
    const [next, first] = await Promise.all(
      ['Page 1 of Version 2', 'Page 1 of Version 1'].map(async (name) => {
        const image = page.getByAltText(name);
        await image.waitFor();
        return image.boundingBox();
      }),
    );
    expect(first?.y).toBe(next?.y);
    await page.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Office letter 2027');
    await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { name: 'Office letter 2027' }).waitFor();
    await page.getByLabel('Store the file as a draft').check();
    await choose('Next version', 'draft.docx', 'Welcome {{price}}');
    await page.getByText('Draft, version 3, docx').waitFor();
    await page.getByAltText('Page 1 of Version 3').waitFor();
    await page.getByRole('button', { name: 'Open version 2' }).click();
    await page.getByText('Version 3 is a draft.').waitFor();
    await page.getByRole('button', { name: 'Open the draft' }).click();
    const notice = page.getByText('This is a draft. Documents are made from version 2.');
    await notice.waitFor();
    await page.reload();
    await notice.waitFor();
    await page.getByRole('button', { name: 'Make it current' }).click();
    await page.getByText('Version 3, docx').waitFor();
    await page.getByRole('note').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Tests', exact: true }).click();
    await page.getByRole('button', { name: 'New case' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('One euro');
    await page.getByRole('button', { name: 'Create the case' }).click();
    await page.getByRole('button', { name: 'Run the tests' }).click();
    await page.getByRole('status').getByText('1 new', { exact: true }).waitFor();
    expect(await page.getByLabel('Require the tests').count()).toBe(0);
    expect(await page.getByRole('textbox', { name: 'Sample data' }).isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Accept all (1)' }).click();
    await page.getByRole('button', { name: 'Accept 1 case' }).click();
    await page.getByRole('status').getByText('1 equal', { exact: true }).waitFor();
    expect(await studio.owner.violations()).toEqual([]);
    await choose('Next version', 'changed.docx', 'Welcome, {{price}}');
    await page.getByText('Version 4, docx').waitFor();
    await page.getByRole('button', { name: 'Run the tests' }).click();
    await page.getByRole('status').getByText('1 different', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Pages', exact: true }).click();
    await page.getByAltText('Page 1 of Version 4').waitFor();
    await page.getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
    await page.getByRole('button', { name: 'Unpublish' }).waitFor();

    const { page: other } = await studio.browser.signIn();
    await other.goto('/studio/marketplace');
    await other.getByRole('button', { name: /Office letter 2027/ }).click();
    await other.getByText('A docx file. Copy the template to see its pages').waitFor();
    await other.getByRole('button', { name: 'Copy to my templates' }).click();
    await other.getByAltText('Page 1 of Version 1').waitFor();
  }, 120_000);
});
