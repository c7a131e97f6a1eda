import { until } from '../../tests/support/until.ts';
import type { Deployment } from '../neighbours/deployment.ts';

/** The parts of the status of a batch that the measurements read. */
interface Progress {
  status: string;
  total: number;
  completed: number;
  failed: number;
}

const PATIENCE_MS = 30 * 60_000;

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

  /** Waits until all items of a batch have been made. */
  async ended(id: string): Promise<void> {
    await until(async () => (await this.read(id)).status === 'completed', PATIENCE_MS);
    const { completed, total } = await this.read(id);
    if (completed < total) throw new Error(`${total - completed} of ${total} documents were not made`);
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
