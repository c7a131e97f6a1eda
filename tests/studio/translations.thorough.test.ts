import { expect, test } from 'bun:test';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio();

interface Stored {
  id: string;
  version: number;
  translations?: Record<string, Record<string, string>>;
  default_locale?: string;
}

const read = (id: string) => studio.owner.api<Stored>('GET', `/v1/templates/${id}`);
const button = (name: string) => studio.owner.page.getByRole('button', { name, exact: true });
const field = (label: string) => studio.owner.page.getByLabel(label, { exact: true });
const shown = (text: string) => studio.owner.page.getByText(text, { exact: true }).waitFor();
const named = (language: string) =>
  studio.owner.page.locator('.language-name', { hasText: language }).waitFor();
const settled = () => studio.owner.page.getByText(/^Printed in/).waitFor();

async function open(fields: object): Promise<string> {
  const { id } = await studio.owner.api<Stored>('POST', '/v1/templates', { name: 'Bill', ...fields });
  await studio.owner.page.goto(`/studio/templates/${id}`);
  await studio.owner.page.getByRole('button', { name: /^Translations/ }).click();
  return id;
}

/** Saves the template. Only a change of the HTML makes a new version. */
async function save(saved: string): Promise<void> {
  await button('Save').click();
  await shown(saved);
}

/** Prints the document in a language and returns the body of the request. */
async function previewIn(language: string): Promise<Record<string, unknown>> {
  const { page } = studio.owner;
  const request = page.waitForRequest((sent) => sent.url().endsWith('/v1/templates/preview'));
  await page.getByLabel('Language', { exact: true }).selectOption({ label: language });
  const body = (await request).postDataJSON() as Record<string, unknown>;
  await settled();
  return body;
}

test('languages, keys and messages are added, stored, printed and removed', async () => {
  const { page } = studio.owner;
  const id = await open({ html_content: '<p>Total</p>' });
  await shown('One template, several languages');
  await field('New language').fill('not a tag');
  await button('Add language').click();
  await shown('Enter a language tag such as de, pt-BR or zh-Hant.');
  for (const tag of ['en', 'de_AT']) {
    await field('New language').fill(tag);
    await field('New language').press('Enter');
  }
  await named('Austrian German');
  await field('New key').fill('to tal');
  await button('Add key').click();
  await shown('A key begins with a letter, and has letters, digits, and _, . or - between them.');
  await field('New key').fill('total');
  await field('New key').press('Enter');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
    'total in English, missing',
  );
  await page.keyboard.insertText('Total');
  expect(await page.getByText('1 missing').count()).toBe(1);
  await field('total in Austrian German, missing').fill('Summe');
  await page.getByText('1 missing').waitFor({ state: 'detached' });
  expect(await studio.owner.violations()).toEqual([]);

  await button('HTML').click();
  await page.getByLabel('HTML of the template').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('<p>{{t "total"}} {{t "due"}}</p>');
  await page.getByRole('button', { name: /^Translations/ }).click();
  await page.getByText('1 key of the HTML has no message: due').waitFor();
  await button('Add it').click();
  // A key without a message stays while another tab is open.
  await button('HTML').click();
  await page.getByRole('button', { name: /^Translations/ }).click();
  await field('due in English, missing').fill('Due');
  await save('Saved as version 2.');
  expect(await read(id)).toMatchObject({
    version: 2,
    translations: { en: { total: 'Total', due: 'Due' }, 'de-AT': { total: 'Summe' } },
    default_locale: 'en',
  });
  expect(await previewIn('Austrian German')).toMatchObject({ locale: 'de-AT' });
  const image = await page.getByAltText('Page 1 of 1 of the document').screenshot();
  expect(await previewIn('Default language')).not.toHaveProperty('locale');
  expect(image.equals(await page.getByAltText('Page 1 of 1 of the document').screenshot())).toBe(false);

  await button('Make default: Austrian German').click();
  await button('Remove due').click();
  await shown('due was removed.');
  // Undo restores only the removed key.
  await field('total in English').fill('Sum');
  await button('Undo').click();
  expect(await field('due in English').inputValue()).toBe('Due');
  expect(await field('total in English').inputValue()).toBe('Sum');
  await button('Remove due').click();
  await shown('due was removed.');
  await button('Remove English').click();
  await button('Undo').last().click();
  await named('English');
  await button('Remove English').click();
  await save('Saved in version 2.');
  expect(await read(id)).toMatchObject({
    translations: { 'de-AT': { total: 'Summe' } },
    default_locale: 'de-AT',
  });
  await button('Remove Austrian German').click();
  await shown('One template, several languages');
  await button('HTML').click();
  await page.getByLabel('HTML of the template').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('<p>Total</p>');
  await save('Saved as version 3.');
  expect(await read(id)).not.toHaveProperty('translations');
});

