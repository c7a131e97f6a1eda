import type { AccountData, Collection, CollectionSpec } from '../../../src/plugin.ts';

/** A part of the items of a bulk batch, whose data is stored in a file until the batch has ended. */
export interface BatchChunk {
  /** The id of the upload, a slash and the number. */
  id: string;
  batchId: string;
  /** The attempt to accept the batch that stored it. The record of the batch names the one that succeeded. */
  uploadId: string;
  accountId: string;
  /** From 0, in the order of the items. */
  number: number;
  fileId: string;
  /** The index of its first item. */
  firstIndex: number;
  items: number;
  /** Whether its items are in the queue, or have ended. */
  isExpanded: boolean;
  /** The file names of its items once they are chosen; later chunks need them to keep names apart. */
  names?: readonly (string | null)[] | null;
}

/** The parts of bulk batches that have not ended. */
export const batchChunks: CollectionSpec<BatchChunk> = {
  name: 'batch_chunks',
  indexes: [
    { fields: { batchId: 'asc', isExpanded: 'asc' } },
    { fields: { uploadId: 'asc', isExpanded: 'asc', number: 'asc' } },
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

  /** Stores the parts of a batch that is being accepted. Each attempt to accept it stores its own. */
  async insert(
    { batchId, accountId, uploadId }: Pick<BatchChunk, 'batchId' | 'accountId' | 'uploadId'>,
    stored: readonly { fileId: string; items: number }[],
  ): Promise<void> {
    let firstIndex = 0;
    const chunks = stored.map(({ fileId, items }, number): BatchChunk => {
      const chunk = { number, fileId, firstIndex, items, isExpanded: false };
      firstIndex += items;
      return { id: `${uploadId}/${number}`, batchId, accountId, uploadId, ...chunk };
    });
    await this.#chunks.insertMany(chunks);
  }

  /** Returns the part that is expanded next; `undefined` if all are. */
  async next(uploadId: string): Promise<BatchChunk | undefined> {
    const waiting = { uploadId, isExpanded: false };
    return (await this.#chunks.find({ where: waiting, order: { number: 'asc' }, limit: 1 }))[0];
  }

  /** Returns the names of the items of the earlier parts. */
  async namesBefore({ uploadId, number }: BatchChunk): Promise<string[]> {
    const earlier = await this.#chunks.find({ where: { uploadId, number: { lt: number } } });
    return earlier.flatMap(({ names }) => names?.filter((name) => name !== null) ?? []);
  }

  /** Stores the names of the items of a part. Returns those that are stored: the first ones stay. */
  async keepNames({ id }: BatchChunk, names: readonly (string | null)[]): Promise<BatchChunk['names']> {
    if (await this.#chunks.update({ id, names: null }, { names })) return names;
    return (await this.#chunks.get(id))?.names;
  }

  async markExpanded({ id }: BatchChunk): Promise<void> {
    await this.#chunks.update({ id }, { isExpanded: true });
  }

  /**
   * Tells whether items of a batch are still to be put into the queue. Without an upload, parts of attempts
   * that failed count as well.
   */
  async isWaiting(batchId: string, uploadId?: string): Promise<boolean> {
    const waiting = { batchId, isExpanded: false, ...(uploadId !== undefined && { uploadId }) };
    return (await this.#chunks.count(waiting)) > 0;
  }

  /** Counts the items of an account that are still to be put into the queue, except those of one batch. */
  async countWaiting(accountId: string, exceptBatchId?: string): Promise<number> {
    const waiting = await this.#chunks.find({ where: { accountId, isExpanded: false } });
    return waiting.reduce((sum, { batchId, items }) => (batchId === exceptBatchId ? sum : sum + items), 0);
  }

  /** Deletes the parts of a batch with their files. */
  async delete(batchId: string): Promise<void> {
    await this.#deleteAll(await this.#chunks.find({ where: { batchId } }));
  }

  /** Deletes the parts that one attempt to accept a batch has stored. */
  async deleteUpload(uploadId: string): Promise<void> {
    await this.#deleteAll(await this.#chunks.find({ where: { uploadId } }));
  }

  /** Deletes the parts that other attempts to accept a batch have stored. */
  async deleteOtherUploads(batchId: string, uploadId: string): Promise<void> {
    const found = await this.#chunks.find({ where: { batchId } });
    await this.#deleteAll(found.filter((chunk) => chunk.uploadId !== uploadId));
  }

  /** Deletes the files before the records, because these name them. */
  async #deleteAll(chunks: readonly BatchChunk[]): Promise<void> {
    for (const { id, fileId } of chunks) {
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
