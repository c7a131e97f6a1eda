import { beforeAll, describe, expect, test } from 'bun:test';
import { ChromiumForms } from '../../support/gotenberg/chromium-forms.ts';
import { postGotenberg, type GotenbergForm } from '../../support/gotenberg/forms.ts';
import { onePixelPng } from '../../support/pdf/one-pixel-png.ts';
import {
  describeWithPdfTools,
  links,
  pageCount,
  pageSizes,
  pdfInfo,
  rasterise,
} from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { startWebOrigins } from '../../support/sites/web-origins.ts';

const SLOW = `<p id=wait hidden>late</p><script>setTimeout(() => { wait.hidden = false; window.ready = true }, 300)</script><p>early</p>`;

const origins = await startWebOrigins((request, response) => {
  const path = request.url ?? '/';
  const [, status] = /^\/(\d{3})$/.exec(path) ?? [];
  response.setHeader('content-type', path.endsWith('.css') ? 'text/css' : 'text/html');
  if (status) return void response.writeHead(Number(status)).end(`<p>status ${status}`);
  response.end('<title>Page</title><p>web page</p><link rel="stylesheet" href="/404">');
});
const service = sharedService({ env: origins.env, config: { plugins: { gotenberg: {} } } });
beforeAll(() => origins.reset());

const { post, pdfOf, html, textOf, fault } = new ChromiumForms(service);
const htmlFault = (index: string, fields: GotenbergForm['fields'] = {}) =>
  fault('html', { files: { 'index.html': index }, fields });

