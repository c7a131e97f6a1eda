import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readDataFolder } from '../support/service/data-folder.ts';
import { platen, ServiceProcess } from '../support/service/process.ts';
import { until } from '../support/until.ts';
import { startWebOrigins, type Responder, type OriginName } from '../support/sites/web-origins.ts';

const COOKIE = 'cookie7431secret';
const HEADER = 'header7431secret';
const PASSWORD = 'password7431secret';
const BASIC = Buffer.from(`ann:${PASSWORD}`).toString('base64');
const QUERY = 'query7431secret';
const CREDENTIAL_VALUES = [COOKIE, HEADER, PASSWORD, BASIC];
const SECRETS = [...CREDENTIAL_VALUES, QUERY];

const CREDENTIALS = {
  cookies: [{ name: 'session', value: COOKIE }],
  headers: { 'X-Api-Key': HEADER },
  basic_auth: { username: 'ann', password: PASSWORD },
};

const NAMES = ['first', 'second', 'secure'] as const;

/** Requests every kind of subresource from each origin. */
const resources = (origin: string) => `
  <link rel="stylesheet" href="${origin}/style"><script src="${origin}/script"></script><img src="${origin}/image">
  <img src="${origin}/crossed-image" crossorigin="use-credentials"><iframe src="${origin}/frame"></iframe><video src="${origin}/video"></video>
  <link rel="prefetch" href="${origin}/prefetch"><style>@font-face { font-family: F; src: url(${origin}/font) } p { font-family: F }</style>
  <object data="${origin}/object"></object><img src="${origin}/redirected-image">
  <script>
    fetch('${origin}/fetch', { credentials: 'include' }).catch(() => {});
    fetch('${origin}/opaque', { credentials: 'include', mode: 'no-cors' }).catch(() => {});
    fetch('${origin}/posted', { method: 'POST', body: 'x', credentials: 'include', mode: 'no-cors' }).catch(() => {});
    navigator.sendBeacon('${origin}/beacon', 'x');
    new EventSource('${origin}/events', { withCredentials: true });
    new WebSocket('${origin}/socket'.replace('http', 'ws'));
  </script>`;

const answer: Responder = (request, response, origins) => {
  const path = request.url?.split('?')[0] ?? '';
  const others = { first: origins.second, second: origins.secure, secure: origins.first };
  const own = NAMES.find((name) => new URL(origins[name].origin).host === request.headers.host) ?? 'first';
  const [, target] = /^\/to-(\w+)$/.exec(path) ?? [];
  const location = target ? `${origins[target as OriginName].origin}/page` : `${others[own].origin}/image`;
  if (target || path === '/redirected-image') return void response.writeHead(302, { location }).end();
  if (path === '/silent') return;
  response.setHeader('content-type', 'text/html');
  if (path === '/404') return void response.writeHead(404).end('<p>none');
  if (path === '/page')
    return void response.end(
      `<p>page <script>document.write('[' + document.cookie + ']')</script>
       <script>const w = new Worker('/worker'); const s = new SharedWorker('/shared-worker')</script>${NAMES.map((name) => resources(origins[name].origin)).join('')}`,
    );
  if (path.endsWith('worker')) {
    response.setHeader('content-type', 'text/javascript');
    const fetches = NAMES.map(
      (name) =>
        `fetch('${origins[name].origin}${path}-fetch', { credentials: 'include', mode: 'no-cors' }).catch(() => {})`,
    );
    return void response.end(fetches.join(';'));
  }
  response.end('x');
};

const origins = await startWebOrigins(answer);
const url = (name: OriginName, path: string) => `${origins[name].origin}${path}?q=${QUERY}`;

let folder: string;
let dataDir: string;
let service: ServiceProcess;
let base: string;
let key: string;
let adminKey: string;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-credentials-'));
  dataDir = join(folder, 'data');
  env = { ...origins.env, DATA_DIR: dataDir, LOG_LEVEL: 'trace', RENDER_TIMEOUT_MS: '15000' };
  service = new ServiceProcess(env);
  base = await service.ready();
  adminKey = await service.firstKey();
  key = adminKey;
}, 60_000);

afterAll(async () => {
  service.kill('SIGTERM');
  await service.exited;
  await rm(folder, { recursive: true, force: true });
}, 60_000);

