import { beforeAll, describe, expect, test } from 'bun:test';
import { completed, submit } from '../../support/batch/batches.ts';
import { startAssetSite } from '../../support/sites/asset-site.ts';
import { untilResponse } from '../../support/service/in-time.ts';
import { describeWithPdfTools, links, pdfText } from '../../support/pdf/pdf.ts';
import { TestService } from '../../support/service/service.ts';
import { serviceOnDemand, sharedService } from '../../support/service/shared-service.ts';
import { startWebOrigins, type Responder } from '../../support/sites/web-origins.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';

const PAGE = `<!doctype html><title>Statement</title><link rel="stylesheet" href="/style.css">
  <p>Statement for <span id="name"></span></p><a href="/next?x=1#y">next</a>
  <script>fetch('/name').then((answer) => answer.text()).then((text) => { document.getElementById('name').textContent = text })</script>`;

const FILES: Record<string, [type: string, body: string]> = {
  '/': ['text/html', PAGE],
  '/strict': ['text/html', '<p>strict</p>'],
  '/style.css': ['text/css', 'p::before { content: "Styled: " }'],
  '/imported.css': ['text/css', 'body::after { content: "imported" }'],
  '/name': ['text/plain', 'Ada'],
  '/xhtml': [
    'application/xhtml+xml',
    '<html xmlns="http://www.w3.org/1999/xhtml"><body><p>XHTML</p></body></html>',
  ],
  '/agent': ['text/html', '<script>document.write(navigator.userAgent)</script>'],
  '/later': ['text/html', '<p>first</p><script>location = "/xhtml"</script>'],
  '/to-blocked': ['text/html', '<p>first</p><script>location = "BLOCKED/"</script>'],
  '/slow': [
    'text/html',
    '<p id="p">first</p><script>setTimeout(() => { p.textContent = "later"; p.id = "done" }, 700)</script>',
  ],
  '/report': [
    'text/html',
    '<nav data-toc="h2"></nav><h2 style="break-before: page">Costs</h2><h2 style="break-before: page">Plan</h2>',
  ],
  '/worker': [
    'text/html',
    `<p>with a worker</p><script>
      const answered = (port) => new Promise((resolve) => { port.onmessage = resolve });
      Promise.all([answered(new Worker("/script")), answered(new SharedWorker("/script").port)])
        .then(() => { document.querySelector('p').id = 'done' })
    </script>`,
  ],
  '/script': [
    'text/javascript',
    'self.postMessage?.(1); onconnect = ({ ports: [port] }) => port.postMessage(1)',
  ],
  '/pdf': ['application/pdf', '%PDF-1.7'],
  '/png': ['image/png', 'x'],
  '/svg': ['image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'],
  '/json': ['application/json', '{}'],
  '/text': ['text/plain', 'text'],
  '/zip': ['application/zip', 'PK'],
};

const respond: Responder = (request, response, { first, second, blocked }) => {
  const path = request.url?.split('?')[0] ?? '/';
  const redirect = (location: string) => void response.writeHead(302, { location }).end();
  if (path === '/moved') return redirect('/');
  if (path === '/away') return redirect(`${second.origin}/`);
  if (path === '/loop') return redirect('/loop');
  if (path === '/private') return redirect('http://10.0.0.1/admin?token=7431');
  if (path === '/blocked') return redirect(`${blocked.origin}/`);
  if (path === '/blocked-tls') return redirect(`${blocked.origin.replace('http', 'https')}/`);
  if (path === '/file') return redirect('file:///etc/passwd');
  if (path === '/data') return redirect('data:text/html,x');
  if (path === '/silent') return;
  if (path === '/endless-first')
    return void response.writeHead(200, { 'content-type': 'text/html' }).write(FILES['/later']?.[1] ?? '');
  if (path === '/cut') return void response.destroy();
  const [, status] = /^\/(\d{3})$/.exec(path) ?? [];
  if (status === '401') response.setHeader('www-authenticate', 'Basic realm="x"');
  if (status) return void response.writeHead(Number(status), { 'content-type': 'text/html' }).end('<p>x');
  if (path === '/download') response.setHeader('content-disposition', 'attachment; filename="x.html"');
  if (path === '/strict')
    response.setHeader('content-security-policy', "style-src 'self'; script-src 'none'");
  // The egress guard uses this header in its own responses.
  if (path === '/forged') response.setHeader('x-platen-egress', 'refused');
  const [type, body] = FILES[path] ?? ['text/html', '<p>other'];
  response.setHeader('content-type', type);
  response.end(body.replace('BLOCKED', blocked.origin).replace('FIRST', first.origin));
};

