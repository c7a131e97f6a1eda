import { expect, test } from 'bun:test';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio();

test('files are listed with the operations that made them, and can be downloaded and deleted', async () => {
  const { page } = studio.owner;
  await page.goto('/');
  await page.getByRole('navigation').getByRole('link', { name: 'Files' }).click();
  await page.getByText('No files').waitFor();
  const { id } = await studio.owner.api<{ id: string }>('POST', '/v1/generate', { html: '<h1>Report</h1>' });
  await studio.owner.api('POST', '/v1/pdf/flatten', { pdf: id, file_name: 'Flat', expires_in: 86_400 });
  await studio.owner.api('POST', '/v1/pdf/number', { pdf: id, format: '{{pageNumber}}', position: 'top' });
  await page.reload();
  const flat = page.getByRole('row').filter({ hasText: 'Flat.pdf' });
  await flat.getByText('Flatten, 1 page').waitFor();
  await flat.getByText(/^until \d/).waitFor();
  const numbered = page.getByRole('row').filter({ hasText: 'Number pages, 1 page' });
  await numbered.getByText('until you delete it').last().waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download Flat.pdf' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Flat.pdf');

  await page.getByRole('button', { name: 'Delete Flat.pdf' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await flat.count()).toBe(1);
  await page.getByRole('button', { name: 'Delete Flat.pdf' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await flat.waitFor({ state: 'detached' });
  const { data } = await studio.owner.api<{ data: { operation: string }[] }>('GET', '/v1/files');
  expect(data.map(({ operation }) => operation)).toEqual(['number']);
}, 120_000);
