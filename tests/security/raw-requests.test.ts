import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../support/service/process.ts';
import { sendRaw } from '../support/service/raw-http.ts';
import { until } from '../support/until.ts';

const host = 'Host: localhost\r\n';
const empty = 'Content-Length: 0\r\n';
const json = 'Content-Type: application/json\r\n';

let dataDir: string;
let service: ServiceProcess;
let url: string;
let key: string;
/** Placeholder for the Authorization header; the key is known only after the service has started. */
const KEY = '<key>';
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'platen-raw-'));
  // The default settings: NODE_ENV is not set.
  service = new ServiceProcess({ DATA_DIR: dataDir, LOG_LEVEL: 'info' });
  url = await service.ready();
  key = await service.firstKey();
});
afterAll(async () => {
  service.kill('SIGTERM');
  await service.exited;
  await rm(dataDir, { recursive: true, force: true });
});

interface Sent {
  status: number;
  head: string;
  body: string;
}

async function send(bytes: string, { responses = 1 } = {}): Promise<Sent> {
  const received = await sendRaw(url, bytes, { responses });
  const end = received.indexOf('\r\n\r\n');
  const head = end < 0 ? received : received.slice(0, end);
  return { status: Number(head.split(' ')[1]), head, body: end < 0 ? '' : received.slice(end + 4) };
}

/** Internals that must not appear in a response or log line. */
const INTERNALS = /<html|stack|\.ts:|node_modules|TypeError|ERR_/;

