import {
  NO_PROPERTIES,
  ownedRecords,
  yieldToEventLoop,
  type AccountData,
  type Collection,
  type DeleteRecords,
  type Deletions,
  type FileStore,
  type Webhooks,
} from '../../src/plugin.ts';
import type { Generation } from './contract.ts';
import { presentRecord } from './present.ts';
import { presentReceipt } from './receipt/present.ts';
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

const PAGE_SIZE = 100;

/** Tells whether an item of a batch was deleted. */
export function isDeleted({ accountId }: Generation): boolean {
  return accountId === '';
}

/** Tells whether a generation is still to be made. */
export function isUnfinished({ status }: Generation): boolean {
  return status === 'queued' || status === 'processing';
}

/** The parts of the service that hold data of generations. */
export interface GenerationParts {
  generations: Collection<Generation>;
  receipts: Receipts;
  files: Pick<FileStore, 'delete'>;
  webhooks: Pick<Webhooks, 'delete'>;
}

/**
 * Creates the function that deletes generations. The record comes last, because it names the file. An unfinished item of a batch cannot be
 * deleted yet.
 */
export function createGenerationDeletion(parts: GenerationParts): DeleteRecords {
  const { generations } = parts;
  return async (ids) => {
    const found = await generations.find({ where: { id: { in: ids } } });
    const early = found.filter(isUnfinished).map(({ id }) => id);
    const ended = found.filter((generation) => !isUnfinished(generation));
    // Also for records that are gone: a crash may have come between the record and the rest.
    const done = ids.filter((id) => !early.includes(id));
    await deleteParts(parts, { fileIds: fileIdsOf(ended), generationIds: done });
    const items = ended.filter(({ batchId }) => batchId !== null);
    for (const { id } of items) await generations.update({ id }, DELETED);
    const others = ended.filter(({ batchId }) => batchId === null).map(({ id }) => id);
    if (others.length > 0) await generations.delete({ id: { in: others } });
    return early;
  };
}

/** Creates the function that erases all generations of a batch, also unfinished and deleted ones. */
export function createBatchErasure(
  parts: GenerationParts & { deletions: Pick<Deletions, 'cancel'> },
): (batchId: string) => Promise<void> {
  const { generations } = parts;
  return async (batchId) => {
    for (;;) {
      const page = await generations.find({ where: { batchId }, limit: PAGE_SIZE });
      if (page.length === 0) return;
      await eraseParts(parts, page);
      await generations.delete({ id: { in: page.map(({ id }) => id) } });
      await yieldToEventLoop();
    }
  };
}

/** Declares the generations as data of their accounts, with their receipts and files. */
export function generationData(
  parts: GenerationParts & { deletions: Pick<Deletions, 'cancel'> },
): AccountData {
  return ownedRecords({
    name: 'generations',
    collection: parts.generations,
    async present(generation) {
      const receipt = await parts.receipts.read(generation.id);
      return {
        record: {
          ...presentRecord(generation),
          error: generation.error,
          batch_id: generation.batchId,
          file_id: generation.fileId,
          receipt: receipt && presentReceipt(receipt),
        },
        fileIds: fileIdsOf([generation]),
      };
    },
    deleteParts: (documents) => eraseParts(parts, documents),
  });
}

async function eraseParts(
  parts: GenerationParts & { deletions: Pick<Deletions, 'cancel'> },
  erased: readonly Generation[],
): Promise<void> {
  const generationIds = erased.map(({ id }) => id);
  await deleteParts(parts, { fileIds: fileIdsOf(erased), generationIds });
  await parts.deletions.cancel(GENERATION, generationIds);
}

async function deleteParts(
  { files, receipts, webhooks }: GenerationParts,
  { fileIds, generationIds }: { fileIds: readonly string[]; generationIds: readonly string[] },
): Promise<void> {
  await Promise.all(fileIds.map((id) => files.delete(id)));
  await Promise.all([
    receipts.delete(generationIds),
    webhooks.delete(generationIds.flatMap((id) => [`generation.completed:${id}`, `generation.failed:${id}`])),
  ]);
}

function fileIdsOf(generations: readonly Generation[]): string[] {
  return generations.flatMap(({ fileId }) => (fileId === null ? [] : [fileId]));
}
