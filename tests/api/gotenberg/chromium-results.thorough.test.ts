import { describe, expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { postGotenberg, type GotenbergForm } from '../../support/gotenberg/forms.ts';
import { describeWithPdfTools, pageCount, pdfInfo, pdfText, qpdfCheck } from '../../support/pdf/pdf.ts';
import { rejection } from '../../support/rejection.ts';
import { TestService } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { startWebOrigins } from '../../support/sites/web-origins.ts';
import { unzip } from '../../support/unzip.ts';

const origins = await startWebOrigins((request, response, { second }) => {
  if (request.url === '/away') return void response.writeHead(302, { location: `${second.origin}/` }).end();
  response.setHeader('content-type', request.url === '/a.css' ? 'text/css' : 'text/html');
  response.end(
    request.url === '/a.css'
      ? 'p { color: red }'
      : `<link rel=stylesheet href=a.css><link rel=stylesheet href="${second.origin}/b.css"><p id=p>page</p><script>p.textContent = 'script'</script>`,
  );
});
const service = sharedService({
  env: { CHROMIUM_DENY_LIST: '^https?://denied\\.invalid/', API_TIMEOUT: '5s' },
  config: { plugins: { gotenberg: {} } },
});

const post = (route: string, form: GotenbergForm) => postGotenberg(service(), `chromium/${route}`, form);
const screenshot = (
  index: string,
  fields: GotenbergForm['fields'] = {},
  headers: GotenbergForm['headers'] = {},
) => post('screenshot/html', { files: { 'index.html': index }, fields, headers });

async function pngOf(index: string, fields: GotenbergForm['fields'] = {}): Promise<PNG> {
  const response = await screenshot(index, fields);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png']);
  return PNG.sync.read(Buffer.from(await response.arrayBuffer()));
}

const pixelAt = (image: PNG, x: number, y: number) => [
  ...image.data.subarray((y * image.width + x) * 4, (y * image.width + x) * 4 + 4),
];

const TALL =
  '<body style="margin:0"><div style="height:900px;background:linear-gradient(red 600px,blue 600px)">';

describe('a screenshot of HTML', () => {
  test('shows the whole document in a window of 800 by 600 pixels', async () => {
    const image = await pngOf(TALL);
    expect([image.width, image.height]).toEqual([800, 900]);
    expect(pixelAt(image, 10, 10)).toEqual([255, 0, 0, 255]);
    expect(pixelAt(image, 10, 890)).toEqual([0, 0, 255, 255]);
  });

  test('shows the window of the form with clip', async () => {
    const image = await pngOf(TALL, { clip: 'true', width: '320', height: '200' });
    expect([image.width, image.height]).toEqual([320, 200]);
  });

  test('shows one element', async () => {
    const index = '<div style="height:500px"></div><p id=a style="width:120px;height:40px;background:lime">';
    const image = await pngOf(index, { selector: '#a' });
    expect([image.width, image.height]).toEqual([120, 40]);
    expect(pixelAt(image, 60, 20)).toEqual([0, 255, 0, 255]);
    const missing = await screenshot(index, { selector: '#b' });
    expect([missing.status, await missing.text()]).toEqual([
      400,
      "The selector '#b' (selector) matched no element with a visible box",
    ]);
  });

  test('has the number of pixels and the transparency of the form', async () => {
    const image = await pngOf('<p>x', {
      deviceScaleFactor: '2',
      clip: 'true',
      omitBackground: 'true',
      optimizeForSpeed: 'true',
    });
    expect([image.width, image.height]).toEqual([1600, 1200]);
    expect(pixelAt(image, 1500, 1100)).toEqual([0, 0, 0, 0]);
    expect(pixelAt(await pngOf('<p>x'), 700, 500)).toEqual([255, 255, 255, 255]);
  });

  test('has the format and the quality of the form, and the name of its header', async () => {
    for (const [format, signature] of [
      ['jpeg', /^\xff\xd8\xff/],
      ['webp', /^RIFF....WEBP/s],
    ] as const) {
      const response = await screenshot(
        TALL,
        { format, omitBackground: 'true' },
        { 'gotenberg-output-filename': 'shot' },
      );
      expect(response.headers.get('content-type')).toBe(`image/${format}`);
      expect(response.headers.get('content-disposition')).toContain(`filename="shot.${format}"`);
      expect(Buffer.from(await response.arrayBuffer()).toString('latin1')).toMatch(signature);
    }
    const noise =
      '<canvas id=c width=400 height=400></canvas><script>const x = c.getContext("2d"); for (let i = 0; i < 400; i += 4) for (let j = 0; j < 400; j += 4) { x.fillStyle = `hsl(${(i * 7 + j * 13) % 360} 80% 50%)`; x.fillRect(i, j, 4, 4) }</script>';
    const [low, high] = await Promise.all(
      ['10', '100'].map(
        async (quality) =>
          (await (await screenshot(noise, { format: 'jpeg', quality })).arrayBuffer()).byteLength,
      ),
    );
    expect(low).toBeLessThan((high ?? 0) / 2);
  });

  test('sees the media type of the form', async () => {
    const index = '<style>body { background: red } @media print { body { background: blue } }</style>';
    expect(pixelAt(await pngOf(index), 10, 10)).toEqual([255, 0, 0, 255]);
    expect(pixelAt(await pngOf(index, { emulatedMediaType: 'print' }), 10, 10)).toEqual([0, 0, 255, 255]);
  });

  test('with a file beside it, and of Markdown', async () => {
    const response = await post('screenshot/markdown', {
      files: {
        'index.html': '<link rel=stylesheet href=a.css>{{ toHTML "a.md" }}',
        'a.md': 'x',
        'a.css': 'html { background: #00f }',
      },
    });
    const image = PNG.sync.read(Buffer.from(await response.arrayBuffer()));
    expect(pixelAt(image, 700, 500)).toEqual([0, 0, 255, 255]);
  });

  test.each<[fields: Record<string, string>, text: string]>([
    [{ format: 'bar' }, "wrong value, expected either 'png', 'jpeg' or 'webp'"],
    [{ quality: '-1' }, 'value is negative'],
    [{ quality: '101' }, 'value is superior to 100'],
    [{ width: 'foo' }, 'strconv.Atoi: parsing "foo": invalid syntax'],
  ])('is refused for %o', async (fields, reason) => {
    const response = await screenshot('x', fields);
    const [[name, value] = []] = Object.entries(fields);
    expect([response.status, await response.text()]).toEqual([
      400,
      `Invalid form data: form field '${name}' is invalid (got '${value}', resulting to ${reason})`,
    ]);
  });

  test('that is too large is refused', async () => {
    const response = await screenshot('x', { width: '100000', height: '100000' });
    expect(response.status).toBe(400);
  });
});

describeWithPdfTools('a printed PDF', () => {
  const convert = async (fields: GotenbergForm['fields'], headers: GotenbergForm['headers'] = {}) => {
    const pages = [1, 2, 3].map((page) => `<h1 style="break-after:page">page ${page}</h1>`).join('');
    const response = await post('convert/html', {
      files: { 'index.html': `<html lang=en><title>Pages</title>${pages}` },
      ...(fields && { fields }),
      headers,
    });
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return response;
  };

  test('is split into an archive that has the names of the header', async () => {
    const response = await convert(
      { splitMode: 'intervals', splitSpan: '2' },
      { 'gotenberg-output-filename': 'foo' },
    );
    expect(response.headers.get('content-type')).toBe('application/zip');
    expect(response.headers.get('content-disposition')).toContain('filename="foo.zip"');
    const parts = await unzip(await response.bytes());
    expect(parts.map(({ name }) => name)).toEqual(['foo_0.pdf', 'foo_1.pdf']);
    expect(await Promise.all(parts.map(({ content }) => pageCount(content)))).toEqual([2, 1]);
    const unified = await convert({ splitMode: 'pages', splitSpan: '2-', splitUnify: 'true' });
    expect(await pageCount(await unified.bytes())).toBe(2);
  });

  test('is changed before it is stored', async () => {
    const fields = {
      userPassword: 'secret',
      metadata: '{"Author":"Ada"}',
      stampSource: 'text',
      stampExpression: 'COPY',
    };
    const pdf = await (await convert(fields)).bytes();
    expect(String(await rejection(pdfText(pdf)))).toContain('Incorrect password');
    const { body } = await service().get('/v1/generations?limit=1');
    const { body: stored } = await service().get(`/v1/generations/${body.data[0].id}`);
    expect(Buffer.from(await service().download(stored.url)).equals(pdf)).toBe(true);
  });

  test('keeps its structure for PDF/UA', async () => {
    const pdf = await (await convert({ pdfua: 'true', pdfa: 'PDF/A-2b' })).bytes();
    const info = await pdfInfo(pdf);
    expect([info['Tagged'], info['Title']]).toEqual(['yes', 'Pages']);
    await qpdfCheck(pdf);
  });

  test('that cannot be changed gives 400', async () => {
    const refused = async (fields: Record<string, string>) => {
      const response = await post('convert/html', { files: { 'index.html': 'x' }, fields });
      return [response.status, await response.text()];
    };
    expect(await refused({ pdfa: 'foo' })).toEqual([
      400,
      'The requested PDF format is not supported, or no PDF engine could apply it. Valid formats include PDF/A-1b, PDF/A-2b, PDF/A-3b, and PDF/UA.',
    ]);
    expect((await refused({ splitMode: 'pages', splitSpan: 'foo' }))[0]).toBe(400);
  });
});

describe('the settings of the operator', () => {
  test('deny URLs', async () => {
    const response = await post('convert/url', { fields: { url: 'http://denied.invalid/' } });
    expect([response.status, await response.text()]).toEqual([403, 'Forbidden']);
    // Private addresses stay refused, also in a tunnel.
    for (const url of ['http://127.0.0.1:8443/', 'https://127.0.0.1:8443/']) {
      const refused = await post('convert/url', { fields: { url } });
      expect([url, refused.status, await refused.text()]).toEqual([url, 403, 'Forbidden']);
    }
    const index = '<link rel="stylesheet" href="http://denied.invalid/a.css">';
    const fields = { failOnResourceLoadingFailed: 'true' };
    const loading = await post('convert/html', { files: { 'index.html': index }, fields });
    expect([loading.status, await loading.text()]).toEqual([
      409,
      'Chromium failed to load resources: resource Stylesheet: net::ERR_ACCESS_DENIED',
    ]);
  });

  test('limit the time of a request', async () => {
    const fields = { waitForExpression: 'window.never === true' };
    const response = await post('convert/html', { files: { 'index.html': 'x' }, fields });
    expect([response.status, await response.text()]).toEqual([503, 'Service Unavailable']);
  });

  test('allow private addresses by name, and switch scripts off', async () => {
    const { first, second } = origins;
    await using listed = await TestService.start({
      env: { CHROMIUM_ALLOW_LIST: `^${first.origin}/,^file:`, CHROMIUM_DISABLE_JAVASCRIPT: 'true' },
      config: { plugins: { gotenberg: {} } },
    });
    const convert = async (url: string) => postGotenberg(listed, 'chromium/convert/url', { fields: { url } });
    const allowed = await convert(`${first.origin}/`);
    expect(allowed.status).toBe(200);
    expect((await pdfText(await allowed.bytes())).trim()).toBe('page');
    expect(first.received.map(({ path }) => path).toSorted()).toEqual(['/', '/a.css']);
    expect((await convert(`${first.origin}/away`)).status).toBe(403);
    expect((await convert(`${second.origin}/`)).status).toBe(403);
    expect(second.received).toEqual([]);
    // HTML that requests nothing is printed as fast as without lists.
    await postGotenberg(listed, 'chromium/convert/html', { files: { 'index.html': '<p>plain' } });
    const { body } = await listed.get('/v1/generations?limit=1');
    const { body: read } = await listed.get(`/v1/generations/${body.data[0].id}?receipt=true`);
    expect(read.receipt.class).toBe('plain');
    const loading = `<link rel=stylesheet href="${first.origin}/a.css"><p>styled`;
    expect(
      (await postGotenberg(listed, 'chromium/convert/html', { files: { 'index.html': loading } })).status,
    ).toBe(200);
    expect(first.received.at(-1)?.path).toBe('/a.css');
    // More requests at once than may wait in the sandbox.
    const images = Array.from({ length: 150 }, (_, index) => `<img src="${first.origin}/i.png?${index}">`);
    await postGotenberg(listed, 'chromium/convert/html', { files: { 'index.html': images.join('') } });
    expect(first.received.filter(({ path }) => path.startsWith('/i.png'))).toHaveLength(150);
    // The lists are those of this plugin: the other routes keep to the egress guard.
    const v1 = await listed.post('/v1/generate', { url: `${first.origin}/` });
    expect(v1.status).toBe(400);
    expect(v1.body.error.details[0].code).toBe('NAVIGATION_BLOCKED');
  });
});
