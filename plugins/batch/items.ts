import type { Listed } from '../../src/plugin.ts';
import type { LinkedGeneration } from '../render/contract.ts';
import { hasExpired, isDeleted } from '../render/exports.ts';
import { itemId } from './bulk/item-id.ts';
import type { Batch, BatchItem, ItemFilter } from './contract.ts';
import { isCanceled } from './is-canceled.ts';
import type { BatchParts } from './batch-parts.ts';

/**
 * Lists items of a batch. The items of a bulk batch that are not in the queue yet follow the others; they are
 * queued, or canceled with the batch.
 */
export async function listItems(
  { items }: Pick<BatchParts, 'items'>,
  batch: Batch,
  { status, offset, limit }: ItemFilter,
): Promise<Listed<BatchItem>> {
  const total = batch.bulk?.total ?? batch.generations.length;
  // Counted first: an item that is stored meanwhile is then missing from the end, and not listed twice.
  const [stored, matching] = await Promise.all([items.countOf(batch.id), items.countOf(batch.id, status)]);
  const found = await items.pageOf(batch.id, { status, offset, limit: Math.min(limit + 1, matching) || 1 });
  const records = offset < matching ? found.slice(0, matching - offset).map(toItem) : [];
  const unstored = isCanceled(batch) ? 'canceled' : 'queued';
  if (status === undefined || status === unstored)
    for (let index = stored + Math.max(0, offset - matching); index < total; index += 1) {
      if (records.length > limit) break;
      records.push({ ...idOf(batch, index), ...NO_DOCUMENT, status: unstored });
    }
  return { records: records.slice(0, limit), hasMore: records.length > limit };
}

const NO_DOCUMENT = { error: null, url: null, fileName: null, warnings: 0 } as const;

function idOf({ id, bulk, generations }: Batch, index: number): { id: string; index: number } {
  return { id: bulk ? itemId(id, index) : (generations[index]?.id ?? ''), index };
}

function toItem({ generation, url }: LinkedGeneration): BatchItem {
  const { id, index, status, error, fileName, warnings = [] } = generation;
  const place = { id, index: index ?? 0 };
  return isDeleted(generation) || hasExpired(generation)
    ? { ...place, ...NO_DOCUMENT, status: 'deleted' }
    : { ...place, status, error, url, fileName, warnings: warnings.length };
}
