import { expect, test } from 'bun:test';
import { describeWithPdfTools, links, pdfInfo, pdfText } from '../support/pdf/pdf.ts';
import { TestService } from '../support/service/service.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { isThorough } from '../support/suite.ts';

// With a concurrency of 1, the second document is printed on the page, or in the context, that the first one
// used. The server is a site whose cookies and cache two documents could share.
const seen: { path: string; cookie: string | null }[] = [];
const site = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch(request) {
    const { pathname } = new URL(request.url);
    seen.push({ path: pathname, cookie: request.headers.get('cookie') });
    return new Response(
      pathname.endsWith('.html')
        ? '<script>localStorage.x ??= "value" + Math.random(); document.write(localStorage.x)</script>'
        : 'x',
      {
        headers: {
          'content-type': pathname.endsWith('.html') ? 'text/html' : 'text/plain',
          // Other origins send only such a cookie. Chromium accepts it from a loopback address.
          'set-cookie': 'left=behind; Path=/; SameSite=None; Secure',
          'cache-control': 'public, max-age=3600',
          'access-control-allow-origin': '*',
        },
      },
    );
  },
});
site.unref();
const origin = `http://127.0.0.1:${site.port}`;

const service = sharedService({
  env: { EGRESS_ALLOW: `127.0.0.1:${site.port}` },
  config: { plugins: { render: { concurrency: 1 } } },
});

/** Prints two documents in turn, each with its key, and returns the text of the second. */
async function printAfter(
  first: string,
  second: string,
  keys: { first?: string; second?: string } = {},
): Promise<string> {
  const before = await service().post('/v1/generate', { html: first }, keys.first);
  expect(before.status).toBe(200);
  const { status, body } = await service().post('/v1/generate', { html: second }, keys.second);
  expect(status).toBe(200);
  return (await pdfText(await service().download(body.url))).trim();
}

const script = (code: string) => `<body><script>${code}</script>`;
const show = (expression: string) => script(`document.write(${expression})`);

