import type { Batch } from './contract.ts';

/** Tells whether a caller has canceled a batch. */
export function isCanceled({ canceledAt = null }: Pick<Batch, 'canceledAt'>): boolean {
  return canceledAt !== null;
}
