import type { AccountData } from '../account-data.ts';
import type { Log } from '../log.ts';
import { DuplicateKeyError, type CollectionSpec, type Document, type Store } from '../store/store.ts';
import { workContext } from '../work-context.ts';
import type { FileStore } from './files.ts';
import type { FileOwners } from './orphans.ts';

/** A file that was stored recently, and the account for which it was stored. */
interface FileWrite extends Document {
  id: string;
  accountId: string;
  /** Epoch milliseconds. */
  storedAt: number;
}

const fileWrites: CollectionSpec<FileWrite> = {
  name: 'file_writes',
  indexes: [{ fields: { storedAt: 'asc' } }, { fields: { accountId: 'asc', id: 'asc' } }],
};

/** Longer than any process takes from storing a file to storing its record. */
const UNSETTLED_MS = 15 * 60_000;
const SETTLED_AT_ONCE = 500;

/**
 * Remembers each file from before it is stored, so that a file whose process was killed before it stored the
 * record can be deleted.
 */
export interface FileWrites {
  /** The file store that remembers its files. */
  readonly files: FileStore;
  /**
   * Deletes the files that were stored more than 15 minutes ago and that no record names, and forgets the
   * others.
   */
  settle(): Promise<void>;
  /**
   * The remembered files as data of their accounts, so that erasing an account also deletes files without a
   * record.
   */
  readonly accountData: AccountData;
}

/** Opens the memory of a deployment. */
export async function openFileWrites(parts: {
  store: Store;
  files: FileStore;
  owners: FileOwners;
  log: Log;
}): Promise<FileWrites> {
  const { files, owners, log } = parts;
  const writes = await parts.store.collection(fileWrites);

  async function remember(id: string): Promise<void> {
    const accountId = workContext.getStore()?.account ?? '';
    await writes.insert({ id, accountId, storedAt: Date.now() }).catch(async (error: unknown) => {
      if (!(error instanceof DuplicateKeyError)) throw error;
      await writes.update({ id }, { storedAt: Date.now() });
    });
  }

  /** Deletes the files that no record names, and forgets all. */
  async function settleFiles(ids: readonly string[]): Promise<void> {
    const inUse = await owners.findInUse(ids);
    const lost = ids.filter((id) => !inUse.has(id));
    for (const id of lost) await files.delete(id);
    if (lost.length > 0) log.info({ deleted: lost.length }, 'files without a record were deleted');
    await writes.delete({ id: { in: ids } });
  }

  return {
    files: {
      ...files,
      put: (id, content) => files.put(id, content, remember(id)),
    },
    async settle() {
      // A plugin that is off cannot say which files its records name.
      if ((await owners.findOff()).length > 0) return;
      for (;;) {
        const found = await writes.find({
          where: { storedAt: { lte: Date.now() - UNSETTLED_MS } },
          order: { storedAt: 'asc', id: 'asc' },
          limit: SETTLED_AT_ONCE,
        });
        if (found.length > 0) await settleFiles(found.map(({ id }) => id));
        if (found.length < SETTLED_AT_ONCE) return;
      }
    },
    accountData: {
      name: 'file-writes',
      count: async (accountId) => writes.count({ accountId }),
      async *read(accountId) {
        for (let last = ''; ;) {
          const found = await writes.find({
            where: { accountId, id: { gt: last } },
            order: { id: 'asc' },
            limit: SETTLED_AT_ONCE,
          });
          yield found.map(({ id, storedAt }) => ({
            record: { id, stored_at: new Date(storedAt).toISOString() },
          }));
          const { id: next } = found.at(-1) ?? {};
          if (next === undefined) return;
          last = next;
        }
      },
      async delete(accountId) {
        for (;;) {
          const found = await writes.find({ where: { accountId }, limit: SETTLED_AT_ONCE });
          if (found.length > 0) await settleFiles(found.map(({ id }) => id));
          if (found.length < SETTLED_AT_ONCE) return;
        }
      },
    },
  };
}