const origins = await startWebOrigins(respond);
const service = sharedService({ env: origins.env });
const withShortDeadline = serviceOnDemand({ env: { ...origins.env, RENDER_TIMEOUT_MS: '3000' } });
beforeAll(() => origins.reset());

const at = (path: string): string => origins.first.origin + path;

async function print(body: object): Promise<string> {
  return (await pdfText(await service().pdf(body))).replace(/\s+/g, ' ').trim();
}

describeWithPdfTools('a URL', () => {
  test('is loaded with its assets and scripts, and printed', async () => {
    expect(await print({ url: at('/') })).toBe('Styled: Statement for Ada next');
    expect(await print({ url: `${origins.secure.origin}/` })).toBe('Styled: Statement for Ada next');
    expect(await print({ url: at('/xhtml') })).toBe('XHTML');
  });

  test.if(isThorough)('keeps its links, resolved against its address', async () => {
    expect(await links(await service().pdf({ url: at('/') }))).toEqual([at('/next?x=1#y')]);
  });

  test('may redirect, also to another origin', async () => {
    expect(await print({ url: at('/moved') })).toBe('Styled: Statement for Ada next');
    expect(await print({ url: at('/away') })).toBe('Styled: Statement for Ada next');
  });

  test('may navigate by script, also while it loads', async () => {
    // Chromium does not always report the end of the first request.
    const urls = ['/later', '/endless-first'].flatMap((path) =>
      Array.from({ length: isThorough ? 6 : 1 }, () => at(path)),
    );
    expect(await Promise.all(urls.map((url) => print({ url })))).toEqual(urls.map(() => 'XHTML'));
  });

  test('gets the styles of the request after its own, whatever its Content-Security-Policy', async () => {
    const styles = 'p::before { content: "Added </style> " }';
    expect(await print({ url: at('/'), styles })).toBe('Added </style> Statement for Ada next');
    expect(await print({ url: at('/strict'), styles })).toBe('Added </style> strict');
  });

  test.if(isThorough)(
    'gets the style sheets that its styles import, unless its Content-Security-Policy forbids them',
    async () => {
      const styles = '@import "/imported.css"; p::before { content: "Added " }';
      expect(await print({ url: at('/'), styles })).toBe('Added Statement for Ada next imported');
      expect(await print({ url: at('/xhtml'), styles })).toBe('Added XHTML imported');
      expect(await print({ url: at('/strict'), styles })).toBe('Added strict');
    },
  );

  test('has the header, footer and options of the request', async () => {
    const options = {
      header: '<p>Top</p>',
      footer: '<p>{{pageNumber}}/{{totalPages}}</p>',
      format: 'Letter',
    };
    expect(await print({ url: at('/xhtml'), options })).toBe('Top XHTML 1/1');
  });

  test.if(isThorough)('can be waited for, and its table of contents has page numbers', async () => {
    expect(await print({ url: at('/slow'), options: { waitFor: { selector: '#done' } } })).toBe('later');
    expect(await print({ url: at('/report') })).toBe('Costs 2 Plan 3 Costs Plan');
  });

  test.if(isThorough)('may start workers, whose scripts are in the receipt', async () => {
    const options = { waitFor: { selector: '#done' } };
    expect(await print({ url: at('/worker'), options })).toBe('with a worker');
    const { body } = await service().get('/v1/generations?limit=1');
    const { body: read } = await service().get(`/v1/generations/${body.data[0].id}?receipt=true`);
    const scripts = read.receipt.resources.entries.filter(({ type }: { type: string }) => type === 'Script');
    expect(scripts).toMatchObject([
      { url: at('/script'), outcome: 'loaded', status: 200 },
      { url: at('/script'), outcome: 'loaded', status: 200 },
    ]);
  });

  test.if(isThorough)('is requested with the user agent', async () => {
    expect(await print({ url: at('/agent'), user_agent: 'Printer/1' })).toBe('Printer/1');
    expect(await print({ url: at('/agent') })).toContain('Chrome');
  });

  test('is a source of batch items and previews', async () => {
    const accepted = await submit(service(), [{ url: at('/xhtml') }, { url: at('/404') }]);
    expect(await completed(service(), accepted)).toMatchObject({ completed: 1, failed: 1 });
    const [done, failed] = await Promise.all(
      accepted.body.generations.map(
        async ({ id }: { id: string }) => (await service().get(`/v1/generations/${id}`)).body,
      ),
    );
    expect(done).toMatchObject({ input_type: 'url', template_id: null });
    expect(await pdfText(await service().download(done.url))).toContain('XHTML');
    expect(failed.error).toBe(`ASSET_FAILED: ${at('/404')}: the server responded with 404 (text/html)`);
    const { body } = await service().post('/v1/templates/preview', { url: at('/xhtml'), output: 'base64' });
    expect(await pdfText(Buffer.from(body.data, 'base64'))).toContain('XHTML');
  });

  test('appears in the receipt without its query', async () => {
    const { body } = await service().post('/v1/generate', { url: at('/xhtml?token=7431') });
    const { body: read } = await service().get(`/v1/generations/${body.id}?receipt=true`);
    expect(read.receipt.class).toBe('active');
    expect(read.receipt.resources.entries[0]).toMatchObject({
      url: at('/xhtml?…'),
      type: 'Document',
      status: 200,
    });
  });
});

