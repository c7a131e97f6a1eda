import { describe, expect, setSystemTime, test } from 'bun:test';
import { PNG } from 'pngjs';
import { imageExamples } from '../../plugins/render/image/examples.ts';
import { formOf, postForm } from '../support/multipart.ts';
import { pdfText } from '../support/pdf.ts';
import { Receiver, until } from '../support/receiver.ts';
import { sharedService } from '../support/shared-service.ts';

const receiver = new Receiver(({ path }) =>
  path === '/page'
    ? new Response('<body style="background: lime">', { headers: { 'content-type': 'text/html' } })
    : new Response(null, { status: 204 }),
);
const service = sharedService({
  env: { EGRESS_ALLOW: receiver.host },
  config: { plugins: { render: { timeoutMs: 60_000 } } },
});

const CONTENT_TYPES = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' };

function send(
  body: object,
  { accept, key = service().key }: { accept?: string; key?: string } = {},
): Promise<Response> {
  return fetch(`${service().url}/v1/images`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(accept !== undefined && { accept }),
    },
    body: JSON.stringify(body),
  });
}

/** Makes an image and returns its bytes. */
async function draw(source: object | string, options: object = {}): Promise<Buffer> {
  const body = { ...(typeof source === 'string' ? { html: source } : source), options, output: 'binary' };
  const response = await send(body);
  if (response.status !== 200) throw new Error(await response.text());
  return Buffer.from(await response.arrayBuffer());
}

async function png(source: object | string, options: object = {}): Promise<PNG> {
  return PNG.sync.read(await draw(source, options));
}

/** Returns the red, green, blue and alpha of a pixel; negative coordinates count from the right and bottom. */
function pixel({ data, width, height }: PNG, x: number, y: number): number[] {
  const at = ((y < 0 ? height + y : y) * width + (x < 0 ? width + x : x)) * 4;
  return [...data.subarray(at, at + 4)];
}

const sizeOf = ({ width, height }: PNG) => [width, height];
const RED = [255, 0, 0, 255];
const LIME = [0, 255, 0, 255];
const WHITE = [255, 255, 255, 255];
const CLEAR = [0, 0, 0, 0];

/** A red band of the height of the window above a lime band. */
const bands = (heightPx: number) =>
  `<body style="margin: 0"><div style="height: 100vh; background: red"></div><div style="height: ${heightPx}px; background: lime"></div>`;
const badge =
  '<body style="margin: 0"><div id="badge" style="margin: 30px; width: 50px; height: 40px; background: red"></div>';

