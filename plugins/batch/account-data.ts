import {
  scan,
  yieldToEventLoop,
  type AccountData,
  type Collection,
  type FileStore,
} from '../../src/plugin.ts';
import type { BatchRendering, QueuedGenerations } from '../render/contract.ts';
import type { Chunks } from './bulk/chunks.ts';
import type { Batch } from './contract.ts';
import { presentBatch } from './present.ts';
import { summarize } from './summarize.ts';

/** The parts of the plugin that hold data of batches. */
export interface BatchDataParts {
  batches: Collection<Batch>;
  items: QueuedGenerations;
  chunks: Pick<Chunks, 'delete'>;
  files: Pick<FileStore, 'delete'>;
  rendering: Pick<BatchRendering, 'eraseBatch'>;
  webhooks: { delete(eventIds: readonly string[]): Promise<void> };
}

const PAGE_SIZE = 20;

/** The properties that an erased bulk batch loses. */
const EMPTY: Partial<Batch> = {
  accountId: '',
  bulk: null,
  webhook: null,
  usageId: '',
  completedAt: null,
  canceledAt: null,
  resultFileId: null,
  resultError: null,
};

/** Declares the batches and the stored requests of their items as data of their accounts. */
export function batchData(parts: BatchDataParts): AccountData[] {
  const { batches, items, chunks, files, rendering, webhooks } = parts;

  async function* batchesOf(accountId: string): AsyncGenerator<Batch> {
    for await (const page of scan(batches, { where: { accountId }, by: 'createdAt' })) yield* page;
  }

  /** Returns the ids of the requests of a batch; for a bulk batch, also of the one that the items share. */
  async function requestIds({ id, bulk, generations }: Batch): Promise<string[]> {
    if (!bulk) return generations.map((generation) => generation.id);
    return [bulk.uploadId, ...(await items.openOf(id)).map((generation) => generation.id)];
  }

  /**
   * Erases a batch: marks it as abandoned, so that no sweep stores its items again, and deletes its record
   * last, because it names the rest. Of a bulk batch it keeps the id: items that are being put into the queue
   * may be stored after the rest is deleted, and a sweep (`completion.ts`) deletes them with the record.
   */
  async function erase({ id, bulk, resultFileId }: Batch): Promise<void> {
    await batches.update({ id }, { status: 'abandoned', idempotencyKey: null, unreportedAt: null });
    await items.deleteInputs(id);
    await chunks.delete(id);
    if (resultFileId) await files.delete(resultFileId);
    await rendering.eraseBatch(id);
    await webhooks.delete([`batch.completed:${id}`]);
    if (bulk) await batches.update({ id }, { ...EMPTY, createdAt: Date.now() });
    else await batches.delete({ id });
  }

  return [
    {
      name: 'batches',
      count: (accountId) => batches.count({ accountId }),
      async *read(accountId) {
        for await (const batch of batchesOf(accountId)) {
          const { resultFileId = null, webhook } = batch;
          const generations = batch.bulk ? [] : await items.ofBatch(batch.id);
          const counts = await summarize({ items, linkResult: async () => null }, batch);
          yield [
            {
              record: { ...presentBatch({ ...counts, generations }), webhook },
              fileIds: resultFileId === null ? [] : [resultFileId],
            },
          ];
        }
      },
      async delete(accountId) {
        for (;;) {
          const page = await batches.find({ where: { accountId }, limit: PAGE_SIZE });
          if (page.length === 0) return;
          for (const batch of page) {
            await erase(batch);
            await yieldToEventLoop();
          }
        }
      },
    },
    {
      name: 'batch-requests',
      async count(accountId) {
        let count = 0;
        for await (const batch of batchesOf(accountId))
          count += await items.countInputs(await requestIds(batch));
        return count;
      },
      async *read(accountId) {
        for await (const batch of batchesOf(accountId))
          for (const id of await requestIds(batch)) {
            const request = await items.readInput(id);
            // A URL stays encrypted.
            if (request !== undefined)
              yield [{ record: { id, batch_id: batch.id, request: JSON.parse(request) } }];
          }
      },
      // The requests are deleted with their batches.
      async delete() {},
    },
  ];
}
