import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ServiceProcess } from '../../support/service/process.ts';
import { until } from '../../support/until.ts';

let dataDir: string;
let service: ServiceProcess;
let url: string;
let key: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'platen-log-'));
  const plugin = join(import.meta.dir, '..', '..', 'fixtures', 'plugins', 'working.ts');
  const config = join(dataDir, 'platen.config.json');
  await writeFile(config, JSON.stringify({ plugins: { [plugin]: true } }));
  service = new ServiceProcess({ DATA_DIR: dataDir, PLATEN_CONFIG: config, LOG_LEVEL: 'info' });
  url = await service.ready();
  key = await service.firstKey();
});
afterAll(async () => {
  service.kill('SIGTERM');
  await service.exited;
  await rm(dataDir, { recursive: true, force: true });
});

/** Sends a request and returns its status and its log lines, without the line that every request gets. */
async function sendAndReadLog(method: string, path: string) {
  const response = await fetch(url + path, { method, headers: { authorization: `Bearer ${key}` } });
  await response.text();
  const id = response.headers.get('x-request-id') ?? '';
  const lines = () =>
    service.stderr
      .split('\n')
      .filter((line) => line.includes(id))
      .map((line) => JSON.parse(line));
  await until(() => lines().some(({ msg }) => msg === 'request'));
  return { status: response.status, lines: lines().filter(({ msg }) => msg !== 'request') };
}

test('an operation that is not implemented is logged as info', async () => {
  const { status, lines } = await sendAndReadLog('POST', '/v1/pdf/protect');
  expect(status).toBe(501);
  expect(lines).toEqual([expect.objectContaining({ level: 'info' })]);
  expect(JSON.stringify(lines)).not.toContain('stack');
});

test('an unreachable database is logged as one warning with its cause', async () => {
  const { status, lines } = await sendAndReadLog('GET', '/v1/working/unavailable');
  expect(status).toBe(503);
  expect(lines).toEqual([
    expect.objectContaining({ level: 'warn', cause: 'no connection', msg: 'the database cannot be reached' }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('stack');
});

test('a full disk is logged as one warning for the operator', async () => {
  const { status, lines } = await sendAndReadLog('GET', '/v1/working/full');
  expect(status).toBe(503);
  expect(lines).toEqual([
    expect.objectContaining({ level: 'warn', cause: 'no space', msg: expect.stringContaining('is full') }),
  ]);
});

test.each([
  ['GET', '/v1/working/refused', 429],
  ['GET', '/nothing', 404],
  ['PATCH', '/v1/templates', 405],
  ['POST', '/v1/templates', 400],
])('an expected refusal (%s %s) has no other log line than its request', async (method, path, expected) => {
  const { status, lines } = await sendAndReadLog(method, path);
  expect([status, lines]).toEqual([expected, []]);
});

test('a caller that disconnects while sending its body gets one log line, and the handler does not run', async () => {
  const waits = async () =>
    (await fetch(`${url}/v1/working/waits`, { headers: { authorization: `Bearer ${key}` } })).json();
  const before = await waits();
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const head = [
    'POST /v1/working/wait HTTP/1.1',
    `host: ${hostname}`,
    `authorization: Bearer ${key}`,
    'content-type: application/json',
    'content-length: 30000000',
  ];
  await new Promise((resolve) => socket.once('connect', resolve));
  // More than the system's buffers hold, so that the service has begun to read it.
  await new Promise((resolve) =>
    socket.write(`${head.join('\r\n')}\r\n\r\n{${' '.repeat(20_000_000)}`, resolve),
  );
  socket.destroy();
  await until(() => service.stderr.includes('"msg":"the caller disconnected"'));
  await until(() => service.stderr.includes('"route":"POST /v1/working/wait","status":499'));
  expect(await waits()).toEqual(before);
  expect(service.stderr).not.toContain('"level":"error"');
});

test('a bug is logged as an error with its stack', async () => {
  const { status, lines } = await sendAndReadLog('GET', '/v1/working/broken');
  expect(status).toBe(500);
  expect(lines).toEqual([
    expect.objectContaining({ level: 'error', err: expect.objectContaining({ stack: expect.any(String) }) }),
  ]);
});
