import { expect, test } from 'bun:test';
import { CERTIFICATE_PASSWORD, certificateFile } from '../support/signatures/certificates.ts';
import type { Visitor } from './browser.ts';
import { filesOf } from './files-of.ts';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio();

/** Reads the last file that a tool made, under a name. */
async function lastFile(visitor: Visitor, name: string) {
  const base64 = await visitor.page.evaluate(async () => {
    const { data } = (await (await fetch('/v1/files?limit=1')).json()) as { data: { id: string }[] };
    const bytes = new Uint8Array(await (await fetch(`/v1/files/${data[0]?.id}/content`)).arrayBuffer());
    return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  });
  return { name, mimeType: 'application/pdf', buffer: Buffer.from(base64, 'base64') };
}

test('a certificate is uploaded, signs a file that verifies as intact, and is deleted', async () => {
  const { page } = studio.owner;
  const { id } = await studio.owner.api<{ id: string }>('POST', '/v1/generate', {
    html: '<h1>Contract</h1>',
  });
  await page.goto('/studio/tools/sign');
  await page.getByRole('link', { name: 'Upload a certificate' }).click();
  await page.getByText('No certificates').waitFor();
  await page.getByRole('button', { name: 'Upload certificate' }).first().click();
  await page.getByLabel('Certificate file').setInputFiles({
    name: 'ada.p12',
    mimeType: 'application/x-pkcs12',
    buffer: certificateFile('rsa.p12'),
  });
  await page.getByText('ada.p12').waitFor();
  await page.getByLabel('Password of the file').fill('wrong');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await page.getByRole('alert').getByText('That password does not open ada.p12.').waitFor();
  await page.getByLabel('Password of the file').fill(CERTIFICATE_PASSWORD);
  await page.getByLabel('Name (optional)').fill('Contracts');
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  const row = page.getByRole('row').filter({ hasText: 'Contracts' });
  await row.waitFor();
  const { data } = await studio.owner.api<{ data: { id: string; subject: string }[] }>(
    'GET',
    '/v1/certificates',
  );
  await row.getByText(data[0]?.subject ?? 'no subject', { exact: true }).waitFor();
  expect(await studio.owner.violations()).toEqual([]);

  await page.goto('/studio/tools/sign');
  await page.getByLabel('PDF file').setInputFiles(await filesOf(page, id, ['contract.pdf']));
  await page.getByText('Levels with a timestamp need a timestamp authority').waitFor();
  await page.getByLabel('Later changes').selectOption('form_filling');
  await page.getByLabel('Reason (optional)').fill('Agreed');
  await page.getByRole('button', { name: 'Sign', exact: true }).click();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  const call = await page.getByLabel('curl example').textContent();
  expect(call).toContain('/v1/pdf/sign');
  expect(call).toContain(`"certificate": "${data[0]?.id}"`);

  const signed = await lastFile(studio.owner, 'signed.pdf');
  await page.goto('/studio/tools/verify');
  await page.getByLabel('PDF file').setInputFiles(signed);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('The file is intact, but a signer is not trusted').waitFor();
  await page.getByText('Signature, PAdES B-B').waitFor();
  expect(await page.getByLabel('curl example').textContent()).toContain('/v1/pdf/verify');
  await page.getByLabel('Trusted roots').fill(certificateFile('root.pem').toString());
  await page.getByText('The report appears here.').waitFor();
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('All signatures are valid').waitFor();
  const changed = { ...signed, buffer: Buffer.from(signed.buffer) };
  // Another minor version: the file can still be read.
  changed.buffer[7] = changed.buffer[7] === 0x36 ? 0x35 : 0x36;
  await page.getByRole('button', { name: 'Remove signed.pdf' }).click();
  await page.getByLabel('PDF file').setInputFiles(changed);
  await page.getByRole('button', { name: 'Verify' }).click();
  await page.getByText('The file was changed after signing').waitFor();
  expect(await studio.owner.violations()).toEqual([]);

  await page.goto('/studio/certificates');
  await page.getByRole('button', { name: 'Actions for Contracts' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('button', { name: 'Delete' }).last().click();
  await page.getByText('No certificates').waitFor();
  expect((await studio.owner.api<{ data: object[] }>('GET', '/v1/certificates')).data).toEqual([]);
  expect(studio.owner.offences).toEqual([]);
}, 180_000);

test('a file is converted to the chosen level of PDF/A, and validated', async () => {
  const { page } = studio.owner;
  const { id } = await studio.owner.api<{ id: string }>('POST', '/v1/generate', { html: '<h1>Report</h1>' });
  await page.goto('/studio/tools/validate');
  await page.getByLabel('PDF file').setInputFiles(await filesOf(page, id, ['report.pdf']));
  await page.getByRole('button', { name: 'Validate' }).click();
  await page.getByText('The file claims no standard').waitFor();
  await page.getByLabel('Standard').selectOption('pdfa-3u');
  await page.getByRole('button', { name: 'Validate' }).click();
  await page.getByText('The file does not conform to PDF/A-3u').waitFor();

  await page.goto('/studio/tools/pdfa');
  await page.getByLabel('PDF file').setInputFiles(await filesOf(page, id, ['report.pdf']));
  await page.getByLabel('Level').selectOption('3u');
  await page.getByRole('button', { name: 'Convert' }).click();
  await page.getByRole('link', { name: 'Download' }).waitFor();
  const converted = await lastFile(studio.owner, 'archive.pdf');
  await page.goto('/studio/tools/validate');
  await page.getByLabel('PDF file').setInputFiles(converted);
  await page.getByRole('button', { name: 'Validate' }).click();
  await page.getByText('The file conforms to PDF/A-3u').waitFor();
}, 120_000);

test('a template is printed as PDF/A and PDF/UA, its faults are notes, and the document shows its proof', async () => {
  const { page } = studio.owner;
  const { id } = await studio.owner.api<{ id: string }>('POST', '/v1/templates', {
    name: 'Certificate of origin',
    html_content:
      '<html lang="en"><title>Origin</title><h1>Origin</h1><img src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">',
  });
  await page.goto(`/studio/templates/${id}`);
  await page.getByText(/^Printed in/).waitFor();
  await page.getByRole('button', { name: 'Page', exact: true }).click();
  await page.getByLabel('Archiving').selectOption('2u');
  await page.getByLabel('Accessibility').selectOption('report');
  await page.getByRole('button', { name: '1 note' }).click();
  await page.getByText(/the picture has no text alternative/).waitFor();
  await page.getByLabel('Accessibility').selectOption('strict');
  await page.getByText('The document cannot be printed').waitFor();
  await page.getByRole('button', { name: 'HTML', exact: true }).click();
  await page.getByLabel('HTML of the template').click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText('<html lang="en"><title>Origin</title><h1>Origin</h1>');
  await page.getByText(/^Printed in/).waitFor();
  await page.keyboard.press('Control+s');
  await page.getByText('Saved as version 2.').waitFor();
  const { options } = await studio.owner.api<{ options: object }>('GET', `/v1/templates/${id}`);
  expect(options).toEqual({ pdfa: '2u', accessible: true });
  await page.keyboard.press('Control+Enter');
  await page.getByRole('button', { name: 'Show' }).click();
  const proof = page.getByRole('region', { name: 'Proof' });
  await proof.getByText('PDF/A 2u').waitFor();
  await proof.getByText(/^PDF\/UA/).waitFor();
  await proof.getByText('PDF/A 2u').click();
  await proof.getByText(/6\.1\.2/).waitFor();
  expect(await studio.owner.violations()).toEqual([]);
  const generation = new URL(page.url()).pathname.split('/').at(-1);
  const { sha256 } = await studio.owner.api<{ sha256: string }>('GET', `/v1/generations/${generation}/proof`);
  await proof.getByText(sha256).waitFor();
}, 180_000);
