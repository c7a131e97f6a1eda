import { expect, test } from 'bun:test';
import { readFile } from 'node:fs/promises';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio();

test('the audit log is shown, filtered and downloaded', async () => {
  const visitor = studio.owner;
  const { page } = visitor;
  const { id } = await visitor.api<{ id: string }>('POST', '/studio/api/keys', { name: 'Shop' });
  const template = { name: 'Letter', html_content: '<p>Hi</p>' };
  const { id: letter } = await visitor.api<{ id: string }>('POST', '/v1/templates', template);
  await visitor.api('PUT', `/v1/templates/${letter}/cases/${'long '.repeat(12)}name`, { data: {} });
  await page.goto('/studio/audit');
  await page.getByRole('cell', { name: 'template.created' }).waitFor();
  const created = page.getByRole('row').filter({ hasText: id });
  expect(await created.textContent()).toContain('key.created');
  expect(await created.textContent()).toContain('Completed');
  const frame = page.getByRole('group', { name: 'Entries' });
  const hiddenPx = () => frame.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(await hiddenPx()).toBe(0);

  await page.getByLabel('Action').selectOption('API keys');
  await page.getByRole('cell', { name: 'template.created' }).waitFor({ state: 'detached' });
  await created.waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download CSV' }).click(),
  ]);
  expect(download.suggestedFilename()).toMatch(/^audit-[\d-]+\.csv$/);
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  // The first start of the service created the other key.
  expect(lines.length).toBe(3);
  expect(lines[1]).toContain(`,key.created,${id},`);

  await page.getByLabel('Actor', { exact: true }).selectOption('Operators');
  await page.getByText('No entries').waitFor();
  expect(visitor.offences).toEqual([]);
}, 120_000);
