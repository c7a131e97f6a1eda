import type { ApiResponse, TestService } from '../service/service.ts';
import { until } from '../until.ts';

/** The settings of a bulk batch, for the query. Objects become JSON. */
export type BulkSettings = Readonly<Record<string, string | object>>;

interface BulkUpload {
  service: TestService;
  settings: BulkSettings;
  key?: string | undefined;
  headers?: Record<string, string>;
}

/** Stores a template and returns its id. */
export async function newTemplate(
  service: TestService,
  html = '<h1>Invoice {{number}}</h1>',
  key?: string,
): Promise<string> {
  const body = { name: 'invoice', html_content: html };
  const stored = await service.request('POST', '/v1/templates', { body, ...(key !== undefined && { key }) });
  if (stored.status !== 201) throw new Error(JSON.stringify(stored.body));
  return stored.body.id;
}

/** Sends NDJSON, CSV or a form to `POST /v1/batches`. */
export async function sendBulk(
  { service, settings, key = service.key, headers = {} }: BulkUpload,
  body: string | FormData | ReadableStream<Uint8Array> | Blob,
  type = 'application/x-ndjson',
): Promise<ApiResponse> {
  const query = new URLSearchParams(
    Object.entries(settings).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
  const response = await fetch(`${service.url}/v1/batches?${query}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      ...(!(body instanceof FormData) && { 'content-type': type }),
      ...headers,
    },
    body,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Lines of NDJSON with the numbers from 1. */
export const numbered = (count: number, more: object = {}): string =>
  Array.from({ length: count }, (_, index) => `${JSON.stringify({ number: index + 1, ...more })}\n`).join('');

/** Waits until a batch has ended, and returns it. */
export async function ended(service: TestService, id: string, key?: string): Promise<ApiResponse['body']> {
  let batch: ApiResponse['body'];
  await until(async () => {
    batch = (await service.get(`/v1/batches/${id}`, key)).body;
    return batch.status === 'completed';
  }, 60_000);
  return batch;
}

/** Reads all items of a batch. */
export async function itemsOf(
  service: TestService,
  id: string,
  query = 'limit=100',
  key?: string,
): Promise<ApiResponse['body']['data']> {
  return (await service.get(`/v1/batches/${id}/items?${query}`, key)).body.data;
}
