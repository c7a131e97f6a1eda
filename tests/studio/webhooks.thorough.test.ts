import { afterAll, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import { samplePdf } from '../../plugins/pdf-tools/examples.ts';
import { waitToRetry } from '../support/service/retry-after.ts';
import { Receiver, verify } from '../support/sites/receiver.ts';
import { until } from '../support/until.ts';
import { PASSWORD } from './browser.ts';
import { shareStudio } from './shared-studio.ts';

const receiver = new Receiver(
  ({ path }) => new Response(null, { status: path.startsWith('/fails') ? 500 : 204 }),
);
afterAll(() => receiver[Symbol.asyncDispose]());
const studio = shareStudio({ env: { EGRESS_ALLOW: receiver.host } });

interface Endpoint {
  id: string;
  secret: string;
}

/** Opens the menu of the only endpoint and chooses an action. */
async function act(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Reads the secret that a dialog shows, and closes the dialog. */
async function readSecret(page: Page): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'Secret of the endpoint' });
  const secret = await dialog.locator('.secret code').textContent();
  await dialog.getByRole('button', { name: 'Done' }).click();
  return secret ?? '';
}

test('an endpoint is created, tested, changed, disabled and deleted', async () => {
  const visitor = await studio.browser.signIn();
  const { page } = visitor;
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click();
  await page.getByText('No endpoints').waitFor();
  await page.getByRole('button', { name: 'New endpoint' }).click();
  const create = page.getByRole('button', { name: 'Create endpoint' });
  const url = page.getByLabel('URL', { exact: true });
  await url.fill('http://10.0.0.1/hook');
  expect(await create.isDisabled()).toBe(true);
  await page.getByRole('checkbox', { name: /^A PDF is stored/ }).check();
  await page.getByRole('checkbox', { name: /^All file events/ }).check();
  expect(await page.getByRole('checkbox', { name: /^A file is stored/ }).count()).toBe(0);
  await create.click();
  await page.getByText(/^The URL must be on a public address/).waitFor();
  expect(await url.getAttribute('aria-invalid')).toBe('true');
  expect(await visitor.violations()).toEqual([]);
  await url.fill(receiver.url('/hook'));
  await create.click();
  const secret = await readSecret(page);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const row = page.getByRole('row').filter({ hasText: receiver.url('/hook') });
  await row.getByText('generation.completed, file.*').last().waitFor();
  await row.getByText('Enabled').waitFor();

  await act(page, 'Send a test message');
  const dialog = page.getByRole('dialog', { name: 'Send a test message' });
  await dialog.getByLabel('Event').selectOption('file.created');
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.getByText('The receiver responded with 204.').waitFor();
  expect(await dialog.getByLabel('Message').textContent()).toContain('"test": true');
  expect(await visitor.violations()).toEqual([]);
  const [sample] = receiver.at('/hook');
  if (!sample) throw new Error('the message has not arrived');
  expect(verify(secret, sample)).toMatchObject({ type: 'file.created', test: true });
  await dialog.getByRole('button', { name: 'Close' }).last().click();

  await act(page, 'Edit');
  await page.getByRole('checkbox', { name: /^All file events/ }).uncheck();
  await page.getByRole('checkbox', { name: /^A file is stored/ }).check();
  await page.getByLabel('Description (optional)').fill('Web shop');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The endpoint was changed.').waitFor();
  await row.getByText('generation.completed, file.created').last().waitFor();
  await row.getByText('Web shop').waitFor();

  await act(page, 'Disable');
  await row.getByText(/: switched off$/).waitFor();
  await visitor.api('POST', '/v1/files', { file: samplePdf });
  await act(page, 'Enable');
  await row.getByText('Enabled').waitFor();
  const { id } = await visitor.api<{ id: string }>('POST', '/v1/files', { file: samplePdf });
  await until(() => receiver.at('/hook').length === 2);
  expect(JSON.parse(receiver.at('/hook')[1]?.body ?? '').data.id).toBe(id);

  await act(page, 'Replace the secret');
  await page.getByRole('dialog').getByRole('button', { name: 'Replace the secret' }).click();
  const replaced = await readSecret(page);
  expect(replaced).not.toBe(secret);
  await act(page, 'Show the secret');
  expect(await readSecret(page)).toBe(replaced);

  await page.setViewportSize({ width: 360, height: 740 });
  expect(await visitor.overflows()).toBe(false);
  expect(await visitor.violations()).toEqual([]);
  await act(page, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect(await row.count()).toBe(1);
  await act(page, 'Delete');
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('No endpoints').waitFor();
  expect(await visitor.api<{ data: unknown[] }>('GET', '/v1/webhook-endpoints')).toMatchObject({ data: [] });
  expect(visitor.offences).toEqual([]);
}, 120_000);

test('a failed test message says why, and when it is sent again', async () => {
  const visitor = await studio.browser.signIn();
  const { page } = visitor;
  const endpoint = { url: receiver.url('/fails'), events: ['batch.*'] };
  await visitor.api('POST', '/v1/webhook-endpoints', endpoint);
  await page.goto('/studio/webhooks');
  await act(page, 'Send a test message');
  const dialog = page.getByRole('dialog', { name: 'Send a test message' });
  await dialog.getByRole('button', { name: 'Send', exact: true }).click();
  await dialog.getByText(/^Pending The attempt failed: .*500.*\. The next attempt is on /).waitFor();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByText(/^Failing since/).waitFor();
}, 120_000);

test('a lasting change asks for the password first if the sign-in is old', async () => {
  const visitor = await studio.browser.signIn();
  const { page } = visitor;
  const { secret } = await visitor.api<Endpoint>('POST', '/v1/webhook-endpoints', {
    url: receiver.url('/old'),
    events: ['file.*'],
  });
  // The service asks once, as it does five minutes after the sign-in.
  const fault = { path: '', code: 'CONFIRMATION_REQUIRED', message: 'confirm your identity' };
  const error = { code: 'FORBIDDEN', message: fault.message, details: [fault] };
  await page.route(
    '**/v1/webhook-endpoints/*/secret',
    (route) => route.fulfill({ status: 403, json: { error } }),
    {
      times: 1,
    },
  );
  await page.goto('/studio/webhooks');
  await act(page, 'Show the secret');
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Confirm' }).click();
  expect(await readSecret(page)).toBe(secret);
}, 120_000);

test('events are listed, filtered by type, and opened with their deliveries', async () => {
  const visitor = await studio.browser.signIn();
  const { page } = visitor;
  await page.goto('/studio/webhooks');
  await page.getByRole('button', { name: 'Events' }).click();
  await page.getByText('No events').waitFor();
  await visitor.api('POST', '/v1/webhook-endpoints', {
    url: receiver.url('/events'),
    events: ['file.*'],
  });
  const { id: file } = await visitor.api<{ id: string }>('POST', '/v1/files', { file: samplePdf });
  await until(() => receiver.at('/events').length === 1);
  const { id: document } = await visitor.api<{ id: string }>('POST', '/v1/generate', { html: '<p>Hi</p>' });
  const draft = { name: 'Letter', html_content: '<p>Hi</p>' };
  const { id: template } = await visitor.api<{ id: string }>('POST', '/v1/templates', draft);
  await visitor.api('PUT', `/v1/templates/${template}`, { name: 'Invoice' });
  await page.reload();
  const rows = page.locator('tbody tr');
  await page.getByRole('button', { name: 'generation.completed' }).waitFor();
  expect(await rows.count()).toBe(3);
  const link = rows.getByRole('link', { name: template });
  expect(await link.getAttribute('href')).toBe(`/studio/templates/${template}`);
  expect(await visitor.violations()).toEqual([]);

  const type = page.getByLabel('Type', { exact: true });
  await type.selectOption('batch.completed');
  await page.getByText('No event of the last 30 days has this type.').waitFor();
  await page.getByRole('button', { name: 'Clear the filter' }).click();
  await type.selectOption('All generation events');
  await page.getByRole('button', { name: 'file.created' }).waitFor({ state: 'detached' });
  await rows.getByRole('link', { name: document }).waitFor();
  await type.selectOption('file.created');
  await page.getByRole('button', { name: 'file.created' }).click();
  const dialog = page.getByRole('dialog', { name: 'file.created' });
  expect(await dialog.getByLabel('Event').textContent()).toContain(file);
  const delivery = dialog.getByRole('row').filter({ hasText: receiver.url('/events') });
  await delivery.getByText('Delivered').waitFor();
  await delivery.getByText('204').waitFor();
  expect(await visitor.violations()).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await visitor.violations()).toEqual([]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await visitor.overflows()).toBe(false);
  await type.selectOption('generation.completed');
  await page.getByRole('button', { name: 'generation.completed' }).click();
  await page.getByText('No endpoint received this event.').waitFor();
}, 120_000);

test('the list of events shows all events step by step', async () => {
  const visitor = await studio.browser.signIn();
  const { page } = visitor;
  const { key } = await visitor.api<{ key: string }>('POST', '/studio/api/keys', { name: 'Uploads' });
  const { service } = studio.browser;
  for (let count = 0; count < 60;) {
    const { status, headers } = await service.post('/v1/files', { file: samplePdf }, key);
    if (status === 201) count += 1;
    else if (status === 429) await waitToRetry(headers);
    else throw new Error(`an upload was answered with ${status}`);
  }
  await page.goto('/studio/webhooks?list=events');
  await page.getByText('The first 50 are shown.').waitFor();
  expect(await page.locator('tbody tr').count()).toBe(50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await page.locator('tbody tr').nth(59).waitFor();
  expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);
}, 120_000);
