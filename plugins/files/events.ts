import type { Collection, Webhooks } from '../../src/plugin.ts';
import type { FileRecord } from './collections.ts';
import type { FilesService } from './contract.ts';
import { presentFile } from './present.ts';

const CREATED = 'file.created' as const;

/** Returns the id of the message about a stored file. */
export function createdEventId(fileId: string): string {
  return `${CREATED}:${fileId}`;
}

/** Opens the outbox of the events about stored files. */
export function openFileEvents({
  records,
  webhooks,
  link,
}: {
  records: Collection<FileRecord>;
  webhooks: Pick<Webhooks, 'outbox'>;
  link: FilesService['link'];
}): ReturnType<typeof webhooks.outbox<FileRecord>> {
  return webhooks.outbox({
    name: 'files',
    collection: records,
    toEvent(record) {
      const { id, accountId, createdAt } = record;
      // Without a link, which would let everybody who can read the database read the file.
      const data = presentFile(record, null);
      return { id: createdEventId(id), accountId, type: CREATED, data, timestamp: createdAt };
    },
    async complete(data) {
      const record = await records.get((data as { id: string }).id);
      return record ? presentFile(record, await link(record)) : data;
    },
  });
}
