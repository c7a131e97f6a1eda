import type { AccountData, Collection, CollectionSpec } from '../../../src/plugin.ts';

/** A part of the items of a bulk batch, whose data is stored in a file until the batch has ended. */
export interface BatchChunk {
  /** The id of the batch, a slash and the number. */
  id: string;
  batchId: string;
  accountId: string;
  /** From 0, in the order of the items. */
  number: number;
  fileId: string;
  /** The index of its first item. */
  firstIndex: number;
  items: number;
  /** Whether its items are in the queue, or have ended. */
  isExpanded: boolean;
  /** The file names of its items once it is expanded; later chunks need them to keep names apart. */
  names?: readonly (string | null)[];
}

/** The parts of bulk batches that have not ended. */
export const batchChunks: CollectionSpec<BatchChunk> = {
  name: 'batch_chunks',
  indexes: [
    { fields: { batchId: 'asc', number: 'asc' } },
    { fields: { batchId: 'asc', isExpanded: 'asc' } },
    { fields: { accountId: 'asc', isExpanded: 'asc' } },
    { fields: { fileId: 'asc' } },
  ],
};

/** Stores the parts of bulk batches. */
export class Chunks {
  readonly #chunks: Collection<BatchChunk>;
  readonly #files: { delete(id: string): Promise<void> };

  constructor(chunks: Collection<BatchChunk>, files: { delete(id: string): Promise<void> }) {
    this.#chunks = chunks;
    this.#files = files;
  }

  /** Stores the parts of a batch that is being accepted. */
  async insert(
    batch: { id: string; accountId: string },
    stored: readonly { fileId: string; items: number }[],
  ): Promise<void> {
    let firstIndex = 0;
    const chunks = stored.map(({ fileId, items }, number): BatchChunk => {
      const chunk = { number, fileId, firstIndex, items, isExpanded: false };
      firstIndex += items;
      return { id: `${batch.id}/${number}`, batchId: batch.id, accountId: batch.accountId, ...chunk };
    });
    await this.#chunks.insertMany(chunks);
  }

  /** Returns the part of a batch that is expanded next; `undefined` if all are. */
  async next(batchId: string): Promise<BatchChunk | undefined> {
    const waiting = { batchId, isExpanded: false };
    return (await this.#chunks.find({ where: waiting, order: { number: 'asc' }, limit: 1 }))[0];
  }

  /** Returns the names of the items of the earlier parts. */
  async namesBefore({ batchId, number }: BatchChunk): Promise<string[]> {
    const earlier = await this.#chunks.find({ where: { batchId, number: { lt: number } } });
    return earlier.flatMap(({ names = [] }) => names.filter((name) => name !== null));
  }

  async markExpanded({ id }: BatchChunk, names: readonly (string | null)[]): Promise<void> {
    await this.#chunks.update({ id }, { isExpanded: true, names });
  }

  /** Tells whether items of a batch are still to be put into the queue. */
  async isWaiting(batchId: string): Promise<boolean> {
    return (await this.#chunks.count({ batchId, isExpanded: false })) > 0;
  }

  /** Counts the items of an account that are still to be put into the queue. */
  async countWaiting(accountId: string): Promise<number> {
    const waiting = await this.#chunks.find({ where: { accountId, isExpanded: false } });
    return waiting.reduce((sum, { items }) => sum + items, 0);
  }

  /** Deletes the parts of a batch with their files, which are deleted first because the records name them. */
  async delete(batchId: string): Promise<void> {
    for (const { id, fileId } of await this.#chunks.find({ where: { batchId } })) {
      await this.#files.delete(fileId);
      await this.#chunks.delete({ id });
    }
  }

  /** Returns those of the files that are named by a part. */
  async filesInUse(fileIds: readonly string[]): Promise<string[]> {
    return (await this.#chunks.find({ where: { fileId: { in: fileIds } } })).map(({ fileId }) => fileId);
  }

  /** The parts as data of their accounts. */
  get accountData(): AccountData {
    const chunks = this.#chunks;
    return {
      name: 'batch-files',
      count: (accountId) => chunks.count({ accountId }),
      async *read(accountId) {
        const found = await chunks.find({ where: { accountId }, order: { id: 'asc' } });
        yield found.map(({ batchId, number, items, fileId }) => ({
          record: { batch_id: batchId, number, items },
          fileIds: [fileId],
        }));
      },
      delete: async (accountId) => {
        for (;;) {
          const [found] = await chunks.find({ where: { accountId }, limit: 1 });
          if (!found) return;
          await this.delete(found.batchId);
        }
      },
    };
  }
}
