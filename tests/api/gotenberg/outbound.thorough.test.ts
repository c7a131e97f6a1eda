import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { postForm } from '../../support/gotenberg/client.ts';
import { TestService } from '../../support/service/service.ts';
import { Receiver, type Received } from '../../support/sites/receiver.ts';
import { until } from '../../support/until.ts';

const echo = join(import.meta.dir, '..', '..', 'fixtures', 'plugins', 'gotenberg-echo.ts');

/** The server of files. Paths below `/listed/` match the operator's list. */
const site = new Receiver(({ path, headers }, count) => {
  const named = (name: string) => {
    const disposition = { 'content-disposition': `attachment; filename="${name}"` };
    return new Response(`file of ${path}`, { headers: disposition });
  };
  if (path === '/listed/flaky' && count < 3)
    return new Response(null, { status: 503, headers: { 'retry-after': '0' } });
  if (path === '/listed/down') return new Response(null, { status: 500, headers: { 'retry-after': '0' } });
  if (path === '/listed/missing') return new Response(null, { status: 404 });
  if (path === '/listed/unnamed') return new Response('x');
  if (path === '/listed/large')
    return new Response(new Uint8Array(300_000), {
      headers: { 'content-disposition': 'attachment; filename=a.pdf' },
    });
  if (path === '/listed/moved') return Response.redirect(site.url('/listed/a.pdf'), 302);
  if (path === '/listed/inside') return Response.redirect(site.url('/secret'), 302);
  if (path === '/listed/guarded' && !headers['authorization']) return new Response(null, { status: 401 });
  return named(`../${path.split('/').at(-1)}.pdf`);
});

/** The receiver of webhooks, and one that no setting allows. */
const receiver = new Receiver(({ path }, count) => {
  if (path.startsWith('/flaky') && count < 3) return new Response(null, { status: 502 });
  if (path.startsWith('/refusing')) return new Response(null, { status: 400 });
  if (path.startsWith('/broken')) return new Response(null, { status: 500 });
  if (path.startsWith('/moved')) return Response.redirect(receiver.url('/at-last'), 307);
  return new Response(null, { status: 204 });
});
const forbidden = new Receiver();

let service: TestService;
let synchronous: TestService;
beforeAll(async () => {
  const env = {
    API_BODY_LIMIT: '200KB',
    API_DOWNLOAD_FROM_ALLOW_LIST: String.raw`^http://([^@/]+@)?127\.0\.0\.1:\d+/listed/`,
    API_DOWNLOAD_FROM_DENY_LIST: 'denied',
    API_DOWNLOAD_FROM_MAX_RETRY: '2',
    EGRESS_ALLOW: receiver.host,
    WEBHOOK_MAX_RETRY: '2',
    WEBHOOK_RETRY_MIN_WAIT: '5ms',
    WEBHOOK_DENY_LIST: '/denied$',
  };
  const config = { plugins: { [echo]: true } };
  service = await TestService.start({ env, config });
  synchronous = await TestService.start({ env: { ...env, WEBHOOK_ENABLE_SYNC_MODE: 'true' }, config });
}, 60_000);
afterAll(async () => {
  for (const part of [service, synchronous, site, receiver, forbidden]) await part[Symbol.asyncDispose]();
}, 60_000);

