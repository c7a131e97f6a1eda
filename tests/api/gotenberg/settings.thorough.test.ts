import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { basic, postForm, read } from '../../support/gotenberg/client.ts';
import { sendRaw } from '../../support/service/raw-http.ts';
import { TestService, type TestSettings } from '../../support/service/service.ts';

const echo = join(import.meta.dir, '..', '..', 'fixtures', 'plugins', 'gotenberg-echo.ts');
const settings = (env: Record<string, string>, plugins: object = {}): TestSettings => ({
  env,
  config: { plugins: { [echo]: true, ...plugins } },
});
const get = async (service: TestService, path: string, headers: Record<string, string> = {}) =>
  read(await fetch(service.url + path, { headers }));

describe('the account of requests without credentials', () => {
  let service: TestService;
  beforeAll(async () => {
    const env = {
      GOTENBERG_ACCOUNT: 'PDF@example.com',
      API_TIMEOUT: '200ms',
      API_ENABLE_DEBUG_ROUTE: 'true',
    };
    service = await TestService.start(settings(env));
  }, 60_000);
  afterAll(() => service[Symbol.asyncDispose](), 60_000);
  const send = (headers: Record<string, string>, fields = {}) =>
    postForm(service, 'forms/test/fields', { fields: { url: 'x', ...fields }, headers });

  test('is created at the start, beside that of the first key', async () => {
    const { status, text } = await send({ authorization: '' });
    expect([status, JSON.parse(text)]).toMatchObject([200, { email: 'pdf@example.com', isTest: false }]);
    const account = await service.accounts.findByEmail('pdf@example.com');
    expect(account?.plan).toBe('enterprise');
    expect(JSON.parse((await send({})).text)).toMatchObject({ email: 'admin@localhost' });
  });

  test('has none of the requests with wrong credentials, and none of those to other routes', async () => {
    for (const headers of [basic('a', 'b'), { authorization: 'Bearer x' }, { authorization: 'x' }])
      expect((await send(headers)).status).toBe(401);
    expect((await service.get('/v1/generations', null)).status).toBe(401);
  });

  test('has its limits, and none of its requests when it is suspended', async () => {
    await service.accounts.set('pdf@example.com', { plan: 'free' });
    const answers = await Promise.all(Array.from({ length: 30 }, () => send({ authorization: '' })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.text).toBe('more than 10 requests in one second');
    await service.accounts.set('pdf@example.com', { plan: 'enterprise' });
  });

  test('waits for no request longer than the limit', async () => {
    const files = [{ name: 'a.pdf', content: 'x' }];
    const slow = await postForm(service, 'forms/test/files', { fields: { mode: 'slow' }, files });
    expect([slow.status, slow.text]).toEqual([503, 'Service Unavailable']);
  });

  test('reads the settings when the operator allows it', async () => {
    const { type, text } = await get(service, '/debug');
    expect(type).toBe('application/json');
    expect(JSON.parse(text)).toMatchObject({
      version: '8.36.0',
      timezone: expect.any(String),
      modules: expect.arrayContaining(['api', 'chromium', 'webhook']),
      flags: { 'api-timeout': '200ms', 'webhook-max-retry': '4' },
    });
    expect(text).not.toContain('password');
  });

  test('is told about the health of the service', async () => {
    const { status, type, text } = await get(service, '/health');
    expect([status, type]).toEqual([200, 'application/json; charset=utf-8']);
    expect(JSON.parse(text)).toMatchObject({
      status: 'up',
      details: { chromium: { status: 'up', timestamp: expect.stringMatching(/^\d{4}-.*Z$/) } },
    });
    const head = await sendRaw(service.url, 'HEAD /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 200 [^]*\r\n\r\n$/);
  });
});

test("Gotenberg's basic authentication, its root path, its names of headers and metrics work", async () => {
  await using service = await TestService.start(
    settings(
      {
        API_ENABLE_BASIC_AUTH: 'true',
        GOTENBERG_API_BASIC_AUTH_USERNAME: 'foo',
        GOTENBERG_API_BASIC_AUTH_PASSWORD: 'bär',
        API_ROOT_PATH: '/foo/',
        API_CORRELATION_ID_HEADER: 'X-Trace',
        PROMETHEUS_NAMESPACE: 'bar',
        API_ENABLE_DEBUG_ROUTE: '1',
      },
      { gotenberg: { account: 'pdf@example.com' } },
    ),
  );
  const send = (headers: Record<string, string>) =>
    postForm(service, 'foo/forms/test/fields', { fields: { url: 'x' }, headers });
  expect(JSON.parse((await send(basic('foo', 'bär'))).text)).toMatchObject({ email: 'pdf@example.com' });
  expect(JSON.parse((await send({})).text)).toMatchObject({ email: 'admin@localhost' });
  for (const headers of [{ authorization: '' }, basic('foo', 'bar'), basic('fo', 'bär'), basic('', '')])
    expect((await send(headers)).status).toBe(401);
  for (const path of ['', 'version', 'favicon.ico', 'prometheus/metrics', 'debug']) {
    const none = await get(service, `/foo/${path}`, { 'x-trace': 'mine' });
    expect([path, none.status, none.headers.get('x-trace')]).toEqual([path, 401, 'mine']);
    expect((await get(service, `/foo/${path}`, basic('foo', 'bär'))).status).toBeLessThan(300);
  }
  const greeting = await get(service, '/foo/', basic('foo', 'bär'));
  expect([greeting.type, greeting.text]).toEqual([
    'text/html; charset=UTF-8',
    'Hey, Gotenberg has no UI, it\'s an API. Head to the <a href="https://gotenberg.dev">documentation</a> to learn how to interact with it 🚀',
  ]);
  expect((await get(service, '/foo/prometheus/metrics', basic('foo', 'bär'))).text).toContain(
    'bar_libreoffice_restarts_count 0',
  );
  expect((await get(service, '/foo/debug', basic('foo', 'bär'))).text).not.toContain('bär');
  expect((await get(service, '/foo/health')).status).toBe(200);
  const unknown = await get(service, '/foo/unknown');
  expect([unknown.status, unknown.text]).toEqual([404, 'Not Found']);
  expect((await get(service, '/version')).status).toBe(404);
});

test('without the studio, / leads to the documentation; metrics and downloads can be switched off', async () => {
  await using service = await TestService.start(
    settings(
      { PROMETHEUS_DISABLE_COLLECT: 'true', API_DISABLE_DOWNLOAD_FROM: 'true', WEBHOOK_DISABLE: 'true' },
      { studio: false },
    ),
  );
  const root = await fetch(service.url, { redirect: 'manual' });
  expect([root.status, root.headers.get('location')]).toEqual([302, '/docs']);
  expect((await get(service, '/prometheus/metrics')).status).toBe(404);
  const sent = await postForm(service, 'forms/test/files', {
    fields: { downloadFrom: 'foo' },
    files: [{ name: 'a.pdf', content: 'x' }],
    headers: { 'gotenberg-webhook-url': 'foo' },
  });
  expect([sent.status, sent.text]).toEqual([200, 'x']);
});

test('a pattern of the operator that takes exponential time denies a URL, and delays nobody', async () => {
  await using service = await TestService.start(
    settings({ API_DOWNLOAD_FROM_DENY_LIST: String.raw`^\w+://(?=a)(a+)+$` }),
  );
  const slow = postForm(service, 'forms/test/files', {
    fields: { downloadFrom: JSON.stringify([{ url: `https://${'a'.repeat(40)}!` }]) },
  });
  expect((await get(service, '/version')).text).toBe('8.36.0');
  const { status, text } = await slow;
  expect([status, text]).toEqual([403, 'Forbidden']);
});
