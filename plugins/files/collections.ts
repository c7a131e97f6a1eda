import type { Proof } from './proof/proof.ts';
import type { ResultProperties } from './result-properties.ts';
import type { CollectionSpec } from '../../src/plugin.ts';

/**
 * The record of a stored PDF that a PDF route made or a caller uploaded. Its id is also the id of the file.
 * Times are epoch milliseconds.
 */
export interface FileRecord extends ResultProperties {
  id: string;
  accountId: string;
  /** The operation that made the file: `merge`, or `upload`. */
  operation: string;
  /** `null` for an uploaded file that needs a password or is not a PDF. */
  pages: number | null;
  sizeBytes: number;
  /** Only for a file with claims such as PDF/A. */
  proof?: Proof | null;
  createdAt: number;
  /** When the record was stored, until its event `file.created` is stored. Absent in records of 0.1.0. */
  unreportedAt?: number | null;
}

/**
 * The records of stored PDFs. An index serves each list of them: all files of an account, those with a
 * reference, those whose event is due, and those that were made for test keys or not.
 */
export const fileRecords: CollectionSpec<FileRecord> = {
  name: 'files',
  indexes: [
    { fields: { accountId: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { accountId: 'asc', reference: 'asc', createdAt: 'desc', id: 'desc' } },
    { fields: { unreportedAt: 'asc' } },
    { fields: { accountId: 'asc', test: 'asc', createdAt: 'desc', id: 'desc' } },
  ],
};
