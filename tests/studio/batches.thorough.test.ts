import { describe, expect, test } from 'bun:test';
import type { Page } from 'playwright-core';
import type { Visitor } from './browser.ts';
import { shareStudio } from './shared-studio.ts';

const studio = shareStudio();

const TEMPLATE = {
  name: 'Greeting',
  html_content: '<p>Hello {{customer.name}}, {{age}}</p><pre>{{note}}</pre>',
  schema: { 'customer.name': 'string!', age: 'number', note: 'string?' },
  sample_data: { customer: { name: 'Sample' }, age: 1 },
};

/** Signs a person in who has one template, and opens the dialog. */
async function openDialog(template: object = TEMPLATE): Promise<Visitor> {
  const visitor = await studio.browser.signIn();
  await visitor.api('POST', '/v1/templates', template);
  await visitor.page.goto('/studio/batches');
  await visitor.page.getByRole('button', { name: 'New batch' }).click();
  return visitor;
}

async function choose(page: Page, content: string | Buffer, name = 'list.csv'): Promise<void> {
  const buffer = Buffer.from(content as string);
  await page.getByLabel('Data file').setInputFiles({ name, mimeType: 'text/csv', buffer });
}

/** Chooses a file that is made in the page, because it is too large to be sent there. */
async function chooseLarge(page: Page, row: string, count: number): Promise<void> {
  await page.getByLabel('Data file').evaluate(
    (input: HTMLInputElement, [line, lines]) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['customer.name,age,note\n', line.repeat(lines)], 'large.csv'));
      input.files = transfer.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    },
    [row, count] as const,
  );
}

const startButton = (page: Page) => page.getByRole('button', { name: 'Start the batch' });

/** A spreadsheet as Excel saves it: a byte order mark, semicolons, quotes, and line breaks in cells. */
function spreadsheet(rows: number, invalidRow?: number): string {
  const lines = Array.from({ length: rows }, (_, index) => {
    const age = index + 1 === invalidRow ? 'old' : index + 1;
    return `"Zoë ""Ä"" Müller; ${index + 1}";${age};"eins\r\nzwei";x`;
  });
  return `\uFEFFCustomer Name;Alter;Notiz;leer\r\n${lines.join('\r\n')}\r\n`;
}

/** Assigns the German columns of the spreadsheet to fields. */
async function assign(page: Page): Promise<void> {
  await page.getByLabel('Field for the column Alter').fill('age');
  await page.getByLabel('Field for the column Notiz').fill('note');
  await page.getByLabel('Field for the column leer').fill('');
}

type Items = { data: { id: string; index: number; file_name: string }[] };

test('a spreadsheet of 200 rows becomes 199 documents and a ZIP, without its invalid row', async () => {
  const visitor = await openDialog();
  const { page } = visitor;
  await choose(page, spreadsheet(200, 100));
  const missing = page.getByRole('list', { name: 'Fields without a column' });
  await missing.waitFor();
  expect((await missing.textContent())?.trim()).toBe('age');
  await assign(page);
  expect(await page.getByLabel('Field for the column Customer Name').inputValue()).toBe('customer.name');
  expect(await page.getByLabel('Type of the column Alter').inputValue()).toBe('number');
  await page.getByText('1 of 200 records is invalid, so the batch cannot start.').waitFor();
  // Each row has two lines, below the names of the columns.
  const fault = 'Line 200 has “old” in the column “Alter”, which is not a number, such as 12.5.';
  await page.getByText(fault).waitFor();
  expect(await startButton(page).isDisabled()).toBe(true);
  await page.getByRole('button', { name: 'Leave invalid records out' }).click();
  await page.getByText('199 documents will be made, and 1 left out.').waitFor();
  await page.getByRole('button', { name: 'Also a ZIP archive' }).click();
  await page.getByLabel('File names (optional)').fill('{{age}} {{customer.name}}');
  await startButton(page).click();
  await page.waitForURL(/\/studio\/batches\/batch_/);
  await page.getByText('1 record of the data was left out:').waitFor();
  await page.getByText(fault).waitFor();
  await page.getByText(/documents per second/).waitFor();
  await page.getByText('199 of 199 documents').waitFor({ timeout: 280_000 });
  const download = await page.getByRole('link', { name: 'Download ZIP' }).getAttribute('href');
  expect((await page.request.get(download ?? '')).headers()['content-type']).toBe('application/zip');
  await page.getByRole('link', { name: '1 Zoë -Ä- Müller; 1.pdf' }).waitFor();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('link', { name: '26 Zoë -Ä- Müller; 26.pdf' }).waitFor();

  const id = new URL(page.url()).pathname.split('/').at(-1);
  const { data } = await visitor.api<Items>('GET', `/v1/batches/${id}/items?limit=1&offset=99`);
  expect(data.map(({ index, file_name }) => [index, file_name])).toEqual([
    [99, '101 Zoë -Ä- Müller; 101.pdf'],
  ]);
  const text = await visitor.api<object>('POST', '/v1/pdf/text', { pdf: data[0]?.id });
  expect(JSON.stringify(text)).toContain('Hello Zoë \\"Ä\\" Müller; 101, 101');
  // Another session of the page no longer knows the lines.
  await page.reload();
  await page.getByText('1 left out').waitFor();
  expect(await page.getByText(fault).count()).toBe(0);
}, 300_000);