describeWithPdfTools('HTML', () => {
  test('is printed on Letter with margins of 0.39 in, without the background of the page', async () => {
    const index = '<body style="background:red"><div style="width:100%;height:50px;background:blue">Hello';
    const pdf = await html(index);
    expect(await pageSizes(pdf)).toEqual([{ width: 612, height: 792 }]);
    expect(await textOf(html(index))).toBe('Hello');
    const [page] = await rasterise(pdf, { dpi: 72 });
    const colourAt = (x: number, y: number) => [
      ...(page?.data.subarray((y * 612 + x) * 4).subarray(0, 3) ?? []),
    ];
    expect(colourAt(300, 500)).toEqual([255, 255, 255]);
    expect(colourAt(300, 60)).toEqual([0, 0, 255]);
    expect(colourAt(20, 60)).toEqual([255, 255, 255]);
  });

  test('has the paper, the margins and the scale of the form', async () => {
    const fields = {
      paperWidth: '21cm',
      paperHeight: '100mm',
      landscape: 'true',
      marginTop: '0',
      scale: '0.5',
    };
    expect(await pageSizes(await html('x', fields))).toEqual([{ width: 283.92, height: 595.92 }]);
  });

  test('is recorded and counted like any other generation', async () => {
    const usage = async () => (await service().get('/v1/usage')).body.used;
    const before = await usage();
    await html('counted');
    expect(await usage()).toBe(before + 1);
    const { body } = await service().get('/v1/generations?limit=1');
    expect(body.data[0]).toMatchObject({ status: 'completed', input_type: 'html', pages: 1 });
  });

  test('needs no browser page of its own when it has only inert markup', async () => {
    await html(
      '<p>plain',
      { marginTop: '1', printBackground: 'true', preferCssPageSize: 'true' },
      {
        'header.html': '<p style="font-size:10px" class="title"></p>',
      },
    );
    const { body } = await service().get('/v1/generations?limit=1');
    const { body: generation } = await service().get(`/v1/generations/${body.data[0].id}?receipt=true`);
    expect(generation.receipt.class).toBe('plain');
  });

  test('loads the files of its form by their names, and no others', async () => {
    const index = `<link rel="stylesheet" href="style.css"><img src="file:///tmp/any/a%20logo.png" alt="no logo">
      <script src="./code.js"></script><a href="#end">in</a> <a href="other.html">out</a> <a href="https://example.com/">web</a><p id="end">
      <iframe src="file:///etc/passwd"></iframe><iframe src="/etc/passwd"></iframe><iframe src="../other/secret.html"></iframe>`;
    const files = {
      'style.css': "p::after { content: 'styled' } img { width: 100px; height: 100px }",
      'a logo.png': onePixelPng(255, 0, 0),
      'code.js': "fetch('data.json').then((r) => r.json()).then(({ name }) => document.body.append(name))",
      'data.json': '{"name":"fetched"}',
    };
    const pdf = await html(index, {}, files);
    expect(await textOf(Promise.resolve(pdf))).toBe('in out web styled fetched');
    expect(await links(pdf)).toEqual(['https://example.com/']);
    const [page] = await rasterise(pdf, { dpi: 36 });
    const data = page?.data ?? Buffer.alloc(0);
    const hasRed = data.some(
      (value, at) => at % 4 === 0 && value === 255 && data[at + 1] === 0 && data[at + 2] === 0,
    );
    expect(hasRed).toBe(true);
  });

  test('does not see the files of another form, nor of another account', async () => {
    const read = `<p id=p>none</p><script>
      const urls = ['secret.txt', ...(window.name ? [window.name] : [])];
      Promise.all(urls.map((url) => fetch(url).then((r) => r.text()))).then((texts) => { p.textContent = texts.join() }, () => {});
    </script>`;
    expect(await textOf(html(read, {}, { 'secret.txt': 'mine' }))).toBe('mine');
    expect(await textOf(html(read, {}, { 'other.txt': 'x' }))).toBe('none');
    const other = await service().forNewAccount();
    const response = await postGotenberg(other, 'chromium/convert/html', {
      files: { 'index.html': read, 'other.txt': 'x' },
    });
    expect(await textOf(response.bytes().then((bytes) => bytes))).toBe('none');
  });

  test('finds nothing in the browser page that another document of the account left there', async () => {
    const leave = `<p id=p></p><script>
      p.textContent = [localStorage.left, document.cookie, window.name].join('|');
      localStorage.left = document.cookie = window.name = 'left';
      history.replaceState(null, '', '#left'); new BroadcastChannel('x');
    </script>`;
    for (let document = 0; document < 3; document += 1)
      expect(await textOf(html(leave, {}, { 'a.txt': 'a' }))).toBe('||');
    // A document without files has no interception of requests any more.
    expect(
      await textOf(html(`<link rel="stylesheet" href="${origins.first.origin}/a"><script></script>after`)),
    ).toBe('after');
  });

  test('has header and footer with the classes of Chromium, which leave the margins alone', async () => {
    const pages = '<title>Report</title><p>one<p style="break-before:page">two';
    const footer = `<html><head><style>p { font-size: 10px }</style></head><body><p><span class="pageNumber"></span> of <span class="totalPages"></span></p></body></html>`;
    const files = { 'header.html': '<p style="font-size:10px" class="title"></p>', 'footer.html': footer };
    const fields = { marginTop: '1', marginBottom: '1' };
    expect(await textOf(html(pages, fields, files), 1)).toBe('Report one 1 of 2');
    expect(await textOf(html(pages, fields, files), 2)).toBe('Report two 2 of 2');
    // The content begins in the same place, however high the header is.
    const high = html('content', {}, { 'header.html': '<p style="font-size:90px">high' });
    expect(await pageCount(await high)).toBe(1);
    expect(await textOf(high)).toContain('content');
  });

  test('runs no scripts in a header, and loads nothing there', async () => {
    const header = `<p style="font-size:10px">head<script>document.body.append('ran')</script>
      <img src="${origins.first.origin}/pixel" onerror="document.body.append('ran')"></p>`;
    origins.reset();
    expect(await textOf(html('body', { marginTop: '1' }, { 'header.html': header }))).toBe('head body');
    expect(origins.first.received).toEqual([]);
  });

  test('is printed once it has met the conditions of the form', async () => {
    expect(await textOf(html(SLOW))).toBe('early');
    const conditions: GotenbergForm['fields'][] = [
      { waitDelay: '400ms' },
      { waitForExpression: 'window.ready === true' },
      { waitForExpression: '(async () => window.ready === true)()' },
      { waitForSelector: '#wait' },
    ];
    for (const fields of conditions) expect(await textOf(html(SLOW, fields))).toBe('late early');
  });

  test('waits for the network when the form says so', async () => {
    const chain = `<p id=p>first</p><script>
      const next = (left) => fetch('a.txt').then(() => left ? setTimeout(next, 100, left - 1) : (p.textContent = 'last'));
      setTimeout(next, 100, 11)
    </script>`;
    const files = { 'a.txt': 'x' };
    expect(await textOf(html(chain, { skipNetworkIdleEvent: 'false' }, files))).toBe('last');
    expect(await textOf(html(chain, { skipNetworkAlmostIdleEvent: 'false' }, files))).toContain('first');
  });

  test('sees the media type and the media features of the form', async () => {
    const index = `<style>b, i, u { display: none } @media screen { b { display: inline } } @media print { i { display: inline } }
      @media (prefers-reduced-motion: reduce) { u { display: inline } }</style><b>screen</b> <i>print</i> <u>reduced</u>`;
    expect(await textOf(html(index))).toBe('print');
    expect(await textOf(html(index, { emulatedMediaType: 'screen' }))).toBe('screen');
    const emulatedMediaFeatures = '{"prefers-reduced-motion":"reduce"}';
    expect(await textOf(html(index, { emulatedMediaFeatures }))).toBe('print reduced');
    expect(await textOf(html(index, { emulatedMediaFeatures, emulatedMediaType: 'screen' }))).toBe(
      'screen reduced',
    );
    // The next document of the account sees nothing of it.
    expect(await textOf(html(`${index}<script></script>`))).toBe('print');
  });

  test('is printed on one page up to its first page break', async () => {
    const breaks = '<p style="break-after:page">one<p>two';
    expect(await textOf(html(breaks, { singlePage: 'true' }))).toBe('one');
    const long = Array.from({ length: 100 }, (_, line) => `<p>line ${line}`).join('');
    const pdf = await html(long, { singlePage: 'true' });
    expect(await pageCount(pdf)).toBe(1);
    expect(await textOf(Promise.resolve(pdf))).toContain('line 99');
    const wide = await html('<div style="width:3000px">wide', { singlePage: 'true', landscape: 'true' });
    const [size] = await pageSizes(wide);
    expect(size?.width).toBeGreaterThan(2_000);
    expect(size?.height).toBeLessThan(792);
  });

  test('is printed in part', async () => {
    const pages = [1, 2, 3, 4].map((page) => `<p style="break-after:page">page ${page}`).join('');
    expect(await textOf(html(pages, { nativePageRanges: '2-3' }))).toBe('page 2 page 3');
    expect(await textOf(html(pages, { nativePageRanges: '4-, 1' }))).toBe('page 1 page 4');
    expect(await textOf(html(pages, { nativePageRanges: '3-9' }))).toBe('page 3 page 4');
  });

  test('has an outline and tags only if the form says so', async () => {
    const headings = '<h1>Chapter</h1><h2>Section</h2>';
    const outline = await html(headings, { generateDocumentOutline: 'true' });
    expect(Buffer.from(outline).includes('/Outlines')).toBe(true);
    expect((await pdfInfo(outline))['Tagged']).toBe('yes');
    expect((await pdfInfo(await html(headings, { generateTaggedPdf: 'true' })))['Tagged']).toBe('yes');
    expect((await pdfInfo(await html(headings)))['Tagged']).toBe('no');
  });

  test('in another encoding is read as it declares', async () => {
    const index = Buffer.from('<meta charset="iso-8859-1"><p>caf\xe9', 'latin1');
    expect(await textOf(pdfOf('html', { files: { 'index.html': index } }))).toBe('café');
    expect(await textOf(html('<p>café ü'))).toBe('café ü');
  });

  test('sends the headers of the form to the URLs of their scopes, its cookies and its user agent', async () => {
    origins.reset();
    const extraHttpHeaders = JSON.stringify({
      'X-All': 'all',
      'X-First': `one;scope=^${origins.first.origin}/.*`,
      'X-None': 'no;scope=^https?://(?:[a-z]+\\.)*example\\.com/',
    });
    const cookies = JSON.stringify([
      { name: 'yummy', value: 'choco', domain: new URL(origins.first.origin).host, sameSite: 'lax' },
      { name: 'other', value: 'x', domain: 'example.com' },
    ]);
    await html(`<img src="${origins.first.origin}/a"><img src="${origins.second.origin}/b">`, {
      extraHttpHeaders,
      cookies,
      userAgent: 'Tester/1',
    });
    const [first] = origins.first.received;
    const [second] = origins.second.received;
    expect(first?.headers).toMatchObject({ 'x-all': 'all', 'x-first': 'one', 'user-agent': 'Tester/1' });
    expect(first?.headers['x-none']).toBeUndefined();
    expect(second?.headers['x-all']).toBe('all');
    expect(second?.headers['x-first']).toBeUndefined();
    // The next document sends none of them.
    origins.reset();
    await html(`<img src="${origins.first.origin}/a">`);
    expect(origins.first.received[0]?.headers['x-all']).toBeUndefined();
    expect(origins.first.received[0]?.headers.cookie).toBeUndefined();
  });
});

