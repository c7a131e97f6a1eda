import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pagesPdf } from '../support/pdf/samples.ts';
import { completed, onePagers, submit } from '../support/batch/batches.ts';
import { pageCount, toolsAvailable } from '../support/pdf/pdf.ts';
import {
  descendantsOf,
  processesLike,
  ServiceProcess,
  type ListedProcess,
} from '../support/service/process.ts';
import { Receiver } from '../support/sites/receiver.ts';
import { TestService } from '../support/service/service.ts';
import { until } from '../support/until.ts';

const folders: string[] = [];
async function dataDir(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  folders.push(folder);
  return folder;
}
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

const slow = (ms: number) => `<script>const end = Date.now() + ${ms}; while (Date.now() < end);</script>slow`;

function generate(url: string, key: string, html: string, options: object = {}): Promise<Response> {
  return fetch(`${url}/v1/generate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ html, options }),
  });
}

/** Starts a server for an image, and returns a document that loads until the image arrives. */
function startImage() {
  const gate = Promise.withResolvers<void>();
  const receiver = new Receiver(async () => {
    await gate.promise;
    return new Response(null, { status: 404 });
  });
  return {
    host: receiver.host,
    html: `<script></script><img src="${receiver.url('/image')}">`,
    isRequested: () => receiver.received.length > 0,
    arrive: () => gate.resolve(),
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
}

async function isRendering(url: string): Promise<boolean> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return /^platen_renders_running [1-9]/m.test(text);
}

async function childrenOf({ pid: service }: ServiceProcess): Promise<number[]> {
  return (await processesLike('')).filter(({ parent }) => parent === service).map(({ pid }) => pid);
}

describe('a service process', () => {
  test('prints the first key once, with a curl command that makes a PDF', async () => {
    const folder = await dataDir();
    const first = new ServiceProcess({ DATA_DIR: folder });
    await first.ready();
    const key = await first.firstKey();
    expect(key).toMatch(/^plt_live_/);
    const line = first.stdout.split('\n').find((text) => text.startsWith('curl ')) ?? '';
    const shell = Bun.spawn(['sh', '-c', line], { cwd: folder, stdout: 'pipe' });
    expect(await shell.exited).toBe(0);
    const pdf = await Bun.file(join(folder, 'hello.pdf')).bytes();
    if (toolsAvailable) expect(await pageCount(pdf)).toBe(1);
    expect(first.stderr).not.toContain(key);
    first.kill('SIGTERM');
    expect(await first.exited).toBe(0);

    const second = new ServiceProcess({ DATA_DIR: folder });
    await second.ready();
    expect(second.stdout).not.toContain('plt_live_');
    second.kill('SIGINT');
    expect(await second.exited).toBe(0);
  });

  test('SIGTERM with a drain delay: /readyz answers 503 and requests are served until the delay is over', async () => {
    const service = new ServiceProcess({ DATA_DIR: await dataDir(), DRAIN_DELAY_MS: '1500' });
    const url = await service.ready();
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    service.kill('SIGTERM');
    await until(async () => (await fetch(`${url}/readyz`)).status === 503);
    expect((await generate(url, await service.firstKey(), 'late')).status).toBe(200);
    expect(await service.exited).toBe(0);
  });

  test('SIGTERM during a request: it is answered, new requests are refused, the exit code is 0 and no child process remains', async () => {
    const folder = await dataDir();
    const service = new ServiceProcess({ DATA_DIR: folder });
    const url = await service.ready();
    const running = generate(url, await service.firstKey(), slow(1_500));
    await until(() => isRendering(url));
    service.kill('SIGTERM');
    service.kill('SIGTERM');
    const late = async () => {
      const answer = await generate(url, await service.firstKey(), 'late').catch(() => undefined);
      return answer?.status ?? 'refused';
    };
    await until(async () => ['refused', 503].includes(await late()));
    const answer = await running;
    expect(answer.status).toBe(200);
    expect(((await answer.json()) as { status: string }).status).toBe('completed');
    expect(await service.exited).toBe(0);
    await until(async () => (await childrenOf(service)).length === 0);
    expect(service.stderr).toContain('"msg":"stopped"');
  });

  test('SIGSTOP for longer than the deadline: the document that was being printed is completed', async () => {
    await using image = startImage();
    const service = new ServiceProcess({
      DATA_DIR: await dataDir(),
      EGRESS_ALLOW: image.host,
      RENDER_TIMEOUT_MS: '15000',
    });
    const url = await service.ready();
    const running = generate(url, await service.firstKey(), image.html);
    await until(image.isRequested);
    service.killGroup('SIGSTOP');
    // Real time: the deadline passes while the process is suspended.
    await Bun.sleep(16_000);
    service.killGroup('SIGCONT');
    image.arrive();
    const answer = await running;
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"completed"')]);
    service.kill('SIGTERM');
    await service.exited;
  });

  test('SIGTERM does not wait for the rest of a refused body', async () => {
    const service = new ServiceProcess({ DATA_DIR: await dataDir(), DRAIN_TIMEOUT_MS: '20000' });
    const { port } = new URL(await service.ready());
    const client = connect(Number(port), '127.0.0.1');
    const answered = Promise.withResolvers<string>();
    client.on('data', (data) => answered.resolve(data.toString()));
    const head = ['POST /v1/generate HTTP/1.1', 'host: x', 'content-type: application/json'];
    client.write([...head, 'content-length: 300000', '', 'x'.repeat(150_000)].join('\r\n'));
    expect(await answered.promise).toStartWith('HTTP/1.1 401 ');
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(service.stderr).not.toContain('aborted');
    client.destroy();
  });

  test('SIGTERM: a request that exceeds the drain limit is aborted, and the exit code is still 0', async () => {
    const service = new ServiceProcess({ DATA_DIR: await dataDir(), DRAIN_TIMEOUT_MS: '500' });
    const url = await service.ready();
    const running = generate(url, await service.firstKey(), slow(60_000)).catch(() => undefined);
    await until(() => isRendering(url));
    service.kill('SIGTERM');
    expect(await service.exited).toBe(0);
    expect(service.stderr).toContain('requests were aborted at the end of the drain limit');
    await running;
  });

  test('kill -9: the next start keeps completed generations and their proofs, and no browser or sandbox process remains', async () => {
    const folder = await dataDir();
    const service = new ServiceProcess({ DATA_DIR: folder });
    const url = await service.ready();
    const key = await service.firstKey();
    const read = async (path: string, from = url) => {
      const answer = await fetch(from + path, { headers: { authorization: `Bearer ${key}` } });
      expect(answer.status).toBe(200);
      return answer.json();
    };
    const archived = (await (await generate(url, key, 'x', { pdfa: '2b' })).json()) as { id: string };
    const proofPath = `/v1/generations/${archived.id}/proof`;
    const proof = await read(proofPath);
    const answered: { id: string; pages: number }[] = [];
    const stopping = new AbortController();
    const work = async () => {
      while (!stopping.signal.aborted) {
        const answer = await generate(url, key, `<p>${crypto.randomUUID()}`).catch(() => undefined);
        if (answer?.status === 200) answered.push((await answer.json()) as { id: string; pages: number });
      }
    };
    const workers = [work(), work(), work()];
    await until(() => answered.length >= 5);
    const children = await childrenOf(service);
    expect(children.length).toBeGreaterThanOrEqual(2);
    service.kill('SIGKILL');
    stopping.abort();
    await Promise.all(workers);
    await until(async () => !(await processesLike('')).some(({ pid }) => children.includes(pid)));

    const next = new ServiceProcess({ DATA_DIR: folder });
    const nextUrl = await next.ready();
    for (const { id, pages } of answered) {
      const generation = (await read(`/v1/generations/${id}`, nextUrl)) as { url: string };
      const file = await fetch(generation.url);
      expect(file.status).toBe(200);
      if (toolsAvailable) expect(await pageCount(await file.bytes())).toBe(pages);
    }
    expect(await read(proofPath, nextUrl)).toEqual(proof);
    const { url: link } = (await read(`/v1/generations/${archived.id}`, nextUrl)) as { url: string };
    const hash = createHash('sha256').update(await (await fetch(link)).bytes());
    expect(proof).toMatchObject({ sha256: hash.digest('hex'), claims: [{ standard: 'PDF/A', level: '2b' }] });
    next.kill('SIGTERM');
    await next.exited;
  }, 60_000);
});

describe('kill -9 of a child process', () => {
  test('the browser: the running document is retried and the next one is printed', async () => {
    const others = await ownBrowsers();
    await using image = startImage();
    await using service = await TestService.start({ env: { EGRESS_ALLOW: image.host } });
    const running = service.post('/v1/generate', { html: image.html });
    await until(image.isRequested);
    const browsers = (await ownBrowsers()).filter((pid) => !others.includes(pid));
    expect(browsers.length).toBeGreaterThan(0);
    for (const pid of browsers) process.kill(pid, 'SIGKILL');
    image.arrive();
    expect((await running).status).toBe(200);
    expect((await service.post('/v1/generate', { html: 'next' })).status).toBe(200);
    expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(
      /platen_browser_recycles_total\{reason="crash"\} 1/,
    );
  });

  test('the browser, repeatedly: the document fails with a status that blames the service', async () => {
    const others = await ownBrowsers();
    await using image = startImage();
    await using service = await TestService.start({ env: { EGRESS_ALLOW: image.host } });
    const killBrowsers = async () => {
      for (const pid of await ownBrowsers()) if (!others.includes(pid)) killIfAlive(pid);
    };
    const running = service.post('/v1/generate', { html: image.html });
    await until(image.isRequested);
    let killing = Promise.resolve();
    const timer = setInterval(() => {
      killing = killBrowsers();
    }, 50);
    const { status, body } = await running.finally(() => clearInterval(timer));
    await killing;
    // A browser that is killed during its start is unavailable.
    expect([500, 503]).toContain(status);
    expect(body.error.details[0].code).toBe('RENDER_FAILED');
    const [failed] = (await service.get('/v1/generations?status=failed')).body.data;
    const { body: recorded } = await service.get(`/v1/generations/${failed.id}`);
    expect(recorded.error).toStartWith('RENDER_FAILED: ');
  });

  test('the browser, at any moment while a page is opened: every document is printed', async () => {
    const others = await ownBrowsers();
    await using service = await TestService.start();
    const own = async () => (await ownBrowsers()).filter((pid) => !others.includes(pid));
    for (let delayMs = 0; delayMs < 60; delayMs += 12) {
      // Each account needs a new page for its scripts.
      const key = await service.newKey();
      const running = service.post('/v1/generate', { html: '<p>x</p><script>1</script>' }, key);
      // Real time: the browser dies at any moment.
      await Bun.sleep(delayMs);
      for (const pid of await own()) killIfAlive(pid);
      const { status, body } = await running;
      expect([delayMs, status, body.error?.message]).toEqual([delayMs, 200, undefined]);
    }
  }, 60_000);

  test('a page: only its document is retried', async () => {
    const others = await ownPages();
    await using image = startImage();
    await using service = await TestService.start({ env: { EGRESS_ALLOW: image.host } });
    const running = service.post('/v1/generate', { html: image.html });
    await until(image.isRequested);
    const pages = (await ownPages()).filter((pid) => !others.includes(pid));
    expect(pages.length).toBeGreaterThan(0);
    for (const pid of pages) process.kill(pid, 'SIGKILL');
    image.arrive();
    expect((await running).status).toBe(200);
    expect(await (await fetch(`${service.url}/metrics`)).text()).not.toMatch(
      /platen_browser_recycles_total\{/,
    );
  });

  test('every sandbox process: at most one request per process fails, and later templates render', async () => {
    const allHosts = async () =>
      (await processesLike('host.ts')).filter(({ parent }) => parent === process.pid).map(({ pid }) => pid);
    const others = await allHosts();
    await using service = await TestService.start();
    const ownHosts = async () => (await allHosts()).filter((pid) => !others.includes(pid));
    const hosts = await ownHosts();
    expect(hosts.length).toBeGreaterThan(0);
    const answers = Array.from({ length: 20 }, (_, number) =>
      service.post('/v1/generate', { html: '<p>{{n}}', data: { n: number } }),
    );
    for (const pid of hosts) process.kill(pid, 'SIGKILL');
    const statuses = (await Promise.all(answers)).map(({ status }) => status);
    expect(statuses.filter((status) => status !== 200).length).toBeLessThanOrEqual(hosts.length);
    const next = await service.post('/v1/generate', { html: '<p>{{n}}', data: { n: 1 } });
    expect(next.status).toBe(200);
    expect((await service.get('/readyz', null)).status).toBe(200);
    expect((await ownHosts()).filter((pid) => hosts.includes(pid))).toEqual([]);
  });
});

describe('SIGSTOP of the browser', () => {
  /** Starts a service, lets it print a document, and stops its browser. */
  async function startWithStoppedBrowser(timeoutMs: number): Promise<TestService> {
    const others = await ownBrowsers();
    const service = await TestService.start({ env: { RENDER_TIMEOUT_MS: String(timeoutMs) } });
    await service.post('/v1/generate', { html: 'warm' });
    const browsers = (await ownBrowsers()).filter((pid) => !others.includes(pid));
    expect(browsers.length).toBeGreaterThan(0);
    for (const pid of browsers) process.kill(pid, 'SIGSTOP');
    return service;
  }

  test('the deadline holds, and a new browser prints the next document', async () => {
    await using service = await startWithStoppedBrowser(1_500);
    const { status, headers, body } = await service.post('/v1/generate', { html: 'hung' });
    expect([status, headers.get('retry-after')]).toEqual([503, '5']);
    expect(body.error.details[0]).toMatchObject({
      code: 'RENDER_TIMEOUT',
      message: expect.stringContaining('browser'),
    });
    const hung = /platen_browser_recycles_total\{reason="hung"\} 1/;
    await until(async () => hung.test(await (await fetch(`${service.url}/metrics`)).text()));
    await until(async () => (await service.post('/v1/generate', { html: 'next' })).status === 200);
    expect((await service.get('/readyz', null)).status).toBe(200);
  });

  test('text that the browser draws for a PDF operation is refused with Retry-After', async () => {
    const others = await ownBrowsers();
    await using service = await TestService.start({ env: { RENDER_TIMEOUT_MS: '1500' } });
    const pdf = Buffer.from(pagesPdf(1), 'latin1').toString('base64');
    const text = '\u0645\u0631\u062d\u0628\u0627';
    for (const [path, body] of [
      ['/v1/pdf/watermark', { pdf, text }],
      ['/v1/pdf/stamp', { pdf, text }],
      ['/v1/pdf/pipeline', { pdf, steps: [{ do: 'watermark', text }] }],
    ] as const) {
      await until(async () => (await service.post('/v1/pdf/watermark', { pdf, text })).status === 200);
      for (const pid of await ownBrowsers()) if (!others.includes(pid)) process.kill(pid, 'SIGSTOP');
      const { status, headers, body: answer } = await service.post(path, body);
      expect([path, status, answer.error]).toMatchObject([path, 503, { code: 'UNAVAILABLE' }]);
      expect(headers.get('retry-after')).toBe('5');
    }
  });

  test('the items of a batch are made in a new browser', async () => {
    await using service = await startWithStoppedBrowser(10_000);
    const accepted = await submit(service, onePagers(3));
    expect(await completed(service, accepted)).toMatchObject({ completed: 3, failed: 0 });
  });
});

test('the browser is replaced after maxJobsPerBrowser documents, and no document is lost', async () => {
  const others = await ownBrowsers();
  await using service = await TestService.start({
    config: { plugins: { render: { maxJobsPerBrowser: 5 } } },
  });
  const own = async () => (await ownBrowsers()).filter((pid) => !others.includes(pid));
  // A process that the browser has just forked has its command line for a moment.
  const counts: number[] = [];
  for (let read = 0; read < 5; read += 1) {
    counts.push((await own()).length);
    await Bun.sleep(20);
  }
  const processesOfOne = Math.min(...counts);
  const answers = await Promise.all(
    Array.from({ length: 23 }, (_, number) => service.post('/v1/generate', { html: `${number}` })),
  );
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect(await (await fetch(`${service.url}/metrics`)).text()).toMatch(
    /platen_browser_recycles_total\{reason="jobs"\} 4/,
  );
  await until(async () => (await own()).length === processesOfOne);
});

/**
 * Returns the main processes of the browsers that this process launched, possibly through Debian's launcher
 * script.
 */
function ownBrowsers(): Promise<number[]> {
  return ownProcesses(
    ({ command }) => command.includes('--remote-debugging-pipe') && !command.includes('--type='),
  );
}

/** Returns the renderer processes of the browsers that this process launched. */
function ownPages(): Promise<number[]> {
  return ownProcesses(({ command }) => command.includes('--type=renderer'));
}

async function ownProcesses(isWanted: (listed: ListedProcess) => boolean): Promise<number[]> {
  return (await descendantsOf(process.pid)).filter(isWanted).map(({ pid }) => pid);
}

function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
