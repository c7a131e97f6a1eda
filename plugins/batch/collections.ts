import type { CollectionSpec } from '../../src/plugin.ts';
import type { Batch } from './contract.ts';

/** The batches. Batches without an idempotency key never conflict. */
export const batches: CollectionSpec<Batch> = {
  name: 'batches',
  indexes: [
    { fields: { accountId: 'asc', idempotencyKey: 'asc' }, unique: true },
    { fields: { status: 'asc', createdAt: 'asc' } },
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
  ],
};

/** Builds the query of a page of an account's batches, newest first, then by id. */
export function listQuery(accountId: string, page: { limit: number; offset: number }) {
  return { where: { accountId }, order: { createdAt: 'desc', id: 'desc' }, ...page } as const;
}

/** The request of an item, or one piece of it, stored until its generation has ended. The id of the first piece is the generation's. */
export interface GenerationInput {
  id: string;
  batchId: string;
  /** A `DocumentRequest` as JSON text (`stored-request.ts`): its size is known, and no rule of a database applies to the caller's data. */
  request: string;
  /** The number of pieces; only in the first of several. */
  pieces?: number;
}

/** The largest request of an item, in bytes. */
export const MAX_INPUT_BYTES = 12_000_000;

/** The requests of items that have not ended. */
export const generationInputs: CollectionSpec<GenerationInput> = {
  name: 'generation_inputs',
  indexes: [{ fields: { batchId: 'asc' } }],
};
