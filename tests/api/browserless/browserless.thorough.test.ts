import { beforeAll, describe, expect, test } from 'bun:test';
import { PNG } from 'pngjs';
import { describeWithPdfTools, pageSizes, pdfInfo, pdfText, rasterise } from '../../support/pdf/pdf.ts';
import { TestService } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { startWebOrigins } from '../../support/sites/web-origins.ts';

const requests: { path: string; headers: Record<string, string | string[] | undefined> }[] = [];
const origins = await startWebOrigins((request, response, { blocked }) => {
  const path = request.url ?? '/';
  requests.push({ path, headers: request.headers });
  const [, status] = /^\/(\d{3})$/.exec(path) ?? [];
  const types: Record<string, string> = { '/style.css': 'text/css', '/script.js': 'text/javascript' };
  response.setHeader('content-type', types[path] ?? 'text/html');
  if (status) return void response.writeHead(Number(status)).end(`<p>status ${status}`);
  if (path === '/style.css') return void response.end("body::after { content: 'styled' }");
  if (path === '/script.js') return void response.end("document.body.append('scripted')");
  if (path === '/to-blocked') return void response.writeHead(302, { location: blocked.origin }).end();
  if (path === '/private' && request.headers.authorization !== `Basic ${btoa('ann:pw')}`)
    return void response.writeHead(401).end('<p>log in');
  response.end(
    `<!doctype html><title>A page</title><link rel=stylesheet href=/style.css><p>web page ${path}`,
  );
});
const EMAIL = 'pages@example.com';
const service = sharedService({
  env: origins.env,
  config: { plugins: { browserless: { account: EMAIL } } },
});
beforeAll(() => origins.reset());

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${service().url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

async function pdfOf(body: object, path = '/pdf'): Promise<Uint8Array> {
  const response = await post(path, body);
  if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  return response.bytes();
}

async function textOf(body: object): Promise<string> {
  return (await pdfText(await pdfOf(body))).replaceAll(/\s+/g, ' ').trim();
}

async function fault(
  path: string,
  body: unknown,
  headers?: Record<string, string>,
): Promise<[number, string]> {
  const response = await post(path, body, headers);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  return [response.status, await response.text()];
}

const LATE = `<p id=state>early</p><script>
  setTimeout(() => { state.textContent = 'late'; state.className = 'ready'; window.ready = 1; document.dispatchEvent(new Event('done')) }, 300)
</script>`;

describe('who pays', () => {
  test('requests without a token belong to the configured account, and wrong tokens do not', async () => {
    expect((await post('/pdf', { html: 'x' })).status).toBe(200);
    expect(await fault('/pdf?token=wrong', { html: 'x' })).toEqual([401, 'Bad or missing authentication.']);
    expect(await fault('/pdf', { html: 'x' }, { authorization: 'Bearer wrong' })).toEqual([
      401,
      'Bad or missing authentication.',
    ]);
  });

  test('an API key is a token in the query, in a header, and in basic authentication', async () => {
    const { key } = service();
    const before = (await service().get('/v1/generations')).body.data.length;
    expect((await post(`/pdf?token=${key}`, { html: 'x' })).status).toBe(200);
    expect((await post('/chromium/pdf', { html: 'x' }, { authorization: `Bearer ${key}` })).status).toBe(200);
    expect((await post('/pdf', { html: 'x' }, { authorization: `Basic ${btoa(`${key}:`)}` })).status).toBe(
      200,
    );
    expect((await service().get('/v1/generations')).body.data.length).toBe(before + 3);
  });

  test('without the setting, a token is required', async () => {
    await using other = await TestService.start();
    const response = await fetch(`${other.url}/pdf`, {
      method: 'POST',
      body: '{"html":"x"}',
      headers: { 'content-type': 'application/json' },
    });
    expect([response.status, await response.text()]).toEqual([401, 'Bad or missing authentication.']);
  });
});

describeWithPdfTools('POST /pdf', () => {
  test('prints Letter without margins and background by default, with tags', async () => {
    const pdf = await pdfOf({ html: '<body style="background:red"><h1>Hello' });
    expect(await pageSizes(pdf)).toEqual([{ width: 612, height: 792 }]);
    expect((await pdfInfo(pdf))['Tagged']).toBe('yes');
    const [page] = await rasterise(pdf, { dpi: 72 });
    expect([...(page?.data.subarray(0, 3) ?? [])]).toEqual([255, 255, 255]);
  });

  test("Puppeteer's options", async () => {
    const chapters = [1, 2, 3]
      .map((number) => `<h1 style="break-before:page">Chapter ${number}</h1>`)
      .join('');
    const pdf = await pdfOf({
      html: `<title>Book</title><body style="background:red">${chapters}`,
      viewport: { width: 1200, height: 900 },
      options: {
        format: 'A5',
        landscape: true,
        printBackground: true,
        margin: { top: '2cm', bottom: 96, left: '0.5in', right: '10mm' },
        scale: 0.8,
        pageRanges: '2-3',
        displayHeaderFooter: true,
        headerTemplate: '<div style="font-size:10px">Top <span class="title"></span></div>',
        footerTemplate:
          '<div style="font-size:10px"><span class="pageNumber"></span> of <span class="totalPages"></span></div>',
        outline: true,
        timeout: 0,
      },
    });
    const [size, ...others] = await pageSizes(pdf);
    expect(others).toHaveLength(1);
    // Chromium rounds the paper up to whole points.
    expect(size?.width).toBeWithin(595, 597);
    expect(size?.height).toBeWithin(419, 421);
    const text = await pdfText(pdf, { page: 1 });
    for (const part of ['Top Book', 'Chapter 2', '2 of 3']) expect(text).toContain(part);
  });

  test('waits for a time, a function, a selector and an event, adds tags, and keeps to bestAttempt', async () => {
    expect(await textOf({ html: LATE })).toBe('early');
    expect(await textOf({ html: LATE, waitForTimeout: 400 })).toBe('late');
    expect(
      await textOf({ html: LATE, waitForFunction: { fn: '() => window.ready === 1', timeout: 5000 } }),
    ).toBe('late');
    expect(await textOf({ html: LATE, waitForSelector: { selector: '.ready', visible: true } })).toBe('late');
    expect(await textOf({ html: LATE, waitForEvent: { event: 'done', timeout: 5000 } })).toBe('late');
    const tags = {
      addScriptTag: [
        { content: "document.body.append(' added')" },
        { url: `${origins.first.origin}/script.js` },
      ],
      addStyleTag: [{ content: "p::before{content:'own '}" }, { url: `${origins.first.origin}/style.css` }],
    };
    expect(await textOf({ html: '<p>text', ...tags })).toBe('own text addedscriptedstyled');
    const never = { html: LATE, waitForSelector: { selector: '#never', timeout: 100 } };
    expect(await textOf({ ...never, bestAttempt: true })).toMatch(/early|late/);
    expect(await fault('/pdf', never)).toEqual([400, 'Waiting for selector #never failed: 100ms exceeded']);
  });

  test('a web page gets headers, cookies, credentials, a user agent, and its other requests are refused', async () => {
    const url = `${origins.first.origin}/private`;
    requests.length = 0;
    const text = await textOf({
      url,
      gotoOptions: { waitUntil: ['load', 'networkidle2'], referer: 'https://example.com/from' },
      setExtraHTTPHeaders: { 'X-Extra': 'extra' },
      cookies: [{ name: 'session', value: 'abc' }],
      authenticate: { username: 'ann', password: 'pw' },
      userAgent: 'Agent/1',
      rejectResourceTypes: ['stylesheet'],
    });
    expect(text).toBe('web page /private');
    expect(requests.map(({ path }) => path)).not.toContain('/style.css');
    const { headers } = requests.find(({ path }) => path === '/private') ?? { headers: {} };
    expect(headers).toMatchObject({
      'x-extra': 'extra',
      cookie: 'session=abc',
      'user-agent': 'Agent/1',
      referer: 'https://example.com/from',
    });
    const styled = `${origins.first.origin}/page`;
    expect(await textOf({ url: styled })).toBe('web page /page styled');
    expect(await textOf({ url: styled, rejectRequestPattern: ['^.*\\.(css)'] })).toBe('web page /page');
    expect(await textOf({ url: `${origins.first.origin}/404` })).toBe('status 404');
    expect(
      await textOf({
        html: '<p>no</p><script>document.write("scripts")</script>',
        setJavaScriptEnabled: false,
      }),
    ).toBe('no');
  });

  test('private addresses and local files stay blocked', async () => {
    const blocked = await fault('/pdf', { url: origins.blocked.origin });
    expect(blocked[0]).toBe(400);
    const redirected = await fault('/pdf', { url: `${origins.first.origin}/to-blocked` });
    expect(redirected[0]).toBe(400);
    expect(await fault('/pdf', { url: 'file:///etc/passwd' })).toEqual([
      400,
      'POST Body validation failed: "url" must be an http or https URL',
    ]);
  });

  test.each([
    [{}, '"url" or "html" is required'],
    [{ html: 'x', url: 'https://example.com' }, '"html" cannot be combined with url'],
    [{ html: 'x', option: {} }, '"option" is not allowed; valid fields are'],
    [{ html: 'x', options: { path: '/tmp/x.pdf' } }, '"options.path" is not allowed; valid fields are'],
    [{ html: 'x', options: { format: 'A99' } }, '"options.format" must be one of letter'],
    [{ html: 'x', options: { margin: { top: '1furlong' } } }, '"options.margin.top" must be a length'],
    [{ html: 'x', options: { margin: { top: '20in' } } }, '"options.margin" leaves no room'],
    [{ html: 'x', options: { pageRanges: '3-1' } }, '"options.pageRanges" must be page ranges'],
    [{ html: 'x', cookies: [{ name: 'a', value: 'b' }] }, '"cookies[0].domain" is required without url'],
    [{ html: 'x', requestInterceptors: [] }, '"requestInterceptors" is not allowed; valid fields are'],
    [{ html: 'x', rejectRequestPattern: ['('] }, '"rejectRequestPattern[0]" must be a regular expression'],
    [{ html: 'x', setExtraHTTPHeaders: { Host: 'a' } }, '"setExtraHTTPHeaders.Host" is not allowed'],
    [
      { html: 'x', waitForTimeout: 1, setJavaScriptEnabled: false },
      '"setJavaScriptEnabled" must not be false',
    ],
  ])('%j is refused by name', async (body, message) => {
    const [status, text] = await fault('/pdf', body);
    expect(text).toStartWith(`POST Body validation failed: ${message}`);
    expect(status).toBe(400);
  });

  test('a page range outside of the document, a wrong function, and the timeout of the query', async () => {
    const [status, text] = await fault('/pdf', { html: 'x', options: { pageRanges: '7' } });
    expect([status, text]).toEqual([400, expect.stringContaining('page')]);
    expect(await fault('/pdf', { html: 'x', waitForFunction: { fn: '() => missing.value' } })).toEqual([
      400,
      'ReferenceError: missing is not defined',
    ]);
    expect(await fault('/pdf?timeout=500', { html: 'x', waitForTimeout: 5000 })).toEqual([
      408,
      'Request has timed out',
    ]);
  });
});

describe('POST /screenshot', () => {
  const image = async (body: object) => {
    const response = await post('/screenshot', body);
    if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`);
    return { type: response.headers.get('content-type'), bytes: Buffer.from(await response.bytes()) };
  };

  test('shows the window of 800 x 600, the whole page, a rectangle or an element', async () => {
    const html =
      '<body style="margin:0;background:red"><div id=box style="width:50px;height:40px;background:blue"></div><div style="height:2000px">';
    const sizeOf = async (body: object) => {
      const { type, bytes } = await image({ html, ...body });
      expect(type).toBe('image/png');
      const { width, height } = PNG.sync.read(bytes);
      return [width, height];
    };
    expect(await sizeOf({})).toEqual([800, 600]);
    expect(await sizeOf({ options: { fullPage: true }, scrollPage: true })).toEqual([800, 2040]);
    expect(await sizeOf({ options: { clip: { x: 1, y: 2, width: 30, height: 20 } } })).toEqual([30, 20]);
    expect(
      await sizeOf({ selector: '#box', viewport: { width: 400, height: 300, deviceScaleFactor: 2 } }),
    ).toEqual([100, 80]);
  });

  test('types, base64 and a transparent background', async () => {
    const { type, bytes } = await image({ html: 'x', options: { type: 'jpeg', quality: 40 } });
    expect([type, bytes.toString('latin1', 0, 3)]).toEqual(['image/jpeg', '\u00ff\u00d8\u00ff']);
    const base64 = await image({ html: '<p>x', options: { encoding: 'base64', omitBackground: true } });
    expect(base64.type).toMatch(/^text\/plain/);
    const png = PNG.sync.read(Buffer.from(base64.bytes.toString(), 'base64'));
    expect(png.data[3]).toBe(0);
    expect(await fault('/screenshot', { html: 'x', options: { quality: 40 } })).toEqual([
      400,
      expect.stringContaining('"options.quality"'),
    ]);
    expect((await fault('/screenshot', { html: 'x', selector: '#none' }))[0]).toBe(400);
  });
});

test('POST /content returns the HTML after the scripts have run', async () => {
  const response = await post('/content', {
    html: `<!doctype html><title>T</title>${LATE}`,
    waitForFunction: { fn: 'window.ready' },
  });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-security-policy')).toContain('sandbox');
  const html = await response.text();
  expect(html).toStartWith('<!DOCTYPE html><html><head><title>T</title>');
  expect(html).toContain('<p id="state" class="ready">late</p>');
  const page = await post('/content', { url: `${origins.first.origin}/page`, userAgent: 'Agent/2' });
  expect(await page.text()).toContain('web page /page');
  expect((await fault('/content', { url: origins.blocked.origin }))[0]).toBe(400);
});
