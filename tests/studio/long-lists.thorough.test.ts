import { beforeAll, describe, expect, test } from 'bun:test';
import { waitToRetry } from '../support/service/retry-after.ts';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio();

/** More rows than a request returns. */
const COUNT = 120;

beforeAll(async () => {
  // The numbers count down, so that number 1 is the oldest row and therefore the last one.
  const dot = btoa('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>');
  for (let number = 1; number <= COUNT; number += 1) {
    await post('/v1/assets', { name: `picture-${number}.svg`, data: dot });
    const { id } = await post('/v1/templates', {
      name: `Template ${String(number).padStart(3, '0')}`,
      html_content: '<p>Hello</p>',
      category: number === 1 ? 'letter' : 'invoice',
    });
    await post(`/v1/marketplace/${id}/publish`, {});
  }
}, 240_000);

/** Sends a request with the owner's session, again after a 429. */
async function post(path: string, body: object): Promise<{ id: string }> {
  const answer = await studio.owner.page.evaluate(
    async ([address, text]) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(address, { method: 'POST', headers, body: text });
      const { status } = response;
      return { status, retryAfter: response.headers.get('retry-after') ?? '', text: await response.text() };
    },
    [path, JSON.stringify(body)] as const,
  );
  if (answer.status === 429) {
    await waitToRetry(new Headers({ 'retry-after': answer.retryAfter }));
    return post(path, body);
  }
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`);
  return JSON.parse(answer.text);
}

describe('a list with more rows than a page', () => {
  const lists = [
    { path: '/studio/asset-library', row: 'tbody tr', last: 'picture-1.svg' },
    { path: '/studio/templates', row: '.cards > li', last: 'Template 001' },
    { path: '/studio/marketplace', row: '.cards > li', last: 'Template 001' },
  ];
  for (const { path, row, last } of lists)
    test(`${path} shows all rows step by step, and finds the last one`, async () => {
      const { page } = studio.owner;
      await page.goto(path);
      const rows = page.locator(row);
      for (const shown of [50, 100]) {
        await page.getByText(`The first ${shown} are shown.`).waitFor();
        expect(await rows.count()).toBe(shown);
        await page.getByRole('button', { name: 'Show more' }).click();
      }
      await rows.nth(COUNT - 1).waitFor();
      expect(await rows.last().textContent()).toContain(last);
      expect(await page.getByRole('button', { name: 'Show more' }).count()).toBe(0);

      await page.goto(path);
      await page.getByText('The first 50 are shown.').waitFor();
      await page.getByRole('searchbox').fill(last);
      await page.waitForFunction((selector) => document.querySelectorAll(selector).length === 1, row);
      expect(await rows.textContent()).toContain(last);
    }, 120_000);

  test('a category shows templates beyond the first page', async () => {
    const { page } = studio.owner;
    for (const path of ['/studio/templates', '/studio/marketplace']) {
      await page.goto(path);
      await page.getByText('The first 50 are shown.').waitFor();
      await page.getByRole('button', { name: 'Letter' }).click();
      await page.waitForFunction(() => document.querySelectorAll('.cards > li').length === 1);
      expect(await page.locator('.cards > li').textContent()).toContain('Template 001');
      await page.getByRole('button', { name: 'All', exact: true }).click();
      await page.getByText('The first 50 are shown.').waitFor();
      await page.getByRole('button', { name: 'Certificate' }).click();
      await page.getByRole('button', { name: 'Show all' }).click();
      await page.getByText('The first 50 are shown.').waitFor();
    }
  }, 120_000);

  test('the choices of templates and images include the last one', async () => {
    const { page } = studio.owner;
    await page.goto('/studio/generations');
    await page.getByLabel('Template', { exact: true }).selectOption('Template 001');
    await page.getByText('Nothing matches').waitFor();
    await page.goto('/studio/batches');
    await page.getByRole('button', { name: 'New batch' }).click();
    await page.getByRole('dialog').getByLabel('Template').selectOption('Template 001');
    await page.keyboard.press('Escape');

    await page.keyboard.press('Control+k');
    await page.getByText(/^60 of \d+ results are shown/).waitFor();
    await page.keyboard.type('Template 001');
    await page.keyboard.press('Enter');
    await page.getByText(/^Printed in/).waitFor();
    expect(await page.getByLabel('Name of the template').inputValue()).toBe('Template 001');
    await page.getByRole('button', { name: 'Insert' }).click();
    await page.getByRole('dialog').getByRole('combobox').fill('image');
    await page.getByRole('radio', { name: 'picture-1.svg' }).waitFor();
    expect(await page.getByRole('radio').count()).toBe(COUNT);
  }, 120_000);
});
