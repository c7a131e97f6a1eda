import type { Collection } from '../../src/plugin.ts';
import type { SweepMark } from './collections.ts';
import { removeContents, unlessThere, type TemplateCollections } from './versions.ts';

/** Far longer than any creation or change takes, so that a sweep meets none under way. */
const SETTLED_AFTER_MS = 3_600_000;
const CHUNK = 100;

/** Notes, before a template is made or deleted, that its contents may be left without it when the process dies. */
export async function markForSweep(
  marks: Collection<SweepMark>,
  templateId: string,
  reason: 'made' | 'deleted',
): Promise<void> {
  const id = `${templateId}:${reason}`;
  const dueAt = Date.now() + SETTLED_AFTER_MS;
  await unlessThere(marks.insert({ id, templateId, dueAt }));
}

/** Deletes the contents and versions of what was marked an hour before `now` (epoch milliseconds) and has no template. May be repeated. */
export async function sweepLeftovers(collections: TemplateCollections, now = Date.now()): Promise<void> {
  const { templates, marks } = collections;
  for (;;) {
    const due = await marks.find({ where: { dueAt: { lte: now } }, order: { dueAt: 'asc' }, limit: CHUNK });
    for (const { id, templateId } of due) {
      if ((await templates.get(templateId)) === null) await removeContents(collections, templateId);
      await marks.delete({ id, dueAt: { lte: now } });
    }
    if (due.length < CHUNK) return;
  }
}
