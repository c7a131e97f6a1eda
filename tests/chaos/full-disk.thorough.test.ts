import { expect, setDefaultTimeout, test } from 'bun:test';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pagesPdf } from '../support/pdf/samples.ts';
import { platen, ServiceProcess } from '../support/service/process.ts';
import { SmallDisk } from '../support/service/small-disk.ts';
import { until } from '../support/until.ts';

setDefaultTimeout(240_000);

const DISK_MB = 60;
const FILE_BYTES = 1_000_000;
const canMount = await SmallDisk.isAvailable();

interface ApiResponse {
  status: number;
  retryAfter: string | null;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests inspect arbitrary responses
  body: any;
}

/** A service on a small disk, in its own process. */
class Deployment implements AsyncDisposable {
  readonly #env: Record<string, string>;
  #process: ServiceProcess;
  url = '';
  key = '';

  private constructor(disk: SmallDisk) {
    this.#env = { DATA_DIR: disk.path, LOG_LEVEL: 'error' };
    this.#process = new ServiceProcess(this.#env);
  }

  static async start(disk: SmallDisk): Promise<Deployment> {
    const deployment = new Deployment(disk);
    deployment.url = await deployment.#process.ready();
    deployment.key = await deployment.#process.firstKey();
    return deployment;
  }

  async call(method: string, path: string, body?: unknown): Promise<ApiResponse> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    return {
      status: response.status,
      retryAfter: response.headers.get('retry-after'),
      body: isJson ? JSON.parse(text) : text,
    };
  }

  /** Uploads files until one is refused. Returns the ids of the others and the refusal. */
  async fill(): Promise<{ ids: string[]; refused: ApiResponse }> {
    const ids: string[] = [];
    for (;;) {
      const answer = await this.call('POST', '/v1/files', { file: largePdf() });
      if (answer.status !== 201) return { ids, refused: answer };
      ids.push(answer.body.id);
    }
  }

  /** Starts a process after the earlier one has ended. */
  async restart(signal: NodeJS.Signals): Promise<void> {
    await this.stop(signal);
    this.#process = new ServiceProcess(this.#env);
    this.url = await this.#process.ready();
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#process.kill(signal);
    await this.#process.exited;
  }

  async doctor(): Promise<{ code: number; stdout: string }> {
    return platen(['doctor'], this.#env);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL');
  }
}

/** Returns a PDF of about a megabyte in base64. */
function largePdf(): string {
  return Buffer.concat([Buffer.from(pagesPdf(1), 'latin1'), Buffer.alloc(FILE_BYTES, '%padding\n')]).toString(
    'base64',
  );
}

/** Writes a file until the disk has no byte left, as another program would. */
async function fillRest(disk: SmallDisk): Promise<string> {
  const path = join(disk.path, 'of-another-program');
  await using file = await open(path, 'w');
  for (const sizeBytes of [65_536, 4_096]) {
    const chunk = Buffer.alloc(sizeBytes, 1);
    while (
      await file.writeFile(chunk).then(
        () => true,
        () => false,
      )
    );
  }
  return path;
}

function expectRefusal({ status, retryAfter, body }: ApiResponse): void {
  expect([status, body.error?.code]).toEqual([503, 'UNAVAILABLE']);
  expect(body.error.message).toStartWith('the disk of the service is full');
  expect(Number(retryAfter)).toBeGreaterThan(0);
}

test.skipIf(!canMount)('a full disk refuses intake, and keeps and deletes what is stored', async () => {
  await using disk = await SmallDisk.mount(DISK_MB);
  await using service = await Deployment.start(disk);
  const { ids, refused } = await service.fill();
  expect(ids.length).toBeGreaterThan(20);
  expectRefusal(refused);

  // Another program takes the rest.
  const foreign = await fillRest(disk);
  const small = { html: '<p>small</p>' };
  for (const [path, body] of [
    ['/v1/generate', small],
    ['/v1/generate/batch', { items: [small] }],
    ['/v1/templates', { name: 'a', html_content: '<p>a</p>' }],
    ['/v1/files', { file: largePdf() }],
    ['/v1/pdf/merge', { pdfs: ids.slice(0, 2) }],
  ] as const)
    expectRefusal(await service.call('POST', path, body));
  expect((await service.call('POST', '/v1/pdf/info', { pdf: ids[0] })).status).toBe(200);
  const degraded = await service.call('GET', '/readyz');
  const { status, parts } = degraded.body;
  expect([degraded.status, status]).toEqual([200, 'ready']);
  expect(parts.disk).toContain('new data is refused');
  const { code, stdout } = await service.doctor();
  expect([code, stdout]).toEqual([1, expect.stringMatching(/FAIL {2}disk .*new data is refused/)]);

  await service.restart('SIGKILL');
  for (const id of ids) expect((await service.call('GET', `/v1/files/${id}`)).status).toBe(200);
  expectRefusal(await service.call('POST', '/v1/files', { file: largePdf() }));
  expect((await service.call('GET', `/v1/files/${ids[0]}/content`)).status).toBe(200);
  for (const id of ids) expect((await service.call('DELETE', `/v1/files/${id}`)).status).toBe(204);
  for (const id of ids) expect((await service.call('GET', `/v1/files/${id}`)).status).toBe(404);

  // With space, intake works again, and the reserve comes back.
  await rm(foreign);
  await until(async () => (await service.call('POST', '/v1/files', { file: largePdf() })).status === 201);
  await until(async () => (await service.call('GET', '/readyz')).body.parts.disk === 'ok');
  expect((await service.call('POST', '/v1/generate', small)).status).toBe(200);
});

test.skipIf(!canMount)('read-only data is read, and changes are refused', async () => {
  await using disk = await SmallDisk.mount(DISK_MB);
  await using service = await Deployment.start(disk);
  const { body: stored } = await service.call('POST', '/v1/files', { file: largePdf() });
  for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
    await service.stop(signal);
    await disk.remount('ro');
    await service.restart(signal);
    expect((await service.call('GET', `/v1/files/${stored.id}`)).status).toBe(200);
    expect((await service.call('GET', `/v1/files/${stored.id}/content`)).status).toBe(200);
    expect((await service.call('POST', '/v1/pdf/info', { pdf: stored.id })).status).toBe(200);
    for (const [method, path, body] of [
      ['POST', '/v1/files', { file: largePdf() }],
      ['POST', '/v1/generate', { html: 'x' }],
      ['POST', '/v1/templates', { name: 'a', html_content: '<p>a</p>' }],
      ['DELETE', `/v1/files/${stored.id}`, undefined],
    ] as const) {
      const answer = await service.call(method, path, body);
      expect([path, answer.status, answer.body.error?.message]).toEqual([
        path,
        503,
        expect.stringContaining('read-only'),
      ]);
      expect(Number(answer.retryAfter)).toBeGreaterThan(0);
    }
    const ready = await service.call('GET', '/readyz');
    expect([ready.status, ready.body.parts.files]).toEqual([200, expect.stringContaining('read-only')]);
    expect((await service.doctor()).stdout).toMatch(/FAIL {2}files .*read-only/);
    await service.stop('SIGKILL');
    await disk.remount('rw');
    await service.restart('SIGKILL');
  }
});
