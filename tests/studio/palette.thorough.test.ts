import { expect, test } from 'bun:test';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio({ role: 'operator' });

test('the palette lists views and commands, and finds tools', async () => {
  const { page } = studio.owner;
  await page.goto('/studio/keys');
  await page.getByRole('heading', { name: 'API keys' }).waitFor();
  await page.keyboard.press('Control+k');
  const option = (name: string) => page.getByRole('option', { name });
  for (const name of ['Overview', 'Files', 'Metrics', 'New template Command', 'Sign out'])
    await option(name).waitFor();
  await option('Merge PDF tools').waitFor();
  expect(await option('Protect').count()).toBe(0);
  await page.keyboard.type('dark');
  await page.keyboard.press('Enter');
  await page.locator('html[data-theme=dark]').waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('merge');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Merge' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.keyboard.type('sign out');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  expect(await page.getByText('Your session has ended').count()).toBe(0);
}, 120_000);

test('the focus is on the name field of a new key, and on the view after navigation', async () => {
  const visitor = await studio.browser.signIn();
  const { page } = visitor;
  await page.goto('/studio/keys');
  await page.getByRole('button', { name: 'Create key' }).first().click();
  await page.getByLabel('Name').waitFor();
  await page.keyboard.type('Web shop');
  expect(await page.getByLabel('Name').inputValue()).toBe('Web shop');
  await page.keyboard.press('Escape');
  await page.goto('/studio/tools');
  await page.getByRole('link', { name: /^Merge/ }).click();
  await page.getByRole('heading', { name: 'Merge' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.id === 'view');
  await page.goBack();
  await page.getByRole('heading', { name: 'PDF tools' }).waitFor();
  await page.waitForFunction(() => document.activeElement?.closest('main')?.id === 'view');
}, 120_000);

test('a tool that is turned off is not listed, and its group has no heading if it is empty', async () => {
  const visitor = await studio.browser.signIn();
  const { page } = visitor;
  await page.goto('/studio/tools');
  await page.getByRole('heading', { name: 'Signatures' }).waitFor();
  expect(await page.getByText('Protect', { exact: true }).count()).toBe(0);
  await page.goto('/studio/tools/protect');
  await page.getByRole('heading', { name: 'Protect is turned off' }).waitFor();
}, 120_000);
