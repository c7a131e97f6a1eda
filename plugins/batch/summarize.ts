import type { Generation } from '../render/contract.ts';
import type { Batch, BatchSummary } from './contract.ts';
import { isCanceled } from './is-canceled.ts';
import type { BatchParts } from './batch-parts.ts';

/** Counts the items of a batch by status, without reading them. */
export async function summarize(
  { items, linkResult }: Pick<BatchParts, 'items' | 'linkResult'>,
  batch: Batch,
): Promise<BatchSummary> {
  const count = (status: Generation['status']) => items.count(batch.id, [status]);
  const [processing, completed, failed, canceled] = await Promise.all([
    batch.status === 'open' ? count('processing') : Promise.resolve(0),
    count('completed'),
    count('failed'),
    count('canceled'),
  ]);
  const counts = { processing, completed, failed };
  const resultUrl = await linkResult(batch);
  if (!batch.bulk || !isCanceled(batch)) return { batch, ...counts, canceled, resultUrl };
  // Some items of a canceled bulk batch never reached the queue.
  const unstored = batch.bulk.total - (await items.countOf(batch.id));
  return { batch, ...counts, canceled: canceled + unstored, resultUrl };
}
