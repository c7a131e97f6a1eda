import type { Collection } from '../../../src/plugin.ts';
import type { Generation, GenerationFilter } from '../contract.ts';

/** A query of the generations. */
export type GenerationQuery = Required<NonNullable<Parameters<Collection<Generation>['find']>[0]>>;

/**
 * Returns the query of a list, newest first, then by id. An index covers each combination of filters, so that the query is fast with a
 * million generations. A query by batch does not filter by account, because the database might then walk an index of the account, which
 * has the right order, to its end; the caller must check the account. A batch has at most 100 generations.
 */
export function generationQuery(
  accountId: string,
  { batchId, status, inputType, reference, ...page }: GenerationFilter & { limit: number; offset: number },
): GenerationQuery {
  const where = {
    ...(batchId === undefined ? { accountId } : { batchId }),
    ...(status !== undefined && { status }),
    ...(inputType !== undefined && { inputType }),
    ...(reference !== undefined && { reference }),
  };
  return { where, order: { createdAt: 'desc', id: 'desc' }, ...page };
}
