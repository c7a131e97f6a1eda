import type { Page } from 'playwright-core';
import type { Screen } from './open-screen.ts';
import type { Seeded } from './seed.ts';

/** Waits until the editor has printed the template. */
const printed = (page: Page) => page.getByText(/^Printed in/).waitFor();

const runTests = async (page: Page) => {
  await printed(page);
  await page.getByRole('button', { name: 'Tests' }).click();
  await page.getByRole('button', { name: 'Run the tests' }).click();
  await page.getByRole('status').getByText('2 different').waitFor();
};

/** Lists the screens that show one template: the editor with its tabs and dialogs, and its tests. */
export function editorScreensOf({ invoice, greeting }: Pick<Seeded, 'invoice' | 'greeting'>): Screen[] {
  const editor = `/studio/templates/${invoice}`;
  return [
    { name: 'editor', path: editor, open: printed },
    {
      name: 'editor-error',
      path: editor,
      open: async (page) => {
        await printed(page);
        await page.getByLabel('HTML of the template').click();
        await page.keyboard.press('Control+Home');
        for (let line = 0; line < 4; line += 1) await page.keyboard.press('ArrowDown');
        await page.keyboard.press('End');
        await page.keyboard.insertText('<meta name="issued" content="{{formatDat date}}">');
        await page.getByRole('alert').waitFor();
      },
    },
    {
      name: 'editor-data',
      path: editor,
      open: async (page) => {
        await printed(page);
        await page.getByRole('button', { name: 'Sample data' }).click();
      },
    },
    {
      name: 'editor-page',
      path: editor,
      open: async (page) => {
        await printed(page);
        await page.getByRole('button', { name: 'Page', exact: true }).click();
      },
    },
    {
      name: 'editor-translations',
      isNarrow: true,
      path: editor,
      open: async (page) => {
        await printed(page);
        await page.getByRole('button', { name: 'Translations' }).click();
        await page.getByLabel('New key').fill('greeting');
        await page.getByRole('button', { name: 'Add key' }).click();
        await page.getByLabel('greeting in English, missing').fill('Hello');
        await page.getByText('1 missing').first().waitFor();
      },
    },
    {
      name: 'editor-insert',
      isNarrow: true,
      path: editor,
      open: async (page) => {
        await printed(page);
        await page.getByRole('button', { name: 'Insert' }).click();
        await page.getByRole('combobox', { name: 'Search parts and helpers' }).fill('table');
      },
    },
    {
      name: 'editor-find',
      isNarrow: true,
      path: editor,
      open: async (page) => {
        await printed(page);
        await page.getByRole('button', { name: 'Find and replace' }).click();
        await page.getByRole('textbox', { name: 'Find' }).fill('total');
      },
    },
    {
      name: 'editor-standards',
      path: editor,
      open: async (page) => {
        await printed(page);
        await page.getByRole('button', { name: 'Page', exact: true }).click();
        await page.getByLabel('Accessibility').selectOption('report');
        await page.getByLabel('Archiving').scrollIntoViewIfNeeded();
        await printed(page);
      },
    },
    {
      name: 'versions',
      path: editor,
      open: async (page) => {
        await printed(page);
        await page.getByRole('button', { name: 'Versions' }).click();
        await page.getByText('Version 1 compared').waitFor();
        await page.getByRole('textbox', { name: 'Text of the version' }).waitFor();
      },
    },
    {
      name: 'versions-pages',
      path: editor,
      open: async (page) => {
        await printed(page);
        await page.getByRole('button', { name: 'Versions' }).click();
        await page.getByRole('button', { name: 'Pages' }).click();
        await page.getByText('Changed areas are marked.').waitFor();
      },
    },
    {
      name: 'editor-draft',
      isNarrow: true,
      path: `/studio/templates/${greeting}?draft`,
      open: async (page) => {
        await printed(page);
        await page.getByText('This is a draft.').waitFor();
      },
    },
    {
      name: 'tests',
      isNarrow: true,
      path: `/studio/templates/${greeting}?draft`,
      open: runTests,
    },
    {
      name: 'tests-case',
      isNarrow: true,
      path: `/studio/templates/${greeting}?draft`,
      open: async (page) => {
        await runTests(page);
        await page.getByRole('button', { name: 'Long name', exact: true }).click();
      },
    },
    {
      name: 'alias-and-tags',
      isNarrow: true,
      path: '/studio/templates',
      open: async (page) => {
        await page.getByRole('button', { name: 'Alias and tags of Greeting' }).click();
        await page.getByRole('textbox', { name: 'Tags' }).waitFor();
      },
    },
    {
      name: 'use-from-code',
      path: editor,
      open: async (page) => {
        await printed(page);
        await page.getByRole('button', { name: 'Use it from code' }).click();
      },
    },
  ];
}
