import type { CollectionSpec } from '../../src/plugin.ts';
import type { Generation } from './contract.ts';

/** What a generation in the background is made from, until it has ended, or a piece of it. The id of the first is the generation's. */
export interface GenerationInput {
  id: string;
  batchId: string;
  /** A `DocumentRequest` as text, see `stored-request.ts`: so its size is known, and a caller's data meet no rule of a database. */
  request: string;
  /** In the first of several pieces, how many there are. */
  pieces?: number;
}

/** The most bytes of a request that is stored. */
export const MAX_INPUT_BYTES = 12_000_000;

/**
 * Every generation. An account's list by age has an index for each set of filters that may match few of many: a list that filters
 * by walking would read a million records. A batch has at most 100 generations, which any other filter may walk.
 */
export const generations: CollectionSpec<Generation> = {
  name: 'generations',
  indexes: [
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', status: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', inputType: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', inputType: 'asc', status: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { batchId: 'asc', status: 'asc' } },
  ],
};

/** What queued generations are made from. */
export const generationInputs: CollectionSpec<GenerationInput> = {
  name: 'generation_inputs',
  indexes: [{ fields: { batchId: 'asc' } }],
};
