import { describe, expect, test } from 'bun:test';
import { submit } from '../../support/batch/batches.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

const url = 'https://app.example.com/invoice';
const cookie = (more: object) => ({ url, cookies: [{ name: 'a', value: 'b', ...more }] });

/** Invalid requests and the field that the error names. */
const invalidRequests: [name: string, body: Record<string, unknown>, field: string][] = [
  ['a relative URL', { url: '/x' }, 'url'],
  ['a file: URL', { url: 'file:///etc/passwd' }, 'url'],
  ['a data: URL', { url: 'data:text/html,x' }, 'url'],
  ['a javascript: URL', { url: 'javascript:alert(1)' }, 'url'],
  ['an ftp: URL', { url: 'ftp://example.com/' }, 'url'],
  ['a view-source: URL', { url: 'view-source:http://example.com' }, 'url'],
  ['an empty URL', { url: '' }, 'url'],
  ['a URL without a host', { url: 'http://' }, 'url'],
  ['a URL that is too long', { url: `http://example.com/${'x'.repeat(4_100)}` }, 'url'],
  ['a URL that is too long once it is encoded', { url: `http://example.com/${'é'.repeat(1_000)}` }, 'url'],
  ['a user in the URL', { url: 'http://ann@example.com/' }, 'url'],
  ['a password in the URL', { url: 'http://:pw@example.com/' }, 'url'],
  ['data', { url, data: { a: 1 } }, 'data'],
  ['a template version', { url, template_version: 1 }, 'template_version'],
  ['cookies without a URL', { html: 'x', cookies: [{ name: 'a', value: 'b' }] }, 'cookies'],
  ['headers without a URL', { markdown: 'x', headers: { 'x-a': 'b' } }, 'headers'],
  ['basic_auth without a URL', { react: 'x', basic_auth: { username: 'a', password: 'b' } }, 'basic_auth'],
  ['user_agent without a URL', { template: 'x', user_agent: 'a' }, 'user_agent'],
  ['cookies that are an object', { url, cookies: {} }, 'cookies'],
  ['51 cookies', { url, cookies: Array.from({ length: 51 }, () => ({ name: 'a', value: 'b' })) }, 'cookies'],
  ['a cookie without a value', { url, cookies: [{ name: 'a' }] }, 'cookies[0].value'],
  ['a cookie with an unknown field', cookie({ httpOnly: true }), 'cookies[0].httpOnly'],
  ['a cookie name with a space', cookie({ name: 'a b' }), 'cookies[0].name'],
  ['a cookie name with a line break', cookie({ name: 'a\r\nX: y' }), 'cookies[0].name'],
  ['a cookie value with a semicolon', cookie({ value: 'b; Domain=com' }), 'cookies[0].value'],
  ['a cookie value with a line break', cookie({ value: 'b\r\nX: y' }), 'cookies[0].value'],
  ['a cookie value that is not ASCII', cookie({ value: 'é' }), 'cookies[0].value'],
  ['a cookie path without a slash', cookie({ path: 'x' }), 'cookies[0].path'],
  ['a cookie path with a semicolon', cookie({ path: '/;Secure' }), 'cookies[0].path'],
  ['a cookie of another domain', cookie({ domain: 'example.org' }), 'cookies[0].domain'],
  ['a cookie of a subdomain', cookie({ domain: 'x.app.example.com' }), 'cookies[0].domain'],
  [
    'a cookie of a domain that is a suffix of the host but not a parent',
    cookie({ domain: 'ample.com' }),
    'cookies[0].domain',
  ],
  ['a cookie of a top-level domain', cookie({ domain: 'com' }), 'cookies[0].domain'],
  [
    'a cookie of part of an address',
    { url: 'http://192.0.2.7/', cookies: [{ name: 'a', value: 'b', domain: '2.7' }] },
    'cookies[0].domain',
  ],
  [
    'a __Host- cookie over http',
    { url: 'http://example.com/', cookies: [{ name: '__Host-a', value: 'b' }] },
    'cookies[0].name',
  ],
  ['a __Host- cookie with a path', cookie({ name: '__Host-a', path: '/x' }), 'cookies[0].path'],
  ['headers that are a list', { url, headers: [] }, 'headers'],
  ['a header that is a number', { url, headers: { 'X-A': 1 } }, 'headers.X-A'],
  ['a header with a line break', { url, headers: { 'X-A': 'a\r\nHost: b' } }, 'headers.X-A'],
  ['a header with a null byte', { url, headers: { 'X-A': 'a\0' } }, 'headers.X-A'],
  ['a header that is not ASCII', { url, headers: { 'X-A': 'é' } }, 'headers.X-A'],
  ['a header name with a line break', { url, headers: { 'X\r\nHost': 'b' } }, 'headers'],
  ['a header name with a colon', { url, headers: { 'X:': 'b' } }, 'headers'],
  ['an empty header name', { url, headers: { '': 'b' } }, 'headers'],
  ['a header twice', { url, headers: { 'X-A': 'a', 'x-a': 'b' } }, 'headers.x-a'],
  [
    '51 headers',
    { url, headers: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`X-${i}`, ''])) },
    'headers',
  ],
  ['headers of 9 kB', { url, headers: { 'X-A': 'x'.repeat(9_000) } }, 'headers'],
  [
    'cookies and headers of 9 kB',
    { ...cookie({ value: 'x'.repeat(4_000) }), headers: { 'X-A': 'x'.repeat(5_000) } },
    'cookies',
  ],
  ...[
    'Host',
    'content-length',
    'Content-Type',
    'Connection',
    'Transfer-Encoding',
    'TE',
    'Trailer',
    'Upgrade',
    'Keep-Alive',
    'Proxy-Authorization',
    'Proxy-Connection',
    'Expect',
    'Cookie',
    'Set-Cookie',
    'Origin',
    'Referer',
    'Sec-Fetch-Site',
    'User-Agent',
    'Accept-Encoding',
    'Range',
    'If-None-Match',
    'Access-Control-Request-Method',
    'Via',
    'Date',
  ].map((name): [string, Record<string, unknown>, string] => [
    `the header ${name}`,
    { url, headers: { [name]: 'x' } },
    `headers.${name}`,
  ]),
  ['basic_auth without a password', { url, basic_auth: { username: 'a' } }, 'basic_auth.password'],
  [
    'a user name with a colon',
    { url, basic_auth: { username: 'a:b', password: 'c' } },
    'basic_auth.username',
  ],
  ['a password with a line break', { url, basic_auth: { username: 'a', password: 'c\n' } }, 'basic_auth'],
  [
    'basic_auth and the header Authorization',
    { url, basic_auth: { username: 'a', password: 'b' }, headers: { authorization: 'x' } },
    'basic_auth',
  ],
  ['a user agent with a line break', { url, user_agent: 'a\nb' }, 'user_agent'],
  ['an empty user agent', { url, user_agent: '' }, 'user_agent'],
];