describeWithPdfTools('a document leaves nothing behind:', () => {
  test('globals, prototypes and overwritten functions', async () => {
    const text = await printAfter(
      script(
        'window.left = 1; Array.prototype.left = 2; JSON.stringify = () => "mine"; Object.defineProperty(document, "fonts", { value: 1 })',
      ),
      show('[typeof window.left, typeof [].left, JSON.stringify(1), document.fonts.status].join()'),
    );
    expect(text).toBe('undefined,undefined,1,loaded');
  });

  test('timers, animation frames, observers and listeners', async () => {
    const busy =
      'const mark = () => { document.body?.setAttribute("class", Math.random()); document.querySelector("p")?.append("left"); };';
    const text = await printAfter(
      script(
        `${busy} setInterval(mark, 1); requestAnimationFrame(function again() { mark(); requestAnimationFrame(again); }); addEventListener("beforeprint", mark); new MutationObserver(mark).observe(document, { childList: true })`,
      ),
      `<p>clean</p>${script('const end = Date.now() + 60; while (Date.now() < end);')}`,
    );
    expect(text).toBe('clean');
  });

  test.if(isThorough)('window.name', async () => {
    expect(await printAfter(script('window.name = "left"'), show('"[" + window.name + "]"'))).toBe('[]');
  });

  test.if(isThorough)('history', async () => {
    const leave = script('history.pushState({ left: 1 }, ""); location.hash = "left"');
    expect(await printAfter(leave, show('[history.length, history.state, location.href].join()'))).toBe(
      '1,,about:blank',
    );
    // There is no page to go back to.
    expect(await printAfter(leave, `text${script('history.back()')}`)).toBe('text');
  });

  test.if(isThorough)('Content-Security-Policy', async () => {
    const text = await printAfter(
      `<meta http-equiv="Content-Security-Policy" content="script-src 'none'; style-src 'none'">x`,
      show('"scripts run"'),
    );
    expect(text).toBe('scripts run');
  });

  test('base URL, for a document with and without scripts', async () => {
    const relative = '<p><a href="page">a link</a>';
    for (const second of [relative, `${relative}<script></script>`]) {
      await service().post('/v1/generate', { html: '<base href="https://left.example/behind/">x' });
      const pdf = await service().pdf({ html: second });
      expect(await links(pdf)).toEqual([]);
    }
  });

  test.if(isThorough)('title, page size and styles of a plain document', async () => {
    await service().post('/v1/generate', {
      html: '<!doctype html><html lang="ar" dir="rtl"><title>left</title><style>@page { size: A5 } p { display: none }</style><p>x',
    });
    const pdf = await service().pdf({ html: '<p>shown</p>' });
    const info = await pdfInfo(pdf);
    expect(info['Title'] ?? '').not.toContain('left');
    expect(info['Page size']).toContain('A4');
    expect((await pdfText(pdf)).trim()).toBe('shown');
  });

  test('storage, which a document cannot use at all', async () => {
    const probe =
      '(() => { try { return String(localStorage.length) } catch (error) { return error.name } })()';
    expect(await printAfter(script('try { localStorage.x = 1 } catch {}'), show(probe))).toBe(
      'SecurityError',
    );
    const database = `<body><script>const request = (() => { try { return indexedDB.open("x") } catch (error) { document.write(error.name) } })(); if (request) { request.onsuccess = () => document.body.append("opened"); request.onerror = () => document.body.append("refused") }</script>`;
    expect(await printAfter(database, database)).toBe('SecurityError');
  });

  test('cookies and cache of a site, between accounts and within one', async () => {
    const load = `<script>fetch("${origin}/data.txt", { credentials: "include" }).catch(() => {})</script>text`;
    const [mine, other] = [await service().newKey(), await service().newKey()];
    for (const second of [mine, other]) {
      seen.length = 0;
      expect(await printAfter(load, load, { first: mine, second })).toBe('text');
      const requests = seen.filter(({ path }) => path === '/data.txt');
      // With a shared cache the second request would be missing.
      expect(requests.length).toBe(2);
      expect(requests.map(({ cookie }) => cookie)).toEqual([null, null]);
    }
  });

  test.if(isThorough)("storage of a site's frame", async () => {
    const visit = `<iframe src="${origin}/frame.html"></iframe>`;
    const key = await service().newKey();
    const values = [
      await printAfter('x', visit, { second: key }),
      await printAfter('x', visit, { second: key }),
    ];
    for (const value of values) expect(value).toMatch(/^value0\.\d+$/);
    expect(values[0]).not.toBe(values[1] ?? '');
  });

  test('BroadcastChannel, between documents that are printed at the same time', async () => {
    await using parallel = await TestService.start({ config: { plugins: { render: { concurrency: 2 } } } });
    const speak = script(
      'const channel = new BroadcastChannel("c"); const end = Date.now() + 500; const say = () => { channel.postMessage("heard"); if (Date.now() < end) setTimeout(say, 10); }; say(); const wait = Date.now() + 300; while (Date.now() < wait);',
    );
    const listen = script(
      'new BroadcastChannel("c").onmessage = ({ data }) => document.body.append(data); document.body.append("listens"); const wait = Date.now() + 400; while (Date.now() < wait);',
    );
    const [, heard] = await Promise.all([
      parallel.post('/v1/generate', { html: speak }),
      parallel.post('/v1/generate', { html: listen }),
    ]);
    expect((await pdfText(await parallel.download(heard.body.url))).trim()).toBe('listens');
  });

  test.if(isThorough)('fonts, custom properties and custom elements', async () => {
    const text = await printAfter(
      script(
        'document.fonts.add(new FontFace("left", "local(Liberation Serif)")); CSS.registerProperty({ name: "--left", syntax: "<length>", inherits: false, initialValue: "3px" }); customElements.define("x-left", class extends HTMLElement { connectedCallback() { this.textContent = "left" } })',
      ),
      `<x-left></x-left><script>document.write([document.fonts.size, getComputedStyle(document.body).getPropertyValue("--left"), typeof customElements.get("x-left")].join())</script>`,
    );
    expect(text).toBe('0,,undefined');
  });
});