describe('downloadFrom', () => {
  const download = (entries: unknown, files: { name: string; content: string }[] = []) =>
    postForm(service, 'forms/test/files', {
      fields: { downloadFrom: typeof entries === 'string' ? entries : JSON.stringify(entries) },
      files,
      headers: { 'gotenberg-trace': 'traced' },
    });
  const listed = (path: string) => ({ url: site.url(`/listed/${path}`) });

  test('adds files from URLs that the operator lists, although their addresses are private', async () => {
    const extraHttpHeaders = { 'X-Foo': 'bar', Host: 'example.com' };
    const { status, text } = await download([{ ...listed('one'), extraHttpHeaders }]);
    expect([status, text]).toEqual([200, 'file of /listed/one']);
    const [{ headers } = { headers: {} }] = site.at('/listed/one');
    expect(headers).toMatchObject({
      'x-foo': 'bar',
      host: site.host,
      'user-agent': 'Gotenberg',
      'gotenberg-trace': 'traced',
    });
  });

  test('adds embedded files to their field; a file of the form has precedence', async () => {
    const entries = [
      listed('a'),
      listed('b'),
      { ...listed('c'), embedded: true },
      { ...listed('b'), field: 'x' },
    ];
    const { type, text } = await download(entries, [{ name: 'b.pdf', content: 'my own' }]);
    expect(type).toBe('application/zip');
    const found = [...text.matchAll(/file of \/listed\/\w|my own/g)].map(([each]) => each);
    expect(found).toEqual(['file of /listed/a', 'my own', 'file of /listed/c']);
  });

  test('uses the last one of several downloads with the same name', async () => {
    const { text } = await download([listed('x/same'), listed('y/same')]);
    expect(text).toBe('file of /listed/y/same');
  });

  test('follows redirects, sends the credentials of the URL, and repeats what may succeed', async () => {
    expect((await download([listed('moved')])).text).toBe('file of /listed/a.pdf');
    const guarded = site.url('/listed/guarded').replace('//', '//ann:s%20e@');
    expect((await download([{ url: guarded }])).status).toBe(200);
    const authorization = `Basic ${Buffer.from('ann:s e').toString('base64')}`;
    expect(site.at('/listed/guarded').at(-1)?.headers['authorization']).toBe(authorization);
    expect((await download([listed('flaky')])).text).toBe('file of /listed/flaky');
    expect(site.at('/listed/flaky')).toHaveLength(3);
  });

  test.each([
    [
      'foo',
      "Invalid 'downloadFrom' form field value: invalid character 'o' in literal false (expecting 'a')",
    ],
    [
      {},
      "Invalid 'downloadFrom' form field value: json: cannot unmarshal object into Go value of type []api.downloadFrom",
    ],
    [
      [{ url: 1 }],
      "Invalid 'downloadFrom' form field value: json: cannot unmarshal number into Go struct field downloadFrom.url of type string",
    ],
    [[{ url: ' ' }], "Invalid 'downloadFrom' form field entry 0: URL must be set"],
    [
      [{ url: 'file:///etc/passwd' }],
      "Unable to download file from 'file:///etc/passwd': it must be an http or https URL",
    ],
  ])('%p is rejected: %s', async (entries, message) => {
    const { status, text } = await download(entries);
    expect([status, text]).toEqual([400, message]);
  });

  test('says why a file cannot be downloaded', async () => {
    const cases = [
      ['missing', "Unable to download file from '…': got status: '404 Not Found'"],
      ['unnamed', "No 'Content-Disposition' header from '…'"],
      ['down', "Unable to download file from '…': GET … giving up after 3 attempt(s)"],
    ] as const;
    for (const [path, message] of cases) {
      const { url } = listed(path);
      const { status, text } = await download([listed('one'), { url }]);
      expect([status, text.replaceAll(url, '…')]).toEqual([400, message]);
    }
  });

  test('refuses URLs that are denied or not listed, also after a redirect', async () => {
    for (const url of [
      listed('denied').url,
      site.url('/secret'),
      listed('inside').url,
      listed('../secret').url,
      `${site.url('/secret')}?${listed('x').url}`,
    ]) {
      const { status, text } = await download([{ url }]);
      expect([url, status, text]).toEqual([url, 403, 'Forbidden']);
    }
    expect(site.at('/secret')).toEqual([]);
  });

  test('counts towards the limit of the body', async () => {
    const { status, text } = await download([listed('large')]);
    expect([status, text]).toEqual([413, 'Request Entity Too Large']);
  });
});

