import type { Collection } from '../../../src/plugin.ts';
import { ofMode, unexpired } from '../../files/exports.ts';
import type { Generation, GenerationFilter } from '../contract.ts';
import { UNFINISHED } from './delete-generations.ts';

type GenerationsWhere = NonNullable<Parameters<Collection<Generation>['find']>[0]>['where'];

/**
 * Returns the conditions of a list; `undefined` when no generation can match. Every
 * filter has an index, so that the query is fast with a million generations. A query by batch has the account
 * only among the conditions in `either`: otherwise the database might choose an index of the account, which
 * has the right order, and scan all of it.
 */
export function generationsWhere(accountId: string, filter: GenerationFilter): GenerationsWhere {
  const { batchId, status, reference, templateId, test, createdFrom, createdBefore } = filter;
  // Only documents from templates name a template, so the filter by source adds nothing.
  if (templateId !== undefined && (filter.inputType ?? 'template') !== 'template') return undefined;
  const inputType = templateId === undefined ? filter.inputType : undefined;
  return {
    ...(batchId === undefined ? { accountId } : { batchId }),
    ...(status !== undefined && { status }),
    ...(inputType !== undefined && { inputType }),
    ...(reference !== undefined && { reference }),
    ...(templateId !== undefined && { templateId }),
    ...ofMode(test),
    ...((createdFrom !== undefined || createdBefore !== undefined) && {
      createdAt: {
        ...(createdFrom !== undefined && { gte: createdFrom }),
        ...(createdBefore !== undefined && { lt: createdBefore }),
      },
    }),
    // As `hasExpired`: an unfinished item of a batch does not expire before it has ended.
    either: [...unexpired(), { status: { in: UNFINISHED } }].map((visible) => ({ ...visible, accountId })),
  };
}
