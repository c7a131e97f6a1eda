import { definePlugin, Type } from '../../src/plugin.ts';
import { batchData } from './account-data.ts';
import { batches } from './collections.ts';
import { Completion } from './completion.ts';
import './contract.ts';
import { batchWebhooks } from './examples.ts';
import { mountRoutes } from './routes.ts';
import { createBatchService, type BatchParts } from './service.ts';

export default definePlugin({
  name: 'batch',
  title: 'Batches',
  description: 'Make up to 100 PDFs in one request, in the background.',
  guide: new URL('../../docs/batches.md', import.meta.url),
  requires: ['documents', 'files', 'render'],
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
  collections: { batches },
  webhooks: batchWebhooks,
  setup({ config, services, collections, jobs, sealer, quota, webhooks, routes }) {
    const rendering = services.render.batch;
    const items = rendering.openItems(sealer);
    const queue = jobs.define({
      name: 'batch.item',
      concurrency: rendering.concurrency,
      run: (generationId) => completion.run(generationId),
    });
    const { maxQueuedItems } = config;
    const parts: BatchParts = { batches: collections.batches, items, queue, quota, webhooks, maxQueuedItems };
    const completion = new Completion(parts);
    jobs.sweep('batch', (since) => completion.sweep(since));
    const service = createBatchService(parts, (batchId) => completion.finish(batchId));
    mountRoutes(routes, service, services.files);
    return { service, accountData: batchData({ ...collections, items, rendering, webhooks }) };
  },
});
