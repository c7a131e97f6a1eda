import { everyBody, json, keys, MB, objects, type WorstInput } from './inputs.ts';

const dataInputs = (route: string, html: Record<string, unknown>): WorstInput[] => [
  { route, name: 'data of 400,000 keys', body: () => json({ ...html, data: keys(400_000) }) },
  {
    route,
    name: 'data of 60,000 keys (2 MB)',
    body: () => json({ ...html, data: keys(60_000, 'x'.repeat(16)) }),
  },
  {
    route,
    name: 'data of 990,000 empty objects',
    benchOnly: true,
    body: () => `{"html":"{{x}}","data":{"x":${objects(495_000)}}}`,
  },
  {
    route,
    name: 'data of one string of 30 MB',
    benchOnly: true,
    body: () => json({ ...html, data: { x: 'x'.repeat(30 * MB) } }),
  },
  {
    route,
    name: 'data of one string of 30 MB of escapes',
    body: () => `{"html":"x","data":{"x":"${'\\n'.repeat(15 * MB)}"}}`,
  },
  {
    route,
    name: 'data of 30 MB in 900 strings',
    benchOnly: true,
    body: () => json({ ...html, data: { x: Array.from({ length: 900 }, () => 'x'.repeat(33_000)) } }),
  },
  {
    route,
    name: 'data of 30 MB in 90,000 strings',
    benchOnly: true,
    body: () => json({ ...html, data: { x: Array.from({ length: 90_000 }, () => 'x'.repeat(320)) } }),
  },
  {
    route,
    name: 'data of one key of 30 MB',
    body: () => json({ ...html, data: { ['k'.repeat(30 * MB)]: 1 } }),
  },
  { route, name: 'data that ends early', body: () => json({ ...html, data: keys(400_000) }).slice(0, -2) },
];

const spacesInUrl = `<p>url(${' '.repeat(99_900)}data:</p>`;
const longHeader = (times: number) =>
  `<p>url({{#each (range 1 ${times})}}{{padStart "" 1000}}{{/each}}data:,)</p>`;

const PREVIEW = 'POST /v1/templates/preview';
const previewInputs: WorstInput[] = [
  ...everyBody(PREVIEW),
  {
    route: PREVIEW,
    name: 'html of 2 MB, data of 30 MB',
    body: () => json({ html_content: 'word '.repeat(399_000), data: { x: 'x'.repeat(29 * MB) } }),
  },
  {
    route: PREVIEW,
    name: 'an image of the largest size',
    body: () =>
      json({
        html_content: `<p style="word-break: break-all">${'0a1b2c3d4e5f'.repeat(6_000)}</p>`,
        options: { format: { width: '28in', height: '28in' } },
        output: 'png',
      }),
  },
];