test('a batch is printed in the chosen language, and its webhook is checked', async () => {
  const visitor = await openDialog({
    name: 'Offer',
    html_content: '<p>{{t "total"}}: {{formatNumber total decimals=2}} {{note}}</p>',
    translations: { en: { total: 'Total' }, de: { total: 'Summe' } },
    sample_data: { total: 1 },
  });
  const { page } = visitor;
  const language = page.getByLabel('Language');
  expect(await language.locator('option').allTextContents()).toEqual([
    'Default language',
    'English',
    'German',
  ]);
  await choose(page, 'total\n1234.5\n');
  await page.getByText('1 document will be made.').waitFor();
  await language.selectOption('German');
  await page.getByLabel('Webhook (optional)').fill('http://127.0.0.1/hook');
  await startButton(page).click();
  await page.getByText(/^The webhook /).waitFor();
  await page.getByLabel('Webhook (optional)').fill('');
  await startButton(page).click();
  await page.getByText('1 of 1 documents').waitFor();
  await page.getByText('1 warning', { exact: true }).waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const { data } = await visitor.api<Items>('GET', `/v1/batches/${id}/items`);
  const text = await visitor.api<object>('POST', '/v1/pdf/text', { pdf: data[0]?.id });
  expect(JSON.stringify(text)).toContain('Summe: 1.234,50');
}, 120_000);

test('an invalid row stops a batch before the upload', async () => {
  const { page } = await openDialog();
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await choose(page, spreadsheet(3, 2));
  await assign(page);
  await page.getByText('Line 4 has “old” in the column “Alter”').waitFor();
  await page.getByText('1 of 3 records is invalid, so the batch cannot start.').waitFor();
  expect(await startButton(page).isDisabled()).toBe(true);
  // The column has another type, so that its row is valid.
  await page.getByLabel('Type of the column Alter').selectOption('Text');
  await page.getByText('3 documents will be made.').waitFor();
  expect(await page.getByText('Line 4 has').count()).toBe(0);
  expect(await startButton(page).isEnabled()).toBe(true);
  expect(sent).toEqual([]);
}, 120_000);

test('a batch without a required field does not start, and unread columns are named', async () => {
  const { page } = await openDialog({
    name: 'Certificate',
    html_content: '<p>{{recipient}} {{signatory.role}} {{formatDate date}}</p>',
    schema: { recipient: 'string!', signatory: 'object!', date: 'date!' },
    sample_data: { recipient: 'Ada', signatory: { role: 'Director' }, date: '2026-11-28' },
  });
  await choose(page, 'recipient;date;reason\nAda;28.11.2026;x\nGrace;2026-11-28;y\n');
  await page
    .getByText('Line 2 has “28.11.2026” in the column “date”, which is not a date in the form YYYY-MM-DD')
    .waitFor();
  await page.getByText('Line 3 has no value for “signatory”, which the template requires.').waitFor();
  await page.getByText('2 of 2 records are invalid, so the batch cannot start.').waitFor();
  expect(await startButton(page).isDisabled()).toBe(true);
  const missing = page.getByRole('list', { name: 'Fields without a column' });
  expect((await missing.textContent())?.replaceAll(/\s+/g, ' ').trim()).toBe(
    'signatory Required in columns such as signatory.role',
  );
  await page.getByText('The template does not read this column: reason.').waitFor();
  await choose(page, 'recipient;date;signatory.role\nGrace;2026-11-28;Dean\n');
  await page.getByText('1 document will be made.').waitFor();
  expect(await missing.count()).toBe(0);
  expect(await page.getByText('The template does not read').count()).toBe(0);
}, 120_000);

