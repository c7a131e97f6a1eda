import { beforeAll, expect, test } from 'bun:test';
import { ChromiumForms } from '../../support/gotenberg/chromium-forms.ts';
import { describeWithPdfTools } from '../../support/pdf/pdf.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { startWebOrigins } from '../../support/sites/web-origins.ts';

const origins = await startWebOrigins((request, response, { blocked }) => {
  const path = request.url ?? '/';
  const [, status] = /^\/(\d{3})$/.exec(path) ?? [];
  response.setHeader('content-type', path.endsWith('.css') ? 'text/css' : 'text/html');
  if (status) return void response.writeHead(Number(status)).end(`<p>status ${status}`);
  if (path === '/text') return void response.setHeader('content-type', 'text/plain').end('plain text');
  if (path === '/to-blocked') return void response.writeHead(302, { location: blocked.origin }).end();
  response.end('<title>Page</title><p>web page</p><link rel="stylesheet" href="/404">');
});
const service = sharedService({ env: origins.env, config: { plugins: { gotenberg: {} } } });
beforeAll(() => origins.reset());
const { pdfOf, textOf, fault } = new ChromiumForms(service);

describeWithPdfTools('a web page', () => {
  const url = (path: string, fields: Record<string, string> = {}) => ({
    fields: { url: origins.first.origin + path, ...fields },
  });

  test('is printed with its resources, whatever its type is', async () => {
    expect(await textOf(pdfOf('url', url('/')))).toBe('web page');
    expect(await textOf(pdfOf('url', url('/text')))).toBe('plain text');
  });

  test('with an error status gives 409, unless the form says otherwise', async () => {
    expect(await fault('url', url('/404'))).toEqual([
      409,
      'Invalid HTTP status code from the main page: 404: Not Found',
    ]);
    expect(await textOf(pdfOf('url', url('/404', { failOnHttpStatusCodes: '[]' })))).toBe('status 404');
    expect((await fault('url', url('/', { failOnHttpStatusCodes: '[299]' })))[0]).toBe(409);
    // It does not wait for a condition that the error page never meets.
    expect((await fault('url', url('/500', { waitForSelector: '#never' })))[0]).toBe(409);
  });

  test('at a private address gives 403, also after a redirect', async () => {
    const blocked = { fields: { url: origins.blocked.origin } };
    expect(await fault('url', blocked)).toEqual([403, 'Forbidden']);
    expect(await fault('url', url('/to-blocked'))).toEqual([403, 'Forbidden']);
    expect(origins.blocked.received).toEqual([]);
  });

  test('that cannot be loaded gives 400', async () => {
    expect(await fault('url', { fields: { url: 'http://host.invalid/' } })).toEqual([
      400,
      'Chromium returned net::ERR_NAME_NOT_RESOLVED',
    ]);
    expect(await fault('url', { fields: { url: 'https://host.invalid/' } })).toEqual([
      400,
      'Chromium returned net::ERR_NAME_NOT_RESOLVED',
    ]);
    expect(await fault('url', {})).toEqual([400, "Invalid form data: form field 'url' is required"]);
    expect(await fault('url', { fields: { url: 'file:///etc/passwd' } })).toEqual([
      400,
      'file:// URLs are not accepted on this route. Use the /convert/html or /convert/markdown routes to render local HTML',
    ]);
    expect((await fault('url', { fields: { url: 'chrome://version' } }))[0]).toBe(400);
  });
});
