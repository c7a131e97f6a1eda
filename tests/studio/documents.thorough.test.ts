import { afterAll, expect, test } from 'bun:test';
import { AiProvider, page as pageOf } from '../support/ai/provider.ts';
import { shareStudio } from './shared-studio.ts';

const provider = new AiProvider();
const studio = shareStudio({ env: provider.env() });

afterAll(() => provider[Symbol.asyncDispose]());

test('the history is filtered by template and by date, and the filters are in the URL', async () => {
  const visitor = await studio.browser.signIn();
  const { page } = visitor;
  const template = await visitor.cloneStarter('letter');
  const { sample_data: data } = await visitor.api<{ sample_data: object }>(
    'GET',
    `/v1/templates/${template}`,
  );
  await visitor.api('POST', '/v1/generate', { template, data, file_name: 'From the template' });
  await visitor.api('POST', '/v1/generate', { html: '<p>Hi</p>', file_name: 'From HTML' });
  await page.goto('/studio/generations');
  await page.getByText('From HTML').waitFor();
  await page.getByLabel('Template', { exact: true }).selectOption({ value: template });
  await page.getByText('From HTML').waitFor({ state: 'detached' });
  await page.getByText('From the template.pdf').waitFor();
  await page.getByLabel('to', { exact: true }).fill('2026-01-01');
  await page.getByText('Nothing matches').waitFor();
  expect(new URL(page.url()).search).toBe(`?template_id=${template}&to=2026-01-01`);
  await page.getByLabel('to', { exact: true }).fill('');
  await page.getByLabel('From', { exact: true }).fill('2026-01-01');
  await page.getByText('From the template.pdf').waitFor();
  await page.reload();
  await page.getByText('From the template.pdf').waitFor();
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('2026-01-01');
}, 120_000);

test('a document is run again: as it was when this page made it, otherwise from its template with data to enter', async () => {
  const visitor = await studio.browser.signIn();
  const { page } = visitor;
  type Made = { id: string; file_name: string | null; reference: string | null; metadata: object };
  const listed = async () => (await visitor.api<{ data: Made[] }>('GET', '/v1/generations')).data;
  const { id: template } = await visitor.api<{ id: string }>('POST', '/v1/templates', {
    name: 'Greeting',
    html_content: '<p>Hello {{name}}</p>',
    sample_data: { name: 'Sample' },
  });
  const { id: plain } = await visitor.api<Made>('POST', '/v1/generate', { html: '<p>Hi</p>' });
  const { id } = await visitor.api<Made>('POST', '/v1/generate', {
    template,
    data: { name: 'Ada' },
    reference: 'order-7',
    metadata: { customer: 'Ada' },
  });
  const again = page.getByRole('button', { name: 'Run again' });
  await page.goto(`/studio/generations/${plain}`);
  await page.getByRole('heading', { name: 'HTML document' }).waitFor();
  expect(await again.count()).toBe(0);

  await page.goto(`/studio/generations/${id}`);
  await again.click();
  const data = page.getByLabel('Data', { exact: true });
  expect(JSON.parse(await data.inputValue())).toEqual({ name: 'Sample' });
  await data.fill('{');
  await page.getByRole('button', { name: 'Make the PDF' }).click();
  await page.getByText('The data must be a JSON object.').waitFor();
  await data.fill('{ "name": "Grace" }');
  await page.getByRole('button', { name: 'Make the PDF' }).click();
  await page.waitForURL(
    (url) => url.pathname.startsWith('/studio/generations/') && !url.pathname.endsWith(id),
  );
  const [second] = await listed();
  expect(second).toMatchObject({
    template_id: template,
    reference: 'order-7',
    metadata: { customer: 'Ada' },
  });
  expect(page.url()).toEndWith(second?.id ?? '');
  await page.getByText('Run again').waitFor();

  // This page knows the data of the second document.
  await again.click();
  await page.waitForURL((url) => !url.pathname.endsWith(second?.id ?? ''));
  const all = await listed();
  expect(all).toHaveLength(4);
  expect(all[0]).toMatchObject({
    template_id: template,
    reference: 'order-7',
    metadata: { customer: 'Ada' },
  });
  type Text = { pages: { text: string }[] };
  const text = await visitor.api<Text>('POST', '/v1/pdf/text', { pdf: all[0]?.id });
  expect(text.pages[0]?.text).toContain('Hello Grace');
}, 120_000);

test('an operator sees the key metrics, and an owner does not', async () => {
  const operator = await studio.browser.signIn({ role: 'operator' });
  await operator.api('POST', '/v1/generate', { html: '<p>Hi</p>' });
  const { page } = operator;
  await page.goto('/studio/health');
  await page.getByRole('link', { name: 'Metrics' }).click();
  await page.getByRole('heading', { name: 'Metrics' }).waitFor();
  await page.getByText('Printing a plain document').waitFor();
  const row = page.getByRole('row').filter({ hasText: 'POST /v1/generate' }).first();
  expect(Number((await row.getByRole('cell').nth(1).textContent())?.replaceAll(',', ''))).toBeGreaterThan(0);
  await studio.owner.page.goto('/studio/metrics');
  await studio.owner.page.getByText('Only the operators of this server see this view.').waitFor();
  expect(await studio.owner.page.getByRole('link', { name: 'Metrics' }).count()).toBe(0);
}, 120_000);

test('a template is drafted by the model of the operator, stored and opened; its failure is shown', async () => {
  const visitor = await studio.browser.signIn();
  const { page } = visitor;
  provider.reset(() => new Response('{"error": {"message": "overloaded"}}', { status: 529 }));
  await page.goto('/studio/templates');
  await page.getByRole('button', { name: 'Draft with AI' }).click();
  await page.getByLabel('What should the document contain?').fill('An invoice of a bicycle workshop');
  await page.getByLabel('Style').selectOption('minimal');
  await page.getByRole('button', { name: 'Write the template' }).click();
  await page
    .getByRole('alert')
    .getByText(/AI provider/)
    .waitFor();
  provider.reset(() => pageOf('<h1>Invoice {{number}}</h1>{{#each items}}<p>{{title}}</p>{{/each}}'));
  await page.getByRole('button', { name: 'Write the template' }).click();
  await page.getByText(/^Printed in/).waitFor();
  expect(await page.getByLabel('Name of the template').inputValue()).toBe('An invoice of a bicycle workshop');
  const [request] = provider.requests;
  expect(request?.path).toBe('/v1/chat/completions');
  expect(request?.body.messages.at(-1).content).toContain('An invoice of a bicycle workshop');
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const stored = await visitor.api<{ html_content: string; category: string; sample_data: object }>(
    'GET',
    `/v1/templates/${id}`,
  );
  expect(stored.category).toBe('invoice');
  expect(stored.sample_data).toEqual({ number: 'Number', items: [{ title: 'Title' }, { title: 'Title' }] });
  expect(stored.html_content).toContain('<h1>Invoice {{number}}</h1>');
}, 120_000);
