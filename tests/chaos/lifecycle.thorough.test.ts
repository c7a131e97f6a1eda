import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pageCount, toolsAvailable } from '../support/pdf/pdf.ts';
import { processesLike, ServiceProcess } from '../support/service/process.ts';
import { startImage } from '../support/sites/late-image.ts';
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
