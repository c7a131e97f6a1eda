import { definePlugin, Type } from '../../src/plugin.ts';
import { batchData } from './account-data.ts';
import { batches, generationInputs } from './collections.ts';
import { Completion } from './completion.ts';
import './contract.ts';
import { createItems } from './items.ts';
import { batchWebhooks } from './examples.ts';
import { mountRoutes } from './routes.ts';
import { createBatchService, type BatchParts } from './service.ts';

export default definePlugin({
  name: 'batch',
  title: 'Batches',
  description: 'Make up to 100 PDFs in one request, in the background.',
  guide: new URL('../../docs/batches.md', import.meta.url),
  requires: ['render'],
  config: Type.Object(
    {
      maxQueuedItems: Type.Integer({
        minimum: 1,
        default: 10_000,
        description:
          'The maximum number of items of one account that may be queued. A batch that would exceed it gets 429.',
      }),
    },
    { additionalProperties: false },
  ),
  collections: { batches, generationInputs },
  webhooks: batchWebhooks,
  setup({
    config,
    services,
    collections,
    jobs,
    files,
    deletions,
    resultProperties,
    events,
    sealer,
    accounts,
    quota,
    webhooks,
    log,
    routes,
  }) {
    const rendering = services.render.batch;
    const { generationInputs: inputs } = collections;
    const itemParts = { rendering, generationInputs: inputs, accounts };
    const items = createItems({ ...itemParts, files, deletions, events, sealer, log });
    const queue = jobs.define({
      name: 'batch.item',
      concurrency: rendering.concurrency,
      run: (generationId) => completion.run(generationId),
      ownerOf: async (generationId) => {
        const account = await items.accountOf(generationId);
        return account === undefined ? undefined : { account };
      },
    });
    const { maxQueuedItems } = config;
    const parts: BatchParts = { batches: collections.batches, items, queue, quota, webhooks, maxQueuedItems };
    const completion = new Completion(parts);
    jobs.sweep('batch', (since) => completion.sweep(since));
    const service = createBatchService(parts, (batchId) => completion.finish(batchId));
    mountRoutes(routes, service, resultProperties);
    return { service, accountData: batchData({ ...collections, sealer, items, rendering, webhooks }) };
  },
});
