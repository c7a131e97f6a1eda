import type { Deployment } from '../neighbours/deployment.ts';

/** The parts of the status of a batch that the measurements read. */
interface Progress {
  status: string;
  total: number;
  completed: number;
  failed: number;
}

const PATIENCE_MS = 30 * 60_000;
/** Reading the status takes the service processor time too, which counts as that of the documents. */
const READ_EVERY_MS = 500;

/** An account that makes bulk batches. */
export class BulkAccount {
  readonly url: string;
  readonly key: string;

  private constructor(url: string, key: string) {
    this.url = url;
    this.key = key;
  }

  /** Creates an account on plan pro. */
  static async create(deployment: Deployment): Promise<BulkAccount> {
    return new BulkAccount(deployment.url, await deployment.createKey('pro'));
  }

  /** Stores a template, and returns its id. */
  async store(html: string): Promise<string> {
    const body = JSON.stringify({ name: 'Bulk', html_content: html });
    const stored = await this.#call<{ id: string }>('POST', '/v1/templates', { body });
    return stored.id;
  }

  /** Sends a batch as NDJSON, and returns its id. */
  async send(template: string, body: string | Blob): Promise<string> {
    const type = 'application/x-ndjson';
    const query = `?template=${template}`;
    return (await this.#call<{ batch_id: string }>('POST', `/v1/batches${query}`, { body, type })).batch_id;
  }

  read(id: string): Promise<Progress> {
    return this.#call('GET', `/v1/batches/${id}`);
  }

  cancel(id: string): Promise<Progress> {
    return this.#call('POST', `/v1/batches/${id}/cancel`);
  }

  /** Tells whether a batch has items with a status. */
  async has(id: string, status: 'queued' | 'processing'): Promise<boolean> {
    const path = `/v1/batches/${id}/items?status=${status}&limit=1`;
    return (await this.#call<{ data: unknown[] }>('GET', path)).data.length > 0;
  }

  /** Waits until all items of a batch have been made. @throws {Error} if one fails, or after 30 minutes */
  async ended(id: string): Promise<void> {
    for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline;) {
      const { status, completed, total } = await this.read(id);
      if (status === 'completed' && completed < total)
        throw new Error(`${total - completed} of ${total} documents were not made`);
      if (status === 'completed') return;
      await Bun.sleep(READ_EVERY_MS);
    }
    throw new Error(`the batch did not end within ${PATIENCE_MS / 60_000} minutes`);
  }

  async #call<T>(
    method: string,
    path: string,
    { body, type = 'application/json' }: { body?: string | Blob; type?: string } = {},
  ): Promise<T> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${this.key}`, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    });
    if (!response.ok)
      throw new Error(`${method} ${path} returned ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  }
}

/** Lines of NDJSON with the numbers from 1. */
export function numbers(count: number): string {
  return Array.from({ length: count }, (_, index) => `{"number": ${index + 1}}\n`).join('');
}