const file = { name: 'a.pdf', content: 'content of a' };
const send = (
  to: TestService,
  paths: { url: string; error?: string; events?: string },
  {
    fields,
    headers,
    files = [file],
  }: { fields?: Record<string, string>; headers?: Record<string, string>; files?: (typeof file)[] } = {},
) =>
  postForm(to, 'forms/test/files', {
    ...(fields && { fields }),
    files,
    headers: {
      'gotenberg-webhook-url': receiver.url(paths.url),
      ...(paths.error !== undefined && { 'gotenberg-webhook-error-url': receiver.url(paths.error) }),
      ...(paths.events !== undefined && { 'gotenberg-webhook-events-url': receiver.url(paths.events) }),
      'gotenberg-trace': 'traced',
      ...headers,
    },
  });
/** Waits for the first request to a path. */
const first = async (path: string): Promise<Received> => {
  await until(() => receiver.at(path).length > 0);
  const [found] = receiver.at(path);
  if (!found) throw new Error(`nothing came to ${path}`);
  return found;
};
const contentOf = ({ body }: Received): unknown => JSON.parse(body);

describe('a webhook', () => {
  test('gets the file after a 204, and then the event', async () => {
    const extra = JSON.stringify({ 'X-Foo': 'bar', 'Content-Length': '1' });
    const headers = {
      'gotenberg-webhook-extra-http-headers': extra,
      'gotenberg-webhook-method': 'put',
      'gotenberg-output-filename': 'foo',
    };
    const { status, text } = await send(
      service,
      { url: '/ok', error: '/ok-error', events: '/ok-events' },
      { headers },
    );
    expect([status, text]).toEqual([204, '']);
    const sent = await first('/ok');
    expect([sent.method, sent.body]).toEqual(['PUT', 'content of a']);
    expect(sent.headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': expect.stringContaining('filename="foo.pdf"'),
      'content-length': '12',
      'user-agent': 'Gotenberg',
      'gotenberg-trace': 'traced',
      'x-foo': 'bar',
    });
    const event = await first('/ok-events');
    expect(contentOf(event)).toEqual({
      event: 'webhook.success',
      correlationId: 'traced',
      timestamp: expect.stringMatching(/^\d{4}-/),
    });
    expect(event.headers['x-foo']).toBeUndefined();
    expect(receiver.at('/ok-error')).toEqual([]);
  });

  test('gets an archive of several files, with the disposition that the caller chooses', async () => {
    const headers = { 'gotenberg-webhook-extra-http-headers': '{"Content-Disposition":"inline"}' };
    await send(
      service,
      { url: '/zip', events: '/zip-events' },
      { headers, files: [file, { ...file, name: 'b.pdf' }] },
    );
    const sent = await first('/zip');
    expect([sent.headers['content-type'], sent.headers['content-disposition']]).toEqual([
      'application/zip',
      'inline',
    ]);
  });

  test('gets the failure of the work, also of an invalid form', async () => {
    const cases = [
      [{ mode: 'conflict' }, [file], 409, 'Invalid HTTP status code: 404'],
      [{ mode: 'fault' }, [file], 500, 'Internal Server Error'],
      [{}, [], 400, 'Invalid form data: no form file found for extensions: [.pdf]'],
    ] as const;
    for (const [index, [fields, files, status, message]] of cases.entries()) {
      const paths = { url: `/never-${index}`, error: `/error-${index}`, events: `/events-${index}` };
      const headers = { 'gotenberg-webhook-error-method': 'PATCH' };
      expect((await send(service, paths, { fields, files: [...files], headers })).status).toBe(204);
      const sent = await first(paths.error);
      expect([sent.method, contentOf(sent)]).toEqual(['PATCH', { status, message }]);
      expect(contentOf(await first(paths.events))).toMatchObject({
        event: 'webhook.error',
        error: { status, message },
      });
      expect(receiver.at(paths.url)).toEqual([]);
    }
  });

  test('is repeated, follows redirects that keep the file, and is given up', async () => {
    await send(service, { url: '/flaky', events: '/flaky-events' });
    await first('/flaky-events');
    expect(receiver.at('/flaky').map(({ body }) => body)).toEqual(Array(3).fill('content of a'));
    await send(service, { url: '/moved', events: '/moved-events' });
    expect((await first('/at-last')).body).toBe('content of a');
    await send(service, { url: '/broken', error: '/broken-error', events: '/broken-events' });
    expect(contentOf(await first('/broken-error'))).toEqual({
      status: 500,
      message: 'Internal Server Error',
    });
    expect(receiver.at('/broken')).toHaveLength(3);
    await send(service, { url: '/refusing', error: '/refusing-error' });
    await first('/refusing-error');
    expect(receiver.at('/refusing')).toHaveLength(1);
  });

  test('is tried again while the service is busy', async () => {
    await send(service, { url: '/once', events: '/once-events' }, { fields: { mode: 'once' } });
    expect((await first('/once')).body).toBe('content of a');
  }, 30_000);

  test.each([
    [
      { 'gotenberg-webhook-events-url': '' },
      400,
      "At least one of 'Gotenberg-Webhook-Error-Url' or 'Gotenberg-Webhook-Events-Url' headers must be provided",
    ],
    [
      { 'gotenberg-webhook-method': 'get' },
      400,
      "Invalid 'Gotenberg-Webhook-Method' header value: expected 'POST', 'PATCH' or 'PUT', but got 'GET'",
    ],
    [
      { 'gotenberg-webhook-extra-http-headers': 'foo' },
      400,
      "Invalid 'Gotenberg-Webhook-Extra-Http-Headers' header value: invalid character 'o' in literal false (expecting 'a')",
    ],
    [{ 'gotenberg-webhook-url': forbidden.url('/') }, 403, 'Forbidden'],
    [{ 'gotenberg-webhook-url': 'http://localhost:1/' }, 403, 'Forbidden'],
    [{ 'gotenberg-webhook-url': receiver.url('/denied') }, 403, 'Forbidden'],
    [{ 'gotenberg-webhook-events-url': forbidden.url('/') }, 403, 'Forbidden'],
    [
      { 'gotenberg-webhook-url': 'ftp://example.com/' },
      400,
      "Invalid 'Gotenberg-Webhook-Url' header value: expected an http or https URL",
    ],
  ])('with the headers %p gets %i at once', async (headers, expected, message) => {
    const { status, text } = await send(service, { url: '/x', events: '/x' }, { headers });
    expect([status, text]).toEqual([expected, message]);
    expect(receiver.at('/x')).toEqual([]);
  });

  test('leaves nothing behind', async () => {
    await send(service, { url: '/last', events: '/last-events' });
    await first('/last-events');
    const folder = join(service.dataDir, 'files');
    const stored = () =>
      readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    await until(() => stored().length === 0);
    expect(forbidden.received).toEqual([]);
  });
});

