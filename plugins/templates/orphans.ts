import { StoreUnavailableError, type Collection } from '../../src/plugin.ts';
import type { OrphanMark } from './collections.ts';
import { deleteUnowned, ignoreDuplicate, storeContent, type TemplateCollections } from './versions.ts';

/** Far longer than a creation or change takes, so that no write is still in progress when its mark is due. */
const DUE_AFTER_MS = 3_600_000;
const PAGE_SIZE = 100;

type Reason = 'made' | 'deleted';

function markId(templateId: string, reason: Reason): string {
  return `${templateId}:${reason}`;
}

/** Records, before a template is created or deleted, that a crash could leave contents without their template. */
export async function markPossibleOrphan(
  orphanMarks: Collection<OrphanMark>,
  templateId: string,
  reason: Reason,
): Promise<void> {
  const id = markId(templateId, reason);
  const dueAt = Date.now() + DUE_AFTER_MS;
  await ignoreDuplicate(orphanMarks.insert({ id, templateId, dueAt }));
}

/** Stores the first content of a template. If the disk is full, removes the mark, so that refused requests do not use up the reserve. */
export async function storeFirstContent(
  { contents, orphanMarks }: Pick<TemplateCollections, 'contents' | 'orphanMarks'>,
  templateId: string,
  html: string,
): Promise<string> {
  await markPossibleOrphan(orphanMarks, templateId, 'made');
  try {
    return await storeContent(contents, templateId, html);
  } catch (error) {
    if (error instanceof StoreUnavailableError && error.reason === 'full')
      await orphanMarks.delete({ id: markId(templateId, 'made') });
    throw error;
  }
}

/** Deletes the contents and versions that were marked an hour before `now` (epoch milliseconds) and have no template. Idempotent. */
export async function deleteOrphans(collections: TemplateCollections, now = Date.now()): Promise<void> {
  const { orphanMarks } = collections;
  for (;;) {
    const due = await orphanMarks.find({
      where: { dueAt: { lte: now } },
      order: { dueAt: 'asc' },
      limit: PAGE_SIZE,
    });
    for (const { id, templateId } of due) {
      await deleteUnowned(collections, templateId);
      await orphanMarks.delete({ id, dueAt: { lte: now } });
    }
    if (due.length < PAGE_SIZE) return;
  }
}
