import { afterAll, expect, test } from 'bun:test';
import { completed } from '../../support/batch/batches.ts';
import { renameFont, trueTypeFont } from '../../support/fonts/fonts.ts';
import { Receiver } from '../../support/sites/receiver.ts';
import { until } from '../../support/until.ts';
import { extendedService } from '../../support/service/shared-service.ts';

const receiver = new Receiver();
afterAll(() => receiver[Symbol.asyncDispose]());
const service = extendedService();

const MISSING = { code: 'MISSING_VARIABLE', message: 'the data has no customer.name', path: 'customer.name' };
const template = { html: '<p>{{customer.name}} {{number}}', data: { customer: {}, number: 1 } };

/** Characters of a private use area that no font covers. */
const BOX = '\u{10fff0}';

async function newTemplate(
  schema: object,
  html = '<p>{{name}} {{#if total}}{{total}}{{/if}}',
): Promise<string> {
  const { body, status } = await service().post('/v1/templates', {
    name: 'Test',
    html_content: html,
    schema,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.id;
}

async function warningsOf(
  body: object,
  key?: string,
): Promise<{ code: string; message: string; path: string | null }[]> {
  const made = await service().post('/v1/generate', body, key);
  if (made.status !== 200) throw new Error(JSON.stringify(made.body));
  return made.body.warnings;
}

test('a document without faults has no warnings', async () => {
  expect(await warningsOf({ html: '<h1>Hello</h1><p><b>bold</b> <i>italic</i>' })).toEqual([]);
  expect(await warningsOf({ html: '<p>{{a}} {{b}} {{c}}', data: { a: null, b: '', c: 0 } })).toEqual([]);
});

test('each kind of warning', async () => {
  const id = await newTemplate({ name: 'string', total: 'number' });
  const [mismatch, ...others] = await warningsOf({ template: id, data: { name: 'x', total: 'abc' } });
  expect(mismatch).toEqual({
    code: 'SCHEMA_MISMATCH',
    message: 'total is string, and the schema of the template declares number',
    path: 'total',
  });
  expect(others).toEqual([]);
  expect(await warningsOf(template)).toEqual([MISSING]);
  expect(await warningsOf({ html: '<img src="data:image/png;base64,AAAA">' })).toEqual([
    {
      code: 'ASSET_FAILED',
      message: 'data:image/png,…: the file is not a valid image',
      path: 'data:image/png,…',
    },
  ]);
  expect(await warningsOf({ html: `<p>a${BOX}` })).toEqual([
    expect.objectContaining({ code: 'MISSING_GLYPHS', path: null }),
  ]);
});

test('tags of templates that are printed as text, because the request has no data', async () => {
  const warning = (subject: string) => ({
    code: 'TEMPLATE_TAGS',
    message: `${subject} printed as text, because the request has no data`,
    path: null,
  });
  const html = '<p>Dear {{customer.name}}, {{#if a}}{{{b}}}{{/if}} {{customer.name}}';
  expect(await warningsOf({ html, options: { strict: true } })).toEqual([
    warning('the tags {{customer.name}}, {{#if a}}, {{b}}, {{/if}} are'),
  ]);
  const many = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `{{${name}}}`).join('');
  expect(await warningsOf({ html: `<script></script>${many}` })).toEqual([
    warning('the tags {{a}}, {{b}}, {{c}}, {{d}}, {{e}} … are'),
  ]);
  const elsewhere =
    '<style>p { --x: "{{a}}" }</style><script>const text = "{{a}}"</script><code>{{a}}</code>';
  const others = ['<p>{{', '}} {{1}}', '{{ '.repeat(300), `{{${' '.repeat(1_000)}a}}`].join(' ');
  expect(await warningsOf({ html: elsewhere + others })).toEqual([]);
  const filled = '<body>{{a}}<script>document.body.textContent = "Ada"</script>';
  expect(await warningsOf({ html: filled })).toEqual([]);
  expect(await warningsOf({ html: '<p>{{a}}', data: { a: '{{b}}' } })).toEqual([]);
});

test.each([
  ['within the limit', '<div style="width: 800px">x</div>', {}, /at \d\d % of its size$/],
  ['beyond the limit', '<div style="width: 3000px">x</div>', {}, /at 67 % of its size; it may be cut off/],
  ['with scripts', '<script></script><div style="width: 800px">x</div>', {}, /% of its size$/],
  [
    'on paper of its own',
    '<style>@page { size: A5; margin: 0 }</style><div style="width: 700px">x',
    {},
    /80 %|79 %/,
  ],
  ['with a scale', '<div style="width: 2000px">x</div>', { scale: 0.5 }, /% of its size/],
  ['with a header', '<div style="width: 1000px">x</div>', { header: '<p>h</p>', margin: '20mm' }, /cut off/],
])('content that is wider than the page overflows: %s', async (_, html, options, message) => {
  expect(await warningsOf({ html, options })).toEqual([
    { code: 'OVERFLOW', message: expect.stringMatching(message), path: null },
  ]);
});

test.each([
  ['a box of the full width', '<div style="border: 1px solid">x</div>', { margin: '17mm' }],
  ['a scaled document', '<p>x', { scale: 0.4 }],
  ['content that is clipped by its box', '<div style="overflow: hidden"><div style="width: 3000px">x', {}],
  ['a small label', '<p>x', { format: { width: '25mm', height: '20mm' }, margin: '1.3mm' }],
  ['a named page', '<style>@page { size: A5; margin: 1cm }</style><p>x', {}],
  ['a single page', '<p>x', { singlePage: true }],
  ['an empty document', '', {}],
])('%s does not overflow', async (_, html, options) => {
  expect(await warningsOf({ html: `${html} `, options })).toEqual([]);
});

const line = (style: string) => `<p style="font-family: Mine, Inter; ${style}">Hamburgefonts</p>`;

test.each([
  ['a plain document', ''],
  ['a document with scripts', '<script></script>'],
])('a weight or style that an uploaded family lacks is a warning in %s', async (_, start) => {
  const key = await service().newKey();
  const data = Buffer.from(renameFont(trueTypeFont, 'Mine')).toString('base64');
  const face = { name: 'mine.ttf', data, family: 'Mine', weight: 400, style: 'normal' };
  expect((await service().post('/v1/assets', face, key)).status).toBe(201);
  const replaced = (name: string) => ({
    code: 'FONT_REPLACED',
    message: `the font "Mine" has no face ${name}, so another face was printed`,
    path: null,
  });
  const html = (styles: string[]) =>
    `${start}<form name="getClientRects">${styles.map(line).join('')}</form>`;
  const others =
    '<p style="font-family: Inter; font-weight: 900"><i>x</i><p style="font-family: No Such, Mine">x';
  const warnings = await warningsOf(
    { html: html(['font-weight: 700', 'font-style: italic', 'font-weight: 400']), options: { strict: true } },
    key,
  );
  expect(warnings).toEqual([replaced('700'), replaced('400 italic')]);
  expect(await warningsOf({ html: html(['font-weight: 400', 'display: none']) + others }, key)).toEqual([]);
  const media = '<style>@media print { p { font-weight: bold } }</style>';
  expect(await warningsOf({ html: media + html(['']) }, key)).toEqual([replaced('700')]);
  const bold = { ...face, name: 'mine-bold.ttf', weight: '600 900' };
  expect((await service().post('/v1/assets', bold, key)).status).toBe(201);
  expect(await warningsOf({ html: html(['font-weight: 700']) }, key)).toEqual([]);
});

test('warnings are in every response about the document, and in its webhook', async () => {
  const made = await service().post('/v1/generate', template);
  expect((await service().get(`/v1/generations/${made.body.id}`)).body.warnings).toEqual([MISSING]);
  const image = await service().post('/v1/images', template);
  expect(image.body.warnings).toEqual([MISSING]);
  const preview = await service().post('/v1/templates/preview', {
    html_content: template.html,
    data: template.data,
    output: 'base64',
  });
  expect(preview.body.warnings).toEqual([MISSING]);
  const batch = await service().post('/v1/generate/batch', { items: [template] });
  await completed(service(), batch);
  const { body: item } = await service().get(`/v1/generations/${batch.body.generations[0].id}`);
  expect(item.warnings).toEqual([MISSING]);
  const pipeline = await service().post('/v1/pdf/pipeline', {
    generate: template,
    steps: [{ do: 'stamp', text: 'Draft' }],
  });
  expect(pipeline.body.warnings).toEqual([MISSING]);
  await service().post('/v1/generate', { ...template, webhook: receiver.url('/made') });
  await until(() => receiver.at('/made').length > 0);
  const [message] = receiver.at('/made').map(({ body }) => JSON.parse(body));
  expect(message.data.warnings).toEqual([MISSING]);
});

test('the file itself comes with the number of warnings', async () => {
  const response = await service().send('/v1/generate', { ...template, output: 'binary' });
  expect([response.status, response.headers.get('platen-warnings')]).toEqual([200, '1']);
  const id = response.headers.get('platen-generation-id');
  expect((await service().get(`/v1/generations/${id}`)).body.warnings).toEqual([MISSING]);
});

test('strict fails with all faults of data, assets and glyphs', async () => {
  const id = await newTemplate(
    { name: 'string', total: 'number' },
    `<p>{{name}} {{number}} ${BOX}<img src="data:image/png;base64,AAAA"><div style="width: 800px">x</div>`,
  );
  const request = { template: id, data: { total: 'abc' }, options: { strict: true } };
  const { status, body } = await service().post('/v1/generate', request);
  expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  expect(body.error.details.map(({ code, path }: { code: string; path: string }) => [code, path])).toEqual([
    ['MISSING_VARIABLE', 'name'],
    ['MISSING_VARIABLE', 'number'],
    ['SCHEMA_MISMATCH', 'name'],
    ['SCHEMA_MISMATCH', 'total'],
    ['MISSING_GLYPHS', 'template'],
    ['ASSET_FAILED', 'template'],
  ]);
  const images = await service().post('/v1/images', { ...template, options: { strict: true } });
  expect(images.body.error.details).toEqual([MISSING]);
  const batch = await service().post('/v1/generate/batch', {
    items: [{ ...template, options: { strict: true } }],
  });
  await completed(service(), batch);
  const { body: item } = await service().get(`/v1/generations/${batch.body.generations[0].id}`);
  expect(item.error).toBe('MISSING_VARIABLE: the data has no customer.name');
});

test('strict accepts a wide document', async () => {
  const options = { strict: true };
  const { status } = await service().post('/v1/generate', { html: '<div style="width: 800px">x', options });
  expect(status).toBe(200);
});

test('a schema can require variables, and make them optional', async () => {
  const id = await newTemplate({ name: 'string!', total: 'number?', items: 'array' });
  const { status, body } = await service().post('/v1/generate', { template: id, data: {} });
  expect(status).toBe(400);
  expect(body.error.details).toEqual([
    {
      code: 'SCHEMA_MISMATCH',
      message: 'the data has no name, which the schema of the template requires as string',
      path: 'name',
    },
    {
      code: 'SCHEMA_MISMATCH',
      message: 'the data has no items, which the schema of the template declares as array',
      path: 'items',
    },
  ]);
  expect(await warningsOf({ template: id, data: { name: 'x', items: [] } })).toEqual([]);
  const wrong = await warningsOf({ template: id, data: { name: 'x', items: [], total: 'abc' } });
  expect(wrong.map(({ code, path }) => [code, path])).toEqual([['SCHEMA_MISMATCH', 'total']]);
  const unknown = await service().post('/v1/templates', {
    name: 'x',
    html_content: 'x',
    schema: { a: 'text!' },
  });
  expect([unknown.status, unknown.body.error.details[0].path]).toEqual([400, 'schema.a']);
});
