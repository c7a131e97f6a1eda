import { beforeAll, expect, test } from 'bun:test';
import { samplePdf } from '../../plugins/pdf-tools/examples.ts';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio();

type Send = (path: string, body: object) => Promise<unknown>;

/** Makes a document, a batch and a file with a name. */
async function makeAll(send: Send, name: string): Promise<void> {
  await send('/v1/generate', { html: '<p>Hi</p>', file_name: name });
  await send('/v1/generate/batch', { items: [{ html: '<p>Hi</p>', reference: name }] });
  await send('/v1/files', { file: samplePdf, file_name: name });
}

beforeAll(async () => {
  const { owner, browser } = studio;
  const { key } = await owner.api<{ key: string }>('POST', '/studio/api/keys', { name: 'CI', test: true });
  await makeAll(async (path, body) => {
    const { status } = await browser.service.post(path, body, key);
    expect(status).toBeLessThan(300);
  }, 'Draft');
  await makeAll((path, body) => owner.api('POST', path, body), 'Real');
}, 120_000);

test.each([
  { path: '/studio/generations', entry: 'tbody tr', names: ['Draft.pdf', 'Real.pdf'] },
  { path: '/studio/batches', entry: '.batch', names: ['Draft', 'Real'] },
  { path: '/studio/files', entry: 'tbody tr', names: ['Draft', 'Real'] },
])(
  '$path marks what test keys made, and shows it alone or not at all',
  async ({ path, entry, names }) => {
    const { owner } = studio;
    const { page } = owner;
    const [draft, real] = names.map((name) => page.locator(entry).filter({ hasText: name }).first());
    if (!draft || !real) throw new Error('the names are missing');
    const badge = (row: typeof draft) => row.getByText('Test', { exact: true });
    await page.goto(path);
    await badge(draft).first().waitFor();
    await real.waitFor();
    expect(await badge(real).count()).toBe(0);
    expect(await owner.violations()).toEqual([]);

    const mode = page.getByLabel('Test mode');
    await mode.selectOption('Live only');
    await draft.waitFor({ state: 'detached' });
    await real.waitFor();
    await mode.selectOption('Test only');
    await real.waitFor({ state: 'detached' });
    await badge(draft).first().waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    expect(await owner.overflows()).toBe(false);
    await page.setViewportSize({ width: 1280, height: 800 });
  },
  120_000,
);

test('a filter without entries says so and can be cleared', async () => {
  const { page } = await studio.browser.signIn();
  for (const [path, text] of [
    ['/studio/generations', 'No document matches these filters.'],
    ['/studio/batches', 'No batch matches this filter.'],
    ['/studio/files', 'No file matches the filter.'],
  ] as const) {
    await page.goto(`${path}?test=true`);
    await page.getByText(text).waitFor();
    await page.getByRole('button', { name: /^Clear the filters?$/ }).click();
    await page.getByText(text).waitFor({ state: 'detached' });
    expect(new URL(page.url()).search).toBe('');
  }
}, 120_000);

test('the events of test documents are marked', async () => {
  const { page } = studio.owner;
  await page.goto('/studio/webhooks?list=events');
  const rows = page.getByRole('row').filter({ hasText: 'file.created' });
  await rows.nth(1).waitFor();
  expect(await rows.filter({ has: page.getByText('Test', { exact: true }) }).count()).toBe(1);
}, 120_000);