describe('a form for HTML that cannot be printed gives', () => {
  test('400 with all faults of its fields', async () => {
    const fields = {
      singlePage: 'foo',
      marginTop: 'foo',
      failOnHttpStatusCodes: 'foo',
      waitDelay: 'foo',
      emulatedMediaType: 'foo',
    };
    const [status, text] = await fault('html', { fields });
    expect(status).toBe(400);
    for (const part of [
      `Invalid form data: form field 'failOnHttpStatusCodes' is invalid (got 'foo', resulting to unmarshal failOnHttpStatusCodes: invalid character 'o' in literal false (expecting 'a'))`,
      `form field 'waitDelay' is invalid (got 'foo', resulting to time: invalid duration "foo")`,
      `form field 'emulatedMediaType' is invalid (got 'foo', resulting to wrong value, expected either 'screen', 'print' or empty)`,
      `form field 'singlePage' is invalid (got 'foo', resulting to strconv.ParseBool: parsing "foo": invalid syntax)`,
      `form field 'marginTop' is invalid (got 'foo', resulting to strconv.ParseFloat: parsing "foo": invalid syntax)`,
      `form file 'index.html' is required`,
    ])
      expect(text).toContain(part);
  });

  const ABERRANT = 'Chromium does not handle the provided settings; please check for aberrant form values';
  test.each<[fields: Record<string, string>, text: string]>([
    [{ omitBackground: 'true' }, 'omitBackground requires printBackground set to true'],
    [{ nativePageRanges: 'foo' }, "Chromium does not handle the page ranges 'foo' (nativePageRanges) syntax"],
    [{ nativePageRanges: '3-2' }, "Chromium does not handle the page ranges '3-2' (nativePageRanges) syntax"],
    [{ nativePageRanges: '2-3' }, "The page ranges '2-3' (nativePageRanges) exceeds the page count"],
    [{ paperWidth: '0' }, ABERRANT],
    [{ marginLeft: '1000000' }, ABERRANT],
    [{ marginTop: '-1' }, ABERRANT],
    [{ scale: '5' }, ABERRANT],
    [
      { waitForExpression: 'undefined' },
      "The expression 'undefined' (waitForExpression) returned an exception or undefined",
    ],
    [
      { waitForExpression: 'throw' },
      "The expression 'throw' (waitForExpression) returned an exception or undefined",
    ],
    [{ waitForSelector: '((' }, "The selector '((' (waitForSelector) returned an exception or undefined"],
  ])('400 for %o', async (fields, text) => {
    expect(await htmlFault('<p>x', fields)).toEqual([400, text]);
  });

  test('409 for the resources and scripts with which the form does not put up', async () => {
    const resource = `<link rel=stylesheet href=none.css><link rel=stylesheet href="${origins.first.origin}/404">`;
    expect(await htmlFault(resource, { failOnResourceHttpStatusCodes: '[499,599]' })).toEqual([
      409,
      `Invalid HTTP status code from resources:\n${origins.first.origin}/404 - 404: Not Found`,
    ]);
    const ignored = {
      failOnResourceHttpStatusCodes: '[404]',
      ignoreResourceHttpStatusDomains: '["127.0.0.1"]',
    };
    expect((await post('html', { files: { 'index.html': resource }, fields: ignored })).status).toBe(200);
    expect(await htmlFault(resource, { failOnResourceLoadingFailed: 'true' })).toEqual([
      409,
      'Chromium failed to load resources: resource Stylesheet: net::ERR_FILE_NOT_FOUND',
    ]);
    const blocked = `<link rel=stylesheet href="${origins.blocked.origin}/a.css">`;
    expect(await htmlFault(blocked, { failOnResourceLoadingFailed: 'true' })).toEqual([
      409,
      'Chromium failed to load resources: resource Stylesheet: net::ERR_CONNECTION_REFUSED',
    ]);
    const [status, text] = await htmlFault('<script>throw new Error("Exception 1")</script>', {
      failOnConsoleExceptions: 'true',
    });
    expect(status).toBe(409);
    expect(text).toStartWith('Chromium console exceptions:\n');
    expect(text).toContain('Error: Exception 1');
    expect(
      await htmlFault('<script>console.log("a"); console.error("b")</script>', {
        failOnConsoleMessageTypes: '["error"]',
      }),
    ).toEqual([409, 'Chromium console messages:\nerror: b']);
  });

  test('a record with the reason of a document that failed', async () => {
    await htmlFault('<script>throw 1</script>', { failOnConsoleExceptions: 'true' });
    const { body } = await service().get('/v1/generations?limit=1');
    expect(body.data[0].status).toBe('failed');
    const { body: failed } = await service().get(`/v1/generations/${body.data[0].id}`);
    expect(failed.error).toStartWith('SCRIPT_ERROR: Chromium console exceptions:');
  });
});

