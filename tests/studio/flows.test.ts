import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { filesOf } from './screens.ts';
import { PASSWORD, StudioBrowser, type Visitor } from './browser.ts';
import { until } from '../support/until.ts';
import { withCollection } from '../support/studio.ts';

let browser: StudioBrowser;
let owner: Visitor;

beforeAll(async () => {
  browser = await StudioBrowser.start();
  owner = await browser.signIn();
}, 60_000);

afterAll(() => browser?.[Symbol.asyncDispose]());

test('a new key works, a revoked one does not, and undo restores it', async () => {
  const { page } = owner;
  await page.goto('/studio/keys');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await page.getByLabel('Name').fill('Web shop');
  await page.getByRole('button', { name: 'Create key' }).last().click();
  await page.getByText('Copy your key now').waitFor();
  await page.getByRole('button', { name: 'Copy key' }).click();
  const key = await page.evaluate(() => navigator.clipboard.readText());
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Copy your key now').waitFor({ state: 'detached' });
  const statusWith = async () => (await browser.service.request('GET', '/v1/usage', { key })).status;
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
}, 60_000);

describe('versions', () => {
  test('an older version is compared as text and as pages, and restored', async () => {
    const { page } = owner;
    const id = await owner.cloneStarter('invoice-simple');
    const { html_content: html } = await owner.api<{ html_content: string }>('GET', `/v1/templates/${id}`);
    await owner.api('PUT', `/v1/templates/${id}`, {
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
    const restored = await owner.api<{ html_content: string; version: number }>('GET', `/v1/templates/${id}`);
    expect(restored).toMatchObject({ html_content: html, version: 3 });
    expect(await page.getByLabel('HTML of the template').textContent()).not.toContain('Second');
  }, 60_000);
});

test('notes name missing files, failed scripts and characters that no font has, and go when they are corrected', async () => {
  const { page } = owner;
  const { id } = await owner.api<{ id: string }>('POST', '/v1/templates', {
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
}, 60_000);

test("a template's script runs in the print, never in the studio", async () => {
  const { page } = owner;
  const { id } = await owner.api<{ id: string }>('POST', '/v1/templates', {
    name: 'Hostile',
    html_content:
      '<p>Hi</p><script>window.top.owned = 1; document.title = "owned"; fetch("/v1/templates")</script><img src=x onerror="window.top.owned = 1">',
  });
  await page.goto(`/studio/templates/${id}`);
  await page.getByText(/^Printed in/).waitFor();
  expect(await page.evaluate(() => 'owned' in window)).toBe(false);
  expect(await page.title()).toBe('Hostile · Platen');
  expect(await page.locator('iframe').count()).toBe(0);
}, 60_000);

test('files are merged in the order that dragging gives them', async () => {
  const { page } = owner;
  const { id } = await owner.api<{ id: string }>('POST', '/v1/generate', { html: '<h1>One</h1>' });
  await page.goto('/studio/tools/merge');
  await page.getByLabel('PDF files').setInputFiles(await filesOf(page, id, ['a.pdf', 'b.pdf', 'c.pdf']));
  const files = page.getByRole('listitem').filter({ hasText: '.pdf' });
  await page.getByText('c.pdf', { exact: true }).waitFor();
  await files.filter({ hasText: 'c.pdf' }).dragTo(files.filter({ hasText: 'a.pdf' }));
  expect(await files.locator('.cell-title').allTextContents()).toEqual(['c.pdf', 'a.pdf', 'b.pdf']);
  await page.getByRole('button', { name: 'Move b.pdf up' }).click();
  expect(await files.locator('.cell-title').allTextContents()).toEqual(['c.pdf', 'b.pdf', 'a.pdf']);
  await page.getByRole('button', { name: 'Merge', exact: true }).click();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  await page.getByText("-F 'pdfs=@c.pdf'").waitFor();
  const { data } = await owner.api<{ data: { operation: string; pages: number }[] }>('GET', '/v1/files');
  expect(data[0]).toMatchObject({ operation: 'merge', pages: 3 });
}, 60_000);

test('a published template is copied from the marketplace by another account, which sees nothing else', async () => {
  const id = await owner.cloneStarter('quote');
  await owner.api('POST', `/v1/marketplace/${id}/publish`);
  const other = await browser.signIn();
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
}, 60_000);

test('unsaved changes are kept until the person decides, also with the back and forward buttons', async () => {
  const { page } = await browser.signIn();
  const answers: boolean[] = [];
  page.on('dialog', (dialog) => void (answers.shift() ? dialog.accept() : dialog.dismiss()));
  const path = () => new URL(page.url()).pathname;
  await page.goto('/studio/keys');
  await page.getByRole('link', { name: 'Templates', exact: true }).click();
  await page.getByRole('link', { name: 'New template' }).click();
  await page.getByText(/^Printed in/).waitFor();
  await page.getByLabel('Name of the template').fill('Mine');
  await page.getByText('Not saved yet').waitFor();
  for (const leave of [() => history.back(), () => history.go(-2)]) {
    answers.push(false);
    await page.evaluate(leave);
    await until(() => answers.length === 0);
    await page.waitForFunction(() => location.pathname === '/studio/templates/new');
    expect(await page.getByLabel('Name of the template').inputValue()).toBe('Mine');
  }
  answers.push(true);
  await page.evaluate(() => history.back());
  await page.getByText('No templates yet').waitFor();
  expect(path()).toBe('/studio/templates');
  await page.evaluate(() => history.back());
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  expect(path()).toBe('/studio/keys');
}, 60_000);

test('a session that ends elsewhere leads to the sign-in, which returns to the same view', async () => {
  const other = await browser.signIn();
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
}, 60_000);

test('a passkey is added and signs in', async () => {
  const visitor = await browser.signIn({ byName: true });
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
  await page.getByText('A passkey replaces').waitFor();
  const { account } = await visitor.api<{ account: { id: string } }>('GET', '/studio/api/session');
  await withCollection(browser.service, 'sessions', async (sessions) => {
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
}, 60_000);

test('the history is filtered by template and by date, and the filters are in the URL', async () => {
  const visitor = await browser.signIn();
  const { page } = visitor;
  const template = await visitor.cloneStarter('letter');
  await visitor.api('POST', '/v1/generate', { template, file_name: 'From the template' });
  await visitor.api('POST', '/v1/generate', { html: '<p>Hi</p>', file_name: 'From HTML' });
  await page.goto('/studio/generations');
  await page.getByText('From HTML').waitFor();
  await page.getByLabel('Template').selectOption({ value: template });
  await page.getByText('From HTML').waitFor({ state: 'detached' });
  await page.getByText('From the template.pdf').waitFor();
  await page.getByLabel('to', { exact: true }).fill('2026-01-01');
  await page.getByText('Nothing matches').waitFor();
  expect(new URL(page.url()).search).toBe(`?template_id=${template}&to=2026-01-01`);
  await page.getByLabel('to', { exact: true }).fill('');
  await page.getByLabel('From', { exact: true }).fill('2026-01-01');
  await page.getByText('From the template.pdf').waitFor();
  await page.reload();
  await page.getByText('From the template.pdf').waitFor();
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2026-01-01');
}, 60_000);

test('the palette, the menu and dialogs work by keyboard', async () => {
  const { page } = owner;
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
}, 60_000);

test('the fields of a form are listed, marked on their page and filled in', async () => {
  const { page } = owner;
  const { id } = await owner.api<{ id: string }>('POST', '/v1/generate', { html: '<h1>Order</h1>' });
  const form = await owner.api<{ file_id: string }>('POST', '/v1/pdf/forms/add-fields', {
    pdf: id,
    fields: [
      { name: 'Customer', type: 'text', page: 0, x: 72, y: 600, width: 200, height: 24 },
      { name: 'Express', type: 'checkbox', page: 0, x: 72, y: 560, width: 16, height: 16 },
    ],
  });
  await page.goto('/studio/tools/fill');
  const content = await page.evaluate(async (file) => {
    const bytes = new Uint8Array(await (await fetch(`/v1/files/${file}/content`)).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  }, form.file_id);
  await page.getByLabel('PDF file').setInputFiles({
    name: 'order.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from(content, 'base64'),
  });
  await page.getByLabel('Customer').fill('Fellside Brewing');
  const mark = await page.locator('.field-mark').boundingBox();
  const sheet = await page.getByAltText('Page 1 of the form').boundingBox();
  // A4 is 842 points high, and the field begins 600 points above its bottom.
  expect(((mark?.y ?? 0) - (sheet?.y ?? 0)) / (sheet?.height ?? 1)).toBeCloseTo((842 - 624) / 842, 1);
  await page.getByLabel('Express').check();
  await page.getByRole('button', { name: 'Fill in the form' }).click();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  const { data } = await owner.api<{ data: { id: string }[] }>('GET', '/v1/files?limit=1');
  const { fields } = await owner.api<{ fields: object[] }>('POST', '/v1/pdf/forms/list-fields', {
    pdf: data[0]?.id,
  });
  expect(fields).toMatchObject([
    { name: 'Customer', value: 'Fellside Brewing' },
    { name: 'Express', value: true },
  ]);
}, 60_000);

test('every tool works with the values that its form begins with', async () => {
  const { page } = owner;
  const { id } = await owner.api<{ id: string }>('POST', '/v1/generate', { html: '<h1>Report</h1>' });
  const actions = {
    split: 'Split',
    arrange: 'Arrange the pages',
    compress: 'Compress',
    number: 'Number the pages',
    watermark: 'Add the watermark',
    sign: 'Add the signature',
    pdfa: 'Convert',
    flatten: 'Flatten',
  };
  for (const [slug, action] of Object.entries(actions)) {
    await page.goto(`/studio/tools/${slug}`);
    await page.getByLabel('PDF file').setInputFiles(await filesOf(page, id, ['report.pdf']));
    if (slug === 'sign') await page.getByLabel('Name', { exact: true }).fill('Ada Byron');
    await page.getByRole('button', { name: action, exact: true }).click();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    await page.getByAltText('First page of result 1').waitFor();
  }
}, 60_000);
