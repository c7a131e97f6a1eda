import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { unzip } from '../support/unzip.ts';
import type { Target } from './target.ts';
import { TestServer } from './test-server.ts';

/** A request may wait for Chromium or LibreOffice on a busy machine. */
const REQUEST_LIMIT_MS = 90_000;
const MAX_WAIT_SECONDS = 5;

/** An answer with its body read. */
export interface Answer {
  status: number;
  headers: Headers;
  body: Uint8Array;
}

/** Fields that name the test server by its port. */
const FIELDS_WITH_PORT = ['downloadFrom', 'url', 'cookies'];

export interface WorldOptions {
  /** Starts a service with an environment, or returns the running one. */
  use(environment: Readonly<Record<string, string>>): Promise<Target>;
  /** The folder that has `testdata`. */
  folder: string;
  /** The name by which the service reaches this machine. */
  hostName: string;
  /** Replaces `{version}` in expected texts. */
  version: string;
}

/** The state of a scenario. */
export class World implements AsyncDisposable {
  readonly options: WorldOptions;
  target: Target | undefined;
  server: TestServer | undefined;
  answer: Answer | undefined;
  answers: Answer[] = [];
  /** The length of the service's output when the scenario began. */
  outputStart = 0;
  /** The folder with the files of the last answer or webhook. */
  #files: string | undefined;
  readonly #folders: string[] = [];

  constructor(options: WorldOptions) {
    this.options = options;
  }

  async start(environment: Readonly<Record<string, string>>): Promise<void> {
    this.target = await this.options.use(environment);
    this.outputStart = this.target.output()?.length ?? 0;
  }

  startServer(): void {
    this.server ??= new TestServer(this.options.folder);
  }

  get url(): string {
    if (!this.target) throw new Error('no service is started');
    return this.target.url;
  }

  /** Replaces the port and the name of the host of Gotenberg's containers. */
  #localize(value: string): string {
    const { hostName } = this.options;
    return value
      .replaceAll('%d', `${this.server?.port ?? 0}`)
      .replaceAll('host.docker.internal', hostName)
      .replaceAll('docker\\\\.internal', hostName.replaceAll('.', '\\\\.'));
  }

  /** Sends a form of rows with name, value and kind. */
  async post(path: string, rows: readonly (readonly string[])[]): Promise<Answer> {
    const form = new FormData();
    const headers: Record<string, string> = {};
    for (const [name = '', value = '', kind] of rows) {
      if (kind === 'header')
        headers[name] = name.startsWith('Gotenberg-Webhook-') ? this.#localize(value) : value;
      else if (kind === 'file') form.append(name, Bun.file(this.#sourceOf(value)), basename(value));
      else if (name === 'extraHttpHeaders' || FIELDS_WITH_PORT.includes(name))
        form.append(name, this.#localize(value));
      else form.append(name, value);
    }
    return this.send(path, { method: 'POST', headers, body: form });
  }

  async send(path: string, init: RequestInit): Promise<Answer> {
    const response = await fetch(this.url + path, {
      redirect: 'manual',
      signal: AbortSignal.timeout(REQUEST_LIMIT_MS),
      ...init,
    });
    // Gotenberg's runner starts a service for each scenario; here they share one, which limits requests.
    const waitSeconds =
      response.status === 429 ? Number(response.headers.get('retry-after') ?? Number.NaN) : Number.NaN;
    if (waitSeconds <= MAX_WAIT_SECONDS) {
      // Real time: the limit counts seconds.
      await Bun.sleep(waitSeconds * 1000);
      return this.send(path, init);
    }
    return { status: response.status, headers: response.headers, body: await response.bytes() };
  }

  #sourceOf(path: string): string {
    if (!path.startsWith('teststore/')) return join(this.options.folder, path);
    if (this.#files === undefined) throw new Error(`no file is stored for ${path}`);
    return join(this.#files, path.slice('teststore/'.length));
  }

  /** Stores the file of an answer or a webhook, and the files of an archive. */
  async store({ headers, body }: Pick<Answer, 'headers' | 'body'>): Promise<void> {
    const disposition = headers.get('content-disposition');
    const type = headers.get('content-type');
    if (disposition === null) return;
    const extension = type === 'application/zip' ? 'zip' : 'pdf';
    const name = fileNameOf(disposition) ?? `${crypto.randomUUID()}.${extension}`;
    this.#files = await mkdtemp(join(tmpdir(), 'gotenberg-answer-'));
    this.#folders.push(this.#files);
    await Bun.write(join(this.#files, basename(name)), body);
    if (type !== 'application/zip') return;
    for (const entry of await unzip(body)) await Bun.write(join(this.#files, entry.name), entry.content);
  }

  async fileNames(): Promise<string[]> {
    if (this.#files === undefined) throw new Error('no file is stored');
    return readdir(this.#files);
  }

  async pdfs(): Promise<string[]> {
    const names = await this.fileNames();
    return names.filter((name) => /\.pdf$/i.test(name)).map((name) => join(this.#files ?? '', name));
  }

  /** Finds a stored file by its name, or by the end of its name after `*_`. */
  async find(name: string): Promise<string> {
    const names = (await this.fileNames()).toSorted();
    const found = names.find((candidate) =>
      name.startsWith('*_') ? candidate.includes(name.slice('*_'.length - 1)) : candidate === name,
    );
    if (found === undefined) throw new Error(`${name} is not among ${JSON.stringify(names)}`);
    return join(this.#files ?? '', found);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.server?.[Symbol.dispose]();
    for (const folder of this.#folders) await rm(folder, { recursive: true, force: true });
  }
}

/** The name in a Content-Disposition header (RFC 6266). */
function fileNameOf(disposition: string): string | undefined {
  const [, extended] = /filename\*=UTF-8''([^;]+)/i.exec(disposition) ?? [];
  if (extended !== undefined) return decodeURIComponent(extended);
  const [, quoted, plain] = /filename="?((?<=")[^"]*|[^";]*)"?()/i.exec(disposition) ?? [];
  return quoted ?? plain;
}
