import type { CallOptions, Connection, RouteInput } from './connection.ts';
import { Download, errorOfWork, untilFinished, waitForGeneration } from './download.ts';
import type * as types from './types.gen.ts';
import { fileOf, multipart, type BulkItems, type FileContent } from './upload.ts';

/** Returns the methods for records. */
export function resources(connection: Connection) {
  /** Returns a method for one record. */
  const byId =
    <Route extends types.RouteOfId>(route: Route) =>
    (id: string, options?: CallOptions): Promise<types.Routes[Route]['result']> =>
      connection.call(route, { path: { id } } as RouteInput<Route>, options);

  /** Reads a list in pages, newest entry first. */
  const list = <Route extends types.RouteOfList>(route: Route) =>
    async function* (filters?: types.Filters<Route>, options?: CallOptions) {
      const query = { limit: 100, ...filters };
      const read = async (after?: string) => {
        const input = { query: { ...query, starting_after: after } } as unknown as RouteInput<Route>;
        return (await connection.call(route, input, options)) as types.Page<types.Entry<Route>>;
      };
      for (let page = await read(); ;) {
        const last = page.data.pop();
        yield* page.data;
        if (last === undefined) return;
        const { id, batch_id: batchId } = last as { id?: string; batch_id?: string };
        // The caller may delete entries as they come, so the last one comes when the next page is there.
        const next = page.has_more ? await read(id ?? batchId) : undefined;
        yield last;
        if (!next) return;
        page = next;
      }
    };

  const generations = {
    /** Reads a generation, with `{ receipt: true }` including its receipt. */
    get: (id: string, query: { receipt?: boolean } = {}, options?: CallOptions) =>
      connection.call('GET /v1/generations/{id}', { path: { id }, query }, options),
    /** Lists generations, newest first. */
    list: list('GET /v1/generations'),
    /** Waits until a generation that was made with `async` has completed. Throws its fault if it fails. */
    wait: (id: string, options: CallOptions = {}) => waitForGeneration(connection, id, options),
    /** Deletes a generation and its file. */
    delete: byId('DELETE /v1/generations/{id}'),
  };

  const templates = {
    create: (template: types.CreateTemplateRequest, options?: CallOptions) =>
      connection.call('POST /v1/templates', { body: template }, options),
    get: byId('GET /v1/templates/{id}'),
    /** Lists templates, newest first, without their HTML. */
    list: list('GET /v1/templates'),
    /** Changes a template. Other content makes a new version. */
    update: (id: string, changes: types.UpdateTemplateRequest, options?: CallOptions) =>
      connection.call('PUT /v1/templates/{id}', { path: { id }, body: changes }, options),
    delete: byId('DELETE /v1/templates/{id}'),
  };

  const batches = {
    /** Stores up to 100 documents, which are made in the background. */
    create: (batch: types.BatchRequest, options?: CallOptions) =>
      connection.call('POST /v1/generate/batch', { body: batch }, options),
    get: byId('GET /v1/batches/{id}'),
    /** Lists batches, newest first, without their items. */
    list: list('GET /v1/batches'),
    /** Stores up to 10,000 documents of a template. Arrays and whole files are sent again if the connection breaks. */
    createBulk: async (items: BulkItems, settings: types.BulkSettings, options?: CallOptions) => {
      const form = await multipart(await fileOf(items), settings);
      const response = await connection.send({ method: 'POST', target: '/v1/batches', ...form }, options);
      return (await connection.read(response)) as types.Routes['POST /v1/batches']['result'];
    },
    /** Waits until all items have ended, also those that fail. Calls `onProgress` with each state. */
    wait: (id: string, options: CallOptions & { onProgress?: (batch: types.Batch) => void } = {}) =>
      untilFinished(async () => {
        const batch = await batches.get(id, options);
        options.onProgress?.(batch);
        return batch;
      }, options),
    /** Lists the items in the order of the file. Those with a PDF can be downloaded. */
    async *items(id: string, filters: { status?: types.BatchItemStatus } = {}, options?: CallOptions) {
      for (let offset = 0, hasMore = true; hasMore; offset += 100) {
        const input = { path: { id }, query: { ...filters, limit: 100, offset } };
        const page = await connection.call('GET /v1/batches/{id}/items', input, options);
        for (const item of page.data) yield new Download(connection, item) as Download & types.BatchListItem;
        hasMore = page.has_more;
      }
    },
    /** Waits for the archive or the merged PDF of a batch. Throws the error of a batch that could not make it. */
    async result(id: string, options?: CallOptions) {
      const { result_url: url, result_error: error } = await batches.wait(id, options);
      if (error) throw errorOfWork(error, id);
      return new Download(connection, { id, url });
    },
    /** Cancels the items that are still queued. */
    cancel: byId('POST /v1/batches/{id}/cancel'),
  };

  const files = {
    /** Uploads a PDF, whose id other requests take. A stream is sent only once. */
    upload: async (content: FileContent, fields: types.UploadFields = {}, options?: CallOptions) => {
      const form = await multipart(content, fields);
      const response = await connection.send({ method: 'POST', target: '/v1/files', ...form }, options);
      return (await connection.read(response)) as types.Routes['POST /v1/files']['result'];
    },
    /** Downloads a file in pieces. */
    download: async (id: string, options?: CallOptions) => (await files.get(id, options)).stream(options),
    get: byId('GET /v1/files/{id}'),
    /** Lists files, newest first. */
    list: list('GET /v1/files'),
    delete: byId('DELETE /v1/files/{id}'),
  };
  return { generations, templates, batches, files };
}
