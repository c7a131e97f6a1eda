import { describe, expect, test } from 'bun:test';
import { inTime, untilResponse, whenNotBusy } from '../support/service/in-time.ts';
import { pageCount, pdfText, toolsAvailable } from '../support/pdf/pdf.ts';
import { sharedService } from '../support/service/shared-service.ts';
import { casesOfSuite, isThorough } from '../support/suite.ts';

const TIMEOUT_MS = 1_500;
const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } });
silent.unref();

const usual = sharedService();
/** With a short deadline, for documents that must exceed it. */
const service = sharedService({
  env: { RENDER_TIMEOUT_MS: String(TIMEOUT_MS), EGRESS_ALLOW: `127.0.0.1:${silent.port}` },
});

/**
 * Expects that documents are printed. Uses a new account, because those of the account that sent hostile
 * documents may have a lower priority.
 */
async function expectNextIsPrinted(on = service()): Promise<void> {
  const key = await on.newKey();
  for (const html of ['<p>plain</p>', '<p>active</p><script>document.body.append(" too")</script>']) {
    const { status, body } = await inTime(() => on.post('/v1/generate', { html }, key));
    expect(status).toBe(200);
    expect(body.pages).toBe(1);
  }
}

/** Documents that never finish, and the expected error, which names the phase in which they are stuck. */
const endless: Record<string, [html: string, says: RegExp]> = {
  'while (true)': [
    '<script>while (true);</script>',
    /RENDER_TIMEOUT: not finished after 1500 ms, in phase load/,
  ],
  'while (true) in a timer': [
    '<script>addEventListener("load", () => setTimeout(() => { while (true); }))</script><img src="http://127.0.0.1:PORT/a">',
    /RENDER_TIMEOUT/,
  ],
  'while (true) before print': [
    '<script>addEventListener("beforeprint", () => { while (true); })</script>',
    /RENDER_TIMEOUT: .* in phase print/,
  ],
  'endless recursion of timers that block': [
    '<script>(function again() { const end = Date.now() + 50; while (Date.now() < end); Promise.resolve().then(again); })()</script>',
    /RENDER_TIMEOUT/,
  ],
  'an image that never arrives': [
    '<img src="http://127.0.0.1:PORT/silent.png?secret=1">',
    /RENDER_TIMEOUT: .*in phase load; still pending: http:\/\/127\.0\.0\.1:\d+\/silent\.png\?…$/,
  ],
  'a style sheet that never arrives': [
    '<link rel="stylesheet" href="http://127.0.0.1:PORT/silent.css">',
    /RENDER_TIMEOUT: .*silent\.css/,
  ],
  'a script that never arrives': [
    '<script src="http://127.0.0.1:PORT/silent.js"></script>',
    /RENDER_TIMEOUT: .*silent\.js/,
  ],
};

describe('a document that never finishes ends at the deadline, and the error names its phase:', () => {
  test.each(casesOfSuite(Object.entries(endless), 8))(
    '%s',
    async (_name, [html, says]) => {
      const key = await service().newKey();
      const source = { html: html.replaceAll('PORT', String(silent.port)) };
      // On a busy machine the deadline may pass before the document reaches its phase, or even before the
      // browser responds, which is a 500.
      const { status, body } = await untilResponse(
        () => service().post('/v1/generate', source, key),
        ({ status: code, body: { error } }) =>
          code === 400 && says.test(`${error?.details[0].code}: ${error?.details[0].message}`),
      );
      expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
      const [{ code, message }] = body.error.details;
      expect(`${code}: ${message}`).toMatch(says);
      const { body: list } = await service().get('/v1/generations?limit=1', key);
      expect(list.data[0]).toMatchObject({ status: 'failed', url: null, pages: null, file_size: null });
      const { body: read } = await service().get(`/v1/generations/${list.data[0].id}`, key);
      expect(read.error).toBe(`${code}: ${message}`);
      await expectNextIsPrinted();
    },
    60_000,
  );
});

