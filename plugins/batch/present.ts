import type { Static } from '../../src/plugin.ts';
import { hasExpired, isDeleted } from '../render/exports.ts';
import type { Generation } from '../render/contract.ts';
import { presentBulk } from './bulk/present.ts';
import type { Batch, BatchProgress, BatchSummary } from './contract.ts';
import { isCanceled } from './is-canceled.ts';
import type { AcceptedResponse, BatchResponse, BatchList } from './schemas.ts';

/** Presents the response of `POST /v1/generate/batch`, which is the same for every replay. */
export function presentAccepted({ id, generations }: Batch): Static<typeof AcceptedResponse> {
  return {
    batch_id: id,
    total: generations.length,
    generations: generations.map((generation, index) => ({ id: generation.id, index })),
    status: 'queued',
  };
}

/** Presents the response of `GET /v1/batches/:id`, which is also the data of the webhook. */
export function presentBatch({
  batch,
  generations,
  ...summary
}: BatchProgress): Static<typeof BatchResponse> {
  // A generation that a crash kept from being stored is stored by a sweep; until then it is queued.
  const items = batch.generations.map(({ id }, index) => {
    const generation = generations[index];
    if (!generation) return { id, index, status: 'queued', error: null };
    if (isDeleted(generation) || hasExpired(generation)) return { id, index, status: 'deleted', error: null };
    return { id, index, status: generation.status, error: generation.error };
  });
  return { ...presentSummary({ batch, ...summary }), generations: items };
}

/**
 * Counts the generations of a batch by status. Deleted items keep their status in the record, so that the
 * counts do not change.
 */
export function countGenerations(
  generations: readonly Generation[],
): Omit<BatchSummary, 'batch' | 'resultUrl'> {
  const count = (status: string) => generations.filter((generation) => generation.status === status).length;
  return {
    processing: count('processing'),
    completed: count('completed'),
    failed: count('failed'),
    canceled: count('canceled'),
  };
}

/** Presents an item of `GET /v1/batches`: a batch without its generations. */
export function presentSummary(summary: BatchSummary): Static<typeof BatchList>['data'][number] {
  const { batch, processing, completed, failed, canceled } = summary;
  return {
    batch_id: batch.id,
    status: statusOf(batch, processing + completed + failed + canceled > 0),
    total: batch.bulk?.total ?? batch.generations.length,
    completed,
    failed,
    canceled,
    created_at: new Date(batch.createdAt).toISOString(),
    test: batch.test === true,
    ...(batch.bulk && presentBulk(summary, batch.bulk)),
  };
}

function statusOf(batch: Batch, hasBegun: boolean): Static<typeof BatchResponse>['status'] {
  if (isCanceled(batch)) return 'canceled';
  if (batch.status !== 'open') return 'completed';
  return hasBegun ? 'processing' : 'queued';
}
