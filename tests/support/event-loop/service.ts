import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SCOPES } from '../../../src/accounts/scopes.ts';
import { samplePdf } from '../../../plugins/pdf-tools/examples.ts';
import { pagesPdf } from '../pdf/samples.ts';
import { platen, ServiceProcess } from '../service/process.ts';
import { sendRaw } from '../service/raw-http.ts';
import { HealthProbe, type Delay } from './health-probe.ts';
import type { Stored, WorstInput } from './inputs.ts';
import { slowness } from './machine-speed.ts';
import { longestCaseData } from './template-test-inputs.ts';

/** The effect of one request on the service. */
export interface Measured extends Delay {
  status: number;
  tookMs: number;
}

/** The body of a request. */
interface SentBody {
  body: string | Uint8Array | undefined;
  contentType?: string | undefined;
}

interface SentText extends SentBody {
  body: string;
}

/** An operation of the OpenAPI document. */
interface Operation {
  requestBody?: { content: Record<string, unknown> };
}

/** Ids that do not exist. */
const NOTHING_STORED: Stored = {
  template: 'tmpl_none',
  typedTemplate: 'tmpl_none',
  publicTemplate: 'tmpl_none',
  testedTemplate: 'tmpl_none',
  generation: 'gen_none',
  batch: 'batch_none',
  file: 'file_none',
};

/**
 * The longest time one request may block the event loop of a core with 3 GHz. It is compared with the CPU time
 * that the service's main thread spends while `/healthz` waits, which barely depends on the load of the
 * machine. `bench/event-loop.ts` measures the delay itself.
 */
export const MAX_BLOCK_MS = 100;
/** Number of measurements; the shortest counts, because any may include compilation or garbage collection. */
const TRIES = 5;

/** A service in its own process whose event loop is monitored. */
export class EventLoopService implements AsyncDisposable {
  readonly #process: ServiceProcess;
  readonly #probe: HealthProbe;
  readonly url: string;
  readonly #key: string;
  readonly #dataDir: string;
  #stored: Stored | undefined;

  private constructor(parts: {
    process: ServiceProcess;
    probe: HealthProbe;
    url: string;
    key: string;
    dataDir: string;
  }) {
    this.#process = parts.process;
    this.#probe = parts.probe;
    this.url = parts.url;
    this.#key = parts.key;
    this.#dataDir = parts.dataDir;
  }

  /** Starts a service. With `stores`, also stores the records to which some inputs refer. */
  static async start({ stores = true } = {}): Promise<EventLoopService> {
    const dataDir = await mkdtemp(join(tmpdir(), 'platen-event-loop-'));
    const config = join(dataDir, 'platen.config.json');
    await writeFile(config, JSON.stringify({ plugins: { 'pdf-tools': { protect: true } } }));
    const process = new ServiceProcess({ DATA_DIR: dataDir, PLATEN_CONFIG: config, LOG_LEVEL: 'error' });
    const url = await process.ready();
    while (!/plt_live_\w+/.test(process.stdout)) await Bun.sleep(20);
    const create = ['keys', 'create', '--email', 'admin@localhost', '--scopes', SCOPES.join(',')];
    const key = (await platen(create, { DATA_DIR: dataDir })).stdout.trim();
    const probe = await HealthProbe.start(url, process.pid);
    const service = new EventLoopService({ process, probe, url, key, dataDir });
    if (stores) service.#stored = await service.#store();
    return service;
  }

