import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { messageOf } from '../../src/errors.ts';
import { readSettings } from './settings.ts';

test('variables that are not set have the defaults of Gotenberg', () => {
  const { texts: _, ...settings } = readSettings({});
  expect(settings).toMatchObject({
    timeoutMs: 30_000,
    bodyLimitBytes: undefined,
    rootPath: '/',
    traceHeader: 'Gotenberg-Trace',
    basicAuth: undefined,
    downloadFrom: { allow: [], deny: [], isOff: false, maxRetries: 4 },
    chromium: { deny: [String.raw`^file:(?!//\/tmp/).*`], areRoutesOff: false },
    webhook: { isSynchronous: false, maxRetries: 4, minWaitMs: 1_000, maxWaitMs: 30_000, timeoutMs: 30_000 },
    ignored: [],
  });
});

test('lists are separated by commas, except within a pattern', () => {
  const { webhook } = readSettings({
    WEBHOOK_ALLOW_LIST: String.raw`^https://a\.example/, b{1,2},[x,y],c\,d`,
    API_BODY_LIMIT: '1.5 MB',
  });
  expect(webhook.allow).toEqual([String.raw`^https://a\.example/`, 'b{1,2}', '[x,y]', String.raw`c\,d`]);
});

test('the lists of webhooks apply to the URL of errors too', () => {
  const errorsOf = (given: Record<string, string>) => readSettings(given).webhook.errors;
  expect(errorsOf({ WEBHOOK_ALLOW_LIST: 'a', WEBHOOK_DENY_LIST: 'b' })).toEqual({
    variable: 'WEBHOOK_ERROR_ALLOW_LIST',
    allow: ['a'],
    deny: ['b'],
  });
  expect(errorsOf({ WEBHOOK_ALLOW_LIST: 'a', WEBHOOK_ERROR_ALLOW_LIST: 'c' }).allow).toEqual(['c']);
});

test('variables without a meaning are named, and passwords are not shown', () => {
  const { ignored, texts } = readSettings({
    CHROMIUM_AUTO_START: 'true',
    PDFENGINES_MERGE_ENGINES: 'qpdf',
    GOTENBERG_API_BASIC_AUTH_PASSWORD: 'secret',
  });
  expect(ignored).toEqual(['CHROMIUM_AUTO_START', 'PDFENGINES_MERGE_ENGINES']);
  expect(JSON.stringify(texts)).not.toContain('secret');
});

test.each([
  [{ API_TIMEOUT: '30' }, 'API_TIMEOUT: time: missing unit in duration "30"'],
  [{ API_TIMEOUT: '-5s' }, 'API_TIMEOUT: must be at least 0'],
  [{ API_TIMEOUT: '0s' }, 'API_TIMEOUT: must be more than 0'],
  [{ WEBHOOK_RETRY_MAX_WAIT: '1000h' }, 'WEBHOOK_RETRY_MAX_WAIT: must be at most 596h'],
  [{ WEBHOOK_MAX_RETRY: '-1' }, 'WEBHOOK_MAX_RETRY: must be at least 0'],
  [{ API_ROOT_PATH: '/foo' }, 'API_ROOT_PATH: must begin and end with a slash, such as /gotenberg/'],
  [{ API_ROOT_PATH: '/v1/' }, 'API_ROOT_PATH: /v1/ is a path of Platen'],
  [{ API_BODY_LIMIT: 'big' }, 'API_BODY_LIMIT: must be a size such as 5MB or 1GB'],
  [{ API_CORRELATION_ID_HEADER: 'a b' }, 'API_CORRELATION_ID_HEADER: must be the name of a header'],
  [{ PROMETHEUS_METRICS_PATH: 'x' }, 'PROMETHEUS_METRICS_PATH: must be a path'],
  [{ PROMETHEUS_NAMESPACE: '1' }, 'PROMETHEUS_NAMESPACE: must be the beginning of the name of a metric'],
  [{ WEBHOOK_ALLOW_LIST: '(' }, 'WEBHOOK_ALLOW_LIST: '],
  [{ WEBHOOK_DISABLE: 'yes' }, 'WEBHOOK_DISABLE: strconv.ParseBool: parsing "yes": invalid syntax'],
  [
    { API_ENABLE_BASIC_AUTH: 'true' },
    'API_ENABLE_BASIC_AUTH: needs GOTENBERG_API_BASIC_AUTH_USERNAME and GOTENBERG_API_BASIC_AUTH_PASSWORD',
  ],
  [
    {
      API_ENABLE_BASIC_AUTH: 'true',
      GOTENBERG_API_BASIC_AUTH_USERNAME: 'foo',
      GOTENBERG_API_BASIC_AUTH_PASSWORD: 'bar',
    },
    'API_ENABLE_BASIC_AUTH: needs GOTENBERG_ACCOUNT',
  ],
])('the variables %p are rejected', (given, message) => {
  let fault = 'accepted';
  try {
    readSettings(given);
  } catch (error) {
    fault = messageOf(error);
  }
  expect(fault).toStartWith(message);
});

test('the documentation has a row for each variable with a meaning, and its default', () => {
  const text = readFileSync(new URL('../../docs/gotenberg.md', import.meta.url), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  const { texts } = readSettings({});
  expect(Object.keys(texts).length).toBeGreaterThan(25);
  for (const [name, usual] of Object.entries(texts)) {
    const row = rows.find((line) => line.includes(`\`${name}\``));
    expect([name, row]).toEqual([name, expect.any(String)]);
    if (/^\d/.test(usual)) expect([name, row]).toEqual([name, expect.stringContaining(`\`${usual}\``)]);
  }
});
