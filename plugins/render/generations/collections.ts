import type { CollectionSpec } from '../../../src/plugin.ts';
import type { Generation } from '../contract.ts';

/**
 * All generations. Each set of filters of an account's list has an index, because a list that filters by walking would read up to a
 * million records. A batch has at most 100 generations, so other filters may walk it.
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
    { fields: { batchId: 'asc', status: 'asc' } },
    { fields: { fileId: 'asc' } },
  ],
};