test('lines that only the service refuses are named as in the file', async () => {
  const { page } = await openDialog();
  // The service limits the depth of JSON.
  const deep = `{"customer": {"name": "Ada"}, "a": ${'['.repeat(2_000)}${']'.repeat(2_000)}}`;
  await choose(page, `\n{"customer": {"name": "Ada"}, "age": 36}\n\n${deep}\n`, 'list.ndjson');
  await page.getByText('2 documents will be made.').waitFor();
  await startButton(page).click();
  await page.getByText('The service found invalid records.').waitFor();
  await page.getByText(/^Line 4 is not JSON: /).waitFor();
  await page.getByRole('button', { name: 'Leave invalid records out' }).click();
  await startButton(page).click();
  await page.getByText('1 of 1 documents').waitFor();
  await page.getByText(/^Line 4 is not JSON: /).waitFor();
}, 120_000);

test('a batch is started from the sample data, and a template that the service refuses is explained', async () => {
  const { page } = await openDialog();
  await page.getByRole('button', { name: 'Text', exact: true }).click();
  const data = page.getByLabel('Data', { exact: true });
  expect(await data.inputValue()).toContain('"name": "Sample"');
  await data.fill('[{}');
  await page.getByText('The list is not complete').waitFor();
  await data.fill(
    '[{ "customer": { "name": "Ada" }, "age": 1 }, {\n"customer": { "name": "Grace" }, "age": 2 }]',
  );
  await page.getByText('2 documents will be made.').waitFor();
  await page.getByRole('cell', { name: '{"name":"Grace"}' }).waitFor();
  const fileName = page.getByLabel('File names (optional)');
  await fileName.fill('{{#each}}');
  await startButton(page).click();
  await page
    .getByRole('alert')
    .getByText(/^The template of the file names: /)
    .waitFor();
  await fileName.fill('{{customer.name}}');
  await page.getByRole('button', { name: 'Also one PDF' }).click();
  await startButton(page).click();
  await page.getByText('2 of 2 documents').waitFor();
  await page.getByRole('link', { name: 'Grace.pdf', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Download PDF' }).waitFor();
}, 120_000);

test('an upload shows its progress and can be canceled, and starts again', async () => {
  const visitor = await openDialog();
  const { page } = visitor;
  await chooseLarge(page, `Ada,1,${'x'.repeat(3_000)}\n`, 9_000);
  await page.getByText('9,000 documents will be made.').waitFor();
  // About 27 MB at 1 MB per second.
  const session = await page.context().newCDPSession(page);
  const limit = (bytes: number) =>
    session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytes,
    });
  await session.send('Network.enable');
  await limit(1_000_000);
  await startButton(page).click();
  const bar = page.getByRole('progressbar', { name: 'Progress of the upload' });
  await page.waitForFunction(() => {
    const now = Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow'));
    return now > 0 && now < 100;
  });
  await page.keyboard.press('Escape');
  await bar.waitFor();
  await page.getByRole('button', { name: 'Cancel the upload' }).click();
  await page.getByText('9,000 documents will be made.').waitFor();
  expect((await visitor.api<{ data: object[] }>('GET', '/v1/batches')).data).toEqual([]);
  await limit(-1);
  await startButton(page).click();
  await page.waitForURL(/\/studio\/batches\/batch_/);
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel the batch' }).click();
  await page
    .getByText(/^Canceled/)
    .first()
    .waitFor();
  const { data } = await visitor.api<{ data: { total: number; canceled: number }[] }>('GET', '/v1/batches');
  expect(data.map(({ total }) => total)).toEqual([9_000]);
  expect(data[0]?.canceled).toBeGreaterThan(7_000);
}, 240_000);

describe('a large file', () => {
  test('does not block the page, which shows how much was read', async () => {
    const { page } = await openDialog();
    await page.evaluate(() => {
      const seen = new Set<string>();
      Object.assign(window, { seen });
      const note = () => seen.add(document.querySelector('dialog [role=status]')?.textContent ?? '');
      new MutationObserver(note).observe(document.body, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    });
    await chooseLarge(page, `Ada,1,${'x'.repeat(9_000)}\n`, 9_990);
    await page.getByText('9,990 documents will be made.').waitFor();
    const seen = await page.evaluate(() => [...(window as never as { seen: Set<string> }).seen]);
    expect(seen.filter((text) => /^[\d,]+ documents read…$/.test(text)).length).toBeGreaterThan(0);
    expect(await startButton(page).isEnabled()).toBe(true);
  }, 120_000);

  test('with too many documents is refused', async () => {
    const { page } = await openDialog();
    await choose(page, `customer.name\n${'Ada\n'.repeat(10_001)}`);
    await page.getByText('There are more than 10,000 documents, the most in a batch.').waitFor();
    await choose(page, Buffer.from('name\nZo\xeb', 'latin1'));
    await page.getByText('list.csv is not UTF-8.').waitFor();
    expect(await startButton(page).isDisabled()).toBe(true);
  }, 120_000);
});