test('an empty list or object counts as an absent field', async () => {
  const blank = {
    cookies: [],
    headers: {},
    metadata: {},
    options: { ignoreAssetHosts: [], attachments: [] },
  };
  expect((await service().post('/v1/generate', { html: 'x', ...blank })).status).toBe(200);
});

describe('POST /v1/generate rejects', () => {
  test.each(invalidRequests)('%s', async (_name, body, field) => {
    const { status, body: failed } = await service().post('/v1/generate', body);
    expect([status, failed.error.code, failed.error.details[0].path]).toEqual([
      400,
      'VALIDATION_ERROR',
      field,
    ]);
  });

  test('invalid URLs in batch items and previews too', async () => {
    for (const [, body, field] of invalidRequests.filter((_, index) => index % 10 === 0)) {
      const { status, body: batch } = await submit(service(), [{ html: 'x' }, body]);
      expect([status, batch.error.details[0].path]).toEqual([400, `items[1].${field}`]);
      const { html, ...others } = body;
      const preview = { ...others, ...(html !== undefined && { html_content: html }) };
      const { status: previewed, body: failed } = await service().post('/v1/templates/preview', preview);
      expect([previewed, failed.error.details[0].path]).toEqual([400, field]);
    }
  });
});

test('a cookie of a parent domain is accepted', async () => {
  const { body } = await service().post('/v1/generate', {
    url: 'http://app.nowhere.invalid/',
    cookies: [{ name: 'a', value: 'b', domain: '.nowhere.invalid' }],
  });
  expect(body.error.details[0].code).toBe('NAVIGATION_BLOCKED');
});
