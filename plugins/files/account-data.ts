import {
  ownedRecords,
  type AccountData,
  type Collection,
  type Deletions,
  type FileStore,
  type Webhooks,
} from '../../src/plugin.ts';
import { presentOptionalProof } from './proof/proof.ts';
import { createdEventId } from './events.ts';
import { presentFile } from './present.ts';
import { FILE } from './service.ts';
import type { FileRecord } from './collections.ts';

/** Declares the records of stored PDFs, with their files, as data of their accounts. */
export function fileData({
  records,
  files,
  deletions,
  webhooks,
}: {
  records: Collection<FileRecord>;
  files: Pick<FileStore, 'delete'>;
  deletions: Pick<Deletions, 'cancel'>;
  webhooks: Pick<Webhooks, 'delete'>;
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
      await webhooks.delete(ids.map(createdEventId));
    },
  });
}
