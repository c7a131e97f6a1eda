import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { messageOf } from '../../errors.ts';
import { folderOfDocument, readDocument, type LocalDocument } from '../documents/read-document.ts';
import { CommandError } from '../failures.ts';
import { faultOf } from '../render.ts';
import type { Client } from '../service/client.ts';
import type { ListedDocument } from './documents-in.ts';
import { findMissingGlyphs } from './find-missing-glyphs.ts';
import { findingsOf, type PlacedWord, type ReceiptParts, type Warning } from './findings.ts';
import type { DevState, Failure } from './page/state.ts';
import { Watch } from './watch.ts';

/** The parts and settings of a session. */
interface SessionOptions {
  client: Promise<Client>;
  documents: readonly ListedDocument[];
  data: string | undefined;
  options: Record<string, unknown>;
  onState: (state: DevState) => void;
}

interface Made {
  id: string;
  pages: number;
  generation_time_ms: number;
  warnings: Warning[];
}

/** How long a file may be empty while an editor writes it. */
const REREAD_MS = 40;
/** The pages that are drawn before a browser asks for them. */
const EAGER_PAGES = 2;
const DEFAULT_WIDTH = 1_000;
const EXCERPT_LINES = 2;
/** A lifetime for the case that the command is killed before it deletes its documents. */
const EXPIRES_IN_SECONDS = 86_400;

