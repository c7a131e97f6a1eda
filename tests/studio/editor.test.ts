import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { StudioBrowser, type Visitor } from './browser.ts';

let browser: StudioBrowser;
let owner: Visitor;

beforeAll(async () => {
  browser = await StudioBrowser.start();
  owner = await browser.signIn();
}, 120_000);

afterAll(() => browser?.[Symbol.asyncDispose]());

interface Stored {
  id: string;
  name: string;
  html_content: string;
  version: number;
  sample_data: Record<string, unknown>;
}

const read = (id: string) => owner.api<Stored>('GET', `/v1/templates/${id}`);

/** Stores a template and opens it in the editor. */
async function openTemplate(fields: object = {}): Promise<string> {
  const { id } = await owner.api<Stored>('POST', '/v1/templates', {
    name: 'Greeting',
    html_content: '<p>Hello {{name}}</p>',
    sample_data: { name: 'Ada' },
    ...fields,
  });
  await owner.page.goto(`/studio/templates/${id}`);
  await owner.page.getByText(/^Printed in/).waitFor();
  return id;
}

/** Replaces the text of a code editor. */
async function type(label: string, text: string): Promise<void> {
  await owner.page.getByLabel(label).click();
  await owner.page.keyboard.press('Control+a');
  await owner.page.keyboard.insertText(text);
}

describe('a template that was changed elsewhere', () => {
  const change = async () => {
    const id = await openTemplate();
    await type('HTML of the template', '<p>Mine</p>');
    await owner.api('PUT', `/v1/templates/${id}`, { html_content: '<p>Theirs</p>' });
    await owner.page.keyboard.press('Control+s');
    await owner.page.getByRole('heading', { name: 'Version 2 was saved elsewhere' }).waitFor();
    expect(await read(id)).toMatchObject({ html_content: '<p>Theirs</p>', version: 2 });
    return id;
  };

  test('is saved as the next version if the person wants it', async () => {
    const id = await change();
    expect(await owner.violations()).toEqual([]);
    await owner.page.getByRole('button', { name: 'Save as version 3' }).click();
    await owner.page.getByText('Saved as version 3.').waitFor();
    expect(await read(id)).toMatchObject({ html_content: '<p>Mine</p>', version: 3 });
    await owner.page.getByRole('heading', { name: 'Version 2 was saved' }).waitFor({ state: 'detached' });
  }, 120_000);

  test('is opened instead, which discards the changes', async () => {
    const id = await change();
    await owner.page.getByRole('button', { name: 'Open version 2' }).click();
    await owner.page.getByLabel('HTML of the template').getByText('Theirs').waitFor();
    expect(await owner.page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true);
    expect(await read(id)).toMatchObject({ html_content: '<p>Theirs</p>', version: 2 });
  }, 120_000);

  test('is not overwritten when only its sample data changed', async () => {
    const id = await openTemplate();
    await type('HTML of the template', '<p>Mine</p>');
    await owner.api('PUT', `/v1/templates/${id}`, { sample_data: { name: 'Grace' } });
    await owner.page.keyboard.press('Control+s');
    await owner.page.getByRole('heading', { name: 'This template was changed elsewhere' }).waitFor();
    await owner.page.getByRole('button', { name: 'Cancel' }).click();
    expect(await read(id)).toMatchObject({ sample_data: { name: 'Grace' }, version: 1 });
    expect(await owner.page.getByLabel('HTML of the template').textContent()).toBe('<p>Mine</p>');
  }, 120_000);

  test('is saved as a new template if it was deleted', async () => {
    const id = await openTemplate();
    await type('HTML of the template', '<p>Mine</p>');
    await owner.api('DELETE', `/v1/templates/${id}`);
    await owner.page.keyboard.press('Control+s');
    await owner.page.getByRole('heading', { name: 'This template was deleted elsewhere' }).waitFor();
    await owner.page.getByRole('button', { name: 'Save as a new template' }).click();
    await owner.page.getByText('Saved as version 1.').waitFor();
    const saved = new URL(owner.page.url()).pathname.split('/').at(-1) ?? '';
    expect(saved).not.toBe(id);
    expect(await read(saved)).toMatchObject({ name: 'Greeting', html_content: '<p>Mine</p>', version: 1 });
  }, 120_000);
});
