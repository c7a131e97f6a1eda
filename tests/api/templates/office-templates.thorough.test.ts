import { describe, expect, setDefaultTimeout, test } from 'bun:test';
import {
  docx,
  paragraph,
  pptx,
  rows,
  shape,
  table,
  xlsx,
} from '../../../packages/office-templates/tests/make-file.ts';
import { completed } from '../../support/batch/batches.ts';
import { describeWithLibreOffice } from '../../support/libreoffice.ts';
import { pdfText } from '../../support/pdf/pdf.ts';
import { formOf, postForm, type FormPart } from '../../support/service/multipart.ts';
import { TestService, type ApiResponse } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { until } from '../../support/until.ts';
import { unzip } from '../../support/unzip.ts';

setDefaultTimeout(120_000);
const service = sharedService();

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

const data = {
  name: 'Ann & Bob',
  items: [
    { title: 'Chair', price: 10 },
    { title: 'Desk', price: 99 },
  ],
};
const LETTER = docx(
  paragraph('Dear {{name}}') + table(['{{#each items}}{{title}}', '{{formatNumber price}}{{/each}}']),
);

type Json = ApiResponse['body'];

/** Sends a form. `PUT` stores a version. */
async function send(path: string, parts: FormPart[], { method = 'POST', key = service().key } = {}) {
  if (method === 'POST') return postForm(service(), path, formOf(parts), { key });
  const response = await fetch(service().url + path, {
    method,
    headers: { authorization: `Bearer ${key}` },
    body: formOf(parts),
  });
  return { status: response.status, body: await response.json() };
}

async function create(file: Uint8Array, fields: Record<string, string> = {}): Promise<Json> {
  const { status, body } = await send('/v1/templates', [
    ['file', file, 'letter.docx'],
    ['name', 'Letter'],
    ...Object.entries(fields).map(([name, value]) => [name, value] as const),
  ]);
  expect([status, body.error]).toEqual([201, undefined]);
  return body;
}

const post = (path: string, body: Json, key?: string) =>
  service().request('POST', path, { body, ...(key !== undefined && { key }) });
const generate = (template: string, fields: Json = {}) => post('/v1/generate', { template, data, ...fields });

/** Generates the filled file and returns one of its parts. */
async function partOf(template: string, type: string, name: string, fields: Json = {}): Promise<string> {
  const { status, body } = await generate(template, { type, output: 'base64', ...fields });
  expect([status, body.error]).toEqual([200, undefined]);
  const parts = await unzip(Buffer.from(body.data, 'base64'));
  return parts.find((part) => part.name === name)?.content.toString() ?? '';
}

const textOf = (xml: string) =>
  xml
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

function errorOf({ status, body }: { status: number; body?: Json }): unknown[] {
  return [status, body?.['error']?.details?.[0]?.path, body?.['error']?.message];
}

/** Returns the status and the field of an error. */
const fieldOf = (answer: { status: number; body?: Json }) => errorOf(answer).slice(0, 2);

describe('POST /v1/templates with a file', () => {
  test('stores a template with its format', async () => {
    const created = await create(LETTER, {
      sample_data: JSON.stringify(data),
      schema: '{"name":"string"}',
      alias: 'office-letter',
      tags: '["office"]',
    });
    expect(created).toMatchObject({ format: 'docx', html_content: null, version: 1, name: 'Letter' });
    const { body } = await service().get('/v1/templates/office-letter');
    expect(body).toMatchObject({
      format: 'docx',
      html_content: null,
      sample_data: data,
      schema: { name: 'string' },
      file_size: LETTER.length,
    });
    const file = await fetch(body.file_url);
    expect(file.headers.get('content-type')).toBe(DOCX);
    expect(file.headers.get('content-disposition')).toContain('Letter.docx');
    expect(Buffer.from(await file.arrayBuffer()).equals(LETTER)).toBe(true);
    const listed = await service().get('/v1/templates?tag=office');
    expect(listed.body.data[0]).toMatchObject({ id: created['id'], format: 'docx' });
  });

  test('takes base64 in JSON, and HTML reads its format', async () => {
    const file = Buffer.from(LETTER).toString('base64');
    const made = await post('/v1/templates', { name: 'Letter', file });
    expect(made.body).toMatchObject({ format: 'docx' });
    const html = await post('/v1/templates', { name: 'H', html_content: '<p>x</p>' });
    expect((await service().get(`/v1/templates/${html.body.id}`)).body).toMatchObject({ format: 'html' });
  });

  test('names the field of a fault', async () => {
    const faults = async (...parts: FormPart[]) =>
      errorOf(await send('/v1/templates', [['name', 'x'], ...parts]));
    const fields = async (...parts: FormPart[]) => (await faults(...parts)).slice(0, 2);
    expect(await faults(['file', new Uint8Array([1, 2, 3]), 'a.docx'])).toEqual([
      400,
      'file',
      'file: is not a docx, xlsx or pptx file',
    ]);
    expect(await faults(['file', docx(paragraph('x') + paragraph('{{#if a}}')), 'a.docx'])).toEqual([
      400,
      'file',
      'file: paragraph 2: the block "{{#if a}}" is not closed',
    ]);
    expect(await fields()).toEqual([400, 'html_content']);
    expect(await fields(['file', LETTER, 'a.docx'], ['html_content', '<p>'])).toEqual([400, 'file']);
    expect(await fields(['file', LETTER, 'a.docx'], ['partial', 'true'])).toEqual([400, 'partial']);
    expect(fieldOf(await post('/v1/templates', { name: 'x', file: 'é!' }))).toEqual([400, 'file']);
  });
});

