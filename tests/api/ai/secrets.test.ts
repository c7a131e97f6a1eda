import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '../../../src/config.ts';
import { AiProvider, completion, page, PROVIDER_KEY } from '../../support/ai/provider.ts';
import { ServiceProcess } from '../../support/service/process.ts';
import { until } from '../../support/until.ts';
import { TestService, type TestSettings } from '../../support/service/service.ts';
import { sharedService } from '../../support/service/shared-service.ts';
import { casesOfSuite, isThorough } from '../../support/suite.ts';

setDefaultTimeout(60_000);
const PATH = '/v1/ai/generate-template';
const provider = new AiProvider();
afterAll(() => provider[Symbol.asyncDispose]());
const service = sharedService({ env: provider.env() });
beforeEach(() => provider.reset(() => page('<p>{{name}}</p>')));

describe('the egress guard', () => {
  test('allows a provider at a private address, but not for documents and webhooks', async () => {
    const html = `<img src="${provider.url}/secret.png">`;
    expect((await service().post('/v1/generate', { html })).status).toBe(200);
    const hook = await service().post('/v1/generate', { html: 'x', webhook: `${provider.url}/hook` });
    expect([hook.status, hook.body.error.message]).toEqual([
      400,
      expect.stringContaining('must be on a public address'),
    ]);
    expect(provider.requests).toHaveLength(0);
    expect((await service().post(PATH, { prompt: 'x' })).status).toBe(200);
  });

  test('follows no redirect, so that only the provider receives the key', async () => {
    await using other = new AiProvider();
    provider.reset(
      () => new Response(null, { status: 307, headers: { location: `${other.url}/v1/chat/completions` } }),
    );
    const { status, body } = await service().post(PATH, { prompt: 'x' });
    expect([status, body.error.message]).toEqual([502, 'the AI provider answered with an error (307)']);
    expect(other.requests).toHaveLength(0);
  });
});

describe('the API key of the provider', () => {
  test('appears in no response and no log, even if the provider echoes it', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'platen-ai-'));
    const running = new ServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'trace', ...provider.env() });
    try {
      const url = await running.ready();
      const key = await running.firstKey();
      const echoes = [
        () => page(`<p>${PROVIDER_KEY}</p>`),
        () => completion(PROVIDER_KEY),
        () =>
          Response.json(
            { error: { message: `Incorrect API key ${PROVIDER_KEY}`, type: PROVIDER_KEY } },
            { status: 401 },
          ),
        () =>
          new Response(PROVIDER_KEY, {
            status: 500,
            statusText: PROVIDER_KEY,
            headers: { 'x-key': PROVIDER_KEY },
          }),
        () => new Response(`{"a": ${PROVIDER_KEY}`),
        () => completion(page(`{{#if a}}${PROVIDER_KEY}`)),
        () => new Response(null, { status: 302, headers: { location: `http://127.0.0.1/${PROVIDER_KEY}` } }),
      ];
      for (const echo of echoes) {
        provider.reset(echo);
        const answer = await fetch(url + PATH, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({ prompt: 'x' }),
        });
        const text = await answer.text();
        expect([answer.status, text.includes(PROVIDER_KEY)]).toEqual([502, false]);
        expect(text).not.toContain('Incorrect');
      }
      await until(() => running.stderr.split('"status":502').length > echoes.length);
      expect(running.stderr).not.toContain(PROVIDER_KEY);
      expect(running.stdout).not.toContain(PROVIDER_KEY);
    } finally {
      running.kill('SIGTERM');
      await running.exited;
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});

test.if(isThorough)('a placeholder key may appear in a document', async () => {
  await using own = await TestService.start({ env: { ...provider.env(), AI_API_KEY: 'none' } });
  provider.reset(() => page('<p style="display: none">{{name}}</p>'));
  expect((await own.post(PATH, { prompt: 'x' })).status).toBe(200);
});