beforeEach(() => origins.reset());

/** The text of all responses. */
let responses = '';

async function call(method: string, path: string, body?: object) {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  responses += text + JSON.stringify([...response.headers]);
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}

/** Lists the requests to an origin with any credential. */
function withCredentials(name: OriginName): string[] {
  return origins[name].received
    .filter((request) => CREDENTIAL_VALUES.some((secret) => JSON.stringify(request.headers).includes(secret)))
    .map(({ path }) => path.split('?')[0] ?? '');
}

describe('credentials of a URL', () => {
  // Documents of an account that has been slow are printed in the background, which takes long on a busy
  // machine.
  beforeEach(async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    const { stdout } = await platen(['keys', 'create', '--email', email, '--plan', 'pro'], env);
    key = stdout.trim();
  });
  afterAll(() => {
    key = adminKey;
  });

  test.each(NAMES)(
    'go to its origin only: %s',
    async (name) => {
      const { status } = await call('POST', '/v1/generate', { url: url(name, '/page'), ...CREDENTIALS });
      expect(status).toBe(200);
      // All origins are requested.
      for (const other of NAMES)
        for (const path of ['/image', '/frame', '/fetch', '/opaque'])
          expect(origins[other].received.map((request) => request.path.split('?')[0])).toContain(path);
      for (const other of NAMES.filter((one) => one !== name)) expect(withCredentials(other)).toEqual([]);
      const [page] = origins[name].received;
      expect(page?.headers).toMatchObject({
        cookie: `session=${COOKIE}`,
        'x-api-key': HEADER,
        authorization: `Basic ${BASIC}`,
      });
      for (const path of ['/page', '/script', '/image', '/fetch', '/frame'])
        expect(withCredentials(name)).toContain(path);
    },
    60_000,
  );

  test.each([
    ['first', 'second'],
    ['first', 'secure'],
    ['secure', 'first'],
  ] as const)(
    'do not follow a redirect from %s to %s',
    async (from, to) => {
      const { status } = await call('POST', '/v1/generate', { url: url(from, `/to-${to}`), ...CREDENTIALS });
      expect(status).toBe(200);
      expect(origins[to].received.map(({ path }) => path)).toContain('/page');
      for (const other of NAMES.filter((one) => one !== from)) expect(withCredentials(other)).toEqual([]);
      // The document of the other origin requests resources of this one, but must not act with the caller's
      // headers.
      expect(origins[from].received.map(({ path }) => path)).toContain('/posted');
      const sent = origins[from].received.filter(({ headers }) => JSON.stringify(headers).includes(HEADER));
      expect(sent.map(({ path }) => path.split('?')[0])).toEqual([`/to-${to}`]);
    },
    60_000,
  );

  test('follow a redirect within the origin', async () => {
    await call('POST', '/v1/generate', { url: url('first', '/to-first'), ...CREDENTIALS });
    expect(withCredentials('first')).toContain('/page');
  }, 60_000);

  test('are not sent with the next document of the account, nor kept by its page', async () => {
    await call('POST', '/v1/generate', { url: url('first', '/page'), ...CREDENTIALS });
    origins.reset();
    for (const body of [{ html: resources(origins.first.origin) }, { url: url('first', '/page') }])
      expect((await call('POST', '/v1/generate', body)).status).toBe(200);
    expect(origins.first.received.length).toBeGreaterThan(5);
    expect(withCredentials('first')).toEqual([]);
  }, 60_000);

  test('are sent by a page that has loaded assets for another document', async () => {
    const data = Buffer.from('p { color: red }').toString('base64');
    expect((await call('POST', '/v1/assets', { name: 'own.css', data })).status).toBe(201);
    const html = '<link rel="stylesheet" href="asset:own.css"><p>own</p><script>1</script>';
    expect((await call('POST', '/v1/generate', { html, options: { strict: true } })).status).toBe(200);
    const body = { url: url('first', '/page'), ...CREDENTIALS };
    expect((await call('POST', '/v1/generate', body)).status).toBe(200);
    for (const path of ['/page', '/script', '/fetch']) expect(withCredentials('first')).toContain(path);
  }, 60_000);

  test('apply below the path of a cookie only', async () => {
    const cookies = [{ name: 'session', value: COOKIE, path: '/frame', domain: '127.0.0.1' }];
    await call('POST', '/v1/generate', { url: url('first', '/page'), cookies });
    expect(new Set(withCredentials('first'))).toEqual(new Set(['/frame']));
  }, 60_000);

  test('in a cookie cannot be read by scripts', async () => {
    const { body } = await call('POST', '/v1/templates/preview', {
      url: url('first', '/page'),
      ...CREDENTIALS,
      output: 'base64',
    });
    const child = Bun.spawn(['pdftotext', '-', '-'], { stdin: Buffer.from(body.data, 'base64') });
    expect(await new Response(child.stdout).text()).toContain('[]');
  }, 60_000);
});

