import { beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FORMAT_NAMES } from '../../plugins/documents/exports.ts';
import { describeWithPdfTools, pageSizes, pdfText } from '../support/pdf/pdf.ts';
import { until } from '../support/until.ts';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio();

interface Stored {
  id: string;
  name: string;
  html_content: string;
  version: number;
  sample_data: Record<string, unknown>;
}

const read = (id: string) => studio.owner.api<Stored>('GET', `/v1/templates/${id}`);

/** Stores a template and opens it in the editor. */
async function openTemplate(fields: object = {}): Promise<string> {
  const { id } = await studio.owner.api<Stored>('POST', '/v1/templates', {
    name: 'Greeting',
    html_content: '<p>Hello {{name}}</p>',
    sample_data: { name: 'Ada' },
    ...fields,
  });
  await studio.owner.page.goto(`/studio/templates/${id}`);
  await studio.owner.page.getByText(/^Printed in/).waitFor();
  return id;
}

/** Lists the documents made from a template. */
const generationsOf = async (id: string) =>
  (await studio.owner.api<{ data: object[] }>('GET', `/v1/generations?template_id=${id}`)).data;

/** Replaces the text of a code editor. */
async function type(label: string, text: string): Promise<void> {
  await studio.owner.page.getByLabel(label).click();
  await studio.owner.page.keyboard.press('Control+a');
  await studio.owner.page.keyboard.insertText(text);
}

