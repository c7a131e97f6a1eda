import type { CallOptions, Connection, Result, RouteInput } from './connection.ts';
import { untilFinished, waitForGeneration } from './download.ts';
import type * as types from './types.gen.ts';
import { multipart, type FileContent } from './upload.ts';

/** Reads a list in pages, newest entry first. */
async function* list<T>(read: (position: object) => Promise<types.Page<T>>): AsyncGenerator<T, void> {
  let position: object = {};
  for (;;) {
    const page = await read({ limit: 100, ...position });
    yield* page.data;
    const last = page.data.at(-1) as { id?: string; batch_id?: string } | undefined;
    if (!page.has_more || !last) return;
    position = { starting_after: last.id ?? last.batch_id };
  }
}

/** Returns a method for one record. */
const byId =
  <Route extends types.RouteOfId>(connection: Connection, route: Route) =>
  (id: string, options?: CallOptions): Promise<Result<Route>> =>
    connection.call(route, { path: { id } } as RouteInput<Route>, options);

/** Returns the methods for records of documents. */
export const generations = (connection: Connection) => ({
  /** Reads a generation, with `{ receipt: true }` including its receipt. */
  get: (id: string, query: { receipt?: boolean } = {}, options?: CallOptions) =>
    connection.call('GET /v1/generations/{id}', { path: { id }, query }, options),
  /** Lists generations, newest first. */
  list: (query: types.ListGenerationsFilters = {}, options?: CallOptions) =>
    list((position) => connection.call('GET /v1/generations', { query: { ...position, ...query } }, options)),
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
  list: (query: types.ListTemplatesFilters = {}, options?: CallOptions) =>
    list((position) => connection.call('GET /v1/templates', { query: { ...position, ...query } }, options)),
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
  list: (query: types.ListBatchesFilters = {}, options?: CallOptions) =>
    list((position) => connection.call('GET /v1/batches', { query: { ...position, ...query } }, options)),
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
    return (await connection.read(response)) as Result<'POST /v1/files'>;
  },
  /** Downloads a file in pieces. */
  download: async (id: string, options?: CallOptions) =>
    (await connection.call('GET /v1/files/{id}', { path: { id } }, options)).stream(options),
  get: byId(connection, 'GET /v1/files/{id}'),
  /** Lists files, newest first. */
  list: (query: types.ListFilesFilters = {}, options?: CallOptions) =>
    list((position) => connection.call('GET /v1/files', { query: { ...position, ...query } }, options)),
  delete: byId(connection, 'DELETE /v1/files/{id}'),
});
