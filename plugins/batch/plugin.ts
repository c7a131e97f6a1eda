import { definePlugin, Type } from '../../src/plugin.ts';
import { batches } from './collections.ts';
import { Completion } from './completion.ts';
import './contract.ts';
import { mountRoutes } from './routes.ts';
import { createBatchService, type BatchParts } from './service.ts';

export default definePlugin({
  name: 'batch',
  description: 'Up to 100 PDFs in one request, made in the background.',
  requires: ['render'],
  config: Type.Object(
    {
      maxQueuedItems: Type.Integer({
        minimum: 1,
        default: 10_000,
        description: 'Items of one account that may wait; a batch that would pass it gets 429.',
      }),
    },
    { additionalProperties: false },
  ),
  collections: { batches },
  setup({ config, services, collections, jobs, quota, webhooks, routes }) {
    const { background } = services.render;
    const queue = jobs.define({
      name: 'batch.item',
      concurrency: background.concurrency,
      run: (generationId) => completion.run(generationId),
      ownerOf: async (generationId) => {
        const account = await background.accountOf(generationId);
        return account === undefined ? undefined : { account };
      },
    });
    const { maxQueuedItems } = config;
    const parts: BatchParts = {
      ...collections,
      generations: background,
      queue,
      quota,
      webhooks,
      maxQueuedItems,
    };
    const completion = new Completion(parts);
    jobs.sweep('batch', (since) => completion.sweep(since));
    const service = createBatchService(parts);
    mountRoutes(routes, service);
    return { service };
  },
});
