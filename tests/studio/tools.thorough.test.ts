import { describe, expect, test } from 'bun:test';
import { filesOf } from './files-of.ts';
import { ALL_SCREENS } from './screens.ts';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio(ALL_SCREENS);

test('files are merged in the order into which they were dragged', async () => {
  const { page } = studio.owner;
  const { id } = await studio.owner.api<{ id: string }>('POST', '/v1/generate', { html: '<h1>One</h1>' });
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
  const { data } = await studio.owner.api<{ data: { operation: string; pages: number }[] }>(
    'GET',
    '/v1/files',
  );
  expect(data[0]).toMatchObject({ operation: 'merge', pages: 3, file_name: 'c-merged.pdf' });
  await page.getByText('Page 1 of 3').waitFor();
  await page.getByRole('button', { name: 'Next page' }).click();
  await page.getByAltText('Page 2 of the result').waitFor();
}, 120_000);

test('the fields of a form are listed, marked on their page and filled in', async () => {
  const { page } = studio.owner;
  const { id } = await studio.owner.api<{ id: string }>('POST', '/v1/generate', { html: '<h1>Order</h1>' });
  const form = await studio.owner.api<{ file_id: string }>('POST', '/v1/pdf/forms/add-fields', {
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
  expect(await page.locator('.field-mark').count()).toBe(2);
  const mark = await page.locator('.field-mark.is-current').boundingBox();
  const sheet = await page.getByAltText('Page 1 of the form').boundingBox();
  // A4 is 842 points high, and the field begins 600 points above its bottom.
  expect(((mark?.y ?? 0) - (sheet?.y ?? 0)) / (sheet?.height ?? 1)).toBeCloseTo((842 - 624) / 842, 1);
  await page.getByLabel('Express').check();
  await page.getByRole('button', { name: 'Fill in the form' }).click();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  const { data } = await studio.owner.api<{ data: { id: string }[] }>('GET', '/v1/files?limit=1');
  const { fields } = await studio.owner.api<{ fields: object[] }>('POST', '/v1/pdf/forms/list-fields', {
    pdf: data[0]?.id,
  });
  expect(fields).toMatchObject([
    { name: 'Customer', value: 'Fellside Brewing' },
    { name: 'Express', value: true },
  ]);
}, 120_000);

test('a file is protected, and opens only with its password', async () => {
  const { page } = studio.owner;
  const { id } = await studio.owner.api<{ id: string }>('POST', '/v1/generate', { html: '<h1>Secret</h1>' });
  await page.goto('/studio/tools');
  await page.getByRole('link', { name: /^Protect/ }).click();
  await page.getByLabel('PDF file').setInputFiles(await filesOf(page, id, ['secret.pdf']));
  const protect = page.getByRole('button', { name: 'Protect', exact: true });
  await protect.click();
  await page.getByText('Enter the owner password.').waitFor();
  await page.getByLabel('Owner password').fill('correct horse');
  await page.getByLabel('User password').fill('battery staple');
  await page.getByLabel('Print', { exact: true }).uncheck();
  await protect.click();
  await page.getByText('The file is encrypted.').waitFor();
  expect(await page.getByLabel('curl example').textContent()).not.toContain('horse');
  const { data } = await studio.owner.api<{ data: { id: string }[] }>('GET', '/v1/files?limit=1');
  const unlock = (password: string) =>
    studio.owner.api<{ file_id: string }>('POST', '/v1/pdf/unlock', { pdf: data[0]?.id, password });
  expect(await unlock('wrong').catch(String)).toContain('password');
  expect((await unlock('battery staple')).file_id).toStartWith('file_');
}, 120_000);

test('tools that need no further input work with the initial values of their forms', async () => {
  const { page } = studio.owner;
  const { id } = await studio.owner.api<{ id: string }>('POST', '/v1/generate', { html: '<h1>Report</h1>' });
  const actions = {
    split: 'Split',
    arrange: 'Arrange the pages',
    compress: 'Compress',
    number: 'Number the pages',
    watermark: 'Add the watermark',
    sign: 'Sign',
    pdfa: 'Convert',
    flatten: 'Flatten',
  };
  for (const [slug, action] of Object.entries(actions)) {
    await page.goto(`/studio/tools/${slug}`);
    await page.getByLabel('PDF file').setInputFiles(await filesOf(page, id, ['report.pdf']));
    if (slug === 'sign') await page.getByLabel('Name', { exact: true }).fill('Ada Byron');
    await page.getByRole('button', { name: action, exact: true }).click();
    await page.getByRole('link', { name: 'Download' }).waitFor();
    await page.getByAltText('Page 1 of the result').waitFor();
  }
}, 120_000);

describe('further tools', () => {
  const open = async (slug: string, files: Awaited<ReturnType<typeof filesOf>>) => {
    const { page } = studio.owner;
    await page.goto(`/studio/tools/${slug}`);
    await page.getByLabel(/^PDF files?$/).setInputFiles(files);
    await page
      .getByText(files.at(-1)?.name ?? '')
      .first()
      .waitFor();
    return page;
  };
  const report = async () => {
    const html = '<title>Annual report</title><h1>Profit rose</h1>';
    const { id } = await studio.owner.api<{ id: string }>('POST', '/v1/generate', { html });
    return filesOf(studio.owner.page, id, ['report.pdf', 'copy.pdf']);
  };
  const newest = async () =>
    (await studio.owner.api<{ data: { id: string }[] }>('GET', '/v1/files?limit=1')).data[0]?.id;

  test('show the properties, the text, the bookmarks and the invoice of a file', async () => {
    const [file] = await report();
    if (!file) throw new Error('no file');
    const steps = [
      ['info', 'Show the properties', 'Annual report'],
      ['text', 'Extract the text', 'Profit rose'],
      ['outline', 'Run', '"outline"'],
      ['attachments', 'Run', 'The file has no attachments'],
      ['read-invoice', 'Read the invoice', 'The file contains no electronic invoice'],
    ] as const;
    for (const [slug, action, result] of steps) {
      const page = await open(slug, [file]);
      expect(await page.getByLabel('Keep the result').count()).toBe(0);
      await page.getByRole('button', { name: action, exact: true }).click();
      await page.getByText(result).waitFor();
      expect(await studio.owner.violations()).toEqual([]);
    }
  }, 120_000);

  test('write a file with the initial values of their forms or with a title', async () => {
    const [file] = await report();
    if (!file) throw new Error('no file');
    const actions = {
      stamp: 'Stamp the pages',
      'add-fields': 'Add the fields',
      pipeline: 'Run the steps',
      properties: 'Write the properties',
    };
    for (const [slug, action] of Object.entries(actions)) {
      const page = await open(slug, [file]);
      if (slug === 'properties') await page.getByLabel('Title').fill('Report for 2026');
      await page.getByRole('button', { name: action, exact: true }).click();
      await page.getByAltText('Page 1 of the result').waitFor();
    }
    const info = await studio.owner.api<object>('POST', '/v1/pdf/info', { pdf: await newest() });
    expect(info).toMatchObject({ title: 'Report for 2026' });
    const page = await open('images', [file]);
    await page.getByRole('button', { name: 'Draw the images' }).click();
    await page.getByText('The images are in a zip archive.').waitFor();
  }, 120_000);

  test('compare two files, and remove a password', async () => {
    const files = await report();
    const page = await open('compare', files);
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByText('The files look the same').waitFor();
    const [file] = files;
    const pdf = file?.buffer.toString('base64');
    await studio.owner.api('POST', '/v1/pdf/protect', { pdf, owner_password: 'o', user_password: 'u' });
    const locked = await page.evaluate(
      async (id) => {
        const bytes = new Uint8Array(await (await fetch(`/v1/files/${id}/content`)).arrayBuffer());
        return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
      },
      await newest(),
    );
    const buffer = Buffer.from(locked, 'base64');
    await open('unlock', [{ name: 'locked.pdf', mimeType: 'application/pdf', buffer }]);
    await page.getByLabel('Password of the file').fill('u');
    expect(await page.getByLabel('curl example').textContent()).toContain('"password":"…"');
    await page.getByRole('button', { name: 'Remove the password' }).click();
    await page.getByAltText('Page 1 of the result').waitFor();
  }, 120_000);

  test('attach a file, take it out, and write bookmarks', async () => {
    const [file] = await report();
    if (!file) throw new Error('no file');
    const page = await open('attachments', [file]);
    await page.getByLabel('Task').selectOption('Add an attachment');
    await page
      .getByLabel('File to attach')
      .setInputFiles({ name: 'figures.csv', mimeType: 'text/csv', buffer: Buffer.from('profit;7') });
    await page.getByText('figures.csv').first().waitFor();
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByAltText('Page 1 of the result').waitFor();
    const pdf = await newest();
    const { attachments } = await studio.owner.api<{ attachments: { data: string }[] }>(
      'POST',
      '/v1/pdf/attachments',
      { pdf, extract: ['figures.csv'] },
    );
    expect(attachments.map(({ data }) => atob(data))).toEqual(['profit;7']);
    await open('outline', [file]);
    await page.getByLabel('New bookmarks (optional)').fill('Summary');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByText('Begin “Summary” with the number of its page, and add a title.').waitFor();
    await page.getByLabel('New bookmarks (optional)').fill('1 Summary');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.getByAltText('Page 1 of the result').waitFor();
    const read = await studio.owner.api<object>('POST', '/v1/pdf/outline', { pdf: await newest() });
    expect(read).toMatchObject({ outline: [{ title: 'Summary', page: 1 }] });
  }, 120_000);

  test('make an electronic invoice from the data of the guide', async () => {
    const guide = await Bun.file('docs/invoices.md').text();
    const [, json = ''] = /```json\n(.*?)```/s.exec(guide) ?? [];
    const { data } = JSON.parse(json) as { data: { invoice: object } };
    const [file] = await report();
    if (!file) throw new Error('no file');
    const page = await open('invoice', [file]);
    await page.getByLabel('Data').fill(JSON.stringify(data.invoice));
    await page.getByRole('button', { name: 'Make the invoice' }).click();
    await page.getByAltText('Page 1 of the result').waitFor();
    const read = await studio.owner.api<object>('POST', '/v1/pdf/invoice/read', { pdf: await newest() });
    expect(read).toMatchObject({ found: true, profile: 'en16931', valid: true });
  }, 120_000);
});

test('a result is named after its source, deleted after a week unless it is kept, and can be downloaded without scrolling', async () => {
  const { page } = studio.owner;
  const { id } = await studio.owner.api<{ id: string }>('POST', '/v1/generate', { html: '<h1>Report</h1>' });
  const upload = async (slug: string) => {
    await page.goto(`/studio/tools/${slug}`);
    await page.getByLabel('PDF file').setInputFiles(await filesOf(page, id, ['Report.pdf']));
    await page.getByText('Report.pdf').first().waitFor();
  };
  type Stored = { data: { file_name: string; expires_at: string | null; created_at: string }[] };
  const newest = async () => (await studio.owner.api<Stored>('GET', '/v1/files?limit=1')).data[0];

  await upload('compress');
  await page.getByRole('button', { name: 'Compress', exact: true }).click();
  const link = page.getByRole('link', { name: 'Download' });
  await link.waitFor();
  const box = await link.boundingBox();
  expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThan(800);
  await page.getByText(/^Kept until \d+ \w+ \d{4} in/).waitFor();
  await page.getByText(/B → .*smaller$/).waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(download.suggestedFilename()).toBe('Report-compressed.pdf');
  const stored = await newest();
  const days = (Date.parse(stored?.expires_at ?? '') - Date.parse(stored?.created_at ?? '')) / 86_400_000;
  expect(days).toBeCloseTo(7, 1);

  await upload('pdfa');
  await page.getByLabel('Keep the result').check();
  await page.getByRole('button', { name: 'Convert', exact: true }).click();
  await page.getByRole('heading', { name: 'Conforms to PDF/A-2b' }).waitFor();
  await page.getByText('Kept until you delete it').waitFor();
  expect(await newest()).toMatchObject({ file_name: 'Report-pdfa.pdf', expires_at: null });
}, 120_000);

test('the parts of a split file are downloaded as one zip archive', async () => {
  const { page } = studio.owner;
  const { id } = await studio.owner.api<{ id: string }>('POST', '/v1/generate', {
    html: '<p>One</p><p style="break-before: page">Two</p>',
  });
  await page.goto('/studio/tools/split');
  await page.getByLabel('PDF file').setInputFiles(await filesOf(page, id, ['Report.pdf']));
  await page.getByRole('button', { name: 'Split', exact: true }).click();
  await page.getByText('2 files in a zip archive').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download all' }).click(),
  ]);
  expect(download.suggestedFilename()).toBe('Report.zip');
  const content = await Bun.file(await download.path()).bytes();
  expect(Buffer.from(content.subarray(0, 2)).toString()).toBe('PK');
  expect(Buffer.from(content).toString('latin1')).toContain('Report-2.pdf');
}, 120_000);

test('a file that is not a PDF is named in the message', async () => {
  const { page } = studio.owner;
  await page.goto('/studio/tools/compress');
  const notPdf = { name: 'c.pem', mimeType: 'application/pdf', buffer: Buffer.from('-----BEGIN') };
  await page.getByLabel('PDF file').setInputFiles([notPdf]);
  await page.getByRole('alert').getByText('c.pem is not a PDF').waitFor();
}, 120_000);
