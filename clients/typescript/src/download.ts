import type { CallOptions, Connection } from './connection.ts';
import { PlatenError } from './errors.ts';
import { saveFile } from './local-files.ts';

/** A record whose file can be downloaded. */
export class Download {
  /** The id of the generation, `gen_…`, or of the file, `file_…`. Requests take it in place of a PDF. */
  declare readonly id: string;
  readonly #connection: Connection;

  constructor(connection: Connection, record: object) {
    Object.assign(this, record);
    this.id ??= 'file_id' in record ? String(record.file_id) : '';
    this.#connection = connection;
  }

  /** Downloads the file in pieces, once a document that was made with `async` is there. */
  async stream(options: CallOptions = {}): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
    const { id, status, url }: { id: string; status?: string; url?: string | null } = this;
    const link = isUnfinished(status) ? (await waitForGeneration(this.#connection, id, options)).url : url;
    if (!link) throw new PlatenError('NO_FILE', `${id || 'The result'} has no file: choose one that has.`);
    const target = this.#connection.targetOf(link);
    const { body } = await this.#connection.send({ method: 'GET', target, isStreamed: true }, options);
    return body ?? new Blob().stream();
  }

  /** Downloads the file. */
  async bytes(options?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    for await (const chunk of this.#chunks(options)) chunks.push(chunk);
    return new Uint8Array(await new Blob(chunks).arrayBuffer());
  }

  /** Downloads the file to a path, except in browsers. If this fails, a file that is there already stays. */
  async save(path: string, options?: CallOptions): Promise<void> {
    await saveFile(path, this.#chunks(options));
  }

  async *#chunks(options?: CallOptions) {
    const stream = await this.stream(options);
    try {
      yield* chunksOf(stream);
    } catch {
      throw new PlatenError('CONNECTION_FAILED', 'The download broke off: repeat it.');
    }
  }
}

/** Reads a stream. Some browsers cannot iterate it. */
export async function* chunksOf<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

/** Waits until a generation has completed. Throws its fault if it has failed. */
export async function waitForGeneration(connection: Connection, id: string, options: CallOptions) {
  const input = { path: { id } };
  const read = () => connection.call('GET /v1/generations/{id}', input, options);
  const generation = await untilFinished(read, options);
  if (generation.status === 'completed') return generation;
  throw errorOfWork(generation.error, id);
}

/** Returns the error of background work that ended with `CODE: message`, or was canceled. */
export function errorOfWork(text: string | null, id: string): PlatenError {
  const [, code = 'CANCELED', message] = /^(\w+): (.*)/s.exec(text ?? '') ?? [];
  return new PlatenError(code, message ?? `${id} was canceled: make the document again.`);
}

/** Reads a record again and again until its work has ended, often at first. */
export async function untilFinished<T extends { status: string }>(
  read: () => Promise<T>,
  { signal }: CallOptions,
) {
  let record = await read();
  for (let seconds = 0.1; isUnfinished(record.status); seconds = Math.min(seconds * 1.5, 2)) {
    await pause(seconds, signal);
    record = await read();
  }
  return record;
}

const isUnfinished = (status: string | undefined) => status === 'queued' || status === 'processing';

/** Waits. Rejects with the reason of the signal when it is aborted. */
export async function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  await new Promise<unknown>((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal?.addEventListener('abort', () => resolve(clearTimeout(timer)), { once: true });
  });
  signal?.throwIfAborted();
}
