import {
  AppError,
  ownedRecords,
  yieldToEventLoop,
  type AccountData,
  type Collection,
  type Deletions,
  type FileStore,
  type Webhooks,
} from '../../../src/plugin.ts';
import { isExpired, NO_PROPERTIES, presentOptionalProof } from '../../files/exports.ts';
import type { Generation } from '../contract.ts';
import { presentRecord } from './present.ts';
import { presentReceipt } from '../receipt/present.ts';
import type { Receipts } from '../receipt/receipts.ts';

/** The kind under which generations are registered with the deletions of the service. */
export const GENERATION = 'generation';

/** The condition that only deleted items of batches meet. */
export const DELETED_ITEM = { accountId: '' } as const;

/**
 * The properties that a deleted item of a batch loses. Its status stays, because the counts of the batch
 * depend on it.
 */
const DELETED: Partial<Generation> = {
  ...NO_PROPERTIES,
  ...DELETED_ITEM,
  templateId: null,
  fileId: null,
  pages: null,
  sizeBytes: null,
  generationTimeMs: null,
  error: null,
  proof: null,
  warnings: [],
  unreportedAt: null,
};

const PAGE_SIZE = 100;
const CONCURRENT_DELETIONS = 4;

/** An item in the data of the webhook `batch.completed`. */
type BatchMessageItem = { id: string; index: number; status: string; error: string | null };

/** Tells whether an item of a batch was deleted. */
export function isDeleted({ accountId }: Generation): boolean {
  return accountId === DELETED_ITEM.accountId;
}

/** Removes deleted items from the message of their batch, which can be sent again. */
export async function removeFromMessage(
  webhooks: Pick<Webhooks, 'edit'>,
  batchId: string,
  deletedIds: ReadonlySet<string>,
): Promise<void> {
  await webhooks.edit(`batch.completed:${batchId}`, (data) => {
    const { generations, ...batch } = data as { generations: BatchMessageItem[] };
    return {
      ...batch,
      generations: generations.map((item) =>
        deletedIds.has(item.id) ? { ...item, status: 'deleted', error: null } : item,
      ),
    };
  });
}

/** The statuses of a generation that is still to be made. */
export const UNFINISHED: readonly Generation['status'][] = ['queued', 'processing'];

/** Tells whether a generation is still to be made. */
export function isUnfinished({ status }: Generation): boolean {
  return UNFINISHED.includes(status);
}

/**
 * Tells whether the lifetime of a generation has ended. An unfinished generation does not expire before it
 * has ended.
 */
export function hasExpired(generation: Generation): boolean {
  return isExpired(generation) && !isUnfinished(generation);
}

/** @throws {AppError} CONFLICT for a generation that is still to be made */
export function requireEnded(generation: Generation): void {
  if (!isUnfinished(generation)) return;
  const { batchId } = generation;
  const advice =
    batchId === null
      ? 'it is being made, and can be deleted afterwards'
      : `cancel its batch with POST /v1/batches/${batchId}/cancel`;
  throw new AppError('CONFLICT', `the generation has not ended: ${advice}`);
}

/** Tells whether a generation cannot be deleted yet: it or its quota and webhook are not complete. */
function isOpen(generation: Generation): boolean {
  return isUnfinished(generation) || typeof generation.openSince === 'number';
}

/** The parts of the service that hold data of generations. */
export interface GenerationParts {
  generations: Collection<Generation>;
  receipts: Receipts;
  files: Pick<FileStore, 'delete'>;
  webhooks: Pick<Webhooks, 'delete' | 'edit'>;
}

/** Creates the function that deletes generations. It deletes a file before the record that names it. */
export function createGenerationDeletion(
  parts: GenerationParts & {
    /** Deletes everything else that contains documents of a batch, once some of them are deleted. */
    onItemsDeleted?: (batchId: string) => Promise<void>;
  },
): Parameters<Deletions['register']>[1] {
  const { generations, files, webhooks, onItemsDeleted } = parts;
  return async (ids) => {
    const found = await generations.find({ where: { id: { in: ids } } });
    const open = found.filter(isOpen).map(({ id }) => id);
    const ended = found.filter((generation) => !isOpen(generation));
    // Includes generations whose records are gone: a crash may have left the rest.
    const deletable = ids.filter((id) => !open.includes(id));
    await deleteFiles(files, fileIdsOf(ended));
    const items = ended.filter(({ batchId }) => batchId !== null);
    const others = ended.filter(({ batchId }) => batchId === null).map(({ id }) => id);
    // Together, because the embedded database then writes them in one transaction.
    await Promise.all([
      deleteTraces(parts, deletable),
      ...items.map(({ id }) => generations.update({ id }, DELETED)),
      ...(others.length > 0 ? [generations.delete({ id: { in: others } })] : []),
    ]);
    // After the records, so that a message that is written at the same time is corrected either here or by
    // its writer.
    for (const [batchId, deleted] of Map.groupBy(items, (item) => item.batchId ?? '')) {
      await removeFromMessage(webhooks, batchId, new Set(deleted.map(({ id }) => id)));
      await onItemsDeleted?.(batchId);
    }
    return open;
  };
}

/** Creates the function that erases all generations of a batch, including unfinished and deleted ones. */
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
          ...(generation.webhook && { webhook: generation.webhook }),
          receipt: receipt && presentReceipt(receipt, generation),
          proof: presentOptionalProof(generation.proof),
        },
        fileIds: fileIdsOf([generation]),
      };
    },
    deleteParts: (documents) => eraseParts(parts, documents),
  });
}

/**
 * Deletes everything that belongs to generations. Delete their records afterwards, because these name the
 * files.
 */
async function eraseParts(
  parts: GenerationParts & { deletions: Pick<Deletions, 'cancel'> },
  erased: readonly Generation[],
): Promise<void> {
  const ids = erased.map(({ id }) => id);
  await deleteFiles(parts.files, fileIdsOf(erased));
  await Promise.all([deleteTraces(parts, ids), parts.deletions.cancel(GENERATION, ids)]);
}

/** Deletes a few files at a time, because the disk also serves requests. */
async function deleteFiles(files: GenerationParts['files'], ids: readonly string[]): Promise<void> {
  const queue = ids.values();
  const work = async () => {
    for (const id of queue) await files.delete(id);
  };
  await Promise.all(Array.from({ length: CONCURRENT_DELETIONS }, work));
}

async function deleteTraces({ receipts, webhooks }: GenerationParts, ids: readonly string[]): Promise<void> {
  await Promise.all([receipts.delete(ids), webhooks.delete(ids.flatMap(eventIdsOf))]);
}

/** Returns the ids of the events that a generation can have. */
export function eventIdsOf(id: string): string[] {
  return [`generation.completed:${id}`, `generation.failed:${id}`];
}

function fileIdsOf(generations: readonly Generation[]): string[] {
  return generations.flatMap(({ fileId }) => (fileId === null ? [] : [fileId]));
}
