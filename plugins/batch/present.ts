import type { Static } from '../../src/plugin.ts';
import type { Batch, BatchProgress } from './contract.ts';
import type { AcceptedAnswer, BatchAnswer } from './schemas.ts';

/** Presents the response of `POST /v1/generate/batch`, which is the same for every replay. */
export function presentAccepted({ id, generations }: Batch): Static<typeof AcceptedAnswer> {
  return {
    batch_id: id,
    total: generations.length,
    generations: generations.map((generation, index) => ({ id: generation.id, index })),
    status: 'queued',
  };
}

/** Presents the response of `GET /v1/batches/:id`, which is also the data of the webhook. */
export function presentBatch({ batch, generations }: BatchProgress): Static<typeof BatchAnswer> {
  // A generation that a crash kept from being stored is stored by a sweep; until then it is queued.
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

function statusOf({ status }: Batch, allQueued: boolean): Static<typeof BatchAnswer>['status'] {
  if (status !== 'open') return 'completed';
  return allQueued ? 'queued' : 'processing';
}