describe('credentials of a URL are in', () => {
  const bad = { name: 'bad', value: `${COOKIE};` };

  beforeAll(async () => {
    const requests: object[] = [
      { url: url('first', '/page'), ...CREDENTIALS },
      { url: url('first', '/404'), ...CREDENTIALS },
      { url: url('first', '/silent'), ...CREDENTIALS },
      { url: url('first', '/to-blocked'), ...CREDENTIALS },
      { url: url('blocked', '/'), ...CREDENTIALS },
      { url: url('first', '/page'), ...CREDENTIALS, options: { strict: true } },
      { url: url('first', '/page'), cookies: [bad] },
      { url: url('first', '/page'), headers: { 'X-A': `${HEADER}\n`, Host: HEADER } },
      { url: url('first', '/page'), basic_auth: { username: `a:${PASSWORD}`, password: PASSWORD } },
      { url: url('first', '/page'), ...CREDENTIALS, unknown: 1 },
      { html: 'x', ...CREDENTIALS },
      { url: `http://ann:${PASSWORD}@127.0.0.1/?${QUERY}` },
      { url: `ftp://127.0.0.1/?${QUERY}` },
    ];
    for (const body of requests) {
      await call('POST', '/v1/generate', body);
      await call('POST', '/v1/templates/preview', body);
    }
    const items = [
      { url: url('first', '/page'), ...CREDENTIALS },
      { url: url('first', '/404'), ...CREDENTIALS },
    ];
    const { body } = await call('POST', '/v1/generate/batch', { items });
    await until(async () => {
      const batch = await call('GET', `/v1/batches/${body.batch_id}`);
      return batch.body.status === 'completed';
    });
    const waiting = Array.from({ length: 30 }, () => ({ url: url('first', '/silent'), ...CREDENTIALS }));
    const queued = await call('POST', '/v1/generate/batch', { items: waiting });
    // Read while items wait.
    await expectAbsent(await readDataFolder(dataDir));
    await call('POST', `/v1/batches/${queued.body.batch_id}/cancel`);
    const { body: list } = await call('GET', '/v1/generations?limit=100');
    for (const { id } of list.data) await call('GET', `/v1/generations/${id}?receipt=true`);
    await call('GET', '/v1/batches');
  }, 120_000);

  async function expectAbsent(bytes: Buffer | string): Promise<void> {
    for (const secret of SECRETS) expect([secret, bytes.includes(secret)]).toEqual([secret, false]);
  }

  test('no file of the data directory, even while batch items wait', async () => {
    const data = await readDataFolder(dataDir);
    // Proves that these are the right files.
    expect(data.includes('ASSET_FAILED')).toBe(true);
    await expectAbsent(data);
  });

  test('no line of the log', async () => {
    await until(() => service.stderr.includes('"reason":"NAVIGATION_BLOCKED"'));
    await expectAbsent(service.stderr);
    await expectAbsent(service.stdout);
  });

  test('no response', async () => {
    expect(responses).toContain('"resources"');
    expect(responses).toContain('RENDER_TIMEOUT');
    await expectAbsent(responses);
  });

  test('no export of the account', async () => {
    const file = join(folder, 'export.zip');
    const args = ['accounts', 'export', '--email', 'admin@localhost', '--out', file];
    const { code } = await platen(args, env);
    expect(code).toBe(0);
    const child = Bun.spawn(['unzip', '-p', file], { stdout: 'pipe', stderr: 'ignore' });
    const text = Buffer.from(await new Response(child.stdout).arrayBuffer());
    expect(text.includes('ASSET_FAILED')).toBe(true);
    await expectAbsent(text);
  }, 60_000);
});