describe('a request without a matching route gets the error shape:', () => {
  test.each([
    ['CONNECT to another host', 'CONNECT evil HTTP/1.1\r\nHost: evil\r\n\r\n', 400],
    ['CONNECT to a host and port', 'CONNECT evil:443 HTTP/1.1\r\nHost: evil:443\r\n\r\n', 400],
    ['CONNECT to a path', `CONNECT /healthz HTTP/1.1\r\n${host}\r\n`, 405],
    ['TRACE', `TRACE /healthz HTTP/1.1\r\n${host}\r\n`, 405],
    ['OPTIONS', `OPTIONS /v1/generate HTTP/1.1\r\n${host}\r\n`, 405],
    ['PATCH of a path with an id', `PATCH /v1/templates/x HTTP/1.1\r\n${host}${empty}\r\n`, 405],
    ['POST to the documentation', `POST /docs HTTP/1.1\r\n${host}${empty}\r\n`, 405],
    ['POST to a file', `POST /files/x HTTP/1.1\r\n${host}${empty}\r\n`, 405],
    ['TRACE of an unknown path', `TRACE /nothing HTTP/1.1\r\n${host}\r\n`, 404],
    ['bytes outside ASCII in the path', `GET /\xe9\xff HTTP/1.1\r\n${host}\r\n`, 404],
    ['a path that begins with two slashes', `GET //evil/healthz HTTP/1.1\r\n${host}\r\n`, 404],
    ['two Host headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400],
    ['a Host header with spaces', 'GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n', 400],
    ['a Host header with a path', 'GET /v1/templates HTTP/1.1\r\nHost: a/b?c\r\n\r\n', 400],
    ['a Host header with a user', 'GET /nothing HTTP/1.1\r\nHost: user@evil\r\n\r\n', 400],
    ['a Host header that is truncated', 'GET /nothing HTTP/1.1\r\nHost: [::1\r\n\r\n', 400],
    ['a Host header with a port above 65535', 'GET /v1/templates HTTP/1.1\r\nHost: a:99999\r\n\r\n', 400],
    ['a Host header outside ASCII', 'GET /v1/templates HTTP/1.1\r\nHost: \xe9\r\n\r\n', 400],
  ])('%s', async (_, bytes, expected) => {
    const { status, head, body } = await send(bytes);
    expect([status, body]).toEqual([expected, expect.stringMatching(/^\{"error":\{"code":/)]);
    const { error } = JSON.parse(body);
    expect(error.request_id).toMatch(/^req_/);
    expect(head.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(body).not.toMatch(INTERNALS);
    if (expected === 405) {
      expect(error.code).toBe('METHOD_NOT_ALLOWED');
      expect(head).toMatch(/^allow: .+$/im);
    }
  });

  test('405 lists the methods of the path', async () => {
    const { head, body } = await send(`PATCH /v1/templates/x HTTP/1.1\r\n${host}${empty}\r\n`);
    expect(head).toMatch(/^allow: DELETE, GET, HEAD, PUT\r?$/im);
    expect(JSON.parse(body).error.message).toBe(
      '/v1/templates/x does not allow PATCH, only DELETE, GET, HEAD, PUT',
    );
  });
});

describe('a request is answered as usual', () => {
  test.each([
    ['without a Host header, in HTTP/1.0', 'GET /v1/starter-templates HTTP/1.0\r\n\r\n', 200],
    ['with a query, in HTTP/1.0', `GET /v1/templates?limit=1 HTTP/1.0\r\n${KEY}\r\n`, 200],
    ['for a file link, in HTTP/1.0', 'GET /files/x?expires=1 HTTP/1.0\r\n\r\n', 403],
    ['for an unknown path, in HTTP/1.0', 'GET /nothing HTTP/1.0\r\n\r\n', 404],
    ['with an empty Host header', 'GET /v1/starter-templates HTTP/1.1\r\nHost:\r\n\r\n', 200],
    ['with an IPv6 host', 'GET /v1/starter-templates HTTP/1.1\r\nHost: [::1]:3000\r\n\r\n', 200],
    ['in absolute form', `GET http://evil.example/v1/starter-templates HTTP/1.1\r\n${host}\r\n`, 200],
    ['with a slash at the end', `GET /healthz/ HTTP/1.1\r\n${host}\r\n`, 200],
    ['with HEAD', `HEAD /healthz HTTP/1.1\r\n${host}\r\n`, 200],
    ['with bytes outside ASCII in a header', `GET /healthz HTTP/1.1\r\n${host}X: \xff\r\n\r\n`, 200],
    [
      'with an upgrade',
      `GET /healthz HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      200,
    ],
  ])('%s', async (_, bytes, expected) => {
    const { status, body } = await send(bytes.replace(KEY, `Authorization: Bearer ${key}\r\n`));
    expect(status).toBe(expected);
    expect(body).not.toMatch(INTERNALS);
  });

  test('pipelined on one connection, in order', async () => {
    const one = (path: string) => `GET ${path} HTTP/1.1\r\n${host}\r\n`;
    const received = await sendRaw(url, one('/healthz') + one('/nothing') + one('/healthz'), {
      responses: 3,
    });
    expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '404',
      '200',
    ]);
  });
});

describe('invalid bytes end the connection, with or without a status line:', () => {
  test.each([
    ['CONNECT without a Host header', 'CONNECT evil HTTP/1.1\r\n\r\n'],
    ['OPTIONS *', `OPTIONS * HTTP/1.1\r\n${host}\r\n`],
    ['an unknown method', `FOO /healthz HTTP/1.1\r\n${host}\r\n`],
    ['a long method', `${'A'.repeat(3_000)} /healthz HTTP/1.1\r\n${host}\r\n`],
    ['HTTP/0.9', 'GET /healthz\r\n\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
    ['another scheme', `GET ftp://x/y HTTP/1.1\r\n${host}\r\n`],
    ['a NUL in a header', `GET /healthz HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`],
    ['a folded header', `GET /healthz HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`],
    ['a header without a colon', `GET /healthz HTTP/1.1\r\n${host}nonsense\r\n\r\n`],
    ['a header name with parentheses', `GET /healthz HTTP/1.1\r\n${host}X(y): y\r\n\r\n`],
    ['a header of 100,000 bytes', `GET /healthz HTTP/1.1\r\n${host}X: ${'a'.repeat(100_000)}\r\n\r\n`],
    ['a target of 100,000 bytes', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\n${host}\r\n`],
    ['1,000 headers', `GET /healthz HTTP/1.1\r\n${host}${'X: y\r\n'.repeat(1_000)}\r\n`],
    [
      'two Content-Length headers',
      `POST /v1/generate HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    ],
    [
      'Content-Length with chunks',
      `POST /v1/generate HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    ],
    ['a negative Content-Length', `POST /v1/generate HTTP/1.1\r\n${host}Content-Length: -2\r\n\r\n`],
    ['another transfer coding', `POST /v1/generate HTTP/1.1\r\n${host}Transfer-Encoding: gzip\r\n\r\n`],
    [
      'a Content-Length of 10 GB',
      `POST /v1/generate HTTP/1.1\r\n${host}${json}Content-Length: 9999999999\r\n\r\n{`,
    ],
  ])('%s', async (_, bytes) => {
    const received = await sendRaw(url, bytes);
    expect(received).toMatch(/^(?:HTTP\/1\.1 (?:400|413|431|505) [^\r\n]+\r\nConnection: close\r\n\r\n)?$/);
  });

  test.each([
    ['chunks without a size', 'zz\r\n{}\r\n0\r\n\r\n'],
    ['a chunk of 2^64 bytes', 'ffffffffffffffff\r\n{}\r\n0\r\n\r\n'],
    ['a chunk longer than its size', '2\r\n{}XX0\r\n\r\n'],
  ])('%s', async (_, body) => {
    const { body: answered } = await send(
      `POST /v1/generate HTTP/1.1\r\n${host}${json}Transfer-Encoding: chunked\r\n\r\n${body}`,
      { responses: 2 },
    );
    // The service's 401 to the head, then Bun's 400 to the body.
    expect(answered).toEndWith('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
    expect(answered).not.toMatch(INTERNALS);
  });
});

test('every line of the log is JSON, and none contains text of a caller', async () => {
  const lines = () => service.stderr.trim().split('\n');
  // The log arrives after the responses.
  await until(() => lines().length > 20);
  for (const line of lines()) expect(JSON.parse(line).level).toBeOneOf(['info', 'warn']);
  expect(service.stderr).not.toContain('evil');
  expect(service.stderr).not.toMatch(INTERNALS);
});
