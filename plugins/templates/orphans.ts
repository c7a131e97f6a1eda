import type { Collection } from '../../src/plugin.ts';
import type { OrphanMark } from './collections.ts';
import { deleteUnowned, ignoreDuplicate, type TemplateCollections } from './versions.ts';

/** Far longer than a creation or change takes, so that no write is still in progress when its mark is due. */
const DUE_AFTER_MS = 3_600_000;
const PAGE_SIZE = 100;

/** Records, before a template is created or deleted, that a crash could leave contents without their template. */
export async function markPossibleOrphan(
  orphanMarks: Collection<OrphanMark>,
  templateId: string,
  reason: 'made' | 'deleted',
): Promise<void> {
  const id = `${templateId}:${reason}`;
  const dueAt = Date.now() + DUE_AFTER_MS;
  await ignoreDuplicate(orphanMarks.insert({ id, templateId, dueAt }));
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
