import { describe, expect, test } from 'bun:test';
import { findChromium } from '../../plugins/render/browser/find-chromium.mjs';
import { markChanged } from '../support/template-tests/changed-by-browser.ts';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio({
  env: { EARLIER_CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? findChromium() ?? '' },
});

interface Stored {
  id: string;
  name: string;
  html_content: string;
  version: number;
  current_version: number;
  draft_version: number | null;
  sample_data: Record<string, unknown>;
  alias: string | null;
  tags: string[];
}

const read = (id: string, query = '') => studio.owner.api<Stored>('GET', `/v1/templates/${id}${query}`);
const button = (name: string) => studio.owner.page.getByRole('button', { name, exact: true });
const shown = (text: string) => studio.owner.page.getByText(text, { exact: true }).waitFor();

async function create(fields: object = {}): Promise<string> {
  const { id } = await studio.owner.api<Stored>('POST', '/v1/templates', {
    name: 'Greeting',
    html_content: '<p>Hello {{name}}</p>',
    sample_data: { name: 'Ada' },
    ...fields,
  });
  return id;
}

async function open(id: string): Promise<void> {
  await studio.owner.page.goto(`/studio/templates/${id}`);
  await studio.owner.page.getByText(/^Printed in/).waitFor();
}

async function type(label: string, text: string): Promise<void> {
  await studio.owner.page.getByLabel(label).click();
  await studio.owner.page.keyboard.press('Control+a');
  await studio.owner.page.keyboard.insertText(text);
}

