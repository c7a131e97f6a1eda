import type { CallOptions, Connection, RouteInput } from './connection.ts';
import { untilFinished, waitForGeneration } from './download.ts';
import type * as types from './types.gen.ts';
import { multipart, type FileContent } from './upload.ts';

/** Reads a list in pages, newest entry first. Entries may be deleted as they come. */
async function* list<T>(
  filters: object,
  read: (query: object) => Promise<types.Page<T>>,
): AsyncGenerator<T, void> {
  const query = { limit: 100, ...filters };
  for (let page = await read(query); ;) {
    const last = page.data.pop();
    yield* page.data;
    if (last === undefined) return;
    const { id, batch_id: batchId } = last as { id?: string; batch_id?: string };
    const next = page.has_more ? await read({ ...query, starting_after: id ?? batchId }) : undefined;
    yield last;
    if (!next) return;
    page = next;
  }
}

/** Returns a method for one record. */
const byId =
  <Route extends types.RouteOfId>(connection: Connection, route: Route) =>
  (id: string, options?: CallOptions): Promise<types.Routes[Route]['result']> =>
    connection.call(route, { path: { id } } as RouteInput<Route>, options);

/** Returns the methods for records of documents. */
export const generations = (connection: Connection) => ({
  /** Reads a generation, with `{ receipt: true }` including its receipt. */
  get: (id: string, query: { receipt?: boolean } = {}, options?: CallOptions) =>
    connection.call('GET /v1/generations/{id}', { path: { id }, query }, options),
  /** Lists generations, newest first. */
  list: (filters: types.ListGenerationsFilters = {}, options?: CallOptions) =>
    list(filters, (query) => connection.call('GET /v1/generations', { query }, options)),
  /** Waits until a generation that was made with `async` has completed. Throws its fault if it fails. */
  wait: (id: string, options: CallOptions = {}) => waitForGeneration(connection, id, options),
  /** Deletes a generation and its file. */
  delete: byId(connection, 'DELETE /v1/generations/{id}'),
});

/** Returns the methods for stored templates. An alias stands for an id. */
export const templates = (connection: Connection) => ({
  create: (template: types.CreateTemplateRequest, options?: CallOptions) =>
    connection.call('POST /v1/templates', { body: template }, options),
  get: byId(connection, 'GET /v1/templates/{id}'),
  /** Lists templates, newest first, without their HTML. */
  list: (filters: types.ListTemplatesFilters = {}, options?: CallOptions) =>
    list(filters, (query) => connection.call('GET /v1/templates', { query }, options)),
  /** Changes a template. Other content makes a new version. */
  update: (id: string, changes: types.UpdateTemplateRequest, options?: CallOptions) =>
    connection.call('PUT /v1/templates/{id}', { path: { id }, body: changes }, options),
  delete: byId(connection, 'DELETE /v1/templates/{id}'),
});

/** Returns the methods for many documents from one request. */
export const batches = (connection: Connection) => ({
  /** Stores up to 100 documents, which are made in the background. */
  create: (batch: types.BatchRequest, options?: CallOptions) =>
    connection.call('POST /v1/generate/batch', { body: batch }, options),
  get: byId(connection, 'GET /v1/batches/{id}'),
  /** Lists batches, newest first, without their items. */
  list: (filters: types.ListBatchesFilters = {}, options?: CallOptions) =>
    list(filters, (query) => connection.call('GET /v1/batches', { query }, options)),
  /** Waits until all items have ended, also those that fail. */
  wait: (id: string, options: CallOptions = {}) =>
    untilFinished(() => connection.call('GET /v1/batches/{id}', { path: { id } }, options), options),
  /** Cancels the items that are still queued. */
  cancel: byId(connection, 'POST /v1/batches/{id}/cancel'),
});

/** Returns the methods for uploaded PDFs and results of operations. */
export const files = (connection: Connection) => ({
  /** Uploads a PDF, whose id other requests take. A stream is sent only once. */
  upload: async (content: FileContent, fields: types.UploadFields = {}, options?: CallOptions) => {
    const form = await multipart(content, fields);
    const response = await connection.send({ method: 'POST', target: '/v1/files', ...form }, options);
    return (await connection.read(response)) as types.Routes['POST /v1/files']['result'];
  },
  /** Downloads a file in pieces. */
  download: async (id: string, options?: CallOptions) =>
    (await connection.call('GET /v1/files/{id}', { path: { id } }, options)).stream(options),
  get: byId(connection, 'GET /v1/files/{id}'),
  /** Lists files, newest first. */
  list: (filters: types.ListFilesFilters = {}, options?: CallOptions) =>
    list(filters, (query) => connection.call('GET /v1/files', { query }, options)),
  delete: byId(connection, 'DELETE /v1/files/{id}'),
});
