import type { AccountData } from '../account-data.ts';
import type { Deletions } from '../deletions.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Accounts } from './accounts.ts';

const ACCOUNT = 'account';
const REMAINS = 'account-remains';

/**
 * After this time, which is longer than any request takes, no request of an erased account is in progress.
 */
const REMAINS_AFTER_MS = 60 * 60_000;

/** Erases accounts. */
export interface Erasure {
  /**
   * Deletes an account with all its data. Its keys are rejected first. If the process dies, a running service
   * completes the erasure, or a second call does.
   */
  erase(accountId: string): Promise<void>;
}

/** Registers the deletion of accounts. `data` is called each time an account is deleted. */
export function createErasure({
  accounts,
  jobs,
  deletions,
  data,
}: {
  accounts: Accounts;
  jobs: Pick<Jobs, 'deleteOf'>;
  deletions: Deletions;
  data: () => readonly AccountData[];
}): Erasure {
  /** Deletes the data of all kinds, in reverse order because later plugins use the data of earlier ones. */
  async function deleteData(accountId: string): Promise<void> {
    for (const kind of data().toReversed()) await kind.delete(accountId);
    await jobs.deleteOf(accountId);
  }

  deletions.register(ACCOUNT, async (ids) => {
    for (const id of ids) {
      await accounts.deleteKeys(id);
      // Requests that are in progress may still store records.
      await deletions.schedule(REMAINS, [{ id, at: Date.now() + REMAINS_AFTER_MS }]);
      await deleteData(id);
      await accounts.delete(id);
    }
    return [];
  });
  deletions.register(REMAINS, async (ids) => {
    for (const id of ids) await deleteData(id);
    return [];
  });

  return { erase: (accountId) => deletions.delete(ACCOUNT, [accountId]) };
}
