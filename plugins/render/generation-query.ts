import type { Collection } from '../../src/plugin.ts';
import type { Generation, GenerationFilter } from './contract.ts';

/** A query of the collection of generations. */
export type GenerationQuery = Required<NonNullable<Parameters<Collection<Generation>['find']>[0]>>;

/**
 * Makes the query of a list, newest first, ties by id. Each one has an index that holds what it filters by, so that it stays fast with
 * a million generations. A batch belongs to one account and has at most 100 generations: its query leaves the account out (the
 * reader is to look at it), since an index by account, with the order right, might be taken and walked to its end.
 */
export function generationQuery(
  accountId: string,
  { batchId, status, inputType, ...page }: GenerationFilter & { limit: number; offset: number },
): GenerationQuery {
  const where = {
    ...(batchId === undefined ? { accountId } : { batchId }),
    ...(status !== undefined && { status }),
    ...(inputType !== undefined && { inputType }),
  };
  return { where, order: { createdAt: 'desc', id: 'desc' }, ...page };
}
