import { describe, expect, test } from 'bun:test';
import { FORMAT_NAMES } from '../../../plugins/documents/exports.ts';
import { createApiKey } from '../../../src/accounts/api-key.ts';
import { sharedService } from '../../support/service/shared-service.ts';

const service = sharedService();

/**
 * Invalid bodies of `POST /v1/generate`, the field that the message names, and the valid values it states.
 */
const rejected: Record<string, [body: unknown, field: string, says: string | RegExp]> = {
  'neither source': [{}, 'html', 'one of html, template'],
  'both sources': [{ html: 'x', template: 'tmpl_x' }, 'template', 'send only one of html and template'],
  'empty html': [{ html: '' }, 'html', '1 to'],
  'html that is a number': [{ html: 3 }, 'html', 'a string'],
  'html null': [{ html: null }, 'html', 'a string'],
  'data that is a list': [{ html: 'x', data: [] }, 'data', 'an object'],
  'data that is a string': [{ html: 'x', data: 'x' }, 'data', 'an object'],
  'data null': [{ html: 'x', data: null }, 'data', 'an object'],
  'unknown output': [{ html: 'x', output: 'file' }, 'output', '"url", "base64" or "binary"'],
  'unknown field': [{ html: 'x', htlm: 'y' }, 'htlm', 'unknown field; valid fields are html, template'],
  'unknown option': [
    { html: 'x', options: { fromat: 'A4' } },
    'options.fromat',
    'valid fields are format, margin',
  ],
  'options that are a string': [{ html: 'x', options: 'A4' }, 'options', 'an object'],
  'unknown format': [
    { html: 'x', options: { format: 'B3' } },
    'options.format',
    `one of ${FORMAT_NAMES.join(', ')}, or { width, height }`,
  ],
  'format without height': [
    { html: 'x', options: { format: { width: '5in' } } },
    'options.format.height',
    'is required',
  ],
  'format of zero': [
    { html: 'x', options: { format: { width: '0', height: '5in' } } },
    'options.format.width',
    '0.5in to 200in',
  ],
  'format of a kilometre': [
    { html: 'x', options: { format: { width: '5in', height: '99999in' } } },
    'options.format.height',
    '200in',
  ],
  'format that is not a length': [
    { html: 'x', options: { format: { width: 'wide', height: '5in' } } },
    'options.format.width',
    'a length',
  ],
  'format in numbers': [
    { html: 'x', options: { format: { width: 5, height: 5 } } },
    'options.format.width',
    'a length',
  ],
  'unknown orientation': [
    { html: 'x', options: { orientation: 'sideways' } },
    'options.orientation',
    '"portrait" or "landscape"',
  ],
  'negative margin': [{ html: 'x', options: { margin: '-1in' } }, 'options.margin', 'not negative'],
  "margin 'abc'": [{ html: 'x', options: { margin: 'abc' } }, 'options.margin', 'one to four lengths'],
  'margin that is a negative number': [
    { html: 'x', options: { margin: -1 } },
    'options.margin',
    'a number of CSS pixels, one to four lengths such as "0.5in 1in"',
  ],
  'margin side that is a negative number': [
    { html: 'x', options: { margin: { top: -1 } } },
    'options.margin.top',
    'a number of CSS pixels, or a length',
  ],
  'margin with five lengths': [
    { html: 'x', options: { margin: '1in 1in 1in 1in 1in' } },
    'options.margin',
    'one to four lengths',
  ],
  'margin whose second length is not valid': [
    { html: 'x', options: { margin: '1in 2em' } },
    'options.margin',
    'one to four lengths',
  ],
  'blank margin': [{ html: 'x', options: { margin: ' ' } }, 'options.margin', 'one to four lengths'],
  'margin of 2,000 pixels': [{ html: 'x', options: { margin: 2_000 } }, 'options.margin', 'leaves no room'],
  'margin side that is not a length': [
    { html: 'x', options: { margin: { top: 'x' } } },
    'options.margin.top',
    'a length',
  ],
  'unknown margin side': [
    { html: 'x', options: { margin: { upper: '1in' } } },
    'options.margin.upper',
    'top, right, bottom, left',
  ],
  'margins that leave no room in height': [
    { html: 'x', options: { margin: '4.2in' } },
    'options.margin',
    'leaves no room',
  ],
  'margins that leave no room in width': [
    { html: 'x', options: { margin: { left: '5in', right: '4in' } } },
    'options.margin',
    'leaves no room',
  ],
  'header of 2 MB': [
    { html: 'x', options: { header: 'x'.repeat(2_000_000) } },
    'options.header',
    'at most 100000',
  ],
  'header with script': [
    { html: 'x', options: { header: '<script>1</script>' } },
    'options.header',
    'without scripts',
  ],
  'footer with a remote image': [
    { html: 'x', options: { footer: '<img src="https://example.com/a.png">' } },
    'options.footer',
    'data: URIs',
  ],
  'header taller than the page': [
    { html: 'x', options: { header: '<div style="height:20in">x</div>' } },
    'options.header',
    'too high',
  ],
  'printBackground that is a string': [
    { html: 'x', options: { printBackground: 'yes' } },
    'options.printBackground',
    'true or false',
  ],
  'version without a template': [{ html: 'x', template_version: 1 }, 'template_version', 'only for a stored'],
  'template version 0': [{ template: 'tmpl_x', template_version: 0 }, 'template_version', 'at least 1'],
  'webhook that is a number': [{ html: 'x', webhook: 1 }, 'webhook', 'an http or https URL'],
  'empty webhook': [{ html: 'x', webhook: '' }, 'webhook', 'an http or https URL'],
  'webhook that is too long': [
    { html: 'x', webhook: `https://example.com/${'a'.repeat(2030)}` },
    'webhook',
    'at most 2048 characters',
  ],
  'webhook that is not a URL': [{ html: 'x', webhook: 'example.com/hook' }, 'webhook', 'must be a URL'],
  'webhook with a file: URL': [{ html: 'x', webhook: 'file:///etc/passwd' }, 'webhook', 'http or https'],
  'webhook with credentials': [
    { html: 'x', webhook: 'https://user:word@example.com/' },
    'webhook',
    'user name or password',
  ],
  'webhook on loopback': [
    { html: 'x', webhook: 'http://127.0.0.1:3000/' },
    'webhook',
    'must be on a public address',
  ],
  'webhook on hexadecimal loopback': [
    { html: 'x', webhook: 'http://0x7f.1/' },
    'webhook',
    'must be on a public address',
  ],
  'webhook on IPv6 loopback': [
    { html: 'x', webhook: 'http://[::1]/' },
    'webhook',
    'must be on a public address',
  ],
  'webhook at a metadata service': [
    { html: 'x', webhook: 'http://169.254.169.254/latest' },
    'webhook',
    'must be on a public address',
  ],
  'unclosed block': [{ html: '<p>\n{{#if a}}', data: {} }, 'html', /line 2/],
  'unknown helper': [{ html: '{{shout a b}}', data: {} }, 'html', /line 1, column 1.*shout/],
  'header template that does not parse': [
    { html: 'x', data: {}, options: { header: '{{#if}' } },
    'options.header',
    /line 1/,
  ],
};

