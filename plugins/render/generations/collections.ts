import type { CollectionSpec } from '../../../src/plugin.ts';
import type { Generation } from '../contract.ts';

/**
 * All generations. Every filter of an account's list has an index, because a scan could read a million
 * records. A batch has at most 10,000 generations.
 */
export const generations: CollectionSpec<Generation> = {
  name: 'generations',
  indexes: [
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', status: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', inputType: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', inputType: 'asc', status: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', templateId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', templateId: 'asc', status: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', reference: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', test: 'asc', createdAt: 'desc', id: 'desc' } },
    // The account is for the generations outside batches, of which an account can have any number.
    { fields: { batchId: 'asc', status: 'asc', accountId: 'asc' } },
    { fields: { batchId: 'asc', index: 'asc' } },
    { fields: { fileId: 'asc' } },
    { fields: { unreportedAt: 'asc' } },
    { fields: { openSince: 'asc' } },
  ],
};
