import {
  NO_PROPERTIES,
  type Collection,
  type DeleteRecords,
  type FileStore,
  type Webhooks,
} from '../../src/plugin.ts';
import type { Generation } from './contract.ts';
import type { Receipts } from './receipt/receipts.ts';

/** The kind under which generations are registered with the deletions of the service. */
export const GENERATION = 'generation';

/** The properties that a deleted item of a batch loses. Its status stays, because the counts of the batch depend on it. */
const DELETED: Partial<Generation> = {
  ...NO_PROPERTIES,
  accountId: '',
  templateId: null,
  fileId: null,
  pages: null,
  sizeBytes: null,
  generationTimeMs: null,
  error: null,
};

/** Tells whether an item of a batch was deleted. */
export function isDeleted({ accountId }: Generation): boolean {
  return accountId === '';
}

/** Tells whether a generation is still to be made. */
export function isUnfinished({ status }: Generation): boolean {
  return status === 'queued' || status === 'processing';
}

/**
 * Creates the function that deletes generations. The record comes last, because it names the file. An unfinished item of a batch cannot be
 * deleted yet.
 */
export function createGenerationDeletion(parts: {
  generations: Collection<Generation>;
  receipts: Receipts;
  files: Pick<FileStore, 'delete'>;
  webhooks: Pick<Webhooks, 'delete'>;
}): DeleteRecords {
  const { generations, receipts, files, webhooks } = parts;
  return async (ids) => {
    const found = await generations.find({ where: { id: { in: ids } } });
    const early = found.filter(isUnfinished).map(({ id }) => id);
    const ended = found.filter((generation) => !isUnfinished(generation));
    await Promise.all(ended.flatMap(({ fileId }) => (fileId === null ? [] : [files.delete(fileId)])));
    // Also for records that are gone: a crash may have come between the record and the rest.
    const done = ids.filter((id) => !early.includes(id));
    await Promise.all([
      receipts.delete(done),
      webhooks.delete(done.flatMap((id) => [`generation.completed:${id}`, `generation.failed:${id}`])),
    ]);
    const items = ended.filter(({ batchId }) => batchId !== null);
    for (const { id } of items) await generations.update({ id }, DELETED);
    const others = ended.filter(({ batchId }) => batchId === null).map(({ id }) => id);
    if (others.length > 0) await generations.delete({ id: { in: others } });
    return early;
  };
}
