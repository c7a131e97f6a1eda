import type { CollectionSpec } from '../../src/plugin.ts';
import type { Batch } from './contract.ts';

/** Every batch; those without an idempotency key do not get in each other's way. */
export const batches: CollectionSpec<Batch> = {
  name: 'batches',
  indexes: [
    { fields: { accountId: 'asc', idempotencyKey: 'asc' }, unique: true },
    { fields: { status: 'asc', createdAt: 'asc' } },
  ],
};