/** Pages that cannot be printed, and the end of the message after the URL. */
const faults: [path: string, code: string, says: string | RegExp][] = [
  ['/404', 'ASSET_FAILED', ': the server responded with 404 (text/html)'],
  ['/500', 'ASSET_FAILED', ': the server responded with 500 (text/html)'],
  ['/401', 'ASSET_FAILED', ': the server responded with 401 (text/html)'],
  ['/pdf', 'ASSET_FAILED', ': the response is application/pdf, not an HTML page'],
  ['/png', 'ASSET_FAILED', ': the response is image/png, not an HTML page'],
  ['/svg', 'ASSET_FAILED', ': the response is image/svg+xml, not an HTML page'],
  ['/json', 'ASSET_FAILED', ': the response is application/json, not an HTML page'],
  ['/text', 'ASSET_FAILED', ': the response is text/plain, not an HTML page'],
  ['/zip', 'ASSET_FAILED', ': the response is application/zip, not an HTML page'],
  ['/download', 'ASSET_FAILED', ': the server sends the page as a download, or without content'],
  ['/204', 'ASSET_FAILED', /: the (?:server|response)/],
  ['/304', 'ASSET_FAILED', /: the server/],
  ['/loop', 'NAVIGATION_BLOCKED', ': the server redirected more than 20 times'],
  ['/cut', 'NAVIGATION_BLOCKED', ': the host did not answer with an HTTP response'],
  ['/file', 'NAVIGATION_BLOCKED', ': the server redirects to a URL that is not http or https'],
  ['/data', 'NAVIGATION_BLOCKED', ': the server redirects to a URL that is not http or https'],
  [
    '/private',
    'NAVIGATION_BLOCKED',
    ' redirects to http://10.0.0.1/admin?…, which is refused: the address is not public',
  ],
  [
    '/blocked',
    'NAVIGATION_BLOCKED',
    ` redirects to ${origins.blocked.origin}/, which is refused: the address is not public`,
  ],
  [
    '/blocked-tls',
    'NAVIGATION_BLOCKED',
    ` redirects to ${origins.blocked.origin.replace('http', 'https')}/, which is refused: the address is not public`,
  ],
];

