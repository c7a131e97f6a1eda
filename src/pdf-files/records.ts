import type { Proof } from '../proof/proof.ts';
import type { ResultProperties } from '../result-record.ts';
import type { CollectionSpec } from '../store/store.ts';

/** The record of a stored PDF that a PDF route made or a caller uploaded. Its id is also the id of the file. Times are epoch milliseconds. */
export interface FileRecord extends ResultProperties {
  id: string;
  accountId: string;
  /** The operation that made the file: `merge`, or `upload`. */
  operation: string;
  /** `null` for an uploaded file that needs a password. */
  pages: number | null;
  sizeBytes: number;
  /** Only for a file with claims such as PDF/A. */
  proof?: Proof | null;
  createdAt: number;
}

/** The records of stored PDFs. An index serves each list of them: all files of an account, and those with a reference. */
export const fileRecords: CollectionSpec<FileRecord> = {
  name: 'files',
  indexes: [
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', reference: 'asc', createdAt: 'desc', id: 'desc' } },
  ],
};
