import type { CollectionSpec } from '../../src/plugin.ts';
import type { Generation } from './contract.ts';

/** Every generation, by account and age. */
export const generations: CollectionSpec<Generation> = {
  name: 'generations',
  indexes: [{ fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } }],
};