describe('a draft in the editor', () => {
  test('is saved, opened, changed, compared and made current', async () => {
    const { page } = studio.owner;
    const id = await create();
    await open(id);
    await type('HTML of the template', '<p>Hi {{name}}</p>');
    await page.getByRole('button', { name: 'Sample data' }).click();
    await type('Sample data', '{ "name": "Grace" }');
    await button('Save as draft').click();
    await shown('Saved as a draft, version 2.');
    await shown('This is a draft. Documents are made from version 1.');
    expect(await read(id)).toMatchObject({
      html_content: '<p>Hello {{name}}</p>',
      sample_data: { name: 'Ada' },
      version: 1,
      draft_version: 2,
    });
    expect(await read(id, '?version=draft')).toMatchObject({
      html_content: '<p>Hi {{name}}</p>',
      sample_data: { name: 'Grace' },
    });
    expect(await studio.owner.violations()).toEqual([]);

    await page.reload();
    await shown('This is a draft. Documents are made from version 1.');
    expect(await page.getByLabel('HTML of the template').textContent()).toBe('<p>Hi {{name}}</p>');
    await button('Open version 1').click();
    await shown('Version 2 is a draft.');
    expect(await page.getByLabel('HTML of the template').textContent()).toBe('<p>Hello {{name}}</p>');
    await button('Versions').click();
    await page.getByRole('button', { name: 'Version 2 Draft' }).click();
    await page.getByText('Version 2 compared with the editor').waitFor();
    await shown('The sample data differ.');
    await page.getByRole('dialog').getByRole('button', { name: 'Open the draft' }).click();
    await shown('This is a draft. Documents are made from version 1.');

    await page.getByRole('button', { name: /^HTML/ }).click();
    await type('HTML of the template', '<p>Good day, {{name}}</p>');
    await button('Make it current').click();
    await shown('Version 3 is current now.');
    await page.getByText('This is a draft.').waitFor({ state: 'detached' });
    expect(await read(id)).toMatchObject({
      html_content: '<p>Good day, {{name}}</p>',
      sample_data: { name: 'Grace' },
      version: 3,
      draft_version: null,
    });
    expect(await button('Save').isDisabled()).toBe(true);
    expect(new URL(page.url()).search).toBe('');
  }, 120_000);

  test('does not undo changes that were made elsewhere, unless the person wants it', async () => {
    const { page } = studio.owner;
    const id = await create();
    await studio.owner.api('PUT', `/v1/templates/${id}`, { html_content: '<p>Theirs</p>', draft: true });
    await page.goto(`/studio/templates/${id}?draft`);
    await shown('This is a draft. Documents are made from version 1.');
    await type('HTML of the template', '<p>Mine</p>');
    await studio.owner.api('PUT', `/v1/templates/${id}`, { html_content: '<p>Other</p>', draft: true });
    await page.keyboard.press('Control+s');
    await page.getByRole('heading', { name: 'Version 3 was saved as a draft elsewhere' }).waitFor();
    expect(await studio.owner.violations()).toEqual([]);
    expect(await read(id, '?version=draft')).toMatchObject({ html_content: '<p>Other</p>', version: 3 });
    await page.getByRole('dialog').getByRole('button', { name: 'Save as a draft' }).click();
    await shown('Saved as a draft, version 4.');

    await studio.owner.api('PUT', `/v1/templates/${id}`, { sample_data: { name: 'Eve' } });
    await button('Make it current').click();
    await page
      .getByRole('heading', { name: 'The template was changed after this draft was saved' })
      .waitFor();
    expect((await read(id)).version).toBe(1);
    await page.getByRole('dialog').getByRole('button', { name: 'Make it current' }).click();
    await shown('Version 5 is current now.');
    expect(await read(id)).toMatchObject({ html_content: '<p>Mine</p>', sample_data: { name: 'Ada' } });
  }, 120_000);

  test('is replaced or deleted only after a question', async () => {
    const { page } = studio.owner;
    const id = await create();
    await studio.owner.api('PUT', `/v1/templates/${id}`, { html_content: '<p>Draft</p>', draft: true });
    await open(id);
    await shown('Version 2 is a draft.');
    await type('HTML of the template', '<p>Mine</p>');
    await button('Save as draft').click();
    await page.getByRole('heading', { name: 'The template has a draft' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await button('Open the draft').click();
    await page.getByRole('heading', { name: 'Open the draft without saving?' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();

    await button('Delete the draft').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await shown('The draft was deleted.');
    expect((await read(id)).draft_version).toBeNull();
    // The changes in the editor are still there, and not saved.
    expect(await page.getByLabel('HTML of the template').textContent()).toBe('<p>Mine</p>');
    await button('Save').click();
    await shown('Saved as version 3.');
    expect(await read(id)).toMatchObject({ html_content: '<p>Mine</p>', version: 3 });
  }, 120_000);
});

describe('alias and tags', () => {
  test('are set in the list and in the editor, and tags filter the list', async () => {
    const { page } = studio.owner;
    const id = await create({ name: 'Receipt', tags: ['sales'] });
    const other = await create({ name: 'Reminder' });
    await studio.owner.api('PUT', `/v1/templates/${id}`, { html_content: '<p>x</p>', draft: true });
    await page.goto('/studio/templates');
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const card = (name: string) => page.getByRole('listitem').filter({ hasText: name });
    await card('Receipt').getByText('with a draft').waitFor();
    await button('Alias and tags of Reminder').click();
    await field('Alias').fill('Reminder 1');
    await field('Tags').fill('sales, europe, sales,');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByText('1 to 64 lower-case letters').waitFor();
    await field('Alias').fill('reminder');
    await page.keyboard.press('Enter');
    await card('Reminder').getByText('reminder', { exact: true }).waitFor();
    expect(await read(other)).toMatchObject({ alias: 'reminder', tags: ['sales', 'europe'] });
    expect(await studio.owner.violations()).toEqual([]);

    await page.getByRole('group', { name: 'Tag' }).getByRole('button', { name: 'europe' }).click();
    await card('Receipt').waitFor({ state: 'detached' });
    await card('Reminder').waitFor();
    await page.getByRole('group', { name: 'Tag' }).getByRole('button', { name: 'All tags' }).click();
    await card('Receipt').waitFor();
    await button('Show templates with the tag europe').click();
    await card('Receipt').waitFor({ state: 'detached' });

    await open(other);
    await button('Alias and tags: reminder, sales, europe').click();
    await field('Alias').fill('');
    await field('Tags').fill('dunning');
    await page.keyboard.press('Enter');
    await button('Alias and tags: dunning').waitFor();
    expect(await read(other)).toMatchObject({ alias: null, tags: ['dunning'], version: 1 });
    // The editor does not take this for a change elsewhere.
    await type('HTML of the template', '<p>Next</p>');
    await page.keyboard.press('Control+s');
    await shown('Saved as version 2.');
  }, 120_000);
});

describe('the tests of a template', () => {
  const status = (text: string) => studio.owner.page.getByRole('status').getByText(text).waitFor();
  const dialog = () => studio.owner.page.getByRole('dialog');
  const acceptedVersions = async (id: string) => {
    const path = `/v1/templates/${id}/cases`;
    const { data } = await studio.owner.api<{ data: { name: string; accepted: { version: number } }[] }>(
      'GET',
      path,
    );
    return Object.fromEntries(data.map(({ name, accepted }) => [name, accepted.version]));
  };

  /** Makes a case, with other data than the sample data if it is given. */
  async function makeCase(name: string, data?: object): Promise<void> {
    await button('New case').click();
    await dialog().getByLabel('Name').fill(name);
    if (data) await dialog().getByLabel('Data').fill(JSON.stringify(data));
    await button('Create the case').click();
    await button(`Actions for ${name}`).waitFor();
  }

  test('show a line that wraps, on a slider, and accept it with the keyboard', async () => {
    const { page } = studio.owner;
    const page1 = (width: number) => `<p style="width: ${width}mm">Hello {{name}}</p>`;
    const id = await create({ html_content: page1(150) });
    await open(id);
    await button('Tests').click();
    await page.getByText('A case is data with which this template is printed').waitFor();
    await makeCase('Short');
    await makeCase('Long', { name: 'Augusta Ada King, Countess of Lovelace' });
    await button('Run the tests').click();
    await status('2 new');
    await button('Accept all (2)').click();
    await dialog().getByRole('heading', { name: 'Accept the pages of 2 cases?' }).waitFor();
    await button('Accept 2 cases').click();
    await status('2 equal');

    await button('HTML').click();
    await type('HTML of the template', page1(40));
    await button('Tests').click();
    await button('Run the tests').click();
    await status('1 different, 1 equal');
    await shown('Save the template or a draft to accept these pages.');
    expect(await button('Accept all (1)').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Long', exact: true }).focus();
    await page.keyboard.press('Enter');
    await dialog().getByRole('listitem').filter({ hasText: 'lines, and was on 1 line' }).waitFor();
    const slider = dialog().getByRole('slider', { name: 'Line between the accepted and the new page 1' });
    await slider.focus();
    await page.keyboard.press('ArrowRight');
    expect(await slider.getAttribute('aria-valuetext')).toBe('51% accepted, 49% new');
    await dialog().getByAltText('Accepted page 1').waitFor();
    await dialog().getByAltText('New page 1').waitFor();
    expect(await studio.owner.violations()).toEqual([]);
    await dialog().getByRole('button', { name: 'Differences' }).click();
    await dialog().getByAltText('Differences of page 1').waitFor();
    await page.keyboard.press('Escape');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('Long');

    await page.keyboard.press('Control+s');
    await shown('Saved as version 2.');
    await button('Accept all (1)').click();
    await button('Accept 1 case').click();
    await status('2 equal');
    expect(await acceptedVersions(id)).toEqual({ Short: 1, Long: 2 });
  }, 120_000);

  test('that are required keep a version with differences a draft until it is accepted', async () => {
    const { page } = studio.owner;
    const id = await create();
    await studio.owner.api('PUT', `/v1/templates/${id}/cases/Greeting`, { data: { name: '<b>Ada</b>' } });
    await studio.owner.api('POST', `/v1/templates/${id}/cases/Greeting/accept`, {});
    await open(id);
    await button('Tests').click();
    await page.getByLabel('Require the tests').check();
    await button('Actions for Greeting').click();
    await page.getByRole('menuitem', { name: 'Make a copy' }).click();
    expect(await dialog().getByLabel('Name').inputValue()).toBe('Greeting copy');
    await dialog().getByLabel('Name').fill('<img src=x>');
    await button('Create the case').click();
    await dialog().getByRole('alert').getByText('must have 1 to 64 letters').waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();

    await button('HTML').click();
    await type('HTML of the template', '<p>Goodbye {{name}}</p>');
    await page.keyboard.press('Control+s');
    await shown('Saved as a draft, version 2, because its tests do not pass.');
    await shown('This is a draft. Documents are made from version 1.');
    await button('Tests').click();
    await button('Run the tests').click();
    await status('1 different');
    await page.getByRole('button', { name: 'Greeting', exact: true }).click();
    await dialog().getByText('"name": "<b>Ada</b>"').waitFor();
    await button('Accept this case').click();
    await shown('The pages of 1 case were accepted. Version 2 is current now.');
    expect(await read(id)).toMatchObject({ current_version: 2, draft_version: null });

    await page.keyboard.press('Escape');
    await button('HTML').click();
    await type('HTML of the template', '<p>{{broken}</p>');
    await button('Tests').click();
    await button('Run the tests').click();
    await status('1 failed');
    await button('Actions for Greeting').click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await dialog().getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No cases yet').waitFor();
  }, 120_000);

  test('that a new Chromium changes are listed, looked at and accepted', async () => {
    const { page } = studio.owner;
    const id = await create({
      name: 'Changed letter',
      html_content: '<p style="width: 150mm">Hello {{name}}</p>',
    });
    await create({ name: 'Other letter' });
    const path = `/v1/templates/${id}`;
    await studio.owner.api('PUT', `${path}/cases/Long`, { data: { name: 'Augusta Ada King, Countess' } });
    await studio.owner.api('POST', `${path}/cases/Long/accept`, {});
    // As another browser would print it.
    await studio.owner.api('PUT', path, { html_content: '<p style="width: 30mm">Hello {{name}}</p>' });
    await markChanged(studio.browser.service, `${id}:Long`);

    await page.goto('/studio/templates');
    await page.getByText('Chromium 142.0.7444.59 changes the pages of 1 template.').waitFor();
    const mark = page.getByRole('link', { name: 'open the tests of Changed letter' });
    await mark.waitFor();
    const cards = () => page.getByRole('main').locator('.card').count();
    expect(await cards()).toBeGreaterThan(1);
    await button('Show these templates').click();
    await button('Show all templates').waitFor();
    expect(await cards()).toBe(1);
    await page.setViewportSize({ width: 360, height: 740 });
    expect([await studio.owner.violations(), await studio.owner.overflows()]).toEqual([[], false]);
    await page.setViewportSize({ width: 1280, height: 800 });

    await mark.click();
    await page.getByText('Changed', { exact: true }).waitFor();
    await button('Page').click();
    await page.getByLabel('Earlier browser').check();
    await page.keyboard.press('Control+s');
    await shown('Saved in version 2.');
    expect(await read(id)).toMatchObject({ options: { browser: 'earlier' } });
    await button('Tests').click();
    await page.getByText('Chromium changed from 141.0.7390.122 to 142.0.7444.59').waitFor();
    await button('Run the tests').click();
    await status('1 different');
    await button('Accept all (1)').click();
    await button('Accept 1 case').click();
    await status('1 equal');
    await page.goto('/studio/templates?browser=changed');
    await page.getByText('No template found').waitFor();
    await button('Show all').click();
    await page.getByRole('link', { name: 'Changed letter' }).waitFor();
    expect(await page.getByText('changes the pages of').count()).toBe(0);
  }, 120_000);
});
