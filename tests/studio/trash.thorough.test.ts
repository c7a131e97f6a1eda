import { expect, test } from 'bun:test';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio();

test('a template that is deleted in the studio is restored by Undo and from the trash, with its versions', async () => {
  const { page } = studio.owner;
  const { id } = await studio.owner.api<{ id: string }>('POST', '/v1/templates', {
    name: 'Reminder',
    html_content: '<p>One</p>',
  });
  await studio.owner.api('PUT', `/v1/templates/${id}`, { html_content: '<p>Two</p>' });
  const status = () =>
    page.evaluate(async (template) => (await fetch(`/v1/templates/${template}`)).status, id);
  const discard = async () => {
    await page.getByText(/^Printed in/).waitFor();
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('The template is in the trash.').waitFor();
    await page.getByText('No templates yet').waitFor();
  };
  await page.goto(`/studio/templates/${id}`);
  await discard();
  expect(await status()).toBe(404);
  await page.getByRole('button', { name: 'Undo' }).click();
  await discard();

  await page.getByRole('link', { name: 'Trash' }).click();
  await page.getByRole('row').filter({ hasText: 'Reminder' }).getByText('version 2').waitFor();
  expect(await studio.owner.violations()).toEqual([]);
  await page.setViewportSize({ width: 390, height: 800 });
  expect(await studio.owner.overflows()).toBe(false);
  await page.getByRole('button', { name: 'Restore Reminder' }).click();
  await page.getByText('The trash is empty').waitFor();
  const { data } = await studio.owner.api<{ data: unknown[] }>('GET', `/v1/templates/${id}/versions`);
  expect(data).toHaveLength(2);

  await studio.owner.api('POST', `/studio/api/trash/templates/${id}`);
  await page.reload();
  await page.getByRole('button', { name: 'Delete Reminder for good' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await page.getByText('The trash is empty').waitFor();
  expect(await status()).toBe(404);
}, 120_000);