describe('a URL that cannot be printed gives 400 for', () => {
  async function faultOf(
    url: string,
    { on = service(), says = '' } = {},
  ): Promise<{ path: string; code: string; message: string }> {
    // On a busy machine, a short deadline may pass before the browser sends the request.
    const { status, body } = await untilResponse(
      () => on.post('/v1/generate', { url }),
      ({ body: { error } }) => error?.details[0].message.includes(says) ?? true,
    );
    expect([status, body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    const [fault] = body.error.details;
    const { body: list } = await on.get('/v1/generations?limit=1&input_type=url');
    const { body: read } = await on.get(`/v1/generations/${list.data[0].id}`);
    expect(read).toMatchObject({ status: 'failed', error: `${fault.code}: ${fault.message}` });
    return fault;
  }

  test.each(casesOfSuite(faults, 10))('%s: %s', async (path, code, says) => {
    const fault = await faultOf(at(path));
    expect(fault).toMatchObject({ path: 'url', code });
    if (typeof says === 'string') expect(fault.message).toBe(at(path) + says);
    else expect(fault.message).toMatch(says);
  });

  const { origin: blocked } = origins.blocked;
  const unreachable: [string, string, string | RegExp][] = [
    ['a private address', 'http://10.0.0.1/x?y', 'http://10.0.0.1/x?… is refused: the address is not public'],
    [
      'a private address in octal',
      'http://0177.0.0.1:8/',
      'http://127.0.0.1:8/ is refused: the address is not public',
    ],
    [
      'a metadata service',
      'http://169.254.169.254/',
      'http://169.254.169.254/ is refused: the address is not public',
    ],
    ['loopback over IPv6', 'http://[::1]:8080/', 'http://[::1]:8080/ is refused: the address is not public'],
    [
      'a name of loopback',
      `${blocked.replace('127.0.0.1', 'localhost')}/`,
      'refused: the address is not public',
    ],
    ['a refused port of an allowed host', `${blocked}/`, `${blocked}/ is refused: the address is not public`],
    [
      'a private address over TLS',
      'https://10.0.0.1/',
      'https://10.0.0.1/ is refused: the address is not public',
    ],
    ['an unknown name', 'http://nowhere.invalid/', 'http://nowhere.invalid/: the host has no address'],
    [
      'an unknown name over TLS',
      'https://nowhere.invalid/',
      'https://nowhere.invalid/: the host has no address',
    ],
    [
      'http on a port for https',
      origins.secure.origin.replace('https', 'http'),
      /: the server responded with 400|: the host did not answer/,
    ],
    ['https on a port for http', origins.first.origin.replace('http', 'https'), /TLS handshake|connection/],
  ];
  test.each(casesOfSuite(unreachable, 6))('%s', async (_name, url, says) => {
    const fault = await faultOf(url);
    expect(fault.path).toBe('url');
    if (typeof says === 'string') expect(fault.message).toContain(says);
    else expect(fault.message).toMatch(says);
    expect(origins.blocked.received).toEqual([]);
  });

  test.if(isThorough)('a server that does not respond, and names it', async () => {
    const url = at('/silent?token=7431');
    const says = `still pending: ${at('/silent?…')}`;
    const fault = await faultOf(url, { on: await withShortDeadline(), says });
    expect(fault).toMatchObject({ path: 'url', code: 'RENDER_TIMEOUT' });
    expect(fault.message).toContain(says);
  });

  test.if(isThorough)('a script that navigates to a refused address', async () => {
    const fault = await faultOf(at('/to-blocked'));
    expect(fault).toMatchObject({ path: 'url', code: 'NAVIGATION_BLOCKED' });
    expect(fault.message).toContain(`navigates to ${blocked}/, which is refused`);
  });

  test.if(isThorough)(
    'a certificate that is not trusted',
    async () => {
      const { env, untrusted } = await startAssetSite();
      await using own = await TestService.start({ env });
      const { status, body } = await own.post('/v1/generate', { url: `${untrusted}/200` });
      expect([status, body.error.details[0]]).toEqual([
        400,
        {
          path: 'url',
          code: 'NAVIGATION_BLOCKED',
          message: `${untrusted}/200: the server's certificate is not from a trusted authority`,
        },
      ]);
    },
    30_000,
  );
});

test('a URL with a fragment is not mistaken for a redirect', async () => {
  const { body } = await service().post('/v1/generate', { url: at('/404#part') });
  expect(body.error.details[0].message).toBe(`${at('/404')}: the server responded with 404 (text/html)`);
});

test('a server behind TLS cannot pose as the egress guard', async () => {
  const { status } = await service().post('/v1/generate', { url: `${origins.secure.origin}/forged` });
  expect(status).toBe(200);
});
