import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { messageOf } from '../../../src/errors.ts';
import { follow } from '../../support/openapi.ts';
import { sendRaw } from '../../support/service/raw-http.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { TestService } from '../../support/service/service.ts';

const fixture = (name: string) => join(import.meta.dir, '..', '..', 'fixtures', 'plugins', name);
const service = sharedService({
  config: { plugins: { [fixture('plain-text.ts')]: true, [fixture('telegraph.ts')]: true } },
});

const textType = { 'content-type': 'text/plain; charset=utf-8' };
const post = (path: string, body: string, options: { key?: string | null; headers?: object } = {}) =>
  service().request('POST', path, { ...options, body, headers: { ...textType, ...options.headers } });
const bodiesRead = async () => (await service().get('/v1/plain-text/reads', null)).body.begun;

describe('a kind of body that a plugin adds', () => {
  test('is read and validated by the schema of the route', async () => {
    const { status, body } = await post('/v1/plain-text', 'hello');
    expect([status, body.body]).toEqual([200, 'hello']);
    const long = await post('/v1/plain-text', 'x'.repeat(21));
    expect(long.status).toBe(400);
    expect(long.body.error.message).toBe('the body must be a string of at most 20 characters');
  });

  test('is limited to the size of the route', async () => {
    const { status, body } = await post('/v1/plain-text', 'x'.repeat(101));
    expect(status).toBe(400);
    expect(body.error.message).toContain('larger than the limit of 100 bytes');
  });

  test('is rejected with another media type, and by routes that do not take it', async () => {
    const json = await service().post('/v1/plain-text', { text: 'hello' });
    expect([json.status, json.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(json.body.error.message).toBe(
      'the body must be plain text with the header Content-Type: text/plain',
    );
    const { status, body } = await post('/v1/generate', '<p>hello</p>');
    expect([status, body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    expect(body.error.message).toBe(
      'the body must be JSON with the header Content-Type: application/json, or form data with the header Content-Type: multipart/form-data',
    );
  });

  test('can be one of several kinds that a route takes, selected by Content-Type', async () => {
    const path = '/v1/plain-text/or-json';
    expect((await post(path, 'hello')).body.body).toBe('hello');
    expect((await service().post(path, { text: 'hello' })).body.body).toEqual({ text: 'hello' });
    const { body } = await post(path, 'a,b', { headers: { 'content-type': 'text/csv' } });
    expect(body.error.message).toBe(
      'the body must be JSON with the header Content-Type: application/json, or plain text with the header Content-Type: text/plain',
    );
  });

  test('is in the OpenAPI document, unless the route is hidden', async () => {
    const { body: document } = await service().get('/openapi.json', null);
    const { content } = document.paths['/v1/plain-text/or-json'].post.requestBody;
    expect(Object.keys(content)).toEqual(['application/json', 'text/plain']);
    expect(content['text/plain'].schema).toMatchObject({ type: 'string', maxLength: 20 });
    expect(document.paths['/v1/plain-text/reads']).toBeUndefined();
  });
});

test('a body that is read while it arrives has the limits and the Idempotency-Key of others', async () => {
  const headers = { 'content-type': 'application/x-lines', 'idempotency-key': 'lines' };
  const send = (body: string) => post('/v1/plain-text/lines', body, { headers });
  expect((await send('a\nb\n')).body.body).toBe(2);
  const again = await send('a\nb\n');
  expect([again.body.body, again.headers.get('idempotent-replayed')]).toEqual([2, 'true']);
  expect((await send('a\nc\n')).body.error.code).toBe('IDEMPOTENCY_MISMATCH');
  const other = { 'content-type': 'application/x-lines' };
  const tooMany = await post('/v1/plain-text/lines', '\n'.repeat(1_001), { headers: other });
  expect([tooMany.status, tooMany.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
  const large = await post('/v1/plain-text/lines', 'x'.repeat(100_001), { headers: other });
  expect(large.body.error.message).toContain('larger than the limit of 100000 bytes');
});

test('an unknown query parameter is rejected, except by a hidden route', async () => {
  expect((await service().get('/v1/plain-text/reads?v=1', null)).status).toBe(200);
  expect((await service().get('/v1/generations?v=1')).status).toBe(400);
});

describe('an authentication scheme that a plugin adds', () => {
  test('identifies the account', async () => {
    await service().newKey('free', 'ada@example.com');
    const headers = { 'x-caller': 'ada@example.com' };
    const { status, body } = await post('/v1/plain-text', 'hello', { key: null, headers });
    expect([status, body]).toEqual([200, { body: 'hello', owner: 'ada@example.com', key: null }]);
    const list = await service().request('GET', '/v1/generations', { key: null, headers });
    expect(list.headers.get('ratelimit-limit')).toBe('10');
  });

  test('is used only without an API key, whose id the handler gets', async () => {
    await service().newKey('free', 'bob@example.com');
    const { body } = await post('/v1/plain-text', 'x', { headers: { 'x-caller': 'bob@example.com' } });
    expect(body).toMatchObject({ owner: 'admin@localhost', key: expect.stringMatching(/^key_/) });
  });

  test('rejects with its own message; a request without credentials gets the usual message', async () => {
    const unknown = await post('/v1/plain-text', 'x', { key: null, headers: { 'x-caller': 'nobody' } });
    expect([unknown.status, unknown.body.error.message]).toEqual([401, 'X-Caller names no account']);
    const none = await post('/v1/plain-text', 'x', { key: null });
    expect(none.body.error.message).toBe('the header Authorization: Bearer <API key> is missing');
    const basic = { authorization: 'Basic eDp5' };
    const other = await post('/v1/plain-text', 'x', { key: null, headers: basic });
    expect(other.body.error.message).toBe('the Authorization header must be: Bearer <API key>');
  });
});

test.each(['', 'Authorization: Bearer plt_live_x\r\n', 'X-Caller: nobody\r\n'])(
  'an unauthenticated caller is rejected before the body arrives: "%s"',
  async (credentials) => {
    const before = await bodiesRead();
    const head = `POST /v1/plain-text HTTP/1.1\r\nHost: x\r\nContent-Type: text/plain\r\nContent-Length: 9\r\n`;
    expect(await sendRaw(service().url, `${head}${credentials}\r\n`)).toStartWith('HTTP/1.1 401 ');
    expect(await bodiesRead()).toBe(before);
  },
);

test('a public route without a rate limit accepts 60 requests at once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 60 }, () => service().get('/v1/plain-text/reads', null)),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});

describe('a protocol that a plugin serves', () => {
  const send = (body: object, headers: Record<string, string> = { 'x-operator': service().key }) =>
    fetch(`${service().url}/telegraph/send?unknown=1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const read = async (response: Response) => [
    response.status,
    response.headers.get('content-type'),
    await response.text(),
  ];

  test('has its own credentials, which no other route takes', async () => {
    expect(await (await send({ words: 'hello' })).text()).toBe('admin@localhost STOP hello');
    const elsewhere = { key: null, headers: { 'x-operator': service().key } };
    expect((await service().request('GET', '/v1/generations', elsewhere)).status).toBe(401);
    const unknown = await send({ words: 'x' }, { 'x-operator': 'plt_live_x' });
    expect(await read(unknown)).toEqual([401, 'text/telegram', 'UNAUTHORIZED STOP the API key is not valid']);
    const bearer = await send({ words: 'x' }, { authorization: `Bearer ${service().key}` });
    expect(bearer.status).toBe(401);
  });

  test('writes all errors: of the handler, of the pipeline, and of unknown routes below its prefix', async () => {
    expect(await read(await send({ words: 'busy' }))).toEqual([
      409,
      'text/telegram',
      'CONFLICT STOP the line is busy',
    ]);
    const tooLong = [
      [21, 400, /^VALIDATION_ERROR STOP .* 20 characters/],
      [101, 413, /^VALIDATION_ERROR STOP .* 100 bytes/],
    ] as const;
    for (const [length, expected, says] of tooLong)
      expect(await read(await send({ words: 'x'.repeat(length) }))).toEqual([
        expected,
        'text/telegram',
        expect.stringMatching(says),
      ]);
    const [status, type, text] = await read(await send({ words: 'fault' }));
    expect([status, type]).toEqual([500, 'text/telegram']);
    expect(text).not.toContain('secret');
    const paths = [
      '/telegraph/unknown',
      '/telegraph/send',
      '/telegraph/../telegraph/x',
      '/telegraph-office/x',
    ];
    const answers = await Promise.all(paths.map((path) => fetch(service().url + path)));
    expect(answers.map(({ status: code, headers }) => [code, headers.get('content-type')])).toEqual([
      [404, 'text/telegram'],
      [405, 'text/telegram'],
      [404, 'text/telegram'],
      [404, 'application/json;charset=utf-8'],
    ]);
    const noHost = await sendRaw(service().url, 'GET /telegraph/send HTTP/1.1\r\nHost: a b\r\n\r\n');
    expect(noHost).toMatch(/^HTTP\/1.1 400 [^]*VALIDATION_ERROR STOP Host/);
  });

  test('can read forms with any fields, which may be repeated', async () => {
    const body = new FormData();
    for (const text of ['one', 'two']) body.append('line', text);
    body.append('other', new Blob(['three']), 'three.txt');
    const headers = { 'x-operator': service().key };
    const sent = await fetch(`${service().url}/telegraph/parts`, { method: 'POST', headers, body });
    expect(await sent.text()).toBe('line one STOP line two STOP other three');
  });

  test('adds its headers to every response', async () => {
    const headers = { 'x-line': '7' };
    const requests: [string, object][] = [
      ['/telegraph-office', {}],
      ['/telegraph/unknown', {}],
      ['/telegraph/send', { method: 'POST' }],
    ];
    for (const [path, init] of requests)
      expect((await fetch(service().url + path, { ...init, headers })).headers.get('x-line')).toBe('7');
    expect((await fetch(`${service().url}/v1/generations`, { headers })).headers.has('x-line')).toBe(false);
  });

  test('counts its requests like all others', async () => {
    const key = await service().newKey('free');
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => send({ words: 'x' }, { 'x-operator': key })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(await refused[0]?.text()).toStartWith('RATE_LIMITED STOP');
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
  });

  test('is in the OpenAPI document, but not in the one for generators of clients', async () => {
    const { body: document } = await service().get('/openapi.json', null);
    const { post: operation } = document.paths['/telegraph/send'];
    expect(operation).toMatchObject({ 'x-platen-protocol': 'Telegraph', tags: ['Telegraph'] });
    expect(operation.security).toEqual([{ apiKey: [] }, { operator: [] }]);
    const { content } = follow(document, operation.responses['400']);
    expect(Object.keys(content)).toEqual(['text/telegram']);
    const { body: sdk } = await service().get('/openapi.sdk.json', null);
    expect(sdk.paths['/telegraph/send']).toBeUndefined();
    expect(sdk.paths['/v1/generate']).toBeDefined();
    expect(sdk.tags.map(({ name }: { name: string }) => name)).not.toContain('Telegraph');
  });
});

test.each([
  [
    'a kind of body that no plugin registers',
    'unknown-body',
    'the plugin "unknown-body": POST /v1/unknown-body takes bodies of the kind "parchment", which no plugin registers',
  ],
  ['a missing scope', 'unscoped', 'the plugin "unscoped": GET /v1/unscoped must name its scope: generate, '],
  [
    'a missing action for the audit log',
    'unaudited',
    'the plugin "unaudited": PUT /v1/unaudited must name its action for the audit log',
  ],
  [
    'a parameter outside of the prefixes of a protocol',
    'telegraph',
    'the plugin "Telegraph": POST /:anywhere must be below a prefix of the protocol Telegraph',
  ],
])('%s stops the start, naming the route', async (...[, name, message]) => {
  const start = async () => {
    await using _ = await TestService.start({
      config: { plugins: { [fixture(`${name}.ts`)]: name !== 'telegraph' || { badPath: true } } },
    });
    return 'started';
  };
  expect(await start().catch(messageOf)).toStartWith(message);
});
