import { describe, expect, test } from 'bun:test';
import { completed, onePagers, submit } from '../support/batch/batches.ts';
import { pagesPdf } from '../support/pdf/samples.ts';
import { descendantsOf, processesLike, type ListedProcess } from '../support/service/process.ts';
import { TestService } from '../support/service/service.ts';
import { startImage } from '../support/sites/late-image.ts';
import { until } from '../support/until.ts';

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
