import { describe, expect, test } from 'bun:test';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { previewExamples } from '../../../plugins/render/preview/schemas.ts';
import { untilResponse } from '../../support/service/in-time.ts';
import { describeWithPdfTools, pdfText } from '../../support/pdf/pdf.ts';
import { onMongoAndS3, TestService } from '../../support/service/service.ts';
import { serviceOnDemand, sharedService } from '../../support/service/shared-service.ts';
import { until } from '../../support/until.ts';
import { casesOfSuite, isBeyondNpmTest, isThorough } from '../../support/suite.ts';

const service = sharedService();
const withShortDeadline = serviceOnDemand({ config: { plugins: { render: { timeoutMs: 1_500 } } } });

function send(body: unknown, key = service().key, on = service()): Promise<Response> {
  return on.send('/v1/templates/preview', body, { key });
}

async function png(body: object): Promise<PNG> {
  const response = await send({ ...body, output: 'png' });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  return PNG.sync.read(Buffer.from(await response.arrayBuffer()));
}

/** Returns the red, green, blue and alpha of a pixel. */
function pixelAt({ data, width }: PNG, x: number, y: number): number[] {
  return [...data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}

const pagesOf = (count: number) =>
  Array.from({ length: count }, (_, index) => `<p style="break-after: page">Page ${index + 1}</p>`)
    .join('')
    .replace(/ style="break-after: page"(?=>Page \d+<\/p>$)/, '');

describeWithPdfTools('POST /v1/templates/preview', () => {
  test('returns the PDF of a template with data', async () => {
    const response = await send({
      html_content: '<p>Dear {{name}}</p><p>{{missing}}</p>',
      data: { name: 'Ada' },
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/pdf');
    expect(response.headers.get('content-disposition')).toStartWith('inline; filename="preview.pdf"');
    expect(response.headers.get('platen-pages')).toBe('1');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('x-request-id')).toStartWith('req_');
    expect(await pdfText(new Uint8Array(await response.arrayBuffer()))).toContain('Dear Ada');
  });

  test('reads HTML as a template even without data', async () => {
    const response = await send({ html_content: '<p>[{{name}}] {{uppercase "ok"}}</p>' });
    expect(await pdfText(new Uint8Array(await response.arrayBuffer()))).toContain('[] OK');
  });

  test('returns the PDF in JSON with output base64', async () => {
    const { status, body } = await service().post('/v1/templates/preview', {
      html_content: pagesOf(3),
      output: 'base64',
    });
    const pdf = Buffer.from(body.data, 'base64');
    expect([status, body.pages, body.file_size]).toEqual([200, 3, pdf.length]);
    expect(await pdfText(pdf)).toContain('Page 3');
  });

  test('returns JSON with the receipt, and with the image or the PDF in base64', async () => {
    const html = '<p>A\uE123</p><img src="asset:none.png"><script>throw new Error("oops")</script>';
    for (const [output, signature] of [
      ['png', '\x89PNG'],
      ['pdf', '%PDF-'],
      [undefined, '%PDF-'],
      ['base64', '%PDF-'],
    ] as const) {
      const preview = { html_content: html, receipt: true, ...(output && { output }) };
      const { status, body } = await service().post('/v1/templates/preview', preview);
      const data = Buffer.from(body.data, 'base64');
      expect([status, body.pages, body.file_size]).toEqual([200, 1, data.length]);
      expect(data.toString('latin1')).toStartWith(signature);
      const { receipt } = body;
      expect(receipt.missing_glyphs).toEqual({ count: 1, characters: ['\uE123'] });
      expect(receipt.exceptions.entries[0].message).toContain('oops');
      expect(receipt.resources.entries).toMatchObject([{ url: 'asset:none.png', outcome: 'failed' }]);
      expect(receipt.phases.print).toBeGreaterThan(0);
    }
    const { body } = await service().post('/v1/templates/preview', { html_content: 'x', output: 'base64' });
    expect(body).not.toHaveProperty('receipt');
  });

  test('uses a stored template of the account, in the requested version', async () => {
    const { body } = await service().post('/v1/templates', { name: 'x', html_content: '<p>one {{a}}</p>' });
    await service().request('PUT', `/v1/templates/${body.id}`, { body: { html_content: '<p>two</p>' } });
    const text = async (more: object) => {
      const response = await send({ template: body.id, data: { a: 'A' }, ...more });
      return pdfText(new Uint8Array(await response.arrayBuffer()));
    };
    expect(await text({})).toContain('two');
    expect(await text({ template_version: 1 })).toContain('one A');
    const other = await service().newKey();
    expect((await send({ template: body.id }, other)).status).toBe(404);
    expect((await send({ template: body.id, template_version: 3 })).status).toBe(404);
    expect((await send({ template: 'tmpl_x' })).status).toBe(404);
  });

  test('applies the options, with header and footer', async () => {
    const response = await send({
      html_content: pagesOf(2),
      data: { who: 'Ada' },
      options: { footer: '<p>For {{who}}: {{pageNumber}} of {{totalPages}}</p>', pdfa: true },
    });
    const pdf = Buffer.from(await response.arrayBuffer());
    expect(await pdfText(pdf)).toContain('For Ada: 2 of 2');
    expect(pdf.toString('latin1')).toContain('pdfaid');
  });

  test.each(casesOfSuite(Object.entries(previewExamples), 6))(
    'accepts the documented example "%s"',
    async (_, example) => {
      expect((await send(example)).status).toBe(200);
    },
  );
});

describe('a preview as an image', () => {
  const coloured = ['red', 'lime', 'blue'].map(
    (colour) => `<section style="background: ${colour}; height: 100vh; break-after: page"></section>`,
  );
  const html = `<style>@page { margin: 0 } body { margin: 0 }</style>${coloured.join('')}`;
  const options = { format: { width: '100mm', height: '50mm' }, margin: '0mm' };

  test('shows the first or the requested page, opaque and at 144 dpi', async () => {
    const first = await png({ html_content: html, options });
    // 100 mm are 283.46 points.
    expect(Math.abs(first.width - 567)).toBeLessThanOrEqual(2);
    expect(Math.abs(first.height - 283)).toBeLessThanOrEqual(2);
    const centre = (image: PNG) => pixelAt(image, image.width >> 1, image.height >> 1);
    expect(centre(first)).toEqual([255, 0, 0, 255]);
    expect(centre(await png({ html_content: html, options, page: 2 }))).toEqual([0, 255, 0, 255]);
    expect(centre(await png({ html_content: html, options, page: 3 }))).toEqual([0, 0, 255, 255]);
    const blank = await png({ html_content: '<p></p>', options });
    expect(centre(blank)).toEqual([255, 255, 255, 255]);
  });

  test.if(isThorough)('has at most 4,096 pixels per side, however large the page is', async () => {
    const format = { width: '60in', height: '30in' };
    const { width, height } = await png({ html_content: '<p>x</p>', options: { format } });
    expect([width, height]).toEqual([4096, 2048]);
  });

  test('gives 400 for a page that the document does not have', async () => {
    const { status, body } = await service().post('/v1/templates/preview', {
      html_content: pagesOf(2),
      output: 'png',
      page: 3,
    });
    expect([status, body.error.details]).toEqual([
      400,
      [{ path: 'page', message: 'must be at most 2, the number of pages of the document' }],
    ]);
  });
});

const invalidBodies: [string, object, path: string, message: RegExp | string][] = [
  ['neither HTML nor a template', {}, 'html_content', /^one of html_content, template/],
  [
    'both',
    { html_content: 'x', template: 'y' },
    'html_content',
    'send only one of html_content and template',
  ],
  ['html', { html: 'x' }, 'html', /unknown|not allowed|no field/i],
  ['empty HTML', { html_content: '' }, 'html_content', /1 to 2000000 characters/],
  [
    'a version without a template',
    { html_content: 'x', template_version: 1 },
    'template_version',
    /stored template/,
  ],
  ['output url', { html_content: 'x', output: 'url' }, 'output', /"pdf", "png" or "base64"/],
  ['page 0', { html_content: 'x', output: 'png', page: 0 }, 'page', /1/],
  ['page 21', { html_content: 'x', output: 'png', page: 21 }, 'page', /20/],
  ['a page of a PDF', { html_content: 'x', page: 1 }, 'page', 'is only for output png'],
  ['data that is not an object', { html_content: 'x', data: [] }, 'data', /object/],
  ['a bad option', { html_content: 'x', options: { margin: '1parsec' } }, 'options.margin', /length|px/],
  [
    'a header with a script',
    { html_content: 'x', options: { header: '<script></script>' } },
    'options.header',
    /script/,
  ],
  ['a syntax error', { html_content: '<p>\n{{#if}}' }, 'html_content', /^TEMPLATE_ERROR: line 2/],
  ['an unknown helper', { html_content: '{{nothing 1 2}}' }, 'html_content', /^TEMPLATE_ERROR: .*nothing/],
  [
    'a missing asset in strict mode',
    { html_content: '<img src="http://127.0.0.1:1/x.png">', options: { strict: true } },
    'html_content',
    /^ASSET_FAILED: /,
  ],
  [
    '21 pages',
    { html_content: pagesOf(21) },
    'html_content',
    'TOO_MANY_PAGES: the document has 21 pages; a preview has at most 20',
  ],
];

describe('an invalid preview', () => {
  test.each(invalidBodies)('gives 400 for %s', async (_, body, path, message) => {
    const answer = await service().post('/v1/templates/preview', body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    const [detail] = answer.body.error.details;
    expect(detail.path).toBe(path);
    const reason = detail.code === undefined ? detail.message : `${detail.code}: ${detail.message}`;
    if (typeof message === 'string') expect(reason).toBe(message);
    else expect(reason).toMatch(message);
  });

  test.if(isThorough)('gives 400 for a script that never ends', async () => {
    const own = await withShortDeadline();
    // On a busy machine, the browser may not provide a page within the deadline.
    const { status, body } = await untilResponse(
      () => own.post('/v1/templates/preview', { html_content: '<script>for (;;);</script>' }),
      (answer) => answer.status === 400,
    );
    expect([status, body.error.details[0]]).toMatchObject([
      400,
      { path: 'html_content', code: 'RENDER_TIMEOUT' },
    ]);
  });

  test('gives 401 without a key', async () => {
    expect((await service().post('/v1/templates/preview', { html_content: 'x' }, null)).status).toBe(401);
  });

  test('names the template when a stored template fails', async () => {
    const html = '<img src="http://127.0.0.1:1/x.png">';
    const { body } = await service().post('/v1/templates', { name: 'x', html_content: html });
    const answer = await service().post('/v1/templates/preview', {
      template: body.id,
      options: { strict: true },
    });
    expect([answer.status, answer.body.error.details[0].path]).toEqual([400, 'template']);
  });
});

describe('a preview', () => {
  test('has up to 20 pages', async () => {
    const response = await send({ html_content: pagesOf(20) });
    expect([response.status, response.headers.get('platen-pages')]).toEqual([200, '20']);
  });

  test.if(isBeyondNpmTest)('is not recorded, stored or counted, and works without quota', async () => {
    // Other test files store results in the shared service.
    await using own = await TestService.start();
    const key = await own.newKey('starter', 'preview@example.com');
    await own.accounts.set('preview@example.com', { monthlyLimit: 0 });
    const stored = async () =>
      onMongoAndS3 ? [] : readdir(join(own.dataDir, 'files'), { recursive: true }).catch(() => []);
    const before = await stored();
    for (const body of [
      { html_content: 'x' },
      { html_content: '{{#if}}' },
      { html_content: 'x', output: 'png' },
    ]) {
      const response = await send(body, key, own);
      expect(response.headers.has('platen-quota-remaining')).toBe(false);
    }
    expect((await own.get('/v1/generations', key)).body.data).toEqual([]);
    expect((await own.get('/v1/usage', key)).body.used).toBe(0);
    expect(await stored()).toEqual(before);
  });

  test("is limited to a tenth of the plan's rate, apart from other requests", async () => {
    const key = await service().newKey('free');
    const answers: Response[] = [];
    let refused: Response[] = [];
    // On a busy machine a burst may span several windows of a second.
    await until(async () => {
      answers.push(...(await Promise.all(Array.from({ length: 6 }, () => send({ html_content: 'x' }, key)))));
      refused = answers.filter(({ status }) => status === 429);
      return refused.length >= 3;
    });
    for (const { headers } of answers) expect(headers.get('ratelimit-limit')).toBe('1');
    for (const { headers } of refused) expect(headers.get('retry-after')).toBe('1');
    expect((await service().get('/v1/generations', key)).status).toBe(200);
    const rich = await send({ html_content: 'x' }, await service().newKey('pro'));
    expect(rich.headers.get('ratelimit-limit')).toBe('10');
  });

  test.if(isThorough)('works with the templates plugin off, except for stored templates', async () => {
    await using own = await TestService.start({
      config: { plugins: { templates: false, 'template-tests': false, marketplace: false, starters: false } },
    });
    const preview = (body: object) => own.post('/v1/templates/preview', body);
    expect((await preview({ html_content: 'x', output: 'base64' })).status).toBe(200);
    const { status, body } = await preview({ template: 'tmpl_x' });
    expect([status, body.error.details[0].path]).toEqual([400, 'template']);
  });
});
