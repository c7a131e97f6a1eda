import { scan } from './store/scan.ts';
import type { Collection, Document, Filter, JsonValue } from './store/store.ts';
import { yieldToEventLoop } from './time-slice.ts';

export interface ExportedRecord {
  /** The record in the form of an API response, without secrets. */
  record: Readonly<Record<string, JsonValue>>;
  /** The stored files that belong to the record. The export contains each as `files/<id>.<extension>`. */
  fileIds?: readonly string[];
}

/** One kind of data that belongs to accounts: how it is counted, exported and erased. */
export interface AccountData {
  /** Lower case with hyphens, unique in the deployment. The export contains the records as `<name>.json`. */
  name: string;
  /** Counts the records of an account. */
  count(accountId: string): Promise<number>;
  /** Reads the records of an account in pages, each of which must fit into memory. */
  read(accountId: string): AsyncIterable<readonly ExportedRecord[]>;
  /**
   * Erases the data of an account with everything that belongs to it, such as files. Must be idempotent:
   * after a crash it runs again, and it runs once more an hour later for records of requests that were in
   * progress.
   */
  delete(accountId: string): Promise<void>;
}

/** A record of an account. */
export interface OwnedDocument extends Document {
  accountId: string;
  /** Epoch milliseconds. */
  createdAt: number;
}

/** The records to declare with {@link ownedRecords}. */
export interface OwnedRecords<T extends OwnedDocument> {
  name: string;
  /** Needs an index that begins with `accountId` and `createdAt`. */
  collection: Collection<T>;
  present: (document: T) => ExportedRecord | Promise<ExportedRecord>;
  /** Deletes the files and other data that belong to the records. The records are deleted afterwards. */
  deleteParts?: (documents: readonly T[]) => Promise<void>;
}

const PAGE_SIZE = 100;

/** Declares the records of a collection as data of their accounts. */
export function ownedRecords<T extends OwnedDocument>({
  name,
  collection,
  present,
  deleteParts,
}: OwnedRecords<T>): AccountData {
  const ofAccount = (accountId: string) => ({ accountId }) as Filter<T>;
  return {
    name,
    count: (accountId) => collection.count(ofAccount(accountId)),
    async *read(accountId) {
      for await (const page of scan(collection, { where: ofAccount(accountId), by: 'createdAt' }))
        yield await Promise.all(page.map(async (document) => present(document)));
    },
    async delete(accountId) {
      for (;;) {
        const page = await collection.find({ where: ofAccount(accountId), limit: PAGE_SIZE });
        if (page.length === 0) return;
        await deleteParts?.(page);
        await collection.delete({ id: { in: page.map(({ id }) => id) } } as Filter<T>);
        await yieldToEventLoop();
      }
    },
  };
}