describeWithPdfTools('Markdown', () => {
  const index =
    '<!doctype html><title>Doc</title><h1>Top</h1>{{ toHTML "a.md" }}{{/* a comment */}}<hr>{{- toHTML `b c.md` -}}';
  test('is shown where index.html names its file', async () => {
    const files = {
      'index.html': index,
      'a.md': '**bold** | x\n',
      'b c.md': '| a | b |\n|---|---|\n| 1 | 2 |',
    };
    expect(await textOf(pdfOf('markdown', { files }))).toBe('Top bold | x ab 12');
  });

  test('that is missing gives 400', async () => {
    const files = { 'index.html': '{{ toHTML "a.md" }}{{ toHTML "b.md" }}{{ toHTML "c.md" }}', 'a.md': 'a' };
    expect(await fault('markdown', { files })).toEqual([400, "Markdown file(s) not found: 'b.md'\n'c.md'"]);
    expect(await fault('markdown', { files: { 'index.html': 'x' } })).toEqual([
      400,
      'Invalid form data: no form file found for extensions: [.md]',
    ]);
    const [status, text] = await fault('markdown', { files: { 'index.html': '{{ .Secret }}', 'a.md': 'a' } });
    expect(status).toBe(400);
    expect(text).toStartWith("index.html: '{{ .Secret ' is not an action");
  });
});
