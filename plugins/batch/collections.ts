import type { CollectionSpec } from '../../src/plugin.ts';
import type { Batch } from './contract.ts';

/** The batches. Batches without an idempotency key never conflict. */
export const batches: CollectionSpec<Batch> = {
  name: 'batches',
  indexes: [
    { fields: { accountId: 'asc', idempotencyKey: 'asc' }, unique: true },
    { fields: { status: 'asc', createdAt: 'asc' } },
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', test: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { unreportedAt: 'asc' } },
    { fields: { resultFileId: 'asc' } },
  ],
};
