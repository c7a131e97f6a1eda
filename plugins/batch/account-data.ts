import { scan, yieldToEventLoop, type AccountData, type Collection } from '../../src/plugin.ts';
import type { BatchRendering, QueuedGenerations } from '../render/contract.ts';
import type { Batch } from './contract.ts';
import { presentBatch } from './present.ts';

/** The parts of the plugin that hold data of batches. */
export interface BatchDataParts {
  batches: Collection<Batch>;
  items: Pick<QueuedGenerations, 'ofBatch' | 'countInputs' | 'readInput' | 'deleteInputs'>;
  rendering: Pick<BatchRendering, 'eraseBatch'>;
  webhooks: { delete(eventIds: readonly string[]): Promise<void> };
}

const PAGE_SIZE = 20;

/** Declares the batches and the stored requests of their items as data of their accounts. */
export function batchData(parts: BatchDataParts): AccountData[] {
  const { batches, items, rendering, webhooks } = parts;

  async function* batchesOf(accountId: string): AsyncGenerator<Batch> {
    for await (const page of scan(batches, { where: { accountId }, by: 'createdAt' })) yield* page;
  }

  /**
   * Erases a batch: marks it as abandoned, so that no sweep stores its items again, and deletes its record
   * last, because it names the rest.
   */
  async function erase({ id }: Batch): Promise<void> {
    await batches.update({ id }, { status: 'abandoned', idempotencyKey: null, unreportedAt: null });
    await items.deleteInputs(id);
    await rendering.eraseBatch(id);
    await webhooks.delete([`batch.completed:${id}`]);
    await batches.delete({ id });
  }

  return [
    {
      name: 'batches',
      count: (accountId) => batches.count({ accountId }),
      async *read(accountId) {
        for await (const batch of batchesOf(accountId)) {
          const generations = await items.ofBatch(batch.id);
          yield [{ record: { ...presentBatch({ batch, generations }), webhook: batch.webhook } }];
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
        for await (const { generations } of batchesOf(accountId))
          count += await items.countInputs(generations.map(({ id }) => id));
        return count;
      },
      async *read(accountId) {
        for await (const { id: batchId, generations } of batchesOf(accountId))
          for (const { id } of generations) {
            const request = await items.readInput(id);
            // A URL stays encrypted.
            if (request !== undefined)
              yield [{ record: { id, batch_id: batchId, request: JSON.parse(request) } }];
          }
      },
      // The requests are deleted with their batches.
      async delete() {},
    },
  ];
}