const generateInputs: WorstInput[] = [
  ...everyBody('POST /v1/generate', { typical: true }),
  ...dataInputs('POST /v1/generate', { html: '<p>{{x}}</p>' }),
  {
    route: 'POST /v1/generate',
    name: 'a million chunks of a byte',
    body: () => json({ unknown: 'x'.repeat(MB) }),
    chunkBytes: 1,
  },
  {
    route: 'POST /v1/generate',
    name: 'template with a schema, data of 400,000 keys',
    body: ({ typedTemplate }) => json({ template: typedTemplate, data: keys(400_000) }),
  },
  {
    route: 'POST /v1/generate',
    name: 'html of 30 MB of text',
    benchOnly: true,
    body: () => json({ html: 'word '.repeat(6 * MB) }),
  },
  {
    route: 'POST /v1/generate',
    name: 'html of 10 MB of elements',
    benchOnly: true,
    body: () => json({ html: '<b>x</b>'.repeat(1.25 * MB) }),
  },
  {
    route: 'POST /v1/generate',
    name: 'html of 30 MB of escapes',
    body: () => `{"html":"${'\\n'.repeat(15 * MB)}"}`,
  },
  {
    route: 'POST /v1/generate',
    name: 'html of 30 MB of Chinese',
    benchOnly: true,
    body: () => json({ html: '中'.repeat(10 * MB) }),
  },
  {
    route: 'POST /v1/generate',
    name: 'template of 30 MB, with data',
    body: () => json({ html: 'word '.repeat(6 * MB), data: {} }),
  },
  {
    route: 'POST /v1/generate',
    name: 'Markdown of 2 MB whose HTML has 16 MB',
    body: () => json({ markdown: `a|b\n-|-\n${'x|y\n'.repeat(450_000)}` }),
  },
  {
    route: 'POST /v1/generate',
    name: 'styles of 12 MB of end tags',
    body: () => json({ html: 'x', styles: '</style'.repeat(1.7 * MB) }),
  },
  {
    route: 'POST /v1/generate',
    name: 'a URL with 400,000 headers',
    body: () => json({ url: 'http://10.0.0.1/', headers: keys(400_000, 'x') }),
  },
  {
    route: 'POST /v1/generate',
    name: 'an attachment of 30 MB of base64',
    body: () => json({ html: 'x', options: { attachments: [{ name: 'a', data: 'A'.repeat(30 * MB) }] } }),
  },
  {
    route: 'POST /v1/generate',
    name: 'a watermark of 6 MB of base64',
    body: () => json({ html: 'x', options: { watermark: { image: `iVBORw0KGgo${'A'.repeat(6 * MB)}` } } }),
  },
  {
    route: 'POST /v1/generate',
    name: 'a watermark of 6 MB of escapes',
    body: () =>
      `{"html":"x","options":{"watermark":{"image":"iVBORw0KGgo${String.raw`\n`.repeat(3 * MB)}"}}}`,
  },
  {
    route: 'POST /v1/generate',
    name: 'an overlay of 6 MB of base64',
    body: () => json({ html: 'x', options: { watermark: { overlay: 'A'.repeat(6 * MB) } } }),
  },
  {
    route: 'POST /v1/generate',
    name: 'data: URL of a picture of 20 MB',
    benchOnly: true,
    body: () => json({ html: `<img src="data:image/png;base64,${'A'.repeat(20 * MB)}">` }),
  },
  {
    route: 'POST /v1/generate',
    name: 'header and footer of 100,000 characters',
    benchOnly: true,
    body: () =>
      json({ html: 'x', options: { header: 'x'.repeat(100_000), footer: '{{pageNumber}}'.repeat(7_000) } }),
  },
  {
    route: 'POST /v1/generate',
    name: 'a header of spaces inside url()',
    body: () => json({ html: 'x', options: { header: spacesInUrl } }),
  },
  {
    route: 'POST /v1/generate',
    name: 'long headers and footers of the first and the other pages, many page ranges and hosts',
    body: () => {
      const headerFooter = { header: spacesInUrl, footer: spacesInUrl };
      const options = {
        ...headerFooter,
        firstPage: headerFooter,
        pageRanges: Array.from({ length: 100 }, (_, index) => `${2 * index + 1}`).join(' ,'),
        onAssetError: 'fail',
        ignoreAssetHosts: Array.from({ length: 100 }, () => `${'ü'.repeat(60)}.example`),
      };
      return json({ html: 'x', options });
    },
  },
  {
    route: 'POST /v1/generate',
    name: 'a short header that Handlebars makes long',
    body: () => json({ html: 'x', data: {}, options: { header: longHeader(200) } }),
  },
  {
    route: 'POST /v1/generate',
    name: 'output in base64',
    benchOnly: true,
    body: () => json({ html: `<pre>${'0123456789 word\n'.repeat(100_000)}`, output: 'base64' }),
  },
];

const batchItems = (count: number, item: unknown) =>
  `{"items":[${`${json(item)},`.repeat(count - 1)}${json(item)}]}`;
