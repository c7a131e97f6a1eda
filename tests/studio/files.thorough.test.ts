import { expect, test } from 'bun:test';
import { filesOf } from './files-of.ts';
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

test('several PDFs are uploaded, found by name or reference, downloaded and deleted together', async () => {
  const visitor = await studio.browser.signIn();
  const { page } = visitor;
  const { id } = await visitor.api<{ id: string }>('POST', '/v1/generate', { html: '<h1>Letter</h1>' });
  await visitor.api('POST', '/v1/pdf/flatten', { pdf: id, file_name: 'Quote', reference: 'order 77' });
  await page.goto('/studio/files');
  const wrong = { name: 'notes.pdf', mimeType: 'application/pdf', buffer: Buffer.from('text') };
  const uploads = await filesOf(page, id, ['Letter one.pdf', 'Letter two.pdf']);
  await page.getByLabel('PDF files').setInputFiles([...uploads, wrong]);
  await page
    .getByRole('alert')
    .getByText('2 files were uploaded. 1 file was not uploaded: notes.pdf is not a PDF')
    .waitFor();
  await page.getByText('Letter two.pdf', { exact: true }).waitFor();
  await page.getByText('Flatten, 1 page · order 77').waitFor();

  const search = page.getByRole('searchbox', { name: 'Search files' });
  const rows = page.locator('tbody tr');
  await search.fill('77 ORDER');
  await page.getByText('Letter two.pdf', { exact: true }).waitFor({ state: 'detached' });
  await page.getByText('Quote.pdf', { exact: true }).waitFor();
  expect(await rows.allTextContents()).toEqual([expect.stringContaining('Quote.pdf')]);
  await search.fill('letter');
  await page.getByText('Letter one.pdf', { exact: true }).waitFor();
  expect(await rows.count()).toBe(2);

  await page.getByLabel('Select all rows').check();
  const selection = page.getByRole('region', { name: 'Selection' });
  await selection.getByText('2 files selected').waitFor();
  const downloads: string[] = [];
  page.on('download', (download) => downloads.push(download.suggestedFilename()));
  await selection.getByRole('button', { name: 'Download' }).click();
  await page.getByText('2 files were downloaded.').waitFor();
  expect(downloads.toSorted()).toEqual(['Letter one.pdf', 'Letter two.pdf']);

  await page.getByLabel('Select Letter one.pdf').uncheck();
  await selection.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 1 file?' });
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('1 file was deleted.').waitFor();
  await page.getByText('Letter two.pdf', { exact: true }).waitFor({ state: 'detached' });
  await page.getByText('Letter one.pdf', { exact: true }).waitFor();
  expect(await rows.allTextContents()).toEqual([expect.stringContaining('Letter one.pdf')]);
  await search.fill('nothing like this');
  await page.getByText('No file found').waitFor();
}, 120_000);
