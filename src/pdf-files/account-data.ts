import { ownedRecords, type AccountData } from '../account-data.ts';
import type { Deletions } from '../deletions.ts';
import type { FileStore } from '../files/files.ts';
import { presentOptionalProof } from '../proof/proof.ts';
import type { Collection } from '../store/store.ts';
import { FILE } from './pdf-files.ts';
import { presentFile } from './present.ts';
import type { FileRecord } from './records.ts';

/** Declares the records of stored PDFs, with their files, as data of their accounts. */
export function fileData({
  records,
  files,
  deletions,
}: {
  records: Collection<FileRecord>;
  files: Pick<FileStore, 'delete'>;
  deletions: Pick<Deletions, 'cancel'>;
}): AccountData {
  return ownedRecords({
    name: 'files',
    collection: records,
    present(record) {
      const { url: _url, ...presented } = presentFile(record, '');
      const proof = presentOptionalProof(record.proof);
      return { record: { ...presented, proof }, fileIds: [record.id] };
    },
    async deleteParts(documents) {
      const ids = documents.map(({ id }) => id);
      await Promise.all(ids.map((id) => files.delete(id)));
      await deletions.cancel(FILE, ids);
    },
  });
}
