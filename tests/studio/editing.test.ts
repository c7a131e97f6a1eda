import { expect, test } from 'bun:test';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio();

interface Stored {
  id: string;
  html_content: string;
  sample_data: Record<string, unknown>;
  options: Record<string, unknown> | null;
}

const HTML = 'HTML of the template';
const focused = () => studio.owner.page.evaluate(() => document.activeElement?.getAttribute('aria-label'));
const textOf = (label: string) => studio.owner.page.getByRole('textbox', { name: label }).textContent();

/** Stores a template, opens it in the editor and focuses the end of the HTML. */
async function edit(html: string, data: object = {}, options?: object): Promise<string> {
  const { page } = studio.owner;
  const { id } = await studio.owner.api<Stored>('POST', '/v1/templates', {
    name: 'Draft',
    html_content: html,
    sample_data: data,
    ...(options && { options }),
  });
  await page.goto(`/studio/templates/${id}`);
  await page.getByText(/^Printed in/).waitFor();
  await page.getByLabel(HTML).click();
  await page.keyboard.press('Control+End');
  return id;
}

/** Holds the requests of the preview back. Returns a function that lets them go. */
async function holdPreviews(): Promise<() => Promise<void>> {
  const { page } = studio.owner;
  const release = Promise.withResolvers<void>();
  await page.route('**/v1/templates/preview', async (route) => {
    await release.promise;
    // The page may have canceled the request.
    await route.continue().catch(() => undefined);
  });
  return async () => {
    release.resolve();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  };
}

test.each(['light', 'dark'] as const)(
  'text is found and replaced by keyboard, in the %s theme',
  async (theme) => {
    const { page } = studio.owner;
    await page.emulateMedia({ colorScheme: theme });
    await edit('<p>one</p>\n<p>two</p>\n<p>One</p>');
    await page.keyboard.press('Control+f');
    await page.getByRole('textbox', { name: 'Find' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('search');
    expect(await studio.owner.violations()).toEqual([]);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+h');
    const replacement = page.getByRole('textbox', { name: 'Replace' });
    await replacement.waitFor();
    await page.getByRole('textbox', { name: 'Find' }).fill('one');
    await page.getByLabel('Match case').check();
    await replacement.fill('three');
    await page.getByRole('button', { name: 'Replace all' }).click();
    expect(await textOf(HTML)).toBe('<p>three</p><p>two</p><p>One</p>');
    await page.emulateMedia({ colorScheme: 'light' });
    expect(studio.owner.offences).toEqual([]);
  },
  120_000,
);

test.each([
  [HTML, undefined],
  ['Sample data', 'Sample data'],
])(
  'Tab indents in "%s", and leaves it after Escape in both directions',
  async (label, tab) => {
    const { page } = studio.owner;
    await edit('<p>{{name}}</p>', { name: 'Ada' });
    if (tab) await page.getByRole('button', { name: tab }).click();
    const field = page.getByRole('textbox', { name: label });
    await field.click();
    await page.keyboard.press('Control+End');
    const before = await textOf(label);
    const describedBy = (await field.getAttribute('aria-describedby')) ?? '';
    const hint = page.locator(`[id="${describedBy}"]`);
    expect(await hint.textContent()).toBe('Esc, then Tab leaves the editor.');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe(label);
    expect(await textOf(label)).not.toBe(before);
    const indented = await textOf(label);
    for (const key of ['Tab', 'Shift+Tab']) {
      await field.click();
      await page.keyboard.press('Escape');
      await page.getByText('Tab now leaves the editor.').first().waitFor();
      await page.keyboard.press(key);
      expect(await focused()).not.toBe(label);
      expect(await textOf(label)).toBe(indented);
    }
    await field.click();
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Tab');
    expect(await focused()).toBe(label);
  },
  120_000,
);

test('an error disappears at the next key, while the document is printed again', async () => {
  const { page } = studio.owner;
  await edit('<p>Hello</p>');
  await page.keyboard.insertText('{{#if x}}');
  await page.getByRole('alert').waitFor();
  await page.getByText('Not printed').waitFor();
  const release = await holdPreviews();
  try {
    await page.keyboard.insertText('{{/if}}');
    await page.getByRole('alert').waitFor({ state: 'detached' });
    await page.getByText('Printing…', { exact: true }).waitFor();
    expect(await page.getByText('Not printed').count()).toBe(0);
  } finally {
    await release();
  }
  await page.getByText(/^Printed in/).waitFor();
}, 120_000);

test('a new template shows neither a page nor a number of pages before it is printed', async () => {
  const { page } = studio.owner;
  const release = await holdPreviews();
  try {
    await page.goto('/studio/templates/new');
    await page.getByText('Printing the first page…').waitFor();
    expect(await page.getByText(/^Page \d/).count()).toBe(0);
    expect(await page.locator('.preview .skeleton, .preview img').count()).toBe(0);
    expect(await studio.owner.violations()).toEqual([]);
  } finally {
    await release();
  }
  await page.getByText('Page 1 of 1', { exact: true }).waitFor();
}, 120_000);

test('a variable that the sample data lacks is underlined, and its sample value is added from the notes or the keyboard', async () => {
  const { page } = studio.owner;
  await edit(
    '<p>{{customer.adress}}</p>\r\n{{#if discount}}{{discount}}{{/if}}\n{{#each lines}}<p>{{title}}</p>{{/each}}',
    { customer: { name: 'Ada' } },
  );
  const underlined = page.locator('.cm-lintRange-warning');
  await underlined.first().waitFor();
  expect(await underlined.allTextContents()).toEqual(['customer.adress', 'lines']);
  await page.getByRole('button', { name: '2 notes' }).click();
  await page.getByText('Line 1: “customer.adress” is not in the sample data.').waitFor();
  expect(await studio.owner.violations()).toEqual([]);
  await page.getByRole('listitem').filter({ hasText: 'lines' }).getByRole('button').click();
  await page.getByText('Line 3: “lines”').waitFor({ state: 'detached' });
  // F8 goes to the next remark, and shows it.
  await page.getByLabel(HTML).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('F8');
  await page.getByRole('button', { name: 'Add to the sample data' }).last().click();
  await page.getByRole('button', { name: /notes?$/ }).waitFor({ state: 'detached' });
  expect(await underlined.count()).toBe(0);
  await page.keyboard.press('Control+s');
  await page.getByText(/^Saved/).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const { sample_data: data } = await studio.owner.api<Stored>('GET', `/v1/templates/${id}`);
  expect(data).toEqual({
    customer: { name: 'Ada', adress: 'Adress' },
    lines: [{ title: 'Title' }, { title: 'Title' }],
  });
}, 120_000);