describe('POST /v1/generate rejects', () => {
  test.each(Object.entries(rejected))('%s', async (_name, [body, field, says]) => {
    const answer = await service().post('/v1/generate', body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('VALIDATION_ERROR');
    expect(answer.body.error.message).toMatch(says);
    expect(answer.body.error.details.map((detail: { path: string }) => detail.path)).toContain(field);
    expect(answer.body.error.request_id).toBe(answer.headers.get('x-request-id'));
  });

  test('a body that is missing, not JSON, or of another type', async () => {
    const send = (body: string | undefined, contentType: string) =>
      service().request('POST', '/v1/generate', { body, headers: { 'content-type': contentType } });
    for (const [answer, says] of [
      [await send(undefined, 'application/json'), 'missing'],
      [await send('', 'application/json'), 'missing'],
      [await send('{"html":', 'application/json'), 'not valid JSON'],
      [await send('"text"', 'application/json'), 'an object'],
      [await send('[]', 'application/json'), 'an object'],
      [await send('null', 'application/json'), 'an object'],
      [await send('{"html":"x"}', 'text/plain'), 'Content-Type: application/json'],
      [await send('html=x', 'application/x-www-form-urlencoded'), 'Content-Type: application/json'],
    ] as const) {
      expect(answer.status).toBe(400);
      expect(answer.body.error.code).toBe('VALIDATION_ERROR');
      expect(answer.body.error.message).toContain(says);
    }
  });

  test('a body over the limit, and names the limit', async () => {
    const answer = await service().post('/v1/generate', { html: 'x'.repeat(50_000_000) });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toContain('33554432 bytes');
  });

  test('JSON with too many values, of another type or with an invalid escape', async () => {
    for (const [body, says] of [
      [JSON.stringify('a'.repeat(8_000_000)), 'an object'],
      [`[${'0,'.repeat(2_000_000)}0]`, 'more than 100000 values outside its data'],
      [`{"html":"x","data":{"a":[${'[],'.repeat(2_000_000)}[]]}}`, 'more than 1000000 values'],
      ['{"html":"\\","data":{}}', 'not valid JSON'],
    ] as const) {
      const answer = await service().request('POST', '/v1/generate', { body });
      expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(says)]);
    }
    expect((await service().post('/v1/generate', { html: '"[\\"{' })).status).toBe(200);
  });

  test('a long unknown field name, without repeating it', async () => {
    for (const [length, says] of [
      [20_000, 'unknown field'],
      [1_000_000, 'the name of a field has more than 32768 bytes'],
    ] as const) {
      const answer = await service().post('/v1/generate', { html: 'x', ['k'.repeat(length)]: 1 });
      expect([answer.status, answer.body.error.message]).toEqual([400, expect.stringContaining(says)]);
      expect(JSON.stringify(answer.body).length).toBeLessThan(2_000);
    }
  });

  test('data nested 200,000 levels deep', async () => {
    const deep = `{"html":"{{a}}","data":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`;
    const answer = await service().request('POST', '/v1/generate', { body: deep });
    expect(answer.status).toBe(400);
    expect(answer.body.error.message).toBe('the body is nested deeper than 100 levels');
    expect((await service().post('/v1/generate', { html: 'still alive' })).status).toBe(200);
  });
});

