import type { AccountData, Collection } from '../../../src/plugin.ts';
import type { Generation, QueuedGenerations } from '../contract.ts';
import { UNFINISHED } from '../generations/delete-generations.ts';

/** Declares the stored requests of queued generations outside batches as data of their accounts. */
export function requestData(
  generations: Collection<Generation>,
  queued: Pick<QueuedGenerations, 'countInputs' | 'readInput' | 'deleteInputs'>,
): AccountData {
  async function idsOf(accountId: string): Promise<string[]> {
    const where = { accountId, batchId: null, status: { in: UNFINISHED } };
    return (await generations.find({ where, order: { createdAt: 'asc' } })).map(({ id }) => id);
  }

  return {
    name: 'generation-requests',
    count: async (accountId) => queued.countInputs(await idsOf(accountId)),
    async *read(accountId) {
      for (const id of await idsOf(accountId)) {
        const request = await queued.readInput(id);
        // A URL stays encrypted.
        if (request !== undefined) yield [{ record: { id, request: JSON.parse(request) } }];
      }
    },
    // Also deletes requests that a crash kept from being accepted.
    delete: (accountId) => queued.deleteInputs(accountId),
  };
}