  /**
   * Lists the operations of the OpenAPI document and the media types of their bodies, such as
   * `POST /v1/files multipart/form-data`.
   */
  async routes(): Promise<string[]> {
    const response = await fetch(`${this.url}/openapi.json`);
    const { paths } = (await response.json()) as { paths: Record<string, Record<string, Operation>> };
    return Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) => {
        const mediaTypes = Object.keys(requestBody?.content ?? { '': undefined });
        return mediaTypes.map((mediaType) => `${method.toUpperCase()} ${path} ${mediaType}`.trim());
      }),
    );
  }

  /** Sends a request and measures how long it delays others. */
  async measure({ route, path, body, chunkBytes, contentType }: WorstInput): Promise<Measured> {
    const [method = '', template = ''] = route.split(' ');
    const stored = this.#stored ?? NOTHING_STORED;
    const sent = body?.(stored);
    const where = path?.(stored) ?? template;
    let status = 0;
    let tookMs = 0;
    const delay = await this.#probe.during(async () => {
      const begun = performance.now();
      status =
        chunkBytes === undefined
          ? await this.#sendWhole(method, where, { body: sent, contentType })
          : await this.#sendChunked(`${method} ${where}`, { body: String(sent), contentType }, chunkBytes);
      tookMs = performance.now() - begun;
    });
    return { ...delay, status, tookMs };
  }

  /**
   * Sends a request, again while it blocks the event loop for too long, and returns the shortest block in
   * milliseconds of a core with 3 GHz, or of this machine if it is faster.
   */
  async shortestBlockMs(input: WorstInput): Promise<number> {
    let shortest = Infinity;
    for (let tried = 0; tried < TRIES && shortest >= MAX_BLOCK_MS; tried += 1) {
      const { cpuMs, polls } = await this.measure(input);
      if (polls === 0) throw new Error('no request for /healthz was measured');
      shortest = Math.min(shortest, cpuMs / slowness());
    }
    return shortest;
  }

  /** Sends a request, reads the response and returns its status. */
  async #sendWhole(method: string, path: string, sent: SentBody): Promise<number> {
    const response = await this.#send(method, path, sent);
    await response.arrayBuffer();
    return response.status;
  }

  /** Sends a body in chunks of equal size and returns the status. */
  async #sendChunked(
    route: string,
    { body, contentType = 'application/json' }: SentText,
    chunkBytes: number,
  ): Promise<number> {
    const head = [
      `${route} HTTP/1.1`,
      'host: localhost',
      `authorization: Bearer ${this.#key}`,
      `content-type: ${contentType}`,
      'transfer-encoding: chunked',
    ];
    const size = chunkBytes.toString(16);
    let chunks = '';
    for (let at = 0; at < body.length; at += chunkBytes)
      chunks += `${size}\r\n${body.slice(at, at + chunkBytes)}\r\n`;
    const response = await sendRaw(this.url, `${head.join('\r\n')}\r\n\r\n${chunks}0\r\n\r\n`);
    return Number(response.split(' ')[1]);
  }

  #send(
    method: string,
    path: string,
    { body, contentType = 'application/json' }: SentBody,
  ): Promise<Response> {
    return fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.#key}`, 'content-type': contentType },
      ...(body !== undefined && { body: body as string }),
    });
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- tests inspect arbitrary responses
  async #post(path: string, body: unknown): Promise<any> {
    const response = await this.#send('POST', path, { body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    return response.json();
  }

  async #store(): Promise<Stored> {
    const html = `<p>{{x}}</p>${'word '.repeat(399_000)}`;
    const schema = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`${'v'.repeat(190)}${index}`, 'string']),
    );
    const template = await this.#post('/v1/templates', { name: 'large', html_content: html });
    const publicTemplate = await this.#post('/v1/templates', { name: 'public', html_content: html, schema });
    await this.#post(`/v1/marketplace/${publicTemplate.id}/publish`, {});
    const typed = [];
    for (let count = 0; count < 100; count += 1)
      typed.push(
        await this.#post('/v1/templates', { name: `typed ${count}`, html_content: '<p>{{x}}</p>', schema }),
      );
    for (const { id } of typed) await this.#post(`/v1/marketplace/${id}/publish`, {});
    const tested = await this.#post('/v1/templates', { name: 'tested', html_content: '<p>{{text}}</p>' });
    for (let count = 0; count < 100; count += 1) {
      const path = `/v1/templates/${tested.id}/cases/case${count}`;
      const body = JSON.stringify({ data: longestCaseData });
      const { status } = await this.#send('PUT', path, { body });
      if (status !== 200) throw new Error(`${path} responded with ${status}`);
    }
    const generation = await this.#post('/v1/generate', {
      html: `<pre>${'0123456789 word\n'.repeat(20_000)}`,
      output: 'base64',
    });
    const batch = await this.#post('/v1/generate/batch', {
      items: Array.from({ length: 100 }, () => ({ html: 'x' })),
    });
    const file = await this.#post('/v1/files', {
      file: Buffer.from(pagesPdf(2_000), 'latin1').toString('base64'),
    });
    for (let count = 0; count < 100; count += 1) await this.#post('/v1/files', { file: samplePdf });
    return {
      file: file.id,
      template: template.id,
      typedTemplate: typed[0]?.id,
      publicTemplate: publicTemplate.id,
      testedTemplate: tested.id,
      generation: generation.id,
      batch: batch.batch_id,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#probe[Symbol.dispose]();
    this.#process.kill('SIGTERM');
    await this.#process.exited;
    await rm(this.#dataDir, { recursive: true, force: true });
  }
}