describe('versions', () => {
  test('PUT with file makes a version, and the same bytes make none', async () => {
    const { id } = await create(LETTER);
    const next = docx(paragraph('Hello {{name}}'));
    const put = (file: Uint8Array, ...more: FormPart[]) =>
      send(`/v1/templates/${id}`, [['file', file, 'a.docx'], ...more], { method: 'PUT' });
    expect((await put(LETTER)).body).toMatchObject({ version: 1 });
    expect((await put(next)).body).toMatchObject({ version: 2, format: 'docx' });
    expect(textOf(await partOf(id, 'docx', 'word/document.xml'))).toBe(
      'Hello Ann & Bob'.replace('&', '&amp;'),
    );
    expect(textOf(await partOf(id, 'docx', 'word/document.xml', { template_version: 1 }))).toBe(
      'Dear Ann &amp; Bob Chair 10 Desk 99',
    );
    expect((await service().get(`/v1/templates/${id}?version=1`)).body.file_size).toBe(LETTER.length);
    const restored = await post(`/v1/templates/${id}/versions/1/restore`, {});
    expect(restored.body).toMatchObject({ version: 3, file_size: LETTER.length });
    expect((await put(LETTER)).body).toMatchObject({ version: 3 });
  });

  test('drafts', async () => {
    const { id } = await create(LETTER);
    const draft = await send(
      `/v1/templates/${id}`,
      [
        ['file', docx(paragraph('Draft {{name}}')), 'a.docx'],
        ['draft', 'true'],
      ],
      { method: 'PUT' },
    );
    expect(draft.body).toMatchObject({ version: 2, current_version: 1 });
    const options = { sample_data: { name: 'x' }, draft: true };
    const changed = await service().request('PUT', `/v1/templates/${id}`, { body: options });
    expect(changed.body).toMatchObject({ version: 3, sample_data: { name: 'x' } });
    const text = await partOf(id, 'docx', 'word/document.xml', { template_version: 'draft' });
    expect(textOf(text)).toBe('Draft Ann &amp; Bob');
    const promoted = await post(`/v1/templates/${id}/versions/3/promote`, {});
    expect(promoted.body).toMatchObject({ version: 3, current_version: 3, format: 'docx' });
    expect(textOf(await partOf(id, 'docx', 'word/document.xml'))).toBe('Draft Ann &amp; Bob');
  });

  test('the draft of one of several simultaneous requests has its file', async () => {
    const { id } = await create(LETTER);
    const drafts = Array.from({ length: 8 }, (_, index) =>
      send(
        `/v1/templates/${id}`,
        [
          ['file', docx(paragraph(`Draft ${index}`)), 'a.docx'],
          ['draft', 'true'],
        ],
        { method: 'PUT' },
      ),
    );
    for (const { status } of await Promise.all(drafts)) expect(status).toBe(200);
    const text = await partOf(id, 'docx', 'word/document.xml', { template_version: 'draft' });
    expect(textOf(text)).toStartWith('Draft ');
  });

  test('a template keeps its format', async () => {
    const { id } = await create(LETTER);
    const other = xlsx({ One: rows({ A1: 'x' }) });
    const put = await send(`/v1/templates/${id}`, [['file', other, 'a.xlsx']], { method: 'PUT' });
    expect(fieldOf(put)).toEqual([400, 'file']);
    const change = (body: Json) => service().request('PUT', `/v1/templates/${id}`, { body });
    expect(fieldOf(await change({ html_content: '<p>x</p>' }))).toEqual([400, 'html_content']);
    expect(fieldOf(await change({ partial: true }))).toEqual([400, 'partial']);
    expect(fieldOf(await change({ format: 'xlsx' }))).toEqual([400, 'format']);
  });

  test('files of other accounts are not found', async () => {
    const { id } = await create(LETTER);
    const stranger = await service().forNewAccount();
    const { status } = await send(`/v1/templates/${id}`, [['file', LETTER, 'a.docx']], {
      method: 'PUT',
      key: stranger.key,
    });
    expect(status).toBe(404);
    expect((await post('/v1/generate', { template: id, type: 'docx' }, stranger.key)).status).toBe(404);
  });

  test('a deleted template takes its files with it', async () => {
    const { id } = await create(LETTER);
    const { body } = await service().get(`/v1/templates/${id}`);
    expect((await fetch(body.file_url)).status).toBe(200);
    await service().request('DELETE', `/v1/templates/${id}`);
    expect((await fetch(body.file_url)).status).toBe(404);
  });
});