describe('a template that was changed elsewhere', () => {
  const change = async () => {
    const id = await openTemplate();
    await type('HTML of the template', '<p>Mine</p>');
    await studio.owner.api('PUT', `/v1/templates/${id}`, { html_content: '<p>Theirs</p>' });
    await studio.owner.page.keyboard.press('Control+s');
    await studio.owner.page.getByRole('heading', { name: 'Version 2 was saved elsewhere' }).waitFor();
    expect(await read(id)).toMatchObject({ html_content: '<p>Theirs</p>', version: 2 });
    return id;
  };

  test('is saved as the next version if the person wants it', async () => {
    const id = await change();
    expect(await studio.owner.violations()).toEqual([]);
    await studio.owner.page.getByRole('button', { name: 'Save as a new version' }).click();
    await studio.owner.page.getByText('Saved as version 3.').waitFor();
    expect(await read(id)).toMatchObject({ html_content: '<p>Mine</p>', version: 3 });
    await studio.owner.page
      .getByRole('heading', { name: 'Version 2 was saved' })
      .waitFor({ state: 'detached' });
  }, 120_000);

  test('is opened instead, which discards the changes', async () => {
    const id = await change();
    await studio.owner.page.getByRole('button', { name: 'Open version 2' }).click();
    await studio.owner.page.getByLabel('HTML of the template').getByText('Theirs').waitFor();
    expect(await studio.owner.page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(
      true,
    );
    expect(await read(id)).toMatchObject({ html_content: '<p>Theirs</p>', version: 2 });
  }, 120_000);

  test('is not overwritten when only its sample data changed', async () => {
    const id = await openTemplate();
    await type('HTML of the template', '<p>Mine</p>');
    await studio.owner.api('PUT', `/v1/templates/${id}`, { sample_data: { name: 'Grace' } });
    await studio.owner.page.keyboard.press('Control+s');
    await studio.owner.page.getByRole('heading', { name: 'This template was changed elsewhere' }).waitFor();
    await studio.owner.page.getByRole('button', { name: 'Cancel' }).click();
    expect(await read(id)).toMatchObject({ sample_data: { name: 'Grace' }, version: 1 });
    expect(await studio.owner.page.getByLabel('HTML of the template').textContent()).toBe('<p>Mine</p>');
  }, 120_000);

  test('is saved as a new template if it was deleted', async () => {
    const id = await openTemplate();
    await type('HTML of the template', '<p>Mine</p>');
    await studio.owner.api('DELETE', `/v1/templates/${id}`);
    await studio.owner.page.keyboard.press('Control+s');
    await studio.owner.page.getByRole('heading', { name: 'This template was deleted elsewhere' }).waitFor();
    await studio.owner.page.getByRole('button', { name: 'Save as a new template' }).click();
    await studio.owner.page.getByText('Saved as version 1.').waitFor();
    const saved = new URL(studio.owner.page.url()).pathname.split('/').at(-1) ?? '';
    expect(saved).not.toBe(id);
    expect(await read(saved)).toMatchObject({ name: 'Greeting', html_content: '<p>Mine</p>', version: 1 });
  }, 120_000);
});

test('versions can be compared and restored in a window of 360 px', async () => {
  const id = await openTemplate();
  await studio.owner.api('PUT', `/v1/templates/${id}`, { html_content: '<p>Second</p>' });
  await studio.owner.page.setViewportSize({ width: 360, height: 740 });
  try {
    await studio.owner.page.reload();
    await studio.owner.page.getByRole('button', { name: 'Versions' }).click();
    await studio.owner.page.getByText('Version 1 compared with the editor').waitFor();
    await studio.owner.page.getByText('A version contains the HTML, the page options').waitFor();
    const text = studio.owner.page.getByRole('textbox', { name: 'Text of the editor' });
    await text.waitFor();
    const restore = studio.owner.page.getByRole('button', { name: 'Restore this version' });
    for (const element of [text, restore]) {
      await element.scrollIntoViewIfNeeded();
      const box = await element.boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(360);
    }
    expect(await studio.owner.violations()).toEqual([]);
    await studio.owner.page.getByRole('button', { name: 'Pages' }).click();
    await studio.owner.page.getByText('Changed areas are marked.').waitFor();
    await restore.click();
    await studio.owner.page.getByText('Version 1 is now version 3.').waitFor();
  } finally {
    await studio.owner.page.setViewportSize({ width: 1280, height: 800 });
  }
}, 120_000);

test.each([1280, 360])(
  'the marketplace shows the whole width of a page in a window of %i px',
  async (width) => {
    const id = await studio.owner.cloneStarter('quote');
    await studio.owner.api('PUT', `/v1/templates/${id}`, { name: `Quote ${width}` });
    await studio.owner.api('POST', `/v1/marketplace/${id}/publish`);
    const { page } = studio.owner;
    await page.setViewportSize({ width, height: 800 });
    try {
      await page.goto('/studio/marketplace');
      await page.getByRole('button', { name: `Quote ${width}` }).click();
      const sheet = page.getByRole('img', { name: `First page of Quote ${width}` });
      await sheet.waitFor();
      const desk = await page.getByRole('group', { name: 'Preview' }).boundingBox();
      const image = await sheet.boundingBox();
      expect(image?.width).toBeGreaterThan(200);
      expect(image?.width).toBeLessThan(desk?.width ?? 0);
      expect(image?.x).toBeGreaterThan(desk?.x ?? 0);
    } finally {
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  },
  120_000,
);

describeWithPdfTools('the examples under "Use it from code"', () => {
  let key = '';
  beforeAll(async () => {
    ({ key } = await studio.owner.api<{ key: string }>('POST', '/studio/api/keys', { name: 'Examples' }));
  });

  /**
   * Runs a program in a shell, in a folder with the downloaded body if the examples need it. Returns the
   * document it makes.
   */
  const run = async (program: string, { language, body }: { language: string; body: string | undefined }) => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-example-'));
    try {
      if (body !== undefined) await writeFile(join(folder, 'request.json'), body);
      const file = join(folder, language === 'JavaScript' ? 'print.mjs' : 'print');
      await writeFile(file, program);
      const command = { curl: 'bash', JavaScript: 'node', Python: 'python3' }[language] ?? '';
      const child = Bun.spawn([command, file], {
        cwd: folder,
        env: { ...process.env, PLATEN_API_KEY: key },
        stderr: 'pipe',
      });
      expect(await new Response(child.stderr).text()).toBe('');
      expect(await child.exited).toBe(0);
      return await readFile(join(folder, 'document.pdf'));
    } finally {
      await rm(folder, { recursive: true });
    }
  };

  test.each([
    ['short', `It's "quoted" and '''''quoted''''' $HOME \`id\` \\n é`],
    ['long', `data:image/png;base64,${'A'.repeat(50_000)}`],
  ])(
    'make the document of the editor from %s data',
    async (length, text) => {
      const { page } = studio.owner;
      const id = await openTemplate({
        html_content: '<p>{{text.length}}{{#if complete}} Complete{{/if}}</p>',
        sample_data: { text, items: [{ number: 1 }], complete: true },
        options: { format: 'A5' },
      });
      await page.getByRole('button', { name: 'Use it from code' }).click();
      await page.getByRole('button', { name: 'curl', exact: true }).waitFor();
      const link = page.getByRole('link', { name: 'Download request.json' });
      if (length === 'long') await link.waitFor();
      expect(await link.count()).toBe(length === 'long' ? 1 : 0);
      let body: string | undefined;
      if (length === 'long') {
        const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
        expect(download.suggestedFilename()).toBe('request.json');
        body = await readFile(await download.path(), 'utf8');
        expect(await studio.owner.violations()).toEqual([]);
      }
      const languages = ['curl', 'JavaScript', ...(Bun.which('python3') ? ['Python'] : [])];
      for (const language of languages) {
        await page.getByRole('button', { name: language, exact: true }).click();
        const program = (await page.getByLabel(`${language} example`).textContent()) ?? '';
        const pdf = await run(program, { language, body });
        expect(await pdfText(pdf)).toContain(`${text.length} Complete`);
        const [size] = await pageSizes(pdf);
        expect(Math.round(size?.width ?? 0)).toBe(420);
      }
      const made = await studio.owner.api<{ data: object[] }>('GET', `/v1/generations?template_id=${id}`);
      expect(made.data.length).toBe(languages.length);
    },
    120_000,
  );
});

test('sample data that is not JSON is reported in a banner, and is neither printed nor saved', async () => {
  const { page } = studio.owner;
  const id = await openTemplate();
  await page.getByRole('button', { name: 'Sample data' }).click();
  await type('Sample data', '{ "name": ');
  const banner = page.getByRole('alert').filter({ hasText: 'The sample data is not valid JSON' });
  await banner.waitFor();
  await page.getByText('Not current').waitFor();
  expect(await studio.owner.violations()).toEqual([]);
  await page.getByRole('button', { name: 'Make PDF' }).click();
  await page.getByText('The PDF was not made: the sample data is not valid JSON.').waitFor();
  await page.keyboard.press('Control+s');
  const failure = page.getByText('The template was not saved: the sample data is not valid JSON.');
  await failure.waitFor();
  await page.getByRole('button', { name: /^HTML/ }).click();
  await banner.getByRole('button', { name: 'Open the data' }).click();
  await type('Sample data', '{ "name": "Grace" }');
  await banner.waitFor({ state: 'detached' });
  await failure.waitFor({ state: 'detached' });
  await page.getByText(/^Printed in/).waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved in version 1.').waitFor();
  expect(await read(id)).toMatchObject({ sample_data: { name: 'Grace' }, version: 1 });
  expect(await generationsOf(id)).toEqual([]);
}, 120_000);

test('a template error is reported with its line, without a request', async () => {
  const { page } = studio.owner;
  await openTemplate();
  const made = async () => {
    const { data } = await studio.owner.api<{ data: { id: string }[] }>('GET', '/v1/generations');
    return data.map((document) => document.id);
  };
  const before = await made();
  await type('HTML of the template', '<p>Hello</p>\n{{formatDat name}}');
  await page.getByText('Line 2: unknown helper "formatDat"').waitFor();
  await page.getByRole('button', { name: 'Make PDF' }).click();
  await page.getByText('The PDF was not made. Line 2: unknown helper "formatDat"').waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('The template was not saved. Line 2: unknown helper "formatDat"').waitFor();
  expect(await made()).toEqual(before);
}, 120_000);

test('a resource that strict printing cannot load is named without an error code', async () => {
  const { page } = studio.owner;
  await openTemplate({ html_content: '<img src="asset:none.png" alt="">' });
  await page.getByRole('button', { name: 'Page', exact: true }).click();
  await page.getByLabel('Strict').check();
  await page.getByText('A resource could not be loaded').waitFor();
  await page.getByRole('button', { name: 'Make PDF' }).click();
  await page.getByText(/^The PDF was not made\. A resource could not be loaded: .*none\.png/).waitFor();
  expect(await page.getByText('ASSET_FAILED').count()).toBe(0);
}, 120_000);

test('a PDF of saved HTML is listed under its template, also with other data; unsaved HTML is not', async () => {
  const { page } = studio.owner;
  const id = await openTemplate();
  const make = async () => {
    await page.getByRole('button', { name: 'Make PDF' }).click();
    await page.getByText('The PDF is ready.').last().waitFor();
  };
  await make();
  expect((await generationsOf(id)).length).toBe(1);
  await page.getByRole('button', { name: 'Sample data' }).click();
  await type('Sample data', '{ "name": "Grace" }');
  await page.getByText('Unsaved changes').waitFor();
  await page.getByRole('button', { name: 'Make PDF' }).click();
  await until(async () => (await generationsOf(id)).length === 2);
  await page.getByRole('button', { name: /^HTML/ }).click();
  await type('HTML of the template', '<p>Other</p>');
  const all = async () =>
    (await studio.owner.api<{ data: object[] }>('GET', '/v1/generations?limit=100')).data.length;
  const before = await all();
  await page.getByRole('button', { name: 'Make PDF' }).click();
  await until(async () => (await all()) === before + 1);
  expect((await generationsOf(id)).length).toBe(2);
}, 120_000);

test('publishing asks for the category first and can be undone, and the owner sees no warning in the marketplace', async () => {
  const { page } = studio.owner;
  const id = await openTemplate({ name: 'Shared letter' });
  const openDialog = async () => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Publish' }).click();
    await page.getByRole('heading', { name: 'Publish this template?' }).waitFor();
  };
  const state = () =>
    studio.owner.api<{ is_public: boolean; category: string }>('GET', `/v1/templates/${id}`);
  await openDialog();
  expect(await studio.owner.violations()).toEqual([]);
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect(await state()).toMatchObject({ is_public: false, category: 'other' });
  await openDialog();
  await page.getByLabel('Category').selectOption('letter');
  await page.getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText('The template is published in the marketplace.').waitFor();
  expect(await state()).toMatchObject({ is_public: true, category: 'letter' });
  await page.goto('/studio/marketplace');
  await page.getByRole('button', { name: 'Shared letter' }).click();
  await page.getByText('You published this template.').waitFor();
  expect(await page.getByText('another account').count()).toBe(0);
  const other = await studio.browser.signIn();
  await other.page.goto('/studio/marketplace');
  await other.page.getByRole('button', { name: 'Shared letter' }).click();
  await other.page.getByText('Read the template of another account').waitFor();
  await other.context.close();
  await page.goto(`/studio/templates/${id}`);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: 'Unpublish' }).click();
  await page.getByText('The template is private again.').waitFor();
  expect(await state()).toMatchObject({ is_public: false });
}, 120_000);

