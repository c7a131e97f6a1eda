import type { Routes } from '../../../src/plugin.ts';
import type { BatchService } from '../contract.ts';
import type { AcceptBulk } from './accept.ts';
import { BulkBody, bulkBodyKinds } from './body/body-kinds.ts';
import { acceptedBulkExample, itemExample } from './examples.ts';
import { presentAcceptedBulk, presentItem } from './present.ts';
import { readSettings } from './read-settings.ts';
import { AcceptedBulk, BulkQuery, ItemsPage, ItemsQuery, MAX_BULK_BYTES } from './schemas.ts';

/** Mounts the routes of bulk batches. */
export function mountBulkRoutes(
  routes: Routes,
  accept: AcceptBulk,
  batches: Pick<BatchService, 'items'>,
): void {
  routes.post(
    '/v1/batches',
    {
      scope: 'batches',
      audit: null,
      summary: 'Make up to 10,000 PDFs of one template from a file',
      operationId: 'createBulkBatch',
      idempotency: 'kept',
      description:
        'The body is NDJSON, CSV, or a form with such a file, of at most 100 MB. It is stored while it arrives. Responds as soon as the batch is accepted; from then on every item is made exactly once, even if the service restarts.',
      query: BulkQuery,
      body: bulkBodyKinds.map(({ name }) => ({ kind: name, schema: BulkBody })),
      maxBodyBytes: MAX_BULK_BYTES,
      usesQuota: true,
      response: { status: 202, schema: AcceptedBulk, example: acceptedBulkExample },
      errors: ['USAGE_LIMIT_EXCEEDED', 'NOT_FOUND'],
    },
    async ({ account, query, body: { items, fields }, attempt }) => {
      const settings = await readSettings(query, fields).catch(async (error: unknown) => {
        await items.discard();
        throw error;
      });
      const { batchId } = await accept({ account, settings, items, attempt });
      return presentAcceptedBulk(batchId, items);
    },
  );

  routes.get(
    '/v1/batches/:id/items',
    {
      scope: 'batches',
      operationId: 'listBatchItems',
      summary: 'List the items of a batch, in the order of the file',
      query: ItemsQuery,
      response: { schema: ItemsPage, example: { data: [itemExample], has_more: false } },
      errors: ['NOT_FOUND'],
    },
    async ({ account, params, query: { status, limit, offset } }) => {
      const { records, hasMore } = await batches.items(account.id, params.id, { status, limit, offset });
      return { data: records.map(presentItem), has_more: hasMore };
    },
  );
}
