import { describe, expect, test } from 'bun:test';
import { TEMPLATE_HELPERS } from '@platen/templates';
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

describe('Insert', () => {
  const field = () => studio.owner.page.getByRole('combobox', { name: 'Search parts and helpers' });
  const option = (name: string) => studio.owner.page.getByRole('option', { name, exact: false }).first();
  const openInsert = async () => {
    await studio.owner.page.keyboard.press('Control+i');
    await field().waitFor();
  };
  const data = { seller: { name: 'Tarn' }, items: [{ title: 'Pen', price: 2 }] };

  test('offers a table from a list of the data, by keyboard', async () => {
    const { page } = studio.owner;
    await edit('<p>{{seller.name}}</p>\n  ', data);
    await openInsert();
    await page.keyboard.type('table');
    await option('Table from a list').waitFor();
    expect(await studio.owner.violations()).toEqual([]);
    await page.keyboard.press('Enter');
    await page.waitForFunction((label) => document.activeElement?.getAttribute('aria-label') === label, HTML);
    const text = await textOf(HTML);
    expect(text).toContain('<tr><th>Title</th><th>Price</th></tr>');
    expect(text).toContain('{{#each items}}        <tr><td>{{title}}</td><td>{{price}}</td></tr>');
    await page.getByText(/^Printed in/).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  }, 120_000);

  test('offers every part and every helper, and each is printed without an error', async () => {
    const { page } = studio.owner;
    await edit('<p>x</p>', { title: 'Pen', items: [{ price: 2 }] });
    await openInsert();
    const titles = await page.getByRole('option').locator('span').allTextContents();
    expect(titles).toEqual(
      expect.arrayContaining(['Image', 'Page break', 'QR code', 'Barcode', 'Condition']),
    );
    for (const helper of TEMPLATE_HELPERS.keys()) expect(titles).toContain(helper);
    await page.keyboard.press('Escape');
    for (const title of ['Page break', 'QR code', 'Barcode', 'Loop', 'Condition', 'Value from the data']) {
      await page.keyboard.press('Control+i');
      await field().fill(title);
      await option(title).click();
      await page.getByRole('button', { name: 'Insert', exact: true }).last().click();
      await page.getByText(/^Printed in/).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
    }
    const text = await textOf(HTML);
    expect(text).toContain('{{#if title}}');
    expect(text).toContain('{{#each items}}');
    expect(text).toContain('{{qrcode title size="25mm"}}');
  }, 120_000);

  test('shows the arguments and examples of a helper', async () => {
    const { page } = studio.owner;
    await edit('<p>x</p>');
    await openInsert();
    await page.keyboard.type('padStart');
    const about = page.getByRole('region', { name: 'About padStart' });
    await about.getByText('padStart text n [fill]').waitFor();
    await about.getByText('INV-00042').waitFor();
    await page.keyboard.press('Enter');
    expect(await textOf(HTML)).toBe('<p>x</p>INV-{{padStart number 5 "0"}}');
  }, 120_000);

  test('shows the stored images as pictures', async () => {
    const { page } = studio.owner;
    await edit('<p>x</p>');
    await page.evaluate(async () => {
      const canvas = new OffscreenCanvas(4, 4);
      canvas.getContext('2d')?.fillRect(0, 0, 4, 4);
      const form = new FormData();
      form.set('file', new File([await canvas.convertToBlob()], 'our_logo.png', { type: 'image/png' }));
      await fetch('/v1/assets', { method: 'POST', body: form });
    });
    await openInsert();
    await page.keyboard.type('image');
    await page.getByRole('radio', { name: 'our_logo.png' }).waitFor();
    expect(await studio.owner.violations()).toEqual([]);
    await page.getByRole('button', { name: 'Insert', exact: true }).last().click();
    expect(await textOf(HTML)).toContain('<img src="asset:our_logo.png" alt="Our logo"');
    await page.getByText(/^Printed in/).waitFor();
    expect(await page.getByRole('button', { name: /note/ }).count()).toBe(0);
  }, 120_000);

  test('adds the page number to the footer and keeps its text', async () => {
    const { page } = studio.owner;
    const id = await edit('<p>x</p>', {}, { footer: '<b>Tarn</b>' });
    await openInsert();
    await page.keyboard.type('page number');
    await page.keyboard.press('Enter');
    await page.getByRole('textbox', { name: 'Footer of the pages' }).waitFor();
    await page.keyboard.press('Control+s');
    await page.getByText(/^Saved/).waitFor();
    const { options } = await studio.owner.api<Stored>('GET', `/v1/templates/${id}`);
    expect(options?.['footer']).toMatch(
      /^<b>Tarn<\/b>\n<div .*Page \{\{pageNumber\}\} of \{\{totalPages\}\}/,
    );
  }, 120_000);
});

test('an error in the footer names its field and line, and names are completed there', async () => {
  const { page } = studio.owner;
  await edit('<p>x</p>', { company: 'Tarn' });
  await page.getByRole('button', { name: 'Page', exact: true }).click();
  await page.getByRole('textbox', { name: 'Footer of the pages' }).click();
  await page.keyboard.insertText('<b>x</b>\n{{formatDat x}}');
  await page.getByRole('alert').getByText('Footer, line 2: unknown helper "formatDat"').waitFor();
  await page.getByText(/^Line 2, column 1: unknown helper/).waitFor();
  await page.keyboard.press('Control+a');
  await page.keyboard.type('{{com');
  await page.getByRole('option', { name: 'company' }).waitFor();
}, 120_000);

test('the keyboard shortcuts are listed at "?", and icons have names to look at', async () => {
  const { page } = studio.owner;
  await edit('<p>x</p>');
  await page.keyboard.type('?');
  expect(await textOf(HTML)).toBe('<p>x</p>?');
  await page.getByRole('group', { name: 'Printed page' }).focus();
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor();
  await page.getByText('Leave the editor', { exact: true }).waitFor();
  expect(await studio.owner.violations()).toEqual([]);
  await page.keyboard.press('Escape');
  const nameless = await page
    .locator('.sidebar :is(a, button):visible, .button.only-icon:visible')
    .evaluateAll((all) =>
      all.filter((element) => !element.getAttribute('title')).map(({ outerHTML }) => outerHTML),
    );
  expect(nameless).toEqual([]);
}, 120_000);
