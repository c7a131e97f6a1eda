import type { Collection, Quota } from '../../../src/plugin.ts';
import type { Generation, QueuedGenerations } from '../contract.ts';
import { isUnfinished } from './delete-generations.ts';
import { outcomeOf } from './generation.ts';

/**
 * Longer than a request can wait and render, or take to be stored. A generation without a record after this
 * time never gets one.
 */
const UNRECORDED_LIMIT_MS = 30 * 60_000;

/**
 * Creates the function that finds the outcome of units of quota that are held for a generation. A generation
 * that is queued keeps its unit, however long it waits.
 */
export function createReconciler(
  generations: Collection<Generation>,
  queued: Pick<QueuedGenerations, 'deleteInput'>,
): Parameters<Quota['registerReconciler']>[0] {
  return {
    prefix: 'gen_',
    graceMs: UNRECORDED_LIMIT_MS,
    async outcomeOf(workId) {
      const generation = await generations.get(workId);
      if (generation && isUnfinished(generation)) return undefined;
      // The process may have died before it accepted a request that it had stored.
      if (generation === null) await queued.deleteInput(workId);
      return outcomeOf(generation);
    },
  };
}