describe('the filled file', () => {
  test('is the response, with its media type and name', async () => {
    const { id } = await create(LETTER);
    const response = await fetch(`${service().url}/v1/generate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service().key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ template: id, data, type: 'docx', output: 'binary', file_name: 'Offer' }),
    });
    expect(response.headers.get('content-type')).toBe(DOCX);
    expect(response.headers.get('content-disposition')).toContain('Offer.docx');
    const generation = await service().get(`/v1/generations/${response.headers.get('platen-generation-id')}`);
    expect(generation.body).toMatchObject({ content_type: DOCX, pages: null, template_id: id });
    expect((await fetch(generation.body.url)).headers.get('content-type')).toBe(DOCX);
  });

  test('xlsx: numbers, formulas, and warnings with the cell', async () => {
    const { id } = await create(
      xlsx({
        Prices: rows({
          A1: '{{#each items}}{{title}}',
          B1: '{{price}}',
          C1: '{{colour}}{{/each}}',
          B2: '=SUM(B1:B1)',
        }),
      }),
    );
    const { body } = await generate(id, { type: 'xlsx', output: 'base64' });
    expect(body.warnings).toEqual([
      {
        code: 'MISSING_VARIABLE',
        message: 'Prices!C1: the data has no items[0].colour, nor in 1 other items of the list',
        path: 'items[0].colour',
      },
    ]);
    const parts = await unzip(Buffer.from(body.data, 'base64'));
    const sheet = parts.find(({ name }) => name === 'xl/worksheets/sheet1.xml')?.content.toString() ?? '';
    expect(sheet).toContain('<c r="B2"><v>99</v></c>');
    expect(sheet).toContain('<f>SUM(B1:B2)</f>');
    const strict = await generate(id, { type: 'xlsx', options: { strict: true } });
    expect(strict.status).toBe(400);
    expect(strict.body.error.details[0]).toMatchObject({ code: 'MISSING_VARIABLE', path: 'items[0].colour' });
    expect(strict.body.error.message).toContain('Prices!C1');
  });

  test('pptx: a slide for each item', async () => {
    const { id } = await create(pptx([shape('{{#each items}}{{title}}') + shape('{{price}}{{/each}}')]));
    expect(textOf(await partOf(id, 'pptx', 'ppt/slides/platen-slide2.xml'))).toBe('Desk 99');
  });

  test('images are assets or data, and nothing else', async () => {
    const { id } = await create(
      docx(paragraph('{{image "asset:office-logo.png" width="20mm"}}{{image logo}}')),
    );
    const missing = await generate(id, { type: 'docx' });
    expect(fieldOf(missing)).toEqual([400, 'template']);
    expect(missing.body.error.message).toContain('the asset "office-logo.png" does not exist');
    await post('/v1/assets', { name: 'office-logo.png', data: PNG });
    const made = { data: { logo: `data:image/png;base64,${PNG}` } };
    expect(await partOf(id, 'docx', 'word/document.xml', made)).toContain('cx="720000"');
    const remote = await generate(id, { type: 'docx', data: { logo: 'http://169.254.169.254/' } });
    expect(remote.body.error.message).toContain('nothing is loaded from the network');
  });

  test('fields that it does not have are named', async () => {
    const { id } = await create(LETTER);
    const faults = async (fields: Json) => fieldOf(await generate(id, fields));
    expect(await faults({ type: 'xlsx' })).toEqual([400, 'type']);
    expect(await faults({ type: 'docx', options: { pdfa: '2b' } })).toEqual([400, 'options.pdfa']);
    expect(await faults({ type: 'docx', styles: 'p {}' })).toEqual([400, 'styles']);
    for (const options of [{ margin: '1in' }, { header: 'x' }, { media: 'screen' }, { format: 'A5' }])
      expect(await faults({ options })).toEqual([400, `options.${Object.keys(options)[0]}`]);
    const html = await post('/v1/generate', { html: 'x', type: 'docx' });
    expect(fieldOf(html)).toEqual([400, 'type']);
    expect(fieldOf(await post('/v1/images', { template: id }))).toEqual([400, 'template']);
  });

  test('with async', async () => {
    const { id } = await create(LETTER);
    const { body } = await generate(id, { type: 'docx', async: true });
    const read = async () => (await service().get(`/v1/generations/${body.id}`)).body;
    await until(async () => (await read()).status === 'completed');
    expect(await read()).toMatchObject({ content_type: DOCX });
  });
});

describe('the marketplace', () => {
  test('a clone has a file of its own', async () => {
    const { id } = await create(LETTER);
    await post(`/v1/marketplace/${id}/publish`, {});
    const stranger = await service().forNewAccount();
    const shown = await service().get(`/v1/marketplace/${id}`, stranger.key);
    expect(shown.body).toMatchObject({ format: 'docx', html_content: null });
    const clone = await post(`/v1/marketplace/${id}/clone`, {}, stranger.key);
    expect(clone.status).toBe(201);
    await service().request('DELETE', `/v1/templates/${id}`);
    const filled = await post(
      '/v1/generate',
      { template: clone.body.id, data, type: 'docx', output: 'base64' },
      stranger.key,
    );
    const parts = await unzip(Buffer.from(filled.body.data, 'base64'));
    expect(textOf(parts.find(({ name }) => name === 'word/document.xml')?.content.toString() ?? '')).toBe(
      'Dear Ann &amp; Bob Chair 10 Desk 99',
    );
  });
});

test('without LibreOffice, a PDF is 501, and filled files are made', async () => {
  await using own = await TestService.start({
    config: { plugins: { office: { path: '/missing/soffice' } } },
  });
  const file = Buffer.from(LETTER).toString('base64');
  const { body } = await own.post('/v1/templates', { name: 'Letter', file });
  const pdf = await own.post('/v1/generate', { template: body.id, data });
  expect([pdf.status, pdf.body.error.code]).toEqual([501, 'NOT_CONFIGURED']);
  expect((await own.post('/v1/templates/preview', { template: body.id, data })).status).toBe(501);
  const filled = await own.post('/v1/generate', { template: body.id, data, type: 'docx' });
  expect([filled.status, filled.body.status]).toEqual([200, 'completed']);
});

describeWithLibreOffice('PDFs', () => {
  test('are made with the options for PDFs', async () => {
    const { id } = await create(LETTER);
    const options = {
      watermark: { text: 'X', rotation: 0 },
      pdfa: '2b',
      properties: { title: 'A letter', author: 'Ann' },
    };
    const { status, body } = await generate(id, { options, output: 'base64' });
    expect([status, body.error]).toEqual([200, undefined]);
    expect(body).toMatchObject({ pages: 1, warnings: [] });
    const text = await pdfText(Buffer.from(body.data, 'base64'));
    for (const word of ['Dear Ann & Bob', 'Desk', '99']) expect(text).toContain(word);
    const proof = await service().get(`/v1/generations/${body.id}/proof`);
    expect(proof.body.claims).toMatchObject([{ standard: 'PDF/A', level: '2b' }]);
  });

  test('batches and previews', async () => {
    const { id } = await create(LETTER);
    const items = ['One', 'Two'].map((name) => ({ template: id, data: { ...data, name } }));
    const batch = await completed(service(), await post('/v1/generate/batch', { items }));
    expect(batch).toMatchObject({ completed: 2, failed: 0 });
    const preview = await post('/v1/templates/preview', { template: id, data, output: 'base64' });
    expect(preview.body).toMatchObject({ pages: 1, warnings: [] });
    expect(await pdfText(Buffer.from(preview.body.data, 'base64'))).toContain('Chair');
    const image = await post('/v1/templates/preview', { template: id, data, output: 'png' });
    expect(image.headers.get('content-type')).toBe('image/png');
  });

  test('strict data', async () => {
    const { id } = await create(LETTER);
    const { status, body } = await generate(id, { data: { items: [] }, options: { strict: true } });
    expect(status).toBe(400);
    expect(body.error.details).toEqual([
      { code: 'MISSING_VARIABLE', message: 'paragraph 1: the data has no name', path: 'name' },
    ]);
  });
});
