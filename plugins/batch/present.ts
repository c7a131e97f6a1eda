import type { Static } from '../../src/plugin.ts';
import type { Batch, BatchProgress } from './contract.ts';
import type { AcceptedAnswer, BatchAnswer } from './schemas.ts';

/** The answer of `POST /v1/generate/batch`, the same whenever it is asked for. */
export function presentAccepted({ id, generations }: Batch): Static<typeof AcceptedAnswer> {
  return {
    batch_id: id,
    total: generations.length,
    generations: generations.map((generation, index) => ({ id: generation.id, index })),
    status: 'queued',
  };
}

/** The answer of `GET /v1/batches/:id`, and the data of the webhook. */
export function presentBatch({ batch, generations }: BatchProgress): Static<typeof BatchAnswer> {
  // One that a crash kept from being stored is made good by a sweep.
  const items = batch.generations.map(({ id }, index) => {
    const { status = 'queued', error = null } = generations[index] ?? {};
    return { id, index, status, error };
  });
  const count = (status: string) => items.filter((item) => item.status === status).length;
  return {
    batch_id: batch.id,
    status: statusOf(batch, count('queued') === items.length),
    total: items.length,
    completed: count('completed'),
    failed: count('failed'),
    created_at: new Date(batch.createdAt).toISOString(),
    generations: items,
  };
}

function statusOf({ status }: Batch, nothingBegan: boolean): Static<typeof BatchAnswer>['status'] {
  if (status !== 'open') return 'completed';
  return nothingBegan ? 'queued' : 'processing';
}
