import { definePlugin, Type } from '../../src/plugin.ts';
import { batchData } from './account-data.ts';
import { createAcceptBulk } from './bulk/accept.ts';
import { bulkBodyKinds } from './bulk/body/body-kinds.ts';
import { batchChunks, Chunks } from './bulk/chunks.ts';
import { Expansion } from './bulk/expand.ts';
import { BulkResults } from './bulk/result.ts';
import { mountBulkRoutes } from './bulk/routes.ts';
import { batches } from './collections.ts';
import { Completion } from './completion.ts';
import './contract.ts';
import { batchWebhooks } from './examples.ts';
import { mountRoutes } from './routes.ts';
import type { BatchParts } from './batch-parts.ts';
import { createBatchService } from './service.ts';

export default definePlugin({
  name: 'batch',
  title: 'Batches',
  description: 'Make up to 100 PDFs in one request, or 10,000 from a file, in the background.',
  guide: new URL('../../docs/batches.md', import.meta.url),
  requires: ['documents', 'files', 'render'],
  uses: ['templates'],
  config: Type.Object(
    {
      maxQueuedItems: Type.Integer({
        minimum: 1,
        default: 10_000,
        description:
          'The maximum number of items of one account that may be queued. A batch that would exceed it gets 429.',
      }),
      maxBulkItems: Type.Integer({
        minimum: 1,
        default: 100_000,
        description:
          'The maximum number of items of bulk batches of one account that wait to be queued. A batch that would exceed it gets 429.',
      }),
    },
    { additionalProperties: false },
  ),
  collections: { batches, batchChunks },
  bodyKinds: bulkBodyKinds,
  webhooks: batchWebhooks,
  setup({ config, services, collections, files, deletions, jobs, sandbox, log, ...context }) {
    const { sealer, quota, webhooks, routes } = context;
    const rendering = services.render.batch;
    const items = rendering.openItems(sealer);
    const chunks = new Chunks(collections.batchChunks, files);
    const queue = jobs.define({
      name: 'batch.item',
      concurrency: rendering.concurrency,
      run: (generationId) => completion.run(generationId),
    });
    const finish = (batchId: string) => completion.finish(batchId);
    const shared = { batches: collections.batches, items, queue, chunks, finish, jobs, files, log };
    const nameTasks = sandbox.load<typeof import('./bulk/task.ts')>(
      new URL('./bulk/task.ts', import.meta.url),
    );
    const resultTasks = sandbox.load<typeof import('./bulk/result-task.ts')>(
      new URL('./bulk/result-task.ts', import.meta.url),
    );
    const expansion = new Expansion({
      ...shared,
      tasks: nameTasks,
      eraseBatch: (id) => rendering.eraseBatch(id),
    });
    const results = new BulkResults({ ...shared, tasks: resultTasks, deletions });
    rendering.useItemDeletion((batchId) => results.deleteWith(batchId));
    const parts: BatchParts = {
      ...shared,
      quota,
      webhooks,
      maxQueuedItems: config.maxQueuedItems,
      bulkJobs: {
        refill: (...refilled) => expansion.refill(...refilled),
        ensureExpanding: (batch) => expansion.ensureQueued(batch),
        ensureResult: (batch) => results.ensureQueued(batch),
      },
      linkResult: (batch) => results.link(batch),
    };
    const completion = new Completion(parts);
    jobs.sweep('batch', (since) => completion.sweep(since));
    const service = createBatchService(parts, finish);
    mountRoutes(routes, { batches: service, files: services.files, templates: services.templates });
    const acceptBulk = createAcceptBulk({
      ...parts,
      chunks,
      rendering,
      files: services.files,
      tasks: nameTasks,
      maxBulkItems: config.maxBulkItems,
      log,
      begin: (batch) => expansion.ensureQueued(batch),
    });
    mountBulkRoutes(routes, acceptBulk, service);
    return {
      service,
      accountData: [
        ...batchData({ ...collections, items, chunks, files, rendering, webhooks }),
        chunks.accountData,
      ],
      async filesInUse(fileIds) {
        const found = await collections.batches.find({ where: { resultFileId: { in: fileIds } } });
        const named = found.flatMap(({ resultFileId }) => resultFileId ?? []);
        return [...named, ...(await chunks.filesInUse(fileIds))];
      },
      async isFileOwner(accountId, fileId) {
        const [batch] = await collections.batches.find({ where: { resultFileId: fileId }, limit: 1 });
        return batch?.accountId === accountId;
      },
    };
  },
});
