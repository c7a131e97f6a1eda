import { readTimeRange } from '../../../src/plugin.ts';
import type { GenerationFilter } from '../contract.ts';

/**
 * Reads the query parameters `created_after` and `created_before` of a list.
 * @throws {AppError} VALIDATION_ERROR that names the field
 */
export function readCreatedRange(query: {
  created_after?: string | undefined;
  created_before?: string | undefined;
}): Pick<GenerationFilter, 'createdFrom' | 'createdBefore'> {
  const { from, before } = readTimeRange(query, ['created_after', 'created_before']);
  return { createdFrom: from, createdBefore: before };
}