test.if(isThorough)('a disconnected caller is not logged as an error', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'platen-ai-'));
  const running = new ServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'info', ...provider.env() });
  try {
    const url = await running.ready();
    const key = await running.firstKey();
    provider.reset(() => new Promise(() => undefined));
    const caller = new AbortController();
    const call = fetch(url + PATH, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'x' }),
      signal: caller.signal,
    }).catch(() => undefined);
    await until(() => provider.requests.length === 1);
    caller.abort();
    await call;
    await until(() => running.stderr.includes('"msg":"the caller disconnected"'));
    running.kill('SIGTERM');
    expect(await running.exited).toBe(0);
    expect(running.stderr).not.toContain('"level":"error"');
  } finally {
    running.kill('SIGTERM');
    await running.exited;
    await rm(dataDir, { recursive: true, force: true });
  }
});

describe('an invalid setting stops the service with one sentence that does not contain its value:', () => {
  const good = { AI_BASE_URL: 'http://127.0.0.1:1/v1', AI_API_KEY: 'sk-hidden', AI_MODEL: 'm' };
  const invalid: [string, TestSettings, RegExp][] = [
    [
      'an unknown provider',
      { env: { ...good, AI_PROVIDER: 'hidden' } },
      /^AI_PROVIDER: must be "openai" or "anthropic"$/,
    ],
    [
      'an address that is not a URL',
      { env: { ...good, AI_BASE_URL: 'hidden' } },
      /^AI_BASE_URL: must be a URL that begins with http/,
    ],
    [
      'an address with another scheme',
      { env: { ...good, AI_BASE_URL: 'ftp://hidden/' } },
      /^AI_BASE_URL: must be a URL/,
    ],
    [
      'a password in the address',
      { env: { ...good, AI_BASE_URL: 'http://u:hidden@h/v1' } },
      /^AI_BASE_URL: .*no user name/,
    ],
    [
      'a query in the address',
      { env: { ...good, AI_BASE_URL: 'http://h/v1?key=hidden' } },
      /^AI_BASE_URL: .*no .*query/,
    ],
    [
      'an invalid port',
      { env: { ...good, AI_BASE_URL: 'http://h:99999/hidden' } },
      /^AI_BASE_URL: must be a URL/,
    ],
    [
      'a key with a line break',
      { env: { ...good, AI_API_KEY: 'sk\nhidden' } },
      /^AI_API_KEY: must be a key of printable/,
    ],
    [
      'a model with spaces',
      { env: { ...good, AI_MODEL: 'hidden model' } },
      /^AI_MODEL: must be the provider's name/,
    ],
    ['a key without a model', { env: { AI_API_KEY: 'sk-hidden' } }, /^AI_MODEL: must be set too/],
    ['an address without a model', { env: { AI_BASE_URL: 'http://h/v1' } }, /^AI_MODEL: must be set too/],
    ['a model without a key', { env: { AI_MODEL: 'm' } }, /^AI_API_KEY: must be set too/],
    [
      'a timeout that is too long in the file',
      { env: good, config: { plugins: { ai: { timeoutMs: 90_000 } } } },
      /^plugins\.ai\.timeoutMs: must be an integer 1000 to 60000/,
    ],
    [
      'an unknown setting in the file',
      { env: good, config: { plugins: { ai: { key: 'hidden' } } } },
      /^plugins\.ai\.key: unknown field; valid fields are provider, baseUrl/,
    ],
  ];
  test.each(casesOfSuite(invalid, 10))('%s', async (_, settings, says) => {
    const error = await TestService.start(settings).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ConfigError);
    expect((error as Error).message).toMatch(says);
    expect((error as Error).message).not.toContain('hidden');
  });
});

test.if(isThorough)('a self-hosted provider needs no key', async () => {
  await using own = await TestService.start({ env: { ...provider.env(), AI_API_KEY: '' } });
  expect((await own.post(PATH, { prompt: 'x' })).status).toBe(200);
  expect(provider.requests[0]?.headers['authorization']).toBeUndefined();
});
