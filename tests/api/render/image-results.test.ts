import { describe, expect, setSystemTime, test } from 'bun:test';
import { formOf, postForm } from '../../support/service/multipart.ts';
import { Receiver } from '../../support/sites/receiver.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { isThorough, onMongoAndS3 } from '../../support/suite.ts';
import { until } from '../../support/until.ts';

const receiver = new Receiver();
const service = sharedService({
  env: { EGRESS_ALLOW: receiver.host },
  config: { plugins: { render: { timeoutMs: 60_000 } } },
});

const CONTENT_TYPES = { png: 'image/png', jpeg: 'image/jpeg', webp: 'image/webp' };
const badge = '<div style="width: 50px; height: 40px; background: red"></div>';

function send(body: object, { accept }: { accept?: string } = {}): Promise<Response> {
  return service().send('/v1/images', body, { headers: { ...(accept !== undefined && { accept }) } });
}

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
          test: false,
          warnings: [],
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

  test('keeps a file name with an extension of the format, and appends one to any other', async () => {
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

  test('is the same for a multipart request', async () => {
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
    expect((await image({}, key)).status).toBe('completed');
    expect(await used()).toBe(1);
    expect((await image({ options: { selector: '.none' } }, key)).error.code).toBe('VALIDATION_ERROR');
    await until(async () => (await used()) === 1);
  });

  test('can be deleted and expires, with its file', async () => {
    const deleted = await image();
    expect((await service().request('DELETE', `/v1/generations/${deleted.id}`)).status).toBe(204);
    expect((await fetch(deleted.url)).status).toBe(404);
    const expiring = await image({ expires_in: 60 });
    setSystemTime(new Date(Date.now() + 61_000));
    const states = [
      // S3 has its own clock.
      onMongoAndS3 ? 404 : (await fetch(expiring.url)).status,
      (await service().get(`/v1/generations/${expiring.id}`)).status,
    ];
    setSystemTime();
    expect(states).toEqual([404, 404]);
  });

  test('is visible only to its account, and so is its file', async () => {
    const { id, url } = await image();
    const other = await service().newKey();
    expect((await service().get(`/v1/generations/${id}`, other)).status).toBe(404);
    // A link to S3 does not lead to the service.
    if (onMongoAndS3) return;
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

  test('is rejected where a PDF is required', async () => {
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
      ['data', { url: 'http://example.com', data: { a: 1 } }],
      ['expires_in', { html: 'x', expires_in: 1 }],
    ] as const) {
      const answer = await service().post('/v1/images', body);
      expect([answer.status, answer.body.error.details[0].path]).toEqual([400, path]);
    }
    expect((await send({ html: 'x', template_version: 2 })).status).toBe(400);
  });

  test.if(isThorough)('an image of more than 32 MiB names the option that makes it smaller', async () => {
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
