import { expect, test } from 'bun:test';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio();

test('the list of generations is reloaded until nothing is in progress, and keeps the focus', async () => {
  const { page } = studio.owner;
  await studio.owner.api('POST', '/v1/generate', { html: '<p>Hi</p>', file_name: 'Slow' });
  let requests = 0;
  // The first responses look as they did before the document was finished.
  await page.route(/\/v1\/generations\?/, async (route) => {
    requests += 1;
    const answer = await route.fetch();
    const body = (await answer.json()) as { data: { status: string }[] };
    if (requests <= 2) for (const entry of body.data) entry.status = 'processing';
    await route.fulfill({ response: answer, json: body });
  });
  await page.goto('/studio/generations');
  const table = page.getByRole('table');
  await table.getByText('Processing').waitFor();
  await page.getByRole('link', { name: /Slow/ }).focus();
  await table.getByText('Completed').waitFor();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Slow.pdf');
  expect(requests).toBe(3);
  await page.unroute(/\/v1\/generations\?/);
}, 120_000);

test('a click anywhere in the row of a document opens it, and its warnings are shown above its pages', async () => {
  const { page } = studio.owner;
  await studio.owner.api('POST', '/v1/generate', {
    html: '<h1>News</h1><img src="asset:missing.png" alt=""><script>issue.title</script>',
    file_name: 'News',
  });
  await page.goto('/studio/generations');
  const row = page.getByRole('row').filter({ hasText: 'News' });
  const width = (await row.boundingBox())?.width ?? 0;
  await row.click({ position: { x: width - 20, y: 10 } });
  await page.getByRole('heading', { name: 'News.pdf' }).waitFor();
  const warnings = page.getByRole('region', { name: 'Warnings' });
  expect(await warnings.getByRole('listitem').allTextContents()).toEqual([
    '1 resource could not be loaded',
    '1 script error',
  ]);
  const pages = await page.getByRole('region', { name: 'Pages' }).boundingBox();
  expect((await warnings.boundingBox())?.y).toBeLessThan(pages?.y ?? 0);
  await page.getByRole('complementary', { name: 'Properties' }).getByText('Warnings').waitFor();
  await page.getByRole('button', { name: 'Show the receipt' }).click();
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Receipt');
}, 120_000);

test('a batch says how many of its documents failed', async () => {
  const { page } = studio.owner;
  await studio.owner.api('POST', '/v1/generate/batch', {
    items: [{ html: '<p>Fine</p>' }, { template: 'tmpl_missing000000000000000', data: {} }],
  });
  await page.goto('/studio/batches');
  await page.getByText('Completed, 1 failed').waitFor();
}, 120_000);

test('documents without a name show their reference, and a batch shows one of its documents', async () => {
  const visitor = await studio.browser.signIn();
  const { page } = visitor;
  const html = '<p>Hello</p>';
  await visitor.api('POST', '/v1/generate', { html, reference: 'order 4711' });
  const items = ['Ada', 'Grace'].map((name) => ({ html, file_name: name, reference: 'march run' }));
  await visitor.api('POST', '/v1/generate/batch', { items });
  await page.goto('/studio/generations');
  await page.getByRole('link', { name: /^order 4711\s*HTML/ }).waitFor();
  await page.goto('/studio/batches');
  await page.getByRole('heading', { name: /^(Ada|Grace)\.pdf and 1 more$/ }).waitFor();
  await page.getByText('march run').waitFor();
}, 120_000);

test('selected documents are deleted together, and the message counts failures', async () => {
  const visitor = await studio.browser.signIn();
  const { page } = visitor;
  const ids = new Map<string, string>();
  for (const name of ['Ada', 'Grace', 'Linus']) {
    const made = await visitor.api<{ id: string }>('POST', '/v1/generate', {
      html: '<p>Hi</p>',
      file_name: name,
    });
    ids.set(name, made.id);
  }
  await page.goto('/studio/generations');
  await page.getByLabel('Select Ada.pdf').check();
  await page.getByLabel('Select Grace.pdf').check();
  await page.getByRole('region', { name: 'Selection' }).getByText('2 documents selected').waitFor();
  // Another window deletes one of the two.
  await visitor.api('DELETE', `/v1/generations/${ids.get('Ada')}`);
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog', { name: 'Delete 2 documents?' });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await page.locator('tbody tr').count()).toBe(3);
  await page.getByRole('region', { name: 'Selection' }).getByRole('button', { name: 'Delete' }).click();
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText(/^1 document was deleted\. 1 document was not deleted: /).waitFor();
  await page.getByText('Grace.pdf').waitFor({ state: 'detached' });
  await page.getByText('Linus.pdf').waitFor();
  const { data } = await visitor.api<{ data: { file_name: string }[] }>('GET', '/v1/generations');
  expect(data.map(({ file_name }) => file_name)).toEqual(['Linus.pdf']);
}, 120_000);