describe('the part of the document', () => {
  test('is the whole document by default, at least a window of 1280 x 720', async () => {
    const short = await png('<body style="background: lime">');
    expect(sizeOf(short)).toEqual([1280, 720]);
    expect(pixel(short, -1, -1)).toEqual(LIME);
    const long = await png(bands(500));
    expect(sizeOf(long)).toEqual([1280, 1220]);
    expect([pixel(long, 0, 719), pixel(long, 0, 720), pixel(long, -1, -1)]).toEqual([RED, LIME, LIME]);
  });

  test('is the window when a height is given, unless fullPage says otherwise', async () => {
    const card = await png(bands(500), { width: 600, height: 315 });
    expect(sizeOf(card)).toEqual([600, 315]);
    expect(pixel(card, -1, -1)).toEqual(RED);
    expect(sizeOf(await png(bands(500), { width: 600, height: 315, fullPage: true }))).toEqual([600, 815]);
    expect(sizeOf(await png(bands(500), { fullPage: false }))).toEqual([1280, 720]);
  });

  test('is a rectangle with clip', async () => {
    const clipped = await png(bands(500), { clip: { x: 10, y: 715, width: 20, height: 10 } });
    expect(sizeOf(clipped)).toEqual([20, 10]);
    expect([pixel(clipped, 0, 4), pixel(clipped, 0, 5)]).toEqual([RED, LIME]);
    const outside = await png(badge, { clip: { x: 5_000, y: 5_000, width: 16, height: 16 } });
    expect([sizeOf(outside), pixel(outside, 8, 8)]).toEqual([[16, 16], WHITE]);
    expect(sizeOf(await png(badge, { clip: { x: 0, y: 0, width: 1, height: 1 } }))).toEqual([1, 1]);
  });

  test('is an element with selector, wherever it is', async () => {
    const element = await png(badge, { selector: '#badge' });
    expect(sizeOf(element)).toEqual([50, 40]);
    expect([pixel(element, 0, 0), pixel(element, -1, -1)]).toEqual([RED, RED]);
    const far = `<div style="height: 3000px"></div>${badge}<script>scrollTo(0, 500)</script>`;
    expect(pixel(await png(far, { selector: '#badge' }), -1, -1)).toEqual(RED);
    const overridden = `${badge}<script>Document.prototype.querySelector = () => null; Element.prototype.getBoundingClientRect = () => ({ x: 0, y: 0, width: 1e9, height: 1e9 })</script>`;
    expect(sizeOf(await png(overridden, { selector: '#badge' }))).toEqual([50, 40]);
  });

  test('has more pixels with scale', async () => {
    const twice = await png(badge, { selector: '#badge', scale: 2 });
    expect(sizeOf(twice)).toEqual([100, 80]);
    expect(pixel(twice, -1, -1)).toEqual(RED);
    expect(sizeOf(await png(bands(500), { width: 400, height: 300, scale: 1.5 }))).toEqual([600, 450]);
    const ratio =
      '<body style="margin: 0"><script>document.body.style.background = devicePixelRatio === 3 ? "lime" : "red"</script>';
    expect(pixel(await png(ratio, { width: 100, height: 100, scale: 3 }), 5, 5)).toEqual(LIME);
  });

  test('is complete in an image that is 16,000 pixels high', async () => {
    const high = await png(
      `<body style="margin: 0"><div style="height: 15990px; background: red"></div><div style="height: 10px; background: lime"></div>`,
      { width: 200 },
    );
    expect(sizeOf(high)).toEqual([200, 16_000]);
    expect([pixel(high, 0, 15_989), pixel(high, -1, -1)]).toEqual([RED, LIME]);
  });
});