const BULK_BOUNDARY = 'x';
const bulk = (name: string, contentType: string, body: () => string): WorstInput => ({
  route: 'POST /v1/batches',
  name,
  path: ({ template }) => `/v1/batches?template=${template}&on_invalid=skip`,
  contentType,
  body,
});
const bulkInputs: WorstInput[] = [
  bulk('a line of 400,000 keys', 'application/x-ndjson', () => json(keys(400_000))),
  bulk('9,999 lines that are not JSON', 'application/x-ndjson', () => `${'x'.repeat(2_000)}\n`.repeat(9_999)),
  bulk('a line of 8 MB', 'application/x-ndjson', () => json({ x: 'x'.repeat(7_900_000) })),
  bulk(
    '9,999 rows of 500 columns',
    'text/csv',
    () =>
      `${Array.from({ length: 500 }, (_, index) => `c${index}`).join()}\n${`${','.repeat(499)}\n`.repeat(9_999)}`,
  ),
  bulk('10 MB of blank lines', 'application/x-ndjson', () => '\n'.repeat(10 * MB)),
  {
    ...bulk('a line in chunks of one byte', 'application/x-ndjson', () => json({ x: 'x'.repeat(MB) })),
    chunkBytes: 1,
  },
  bulk('10 MB of blank lines', 'text/csv', () => `a\n${'\n'.repeat(10 * MB)}`),
  bulk('a header of a megabyte', 'text/csv', () => `${','.repeat(MB)}\n`),
  bulk('a quote that is not closed', 'text/csv', () => `a\n"${'x\n'.repeat(5 * MB)}`),
  bulk(
    'line breaks and dashes',
    `multipart/form-data; boundary=${BULK_BOUNDARY}`,
    () =>
      `--${BULK_BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="a.ndjson"\r\n\r\n${'\r\n--'.repeat(3 * MB)}\r\n--${BULK_BOUNDARY}--\r\n`,
  ),
  {
    route: 'GET /v1/batches/{id}/items',
    name: 'the longest page',
    path: ({ batch }) => `/v1/batches/${batch}/items?limit=100`,
  },
];
const batchInputs: WorstInput[] = [
  ...bulkInputs,
  ...everyBody('POST /v1/images'),
  ...everyBody('POST /v1/pdf/convert'),
  {
    route: 'POST /v1/images',
    name: 'an image of 48 megapixels',
    body: () =>
      json({
        html: '<body style="margin:0;height:100vh;background:linear-gradient(45deg,red,blue,lime)">',
        options: { width: 8_000, height: 6_000 },
        output: 'base64',
      }),
  },
  ...everyBody('POST /v1/generate/batch'),
  {
    route: 'POST /v1/generate/batch',
    name: 'headers and footers of spaces inside url()',
    body: () => {
      const item = { html: 'x', options: { header: spacesInUrl, footer: spacesInUrl } };
      return batchItems(2, item);
    },
  },
  {
    route: 'POST /v1/generate/batch',
    name: '100 items of 600 kB of html',
    benchOnly: true,
    body: () => batchItems(100, { html: 'word '.repeat(120_000) }),
  },
  {
    route: 'POST /v1/generate/batch',
    name: '5 items of 12 MB of html',
    benchOnly: true,
    body: () => batchItems(5, { html: 'word '.repeat(2_390_000) }),
  },
  {
    route: 'POST /v1/generate/batch',
    name: '5 items of 11 MB of data',
    benchOnly: true,
    body: () => batchItems(5, { html: 'x', data: { x: 'x'.repeat(11 * MB) } }),
  },
  {
    route: 'POST /v1/generate/batch',
    name: '5 items of 6 MB of quotation marks',
    benchOnly: true,
    body: () => batchItems(5, { html: '"'.repeat(5_900_000) }),
  },
  {
    route: 'POST /v1/generate/batch',
    name: '5 items of 2 MB of control characters',
    benchOnly: true,
    body: () => batchItems(5, { html: '\u0001'.repeat(1_900_000) }),
  },
  {
    route: 'POST /v1/generate/batch',
    name: '100 items of 9,000 keys',
    benchOnly: true,
    body: () => batchItems(100, { html: 'x', data: keys(9_000) }),
  },
  {
    route: 'POST /v1/generate/batch',
    name: '1 item of 400,000 keys',
    body: () => batchItems(1, { html: 'x', data: keys(400_000) }),
  },
  {
    route: 'POST /v1/generate/batch',
    name: '100 items with all fields wrong',
    body: () =>
      batchItems(100, {
        html: 1,
        react: 1,
        data: 1,
        options: { format: 'x', margin: 'y', bad: 1 },
        ...keys(300),
      }),
  },
  {
    route: 'POST /v1/generate/batch',
    name: '100 components of 600 kB',
    benchOnly: true,
    body: () => batchItems(100, { react: `export default () => <p>${'word '.repeat(120_000)}</p>` }),
  },
  { route: 'POST /v1/generate/batch', name: '900,000 items', body: () => `{"items":${objects(495_000)}}` },
];

const templateBody = { name: 'x', html_content: '<p>{{x}}</p>' };
const templateInputs = (route: string, path?: WorstInput['path']): WorstInput[] =>
  [
    ...everyBody(route, { ...(path && { path }) }),
    {
      route,
      name: 'html of 2 MB',
      benchOnly: true,
      body: () => json({ ...templateBody, html_content: '{{x}} word '.repeat(180_000) }),
    },
    {
      route,
      name: 'html of 30 MB',
      body: () => json({ ...templateBody, html_content: 'word '.repeat(6 * MB) }),
    },
    { route, name: 'name of 30 MB', body: () => json({ ...templateBody, name: 'word '.repeat(6 * MB) }) },
    {
      route,
      name: 'schema of 400,000 variables',
      body: () => json({ ...templateBody, schema: keys(400_000, 'string') }),
    },
    {
      route,
      name: 'schema of 400,000 wrong types',
      benchOnly: true,
      body: () => json({ ...templateBody, schema: keys(400_000, 'nothing') }),
    },
    {
      route,
      name: 'schema of 90,000 variables',
      body: () => json({ ...templateBody, schema: keys(90_000, 'string') }),
    },
    {
      route,
      name: 'path of 5,000 parts',
      benchOnly: true,
      body: () => json({ ...templateBody, html_content: `{{${'a.'.repeat(5_000)}a}}` }),
    },
    {
      route,
      name: 'blocks within blocks',
      benchOnly: true,
      body: () => json({ ...templateBody, html_content: '{{#if a}}'.repeat(20_000) }),
    },
  ].map((input) => ({ ...input, ...(path && { path }) }));

/** Worst inputs of the routes that make documents or store templates. */
export const documentInputs: readonly WorstInput[] = [
  ...previewInputs,
  ...generateInputs,
  ...dataInputs('POST /v1/integrations/actions/generate', { html: '<p>{{x}}</p>' }).map((input, index) => ({
    ...input,
    benchOnly: index > 0,
  })),
  ...templateInputs('POST /v1/templates'),
  ...templateInputs('PUT /v1/templates/{id}', ({ template }) => `/v1/templates/${template}`),
  ...everyBody('POST /v1/ai/generate-template'),
  {
    route: 'POST /v1/ai/generate-template',
    name: 'prompt of 30 MB',
    body: () => json({ prompt: '👋'.repeat(7 * MB) }),
  },
  // Last, because the items of a batch would be made during later measurements.
  ...batchInputs,
];
