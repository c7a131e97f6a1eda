import { editorScreensOf } from './editor-screens.ts';
import { filesOf } from './files-of.ts';
import { confirmIdentity, type Screen } from './open-screen.ts';
import type { Seeded } from './seed.ts';

/** The settings of a service that offers every screen. */
export const ALL_SCREENS = { config: { plugins: { 'pdf-tools': { protect: true } } } };

/** Lists the screens of a signed-in account. */
export function screensOf(seeded: Seeded): Screen[] {
  const { document, faulty, archived } = seeded;
  return [
    { name: 'overview', path: '/', isNarrow: true },
    { name: 'templates', path: '/studio/templates', isNarrow: true },
    { name: 'starters', path: '/studio/templates?starters', isNarrow: true },
    ...editorScreensOf(seeded),
    {
      name: 'palette',
      path: '/studio/templates',
      open: async (page) => {
        await page.getByText('Modern invoice').waitFor();
        await page.keyboard.press('Control+k');
        await page.getByRole('option').first().waitFor();
      },
    },
    { name: 'generations', path: '/studio/generations', isNarrow: true },
    {
      name: 'generations-selected',
      path: '/studio/generations',
      isNarrow: true,
      open: async (page) => {
        await page.getByLabel('Select all rows').check();
        await page.getByRole('region', { name: 'Selection' }).waitFor();
      },
    },
    { name: 'generation', path: `/studio/generations/${document}`, isNarrow: true },
    {
      name: 'receipt',
      path: `/studio/generations/${faulty}`,
      isNarrow: true,
      open: async (page) => {
        const receipt = page.getByRole('region', { name: 'Receipt' });
        await receipt.evaluate((section) => section.scrollIntoView({ block: 'start' }));
      },
    },
    {
      name: 'proof',
      path: `/studio/generations/${archived}`,
      isNarrow: true,
      open: async (page) => {
        const proof = page.getByRole('region', { name: 'Proof' });
        await proof.evaluate((section) => section.scrollIntoView({ block: 'start' }));
      },
    },
    { name: 'batches', path: '/studio/batches', isNarrow: true },
    {
      name: 'new-batch',
      path: '/studio/batches',
      isNarrow: true,
      open: async (page) => {
        await page.getByRole('button', { name: 'New batch' }).click();
        await page.getByRole('button', { name: 'Text', exact: true }).click();
        await page.getByText(/^1 document will be made/).waitFor();
      },
    },
    {
      name: 'new-batch-csv',
      path: '/studio/batches',
      isNarrow: true,
      open: async (page) => {
        await page.getByRole('button', { name: 'New batch' }).click();
        await page.getByRole('dialog').getByLabel('Template').selectOption('Greeting');
        await page.getByLabel('Data file').setInputFiles({
          name: 'guests.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from('Name;seat;menu\nAda Byron;4;vegan\nGrace Hopper;7;fish\nNobody;8\n'),
        });
        await page.getByText('Line 4 has 2 values, but the table has 3 columns.').waitFor();
      },
    },
    {
      name: 'batch',
      path: '/studio/batches',
      isNarrow: true,
      open: async (page) => {
        await page.locator('.batch').getByRole('heading').getByRole('link').first().click();
        await page.getByRole('table').waitFor();
      },
    },
    {
      name: 'trash',
      path: '/studio/trash',
      isNarrow: true,
      open: async (page) => {
        await page.getByRole('button', { name: 'Restore Old reminder' }).waitFor();
      },
    },
    { name: 'tools', path: '/studio/tools', isNarrow: true },
    {
      name: 'tool-merge',
      path: '/studio/tools/merge',
      open: async (page) => {
        const names = ['Invoice TW-20417.pdf', 'Terms.pdf', 'Delivery note.pdf'];
        await page.getByLabel('PDF files').setInputFiles(await filesOf(page, document, names));
        await page.getByText('Delivery note.pdf').first().waitFor();
        await page.getByRole('button', { name: 'Merge', exact: true }).click();
        await page.getByRole('link', { name: 'Download' }).waitFor();
      },
    },
    {
      name: 'tool-protect',
      path: '/studio/tools/protect',
      open: async (page) => {
        await page.getByLabel('PDF file').setInputFiles(await filesOf(page, document, ['Contract.pdf']));
        await page.getByText('Contract.pdf').first().waitFor();
        await page.getByLabel('Owner password').fill('correct horse');
        await page.getByLabel('User password').fill('battery staple');
      },
    },
    {
      name: 'tool-sign',
      path: '/studio/tools/sign',
      open: async (page) => {
        await page.getByLabel('PDF file').setInputFiles(await filesOf(page, document, ['Contract.pdf']));
        await page.getByText('Contract.pdf').first().waitFor();
        await page.getByLabel('Certificate').waitFor();
        await page.getByRole('button', { name: 'Sign', exact: true }).click();
        await page.getByRole('link', { name: 'Download' }).waitFor();
        await page.evaluate(() => window.scrollTo(0, 0));
      },
    },
    {
      name: 'tool-verify',
      path: '/studio/tools/verify',
      open: async (page) => {
        await page.getByLabel('PDF file').setInputFiles(await filesOf(page, archived, ['Contract.pdf']));
        await page.getByRole('button', { name: 'Verify' }).click();
        await page.getByRole('region', { name: 'Signature1' }).waitFor();
      },
    },
    {
      name: 'tool-validate',
      path: '/studio/tools/validate',
      open: async (page) => {
        await page.getByLabel('PDF file').setInputFiles(await filesOf(page, archived, ['Contract.pdf']));
        await page.getByRole('button', { name: 'Validate' }).click();
        await page.getByText('The file conforms to PDF/A-3b').waitFor();
      },
    },
    { name: 'tool-stamp', path: '/studio/tools/stamp', isNarrow: true },
    {
      name: 'tool-info',
      path: '/studio/tools/info',
      isNarrow: true,
      open: async (page) => {
        await page.getByLabel('PDF file').setInputFiles(await filesOf(page, archived, ['Contract.pdf']));
        await page.getByRole('button', { name: 'Show the properties' }).click();
        await page.getByText('PDF version', { exact: true }).waitFor();
      },
    },
    { name: 'files', path: '/studio/files', isNarrow: true },
    { name: 'certificates', path: '/studio/certificates', isNarrow: true },
    {
      name: 'certificate-upload',
      path: '/studio/certificates',
      open: async (page) => {
        await page.getByRole('button', { name: 'Upload certificate' }).first().click();
        await page.getByLabel('Password of the file').waitFor();
      },
    },
    { name: 'marketplace', path: '/studio/marketplace', isNarrow: true },
    { name: 'usage', path: '/studio/usage', isNarrow: true },
    {
      name: 'webhooks',
      path: '/studio/webhooks',
      isNarrow: true,
      open: async (page) => {
        await page.getByText('Web shop').waitFor();
      },
    },
    {
      name: 'webhook-endpoint',
      path: '/studio/webhooks',
      isNarrow: true,
      open: async (page) => {
        await page.getByRole('button', { name: 'New endpoint' }).click();
        await page.getByRole('checkbox', { name: /^All generation events/ }).check();
      },
    },
    {
      name: 'webhook-test',
      path: '/studio/webhooks',
      isNarrow: true,
      open: async (page) => {
        await page.getByRole('button', { name: /^Actions for https:\/\/shop/ }).click();
        await page.getByRole('menuitem', { name: 'Send a test message' }).click();
        await page.getByLabel('Event').waitFor();
      },
    },
    {
      name: 'webhook-events',
      path: '/studio/webhooks?list=events',
      isNarrow: true,
      open: async (page) => {
        await page.getByRole('button', { name: 'batch.completed' }).first().waitFor();
      },
    },
    {
      name: 'webhook-event',
      path: '/studio/webhooks?list=events',
      isNarrow: true,
      open: async (page) => {
        await page.getByRole('button', { name: 'batch.completed' }).first().click();
        await page.getByText('No endpoint received this event.').waitFor();
      },
    },
    { name: 'webhook-deliveries', path: '/studio/webhooks?list=deliveries', isNarrow: true },
    { name: 'assets', path: '/studio/asset-library', isNarrow: true },
    { name: 'audit', path: '/studio/audit', isNarrow: true },
    { name: 'members', path: '/studio/members', isNarrow: true },
    {
      name: 'member-invited',
      path: '/studio/members',
      isNarrow: true,
      open: async (page) => {
        await confirmIdentity(page);
        await page.getByRole('button', { name: 'Invite a person' }).click();
        await page.getByRole('dialog').getByLabel('Email').fill('grace@tarnworks.example.com');
        await page.getByRole('button', { name: 'Create the invitation' }).click();
        await page.getByRole('button', { name: 'Copy link' }).waitFor();
      },
    },
    { name: 'sign-in-and-data', path: '/studio/security', isNarrow: true },
    { name: 'accounts', path: '/studio/accounts', isNarrow: true },
    { name: 'health', path: '/studio/health', isNarrow: true },
    { name: 'metrics', path: '/studio/metrics', isNarrow: true },
    {
      name: 'run-again',
      path: `/studio/generations/${document}`,
      open: async (page) => {
        await page.getByRole('button', { name: 'Run again' }).click();
        await page.getByLabel('Data', { exact: true }).waitFor();
      },
    },
    { name: 'keys', path: '/studio/keys', isNarrow: true },
    {
      name: 'key-created',
      path: '/studio/keys',
      open: async (page) => {
        await confirmIdentity(page);
        await page.getByRole('button', { name: 'Create key' }).first().click();
        await page.getByLabel('Name').fill('Web shop');
        await page.getByRole('button', { name: 'Create key' }).last().click();
        await page.getByText('Copy your key now').waitFor();
      },
    },
  ];
}