describe('the format', () => {
  const gradient =
    '<body style="margin: 0; height: 100vh; background: linear-gradient(45deg, red, blue, lime, white)">';

  test('is PNG, JPEG or WebP', async () => {
    expect((await draw(badge)).subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
    expect((await draw(badge, { format: 'jpeg' })).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    const webp = await draw(badge, { format: 'webp' });
    expect([webp.toString('latin1', 0, 4), webp.toString('latin1', 8, 12)]).toEqual(['RIFF', 'WEBP']);
  });

  test.each(['jpeg', 'webp'])('of %s is larger with more quality', async (format) => {
    const [low, high] = [
      await draw(gradient, { format, quality: 5 }),
      await draw(gradient, { format, quality: 95 }),
    ];
    expect(high.length).toBeGreaterThan(low.length * 1.3);
  });

  test('is opaque by default, and transparent where the document has no background on request', async () => {
    expect(pixel(await png(badge), 0, 0)).toEqual(WHITE);
    const clear = await png(badge, { transparent: true });
    expect([pixel(clear, 0, 0), pixel(clear, 40, 40)]).toEqual([CLEAR, RED]);
    // The page of an account is used again.
    expect(pixel(await png(badge), 0, 0)).toEqual(WHITE);
    const webp = await draw(badge, { transparent: true, format: 'webp' });
    expect(webp.toString('latin1', 12, 16)).toMatch(/VP8[XL]/);
  });
});

describe('the document', () => {
  test('comes from each source', async () => {
    const { body: template } = await service().post('/v1/templates', {
      name: 'card',
      html_content: '<body style="background: {{colour}}">',
    });
    const data = { colour: 'lime' };
    const sources = [
      { html: '<body style="background: {{colour}}">', data },
      { template: template.id, data },
      {
        react: 'export default ({ colour }) => <div style={{ background: colour, height: "100vh" }} />',
        data,
        styles: 'body { margin: 0 }',
      },
      { markdown: 'Hello', styles: 'html, body { background: lime }' },
      { url: receiver.url('/page') },
    ];
    for (const source of sources) {
      const { url: _, ...shown } = source as { url?: string };
      expect([shown, pixel(await png(source, { width: 200, height: 100 }), 2, 50)]).toEqual([shown, LIME]);
    }
  });

  test('has a margin when it is Markdown, which styles can remove', async () => {
    const source = { markdown: '![](data:,)', styles: 'p { background: red; height: 50px; margin: 0 }' };
    const options = { width: 200, height: 100 };
    const padded = await png(source, options);
    expect([pixel(padded, 31, 31), pixel(padded, 33, 33)]).toEqual([WHITE, RED]);
    const styles = `${source.styles} body { padding: 0 }`;
    expect(pixel(await png({ ...source, styles }, options), 1, 1)).toEqual(RED);
  });

  test('has the media type screen, or print', async () => {
    const html = '<style>body { background: red } @media print { body { background: lime } }</style>';
    expect(pixel(await png(html), 5, 5)).toEqual(RED);
    expect(pixel(await png(html, { media: 'print' }), 5, 5)).toEqual(LIME);
    expect(pixel(await png(html), 5, 5)).toEqual(RED);
  });

  test('is complete once it meets its conditions', async () => {
    const html =
      '<script>setTimeout(() => { document.body.style.background = "lime"; document.body.id = "done" }, 800)</script>';
    for (const waitFor of [
      { selector: '#done' },
      { delayMs: 900 },
      { expression: 'document.body?.id === "done"' },
    ])
      expect(pixel(await png(html, { waitFor }), 5, 5)).toEqual(LIME);
    const { body } = await service().post('/v1/images', {
      html: 'x',
      options: { waitFor: { delayMs: 60_000 } },
    });
    expect(body.error.details[0].path).toBe('options.waitFor.delayMs');
  });

  test('shows lazy images far below the window', async () => {
    const image = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><rect width="10" height="10" fill="lime"/></svg>')}`;
    const html = `<body style="margin: 0"><div style="height: 6000px"></div><img loading="lazy" style="display: block" width="100" height="100" src="${image}">`;
    expect(pixel(await png(html), 50, -50)).toEqual(LIME);
  });

  test('fails like a PDF with strict and onAssetError', async () => {
    const html = '<img src="http://127.0.0.1:9/none.png"><script>oops()</script>';
    expect((await send({ html })).status).toBe(200);
    for (const [options, code] of [
      [{ strict: true, onAssetError: 'ignore' }, 'SCRIPT_ERROR'],
      [{ onAssetError: 'fail' }, 'ASSET_FAILED'],
    ] as const) {
      const { status, body } = await service().post('/v1/images', { html, options });
      expect([status, body.error.details[0].code]).toEqual([400, code]);
    }
    const options = { onAssetError: 'fail', ignoreAssetHosts: ['127.0.0.1'] };
    expect((await send({ html, options })).status).toBe(200);
  });

  test('does not affect PDFs on the same page, nor they it', async () => {
    const html =
      '<script></script><body style="margin: 0"><p id=size></p><script>size.textContent = innerWidth + "x" + devicePixelRatio</script>';
    const pdf = async () => pdfText(await service().pdf({ html }));
    const before = await pdf();
    await png(badge, { width: 4000, height: 200, scale: 2, transparent: true, media: 'print' });
    expect(before).toMatch(/\d+x1/);
    expect(await pdf()).toBe(before);
    expect(sizeOf(await png(badge))).toEqual([1280, 720]);
  });

  test.each(Object.entries(imageExamples))('of the documented example "%s"', async (_, example) => {
    expect((await send(example)).status).toBe(200);
  });
});

describe('the response', () => {
  test.each(Object.entries(CONTENT_TYPES))(
    'has a link to the %s with its type and name',
    async (format, type) => {
      const { status, body } = await service().post('/v1/images', {
        html: badge,
        options: { format },
        file_name: 'Karte',
        reference: 'r1',
        metadata: { a: 'b' },
      });
      const extension = format === 'jpeg' ? 'jpg' : format;
      expect([status, body]).toEqual([
        200,
        {
          id: expect.stringMatching(/^gen_\w{24}$/),
          status: 'completed',
          content_type: type,
          url: expect.stringContaining(`/file_${format}_`),
          file_size: expect.any(Number),
          generation_time_ms: expect.any(Number),
          file_name: `Karte.${extension}`,
          reference: 'r1',
          metadata: { a: 'b' },
          expires_at: null,
        },
      ]);
      const response = await fetch(body.url);
      expect(response.headers.get('content-type')).toBe(type);
      expect(response.headers.get('content-disposition')).toContain(`filename="Karte.${extension}"`);
      expect((await response.bytes()).length).toBe(body.file_size);
    },
  );

  test('names a file without a name by its id and extension', async () => {
    const { body } = await service().post('/v1/images', { html: badge });
    const { headers } = await fetch(body.url);
    const fileId = new URL(body.url).pathname.split('/').at(-1);
    expect(headers.get('content-disposition')).toContain(`filename="${fileId}.png"`);
  });

  test('keeps an extension of the format, and adds it to any other', async () => {
    const names = { 'a.png': 'a.png', 'a.PNG': 'a.PNG', 'a.pdf': 'a.pdf.png', 'a.jpg': 'a.jpg.png' };
    for (const [name, expected] of Object.entries(names))
      expect((await service().post('/v1/images', { html: 'x', file_name: name })).body.file_name).toBe(
        expected,
      );
    const jpeg = await service().post('/v1/images', {
      html: 'x',
      options: { format: 'jpeg' },
      file_name: 'a.jpeg',
    });
    expect(jpeg.body.file_name).toBe('a.jpeg');
  });

  test('is the image with output binary, or when Accept prefers its type', async () => {
    for (const [options, more, accept] of [
      [{}, { output: 'binary' }, undefined],
      [{}, {}, 'image/png'],
      [{}, {}, 'image/*'],
      [{ format: 'webp' }, {}, 'image/webp'],
    ] as const) {
      const response = await send({ html: badge, options, ...more }, accept === undefined ? {} : { accept });
      const bytes = await response.bytes();
      const id = response.headers.get('platen-generation-id') ?? '';
      const type = 'format' in options ? 'image/webp' : 'image/png';
      expect(response.headers.get('content-type')).toBe(type);
      expect(response.headers.get('content-length')).toBe(String(bytes.length));
      expect(response.headers.get('content-disposition')).toContain(`filename="${id}.${type.slice(6)}"`);
      expect(response.headers.has('platen-pages')).toBe(false);
      expect((await service().get(`/v1/generations/${id}`)).body.file_size).toBe(bytes.length);
    }
    for (const accept of ['application/json', '*/*', 'image/webp', 'application/pdf'])
      expect((await send({ html: 'x' }, { accept })).headers.get('content-type')).toContain('json');
  });

  test('has the image in base64, which the generation also shows', async () => {
    const { body } = await service().post('/v1/images', { html: badge, output: 'base64' });
    expect(Buffer.from(body.data, 'base64').subarray(1, 4).toString()).toBe('PNG');
    expect(body.url).toBeUndefined();
    expect((await service().get(`/v1/generations/${body.id}`)).body.data).toBe(body.data);
  });

  test('answers a multipart request', async () => {
    const { status, body } = await postForm(service(), '/v1/images', formOf([['html', badge]]));
    expect([status, body.content_type]).toEqual([200, 'image/png']);
  });
});

describe('the record', () => {
  const image = async (body: object = {}, key?: string) =>
    (await service().post('/v1/images', { html: badge, ...body }, key)).body;

  test('is a generation with its content_type; PDFs are application/pdf', async () => {
    const { id } = await image({ options: { format: 'jpeg' } });
    const { body: record } = await service().get(`/v1/generations/${id}?receipt=true`);
    expect(record).toMatchObject({
      status: 'completed',
      content_type: 'image/jpeg',
      pages: null,
      input_type: 'html',
      error: null,
    });
    expect(record.receipt).toMatchObject({ class: 'active', phases: { print: expect.any(Number) } });
    const pdf = await service().post('/v1/generate', { html: 'x' });
    expect(pdf.body.content_type).toBeUndefined();
    expect((await service().get(`/v1/generations/${pdf.body.id}`)).body.content_type).toBe('application/pdf');
    const { body: list } = await service().get('/v1/generations?limit=2');
    expect(list.data.map(({ content_type: type }: { content_type: string }) => type)).toEqual([
      'application/pdf',
      'image/jpeg',
    ]);
  });

  test('of a failed image has its content_type and error', async () => {
    const { status, body } = await service().post('/v1/images', {
      html: badge,
      options: { selector: '.none' },
      reference: 'failed',
    });
    expect([status, body.error.details]).toEqual([
      400,
      [{ path: 'options.selector', code: 'RENDER_FAILED', message: 'no element matches ".none"' }],
    ]);
    const { body: list } = await service().get('/v1/generations?reference=failed');
    expect(list.data[0]).toMatchObject({ status: 'failed', content_type: 'image/png', url: null });
  });

  test('takes one unit of quota, which a failure returns', async () => {
    const key = await service().newKey('free');
    const used = async () => (await service().get('/v1/usage', key)).body.used;
    await image({}, key);
    await image({ options: { selector: '.none' } }, key);
    await until(async () => (await used()) === 1);
  });

  test('can be deleted and expires, with its file', async () => {
    const deleted = await image();
    expect((await service().request('DELETE', `/v1/generations/${deleted.id}`)).status).toBe(204);
    expect((await fetch(deleted.url)).status).toBe(404);
    const expiring = await image({ expires_in: 60 });
    setSystemTime(new Date(Date.now() + 61_000));
    const states = [
      (await fetch(expiring.url)).status,
      (await service().get(`/v1/generations/${expiring.id}`)).status,
    ];
    setSystemTime();
    expect(states).toEqual([404, 404]);
  });

  test('is visible to its account only, also at the address of its file', async () => {
    const { id, url } = await image();
    const other = await service().newKey();
    expect((await service().get(`/v1/generations/${id}`, other)).status).toBe(404);
    const plain = new URL(url);
    plain.search = '';
    const open = (key: string) => fetch(plain, { headers: { authorization: `Bearer ${key}` } });
    expect((await fetch(plain)).status).toBe(403);
    expect((await open(other)).status).toBe(404);
    const own = await open(service().key);
    expect([own.status, own.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  test('sends a webhook', async () => {
    const { id } = await image({ webhook: receiver.url('/hook') });
    await until(() => receiver.at('/hook').length === 1);
    const [message] = receiver.at('/hook').map(({ body }) => JSON.parse(body));
    expect(message).toMatchObject({ type: 'generation.completed', data: { id, content_type: 'image/png' } });
  });

  test('is refused where a PDF is required', async () => {
    const { id } = await image();
    const pdf = (await service().post('/v1/generate', { html: 'x' })).body.id;
    for (const [path, body, field] of [
      ['/v1/pdf/info', { pdf: id }, 'pdf'],
      ['/v1/pdf/merge', { pdfs: [pdf, id] }, 'pdfs[1]'],
      ['/v1/pdf/sign', { pdf: id, name: 'Ada' }, 'pdf'],
    ] as const) {
      const { status, body: answer } = await service().post(path, body);
      expect([status, answer.error.details[0]]).toEqual([
        400,
        { path: field, message: `${id} is an image (image/png), not a PDF` },
      ]);
    }
    const page = await service().get(`/v1/generations/${id}/pages/1.png`);
    expect([page.status, page.body.error.message]).toEqual([
      400,
      `the generation ${id} is an image (image/png), not a PDF`,
    ]);
  });
});

describe('an invalid request names its field', () => {
  const clip = { x: 0, y: 0, width: 10, height: 10 };
  const cases: [path: string, options: unknown][] = [
    ['options.quality', { quality: 50 }],
    ['options.quality', { format: 'png', quality: 50 }],
    ['options.quality', { format: 'jpeg', quality: 0 }],
    ['options.quality', { format: 'jpeg', quality: 101 }],
    ['options.quality', { format: 'webp', quality: 1.5 }],
    ['options.transparent', { format: 'jpeg', transparent: true }],
    ['options.transparent', { transparent: 'yes' }],
    ['options.format', { format: 'gif' }],
    ['options.format', { format: 'PNG ' }],
    ['options.width', { width: 15 }],
    ['options.width', { width: 8_001 }],
    ['options.width', { width: '100px' }],
    ['options.height', { height: 0 }],
    ['options.height', { height: 10.5 }],
    ['options.scale', { scale: 0.5 }],
    ['options.scale', { scale: 5 }],
    ['options.scale', { width: 8_000, height: 8_000 }],
    ['options.scale', { width: 8_000, height: 1_000, scale: 3 }],
    ['options.clip', { clip, selector: 'p' }],
    ['options.clip', { clip, fullPage: true }],
    ['options.clip', { clip: { ...clip, width: 20_000 } }],
    ['options.clip', { clip: { ...clip, width: 5_000, height: 5_000 }, scale: 2 }],
    ['options.clip.width', { clip: { ...clip, width: 0 } }],
    ['options.clip.x', { clip: { ...clip, x: -1 } }],
    ['options.clip.height', { clip: { x: 0, y: 0, width: 10 } }],
    ['options.clip.z', { clip: { ...clip, z: 1 } }],
    ['options.selector', { selector: 'p', fullPage: true }],
    ['options.selector', { selector: '' }],
    ['options.selector', { selector: 'p[' }],
    ['options.selector', { selector: '.none' }],
    ['options.selector', { selector: '#hidden' }],
    ['options.selector', { selector: '#huge' }],
    ['options.fullPage', { fullPage: 'yes' }],
    ['options.fullPage', { fullPage: true, scale: 4, width: 4_000, height: 100 }],
    ['options.media', { media: 'tv' }],
    ['options.waitFor', { waitFor: {} }],
    ['options.ignoreAssetHosts', { ignoreAssetHosts: ['a'] }],
    ['options.pdfa', { pdfa: true }],
    ['options.header', { header: 'x' }],
  ];
  const html =
    '<p>x</p><div id="hidden" style="display: none"></div><div id="huge" style="height: 20000px"></div>';

  test.each(cases)('%s: %j', async (path, options) => {
    const { status, body } = await service().post('/v1/images', { html, options });
    expect([status, body.error.code, body.error.details[0].path]).toEqual([400, 'VALIDATION_ERROR', path]);
    expect(body.error.message).toContain(path);
  });

  test('also for the source and the output', async () => {
    for (const [path, body] of [
      ['html', {}],
      ['output', { html: 'x', output: 'png' }],
      ['file_name', { html: 'x', file_name: 'a/b' }],
      ['data', { url: 'http://example.com', data: {} }],
      ['expires_in', { html: 'x', expires_in: 1 }],
    ] as const) {
      const answer = await service().post('/v1/images', body);
      expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
    }
    expect((await send({ html: 'x', template_version: 2 })).status).toBe(400);
  });

  test('an image of more than 32 MiB names the option that makes it smaller', async () => {
    const noise = `<body style="margin: 0"><canvas width="3400" height="3400" style="display: block"></canvas><script>
      const context = document.querySelector('canvas').getContext('2d');
      const block = new Uint32Array(75_011);
      for (let at = 0, seed = 1; at < block.length; at += 1) block[at] = (seed = Math.imul(seed, 1664525) + 1013904223) | 0xff000000;
      const pixels = new Uint32Array(3400 * 3400);
      for (let at = 0; at + block.length <= pixels.length; at += block.length) pixels.set(block, at);
      context.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), 3400, 3400), 0, 0);
    </script>`;
    const { status, body } = await service().post('/v1/images', { html: noise, options: { width: 3400 } });
    expect([status, body.error.details]).toEqual([
      400,
      [
        {
          path: 'options.format',
          code: 'RENDER_FAILED',
          message: 'the image has more than 32 MiB; use jpeg or webp, or a smaller scale',
        },
      ],
    ]);
    expect((await send({ html: noise, options: { width: 3400, format: 'jpeg' } })).status).toBe(200);
  });

  test('an image of more than 50 megapixels fails before it is drawn', async () => {
    const { body } = await service().post('/v1/images', {
      html: '<div style="width: 9000px; height: 9000px">',
    });
    expect(body.error.details[0]).toEqual({
      path: 'options.fullPage',
      code: 'RENDER_FAILED',
      message: expect.stringContaining('an image has at most 16383 pixels per side and 50 megapixels'),
    });
  });
});
