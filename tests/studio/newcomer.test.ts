import { afterAll, beforeAll, expect, test } from 'bun:test';
import { newLink } from '../support/studio/studio.ts';
import { PASSWORD, StudioBrowser } from './browser.ts';

let browser: StudioBrowser;

beforeAll(async () => {
  browser = await StudioBrowser.start();
}, 60_000);

afterAll(() => browser?.[Symbol.asyncDispose]());

test('a newcomer gets from the link to a printed page, changes it, corrects an error and saves', async () => {
  const visitor = await browser.visit();
  const { page } = visitor;
  await page.goto(`/studio/link/${await newLink(browser.service)}`);
  await page.getByLabel('Email').fill('ada@example.com');
  await page.getByLabel('Password').fill('short');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('Use at least 10 characters.').waitFor();
  expect(await visitor.violations()).toEqual([]);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.getByText(/1 page, printed in/).waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
  expect(await visitor.violations()).toEqual([]);
  await page.getByRole('button', { name: 'Use this template' }).click();

  await page.getByText(/^Printed in/).waitFor();
  const sheet = page.getByRole('img', { name: 'Page 1 of 1 of the document' });
  const first = await sheet.getAttribute('src');
  expect(await visitor.violations()).toEqual([]);

  await page.getByLabel('HTML of the template').click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('{{formatDat date}}');
  await page.getByRole('alert').getByText('unknown helper "formatDat"').waitFor();
  await page.getByRole('button', { name: /^Go to line/ }).click();
  await page.waitForFunction(
    () => document.activeElement?.getAttribute('aria-label') === 'HTML of the template',
  );
  expect(await visitor.violations()).toEqual([]);
  await page.keyboard.press('Control+End');
  for (let count = 0; count < '{{formatDat date}}'.length; count += 1) await page.keyboard.press('Backspace');
  await page.keyboard.insertText('<p>Thank you</p>');
  await page.getByText(/^Printed in/).waitFor();
  await page.getByRole('alert').waitFor({ state: 'detached' });
  expect(await sheet.getAttribute('src')).not.toBe(first);

  await page.keyboard.press('Control+f');
  await page.getByRole('textbox', { name: 'Find' }).fill('Thank you');
  await page.getByRole('textbox', { name: 'Replace' }).fill('Many thanks');
  await page.getByRole('button', { name: 'Replace all' }).click();
  await page.getByLabel('HTML of the template').getByText('Many thanks').waitFor();
  await page.keyboard.press('Escape');
  await page.getByLabel('HTML of the template').focus();
  await page.keyboard.press('Control+i');
  await page.getByRole('combobox', { name: 'Search parts and helpers' }).fill('page break');
  await page.keyboard.press('Enter');
  await page.getByLabel('HTML of the template').getByText('break-before').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).not.toBe(
    'HTML of the template',
  );
  await page.keyboard.press('Control+s');
  await page.getByText('Saved as version 2.').waitFor();
  const [template] = (
    await visitor.api<{ data: { name: string; version: number }[] }>('GET', '/v1/templates')
  ).data;
  expect(template).toMatchObject({ name: 'Modern invoice', version: 2 });
  expect(visitor.offences).toEqual([]);
}, 60_000);