test('an error of a message is shown in its cell', async () => {
  const { page } = studio.owner;
  const id = await open({
    html_content: '<p>{{t "items" count=n}}</p>',
    sample_data: { n: 2 },
    translations: { en: { items: '{count} items' }, de: { items: '{count} Posten' } },
  });
  await settled();
  await field('items in German').fill('{count, plural, one {# Posten}');
  await page.getByRole('button', { name: /^Translations\s*1$/ }).waitFor();
  expect(await field('items in German').getAttribute('aria-invalid')).toBe('true');
  const faults = await page.locator('.message-field .field-error').allTextContents();
  expect(faults).toEqual([expect.stringContaining('is not an ICU message')]);
  expect(await page.getByRole('textbox', { description: faults[0] ?? '' }).count()).toBe(1);
  await button('HTML').click();
  await button('Open the translations').click();
  await field('items in German').fill('{count} Stück');
  await settled();
  expect(await page.locator('.message-field .field-error').count()).toBe(0);
  await save('Saved in version 1.');
  expect((await read(id)).translations).toEqual({
    en: { items: '{count} items' },
    de: { items: '{count} Stück' },
  });
});

test('a PDF is made of unsaved translations', async () => {
  await open({
    html_content: '<p>{{t "total"}}</p>',
    translations: { en: { total: 'Total' } },
  });
  await settled();
  await field('total in English').fill('Sum');
  await settled();
  const { page } = studio.owner;
  const request = page.waitForRequest((sent) => sent.url().endsWith('/v1/generate'));
  await button('Make PDF').click();
  expect((await request).postDataJSON()).toMatchObject({
    html: '<p>{{t "total"}}</p>',
    translations: { en: { total: 'Sum' } },
    default_locale: 'en',
  });
  await shown('The PDF is ready.');
});

test('the preview names the messages that are in another language than the document', async () => {
  await open({
    html_content: '<p>{{t "total"}} {{t "thanks"}}</p>',
    translations: { en: { total: 'Total', thanks: 'Thank you!' }, de: { total: 'Summe' } },
  });
  await settled();
  await previewIn('German');
  await studio.owner.page.getByRole('button', { name: '1 note' }).click();
  await shown('The template has no message thanks in de; the message in en was printed instead.');
});

test('built-in labels of the HTML are rows whose texts can be replaced', async () => {
  const id = await open({
    html_content: '<p>{{labelOf "certificate_number"}} {{labelOf "signature"}}</p>',
    translations: { en: { total: 'Total' }, fr: { total: 'Somme' } },
  });
  await settled();
  const french = field('certificate_number in French, built in');
  expect(await french.getAttribute('placeholder')).toBe('N° {number}');
  expect(await studio.owner.page.getByText('Complete', { exact: true }).count()).toBe(2);
  expect(await button('Remove certificate_number').count()).toBe(0);
  await french.fill('Numéro {number}');
  await field('certificate_number in English, built in').waitFor();
  await field('certificate_number in English, built in').fill('Number {number}');
  await field('certificate_number in French').fill('');
  await field('certificate_number in French, missing').waitFor();
  await studio.owner.page.getByText('1 missing').waitFor();
  expect(await studio.owner.violations()).toEqual([]);
  await save('Saved in version 1.');
  expect((await read(id)).translations).toEqual({
    en: { total: 'Total', certificate_number: 'Number {number}' },
    fr: { total: 'Somme' },
  });
});