/** Documents that look hostile but print correctly. */
const harmless: Record<string, string> = {
  'names that clobber the document':
    '<p>text</p><form name="fonts"></form><form name="querySelectorAll"></form><form name="getElementById"></form><img name="images" src="data:,"><form name="body"></form>',
  'names that clobber the document, with a script':
    '<p>text</p><form name="fonts"></form><form name="querySelectorAll"></form><img name="images" src="data:,"><script></script>',
  'a word that is slow to search for': `<p>text</p><!--${'background '.repeat(30_000)}-->`,
  'setInterval forever':
    '<p>text</p><script>setInterval(() => document.body.dataset.n = Math.random(), 0)</script>',
  'alert, confirm, prompt': '<p>text</p><script>alert(1); confirm(2); prompt(3)</script>',
  'window.print()':
    '<p>text</p><script>window.print(); addEventListener("load", () => window.print())</script>',
  // The account's next document waits until this page is emptied, which never happens.
  'while (true) after printing':
    '<p>text</p><script>addEventListener("afterprint", () => setTimeout(() => { while (true); }))</script>',
  'window.close()': '<p>text</p><script>window.close()</script>',
  popups: '<p>text</p><script>for (let i = 0; i < 50; i++) window.open("about:blank")</script>',
  'a download':
    '<p>text</p><a id="a" download="x" href="data:application/octet-stream,x"></a><script>document.getElementById("a").click()</script>',
  'an event stream that keeps reconnecting':
    '<p>text</p><script>new EventSource("http://127.0.0.1:1/")</script>',
  'an endless animation':
    '<p>text</p><style>p { animation: a 1s infinite } @keyframes a { to { opacity: 0.99 } }</style>',
  beforeunload:
    '<p>text</p><script>addEventListener("beforeunload", (event) => { event.preventDefault(); event.returnValue = "stay" })</script>',
  'deep nesting': `<p>text</p>${'<div>'.repeat(5_000)}`,
  'a service worker':
    '<p>text</p><script>navigator.serviceWorker?.register("data:text/javascript,1").catch(() => {})</script>',
};

describe('a document that only looks hostile is printed:', () => {
  test.each(casesOfSuite(Object.entries(harmless), 12))(
    '%s',
    async (_name, html) => {
      const { status, body } = await usual().post('/v1/generate', { html });
      expect(status).toBe(200);
      if (toolsAvailable) expect(await pdfText(await usual().download(body.url))).toContain('text');
      await expectNextIsPrinted(usual());
    },
    60_000,
  );
});

test('a document that reloads itself without end gets a PDF or a 400', async () => {
  const html = '<p>text</p><script>setInterval(() => location.reload(), 1)</script>';
  const sent = Array.from({ length: 6 }, () => whenNotBusy(() => service().post('/v1/generate', { html })));
  for (const { status } of await Promise.all(sent)) expect([200, 400]).toContain(status);
  await expectNextIsPrinted();
}, 60_000);

describe.if(isThorough)(
  'a large document is printed or fails with a reason, and the next one is printed:',
  () => {
    const big = sharedService({ env: { RENDER_TIMEOUT_MS: '12000' } });

    test('100,000 table rows', async () => {
      const rows = Array.from({ length: 100_000 }, (_, row) => `<tr><td>${row}`).join('');
      const { status, body } = await big().post('/v1/generate', { html: `<table>${rows}</table>` });
      if (status === 200) {
        expect(body.pages).toBeGreaterThan(1_000);
        if (toolsAvailable) expect(await pageCount(await big().download(body.url))).toBe(body.pages);
      } else {
        // A fast machine reaches Chromium's own limit on the number of pages.
        expect(body.error.details[0].code).toMatch(/^RENDER_(TIMEOUT|FAILED)/);
      }
      await expectNextIsPrinted(big());
    }, 60_000);

    test('a script that exhausts the memory of its page', async () => {
      const { status, body } = await big().post('/v1/generate', {
        html: '<script>const held = []; for (;;) held.push({})</script>',
      });
      expect(status).toBe(400);
      expect(body.error.details[0].code).toMatch(/^RENDER_(FAILED|TIMEOUT)/);
      await expectNextIsPrinted(big());
    }, 60_000);

    test('3 million elements', async () => {
      const html =
        '<script>for (let i = 0; i < 3e6; i++) document.documentElement.append(document.createElement("p"))</script>';
      const { status, body } = await whenNotBusy(() => big().post('/v1/generate', { html }));
      expect([200, 400]).toContain(status);
      if (status === 400) expect(body.error.details[0].code).toMatch(/^RENDER_/);
      await expectNextIsPrinted(big());
    }, 90_000);
  },
);