describe('a webhook in synchronous mode', () => {
  test('has its file before the response', async () => {
    const { status } = await send(synchronous, { url: '/now', events: '/now-events' });
    expect(status).toBe(204);
    expect(receiver.at('/now').map(({ body }) => body)).toEqual(['content of a']);
    expect(receiver.at('/now-events').map(contentOf)).toMatchObject([{ event: 'webhook.success' }]);
  });

  test('gets failures of the work and of the delivery', async () => {
    const paths = { url: '/sync', error: '/sync-error', events: '/sync-events' };
    expect((await send(synchronous, paths, { fields: { mode: 'conflict' } })).status).toBe(204);
    await send(synchronous, { ...paths, url: '/refusing-now' });
    expect(receiver.at('/sync-error').map(contentOf)).toEqual([
      { status: 409, message: 'Invalid HTTP status code: 404' },
      { status: 500, message: 'Internal Server Error' },
    ]);
    expect(receiver.at('/sync-events').map(contentOf)).toMatchObject([
      { error: { status: 409 } },
      { error: { status: 500 } },
    ]);
  });

  test('cannot get the result of a route that makes no files', async () => {
    const headers = {
      'gotenberg-webhook-url': receiver.url('/json'),
      'gotenberg-webhook-error-url': receiver.url('/json-error'),
    };
    await postForm(synchronous, 'forms/test/fields', { fields: { url: 'x' }, headers });
    expect(receiver.at('/json-error').map(contentOf)).toEqual([
      {
        status: 400,
        message:
          'The webhook middleware can only work with multipart/form-data routes that results in output files',
      },
    ]);
  });
});