/** Prints a document again whenever its files change, and keeps the last good pages. */
export class DevSession {
  readonly #options: SessionOptions;
  readonly #watch = new Watch(() => this.#changed());
  readonly #images = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();
  /** The generation of each version whose pages a browser may still show. */
  readonly #generations = new Map<number, string>();
  #state: DevState;
  #version = 0;
  #width = DEFAULT_WIDTH;
  /** The last request as text, to recognise a save that changed nothing. */
  #last = '';
  #isRunning = false;
  #isStale = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#state = {
      documents: options.documents.map(({ name }) => name),
      selected: 0,
      isBusy: true,
      printed: null,
      failure: null,
    };
  }

  get state(): DevState {
    return this.#state;
  }

  /** Prints the document for the first time. Resolves when it is printed or has failed. */
  start(): Promise<void> {
    return this.#run();
  }

  /** Shows another document of the folder. Returns `false` if no document has this position. */
  select(position: number): boolean {
    if (this.#options.documents[position] === undefined) return false;
    this.#update({ selected: position, printed: null, failure: null });
    this.#last = '';
    this.#changed();
    return true;
  }

  /** Returns the image of a page as PNG; `undefined` if this version is gone. */
  async image(version: number, page: number, width: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const generation = this.#generations.get(version);
    if (generation === undefined) return undefined;
    this.#width = width;
    return this.#draw({ generation, version, page });
  }

  /** Returns the PDF of the pages that are shown; `undefined` without pages. */
  async pdf(): Promise<Uint8Array<ArrayBuffer> | undefined> {
    const generation = this.#generations.get(this.#state.printed?.version ?? 0);
    if (generation === undefined) return undefined;
    const client = await this.#options.client;
    const { url } = await client.json<{ url: string }>(`GET /v1/generations/${generation}`);
    return client.bytes(url);
  }

  /** Stops watching, and deletes the documents that the session made. */
  async close(): Promise<void> {
    this.#watch.close();
    // A service of this command ends with its documents.
    const client = await this.#options.client.catch(() => undefined);
    if (client === undefined || client.isOwn) return;
    await Promise.all([...this.#generations.keys()].map((version) => this.#forget(version)));
  }

  #changed(): void {
    if (this.#isRunning) this.#isStale = true;
    else void this.#run();
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    do {
      this.#isStale = false;
      await this.#print();
    } while (this.#isStale);
    this.#isRunning = false;
  }

  async #print(): Promise<void> {
    const position = this.#state.selected;
    const path = this.#options.documents[position]?.path ?? '';
    let document: LocalDocument | undefined;
    try {
      document = await this.#read(path);
      this.#watch.set(document.dependsOn);
      const request = JSON.stringify(document.request);
      if (request === this.#last && this.#state.failure === null) return;
      this.#update({ isBusy: true });
      const startMs = performance.now();
      const client = await this.#options.client;
      const made = await client.json<Made>('POST /v1/generate', {
        body: { ...document.request, expires_in: EXPIRES_IN_SECONDS },
      });
      // Another document was selected in the meantime, and is printed next.
      if (this.#state.selected !== position) return await this.#delete(made.id);
      this.#last = request;
      await this.#show(made, document, performance.now() - startMs);
    } catch (error) {
      if (this.#state.selected !== position) return;
      // The files are watched, so that the next save is another attempt.
      this.#watch.set(new Set([...(document?.dependsOn ?? []), path, folderOfDocument(path)]));
      this.#last = '';
      this.#update({ isBusy: false, failure: describe(error, document, path) });
    }
  }

  /** Reads the document. A file that an editor is writing may be incomplete for a moment. */
  async #read(path: string): Promise<LocalDocument> {
    const { data, options } = this.#options;
    const input = { path, data, options };
    return readDocument(input).catch(async () => {
      await wait(REREAD_MS);
      return readDocument(input);
    });
  }

  async #show(made: Made, { lost, request }: LocalDocument, milliseconds: number): Promise<void> {
    const version = this.#version + 1;
    this.#version = version;
    this.#generations.set(version, made.id);
    const printed = {
      version,
      pages: made.pages,
      sizes: this.#state.printed?.sizes ?? [],
      findings: findingsOf({ lost, warnings: made.warnings, receipt: null, boxes: [] }),
      milliseconds: Math.round(milliseconds),
    };
    for (let page = 1; page <= Math.min(made.pages, EAGER_PAGES); page += 1)
      this.#draw({ generation: made.id, version, page }).catch(() => {});
    this.#update({ isBusy: false, failure: null, printed });
    // A browser may still load pages of the version before.
    await Promise.all(
      [...this.#generations.keys()].filter((each) => each < version - 1).map((each) => this.#forget(each)),
    );
    const facts = await this.#factsOf(made, request);
    if (this.#state.printed?.version !== version) return;
    const findings = findingsOf({ lost, warnings: made.warnings, ...facts });
    this.#update({ printed: { ...printed, sizes: facts.sizes, findings } });
  }

  /** Reads more about a document than the response had. Failures only cost these facts. */
  async #factsOf(
    { id }: Made,
    request: Record<string, unknown>,
  ): Promise<{
    receipt: ReceiptParts | null;
    boxes: PlacedWord[];
    sizes: { width: number; height: number }[];
  }> {
    const client = await this.#options.client;
    const [{ receipt }, info] = await Promise.all([
      client
        .json<{ receipt: ReceiptParts | null }>(`GET /v1/generations/${id}`, { query: { receipt: 'true' } })
        .catch(() => ({ receipt: null })),
      client
        .json<{ page_sizes: { width: number; height: number }[] }>('POST /v1/pdf/info', { body: { pdf: id } })
        .catch(() => ({ page_sizes: [] })),
    ]);
    const characters = receipt?.missing_glyphs?.characters ?? [];
    const boxes = await findMissingGlyphs(client, request, characters).catch(() => []);
    return { receipt, boxes, sizes: info.page_sizes };
  }

  #draw({
    generation,
    version,
    page,
  }: {
    generation: string;
    version: number;
    page: number;
  }): Promise<Uint8Array<ArrayBuffer>> {
    const key = `${version}/${page}/${this.#width}`;
    const known = this.#images.get(key);
    if (known) return known;
    const path = `GET /v1/generations/${generation}/pages/${page}.png`;
    const query = { width: String(this.#width) };
    const image = this.#options.client.then((client) => client.bytes(path, { query }));
    this.#images.set(key, image);
    image.catch(() => this.#images.delete(key));
    return image;
  }

  async #forget(version: number): Promise<void> {
    const generation = this.#generations.get(version);
    this.#generations.delete(version);
    for (const key of this.#images.keys()) if (key.startsWith(`${version}/`)) this.#images.delete(key);
    if (generation !== undefined) await this.#delete(generation);
  }

  async #delete(generation: string): Promise<void> {
    const client = await this.#options.client.catch(() => undefined);
    await client?.send(`DELETE /v1/generations/${generation}`).catch(() => {});
  }

  #update(changes: Partial<DevState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#options.onState(this.#state);
  }
}

/** Describes why a document could not be printed, with the lines around the fault. */
function describe(error: unknown, document: LocalDocument | undefined, path: string): Failure {
  const fault = error instanceof CommandError && document ? faultOf(error, document) : undefined;
  if (fault === undefined) return { message: messageOf(error), place: null, excerpt: [] };
  return {
    message: fault.message,
    place: [fault.file, fault.line, fault.column].filter((part) => part !== undefined).join(':'),
    excerpt: excerptOf(join(folderOfDocument(path), fault.file), fault.line),
  };
}

function excerptOf(path: string, line: number): Failure['excerpt'] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n');
    const first = Math.max(1, line - EXCERPT_LINES);
    return lines
      .slice(first - 1, line + EXCERPT_LINES)
      .map((text, at) => ({ line: first + at, text: text.slice(0, 200), isFault: first + at === line }));
  } catch {
    return [];
  }
}