describe('unknown query parameters are rejected:', () => {
  test.each([
    [
      'GET',
      '/v1/generations?page=2&limit=1',
      'page',
      'unknown query parameter; valid parameters are limit, offset,',
    ],
    ['POST', '/v1/generate?outptu=base64', 'outptu', 'unknown query parameter; this route has none'],
    ['GET', '/v1/generations?__proto__=1', '__proto__', 'unknown query parameter'],
  ])('%s %s', async (method, path, name, says) => {
    const body = method === 'POST' ? { body: { html: 'x' } } : {};
    const answer = await service().request(method, path, body);
    expect([answer.status, answer.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body.error.details).toEqual([{ path: name, message: expect.stringContaining(says) }]);
    expect(answer.body.error.message).toStartWith(`${name}: ${says}`);
  });

  test('at most ten are named, with shortened names', async () => {
    const names = Array.from({ length: 30 }, (_, index) => `${'n'.repeat(300)}${index}`);
    const answer = await service().get(`/v1/generations?${names.join('&')}`);
    expect([answer.status, answer.body.error.details.length]).toEqual([400, 10]);
    expect(answer.body.error.details[0].path.length).toBeLessThan(250);
  });
});

describe('authentication rejects', () => {
  const flip = (key: string) => key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');

  test('a missing, malformed, unknown or revoked key', async () => {
    const { accounts, key } = service();
    const account = await accounts.findOrCreate({ email: 'revoked@example.com', plan: 'free' });
    const { key: revokedKey, record } = await accounts.createKey(account, 'old');
    expect((await service().get('/v1/generations', revokedKey)).status).toBe(200);
    await accounts.revokeKey(record.id);

    const headers = [
      '',
      'Bearer',
      'Bearer ',
      `Basic ${key}`,
      key,
      `Bearer ${flip(key)}`,
      `Bearer ${createApiKey('live')}`,
      `Bearer ${createApiKey('test')}`,
      `Bearer ${revokedKey}`,
      `Bearer ${key} x`,
      'Bearer plt_live_',
    ];
    for (const authorization of headers) {
      const answer = await service().request('GET', '/v1/generations', {
        key: null,
        headers: { authorization },
      });
      expect([authorization, answer.status]).toEqual([authorization, 401]);
      expect(answer.body.error.code).toBe('UNAUTHORIZED');
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('a request without a key before reading its body', async () => {
    const answer = await service().request('POST', '/v1/generate', { body: '{', key: null });
    expect(answer.status).toBe(401);
  });
});

describe('unknown paths and methods', () => {
  test.each([
    ['GET', '/v1'],
    ['GET', '/v1/nothing'],
    ['GET', '/v1/generations/gen_000000000000000000000000'],
    ['GET', '/v1/generations/..%2f..%2fetc%2fpasswd'],
    ['GET', '/v1/generations/%00'],
    ['GET', `/v1/generations/${'x'.repeat(10_000)}`],
    ['GET', '/files/file_000000000000000000000000'],
    ['GET', '/files/..%2f..%2fsecret?expires=9999999999&signature=x'],
  ])('%s %s gets 404 with the error body', async (method, path) => {
    const answer = await service().request(method, path);
    expect(answer.status).toBe(404);
    expect(answer.body.error.code).toBe('NOT_FOUND');
    expect(answer.body.error.request_id).toBe(answer.headers.get('x-request-id'));
  });

  test("another account's generation gets the same 404 as an unknown one", async () => {
    const { body: mine } = await service().post('/v1/generate', { html: 'mine' });
    const stranger = await service().newKey();
    const answer = await service().get(`/v1/generations/${mine.id}`, stranger);
    const unknown = await service().get('/v1/generations/gen_000000000000000000000000', stranger);
    expect(answer.status).toBe(404);
    expect({ ...answer.body.error, request_id: '' }).toEqual({ ...unknown.body.error, request_id: '' });
    expect((await service().get('/v1/generations', stranger)).body.data).toEqual([]);
  });
});

describe('several invalid fields', () => {
  test('the message names the first field, and the details name each one once', async () => {
    const invalid = { html: 7, options: { format: 'A9', landscape: 'yes', margin: { top: -1 } }, colour: 1 };
    const { status, body } = await service().post('/v1/generate', invalid);
    expect([status, body.error.message]).toEqual([400, expect.stringContaining('colour: unknown field')]);
    const paths = body.error.details.map(({ path }: { path: string }) => path);
    expect(paths.toSorted()).toEqual([
      'colour',
      'html',
      'options.format',
      'options.landscape',
      'options.margin.top',
    ]);
    expect(body.error.details[0].message).not.toContain('colour:');
  });

  test('the details name at most ten fields', async () => {
    const unknown = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field${index}`, 1]));
    for (const invalid of [
      { html: 'x', ...unknown },
      { html: 'x', options: unknown },
    ]) {
      const { status, body } = await service().post('/v1/generate', invalid);
      expect([status, body.error.details.length]).toEqual([400, 10]);
    }
  });
});