test('page options name the field of an error, and say when the @page rule of the template overrides them', async () => {
  const { page } = studio.owner;
  await openTemplate();
  await page.getByRole('button', { name: 'Page', exact: true }).click();
  await page.getByLabel('Top', { exact: true }).fill('wide');
  await page
    .getByRole('alert')
    .getByText(/^Top margin: /)
    .waitFor();
  expect((await page.locator('.field-error').boundingBox())?.width).toBeGreaterThan(120);
  await page.getByLabel('Top', { exact: true }).fill('');
  await page.getByText('Enter a CSS length, such as 14mm or 0.5in.').waitFor();
  await page.getByRole('button', { name: /^HTML/ }).click();
  await type('HTML of the template', '<style>@page { margin: 1cm; @bottom-center { content: "1" } }</style>');
  await page.getByRole('button', { name: 'Page', exact: true }).click();
  await page.getByText('The @page rule in the HTML decides the margins.').waitFor();
  for (const side of ['Top', 'Right', 'Bottom', 'Left'])
    expect(await page.getByLabel(side, { exact: true }).isDisabled()).toBe(true);
  await page.getByText('so the two can overlap').waitFor();
  expect(await studio.owner.violations()).toEqual([]);
  await page.getByRole('button', { name: 'Go to line 1' }).click();
  await page.waitForFunction(
    () => document.activeElement?.getAttribute('aria-label') === 'HTML of the template',
  );
  await type('HTML of the template', '<style>@page { margin-left: 1cm }</style>');
  await page.getByRole('button', { name: 'Page', exact: true }).click();
  expect(await page.getByLabel('Left', { exact: true }).isDisabled()).toBe(true);
  expect(await page.getByLabel('Right', { exact: true }).isDisabled()).toBe(false);
}, 120_000);

test('the page options list every paper format of the API, and select a format ignoring case', async () => {
  const { page } = studio.owner;
  await openTemplate({ options: { format: 'letter' } });
  await page.getByRole('button', { name: 'Page', exact: true }).click();
  const format = page.getByLabel('Format');
  expect(await format.locator('option').allTextContents()).toEqual([...FORMAT_NAMES, 'Custom size']);
  expect(await format.inputValue()).toBe('Letter');
}, 120_000);

test('the part of the template and the zoom remain when the page is loaded again', async () => {
  const { page } = studio.owner;
  await openTemplate();
  await page.getByRole('button', { name: 'Page', exact: true }).click();
  await page.getByLabel('Zoom').selectOption('150');
  await page.reload();
  await page.getByText(/^Printed in/).waitFor();
  await page.getByRole('group', { name: 'Page options' }).waitFor();
  expect(await page.getByLabel('Zoom').inputValue()).toBe('150');
  await openTemplate();
  expect(await page.getByRole('group', { name: 'Page options' }).count()).toBe(0);
}, 120_000);
