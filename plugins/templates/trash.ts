import { AppError, notFound, scan, type Collection, findPage } from '../../src/plugin.ts';
import type { Template, TemplateTrash, TrashedTemplate } from './contract.ts';
import type { TemplateEvents } from './events.ts';
import { unchanged } from './changes.ts';
import { markPossibleOrphan } from './orphans.ts';
import { deleteUnowned, ignoreDuplicate, type TemplateCollections } from './contents.ts';

/** How long a template stays in the trash. */
const TRASH_LIFETIME_MS = 30 * 86_400_000;
/**
 * How long after the last moment for a restoration the contents are deleted, so that no restoration is still
 * in progress.
 */
const GRACE_MS = 3_600_000;

/**
 * Creates the trash. A template in the trash has no record among the templates, so nothing else finds it; its
 * contents and versions stay where they are. The record is inserted at its new place before it is deleted at
 * its old one, so a crash loses nothing.
 */
export function createTrash(
  collections: TemplateCollections,
  parts: {
    events: TemplateEvents;
    findOwn: (accountId: string, id: string) => Promise<Template | null>;
    checkPartial: (template: Template) => Promise<void>;
  },
): TemplateTrash {
  const { templates, trash } = collections;

  async function findTrashed(accountId: string, id: string): Promise<TrashedTemplate> {
    const entry = await trash.get(id);
    if (entry?.accountId !== accountId || entry.expiresAt <= Date.now()) throw notFound('template');
    return entry;
  }

  return {
    async discard(accountId, idOrAlias) {
      // The alias may move to another template while this one is read again.
      const id = (await parts.findOwn(accountId, idOrAlias))?.id ?? '';
      for (;;) {
        const template = await parts.findOwn(accountId, id);
        if (!template) throw notFound('template');
        // The sweep does not find events in the trash.
        if (typeof template.unreportedAt === 'number') {
          await parts.events.store(template, { usesReserve: true });
          continue;
        }
        const now = Date.now();
        const entry = { id, accountId, template, createdAt: now, expiresAt: now + TRASH_LIFETIME_MS };
        await ignoreDuplicate(trash.insert(entry));
        const { createdAt, expiresAt } = entry;
        await trash.update({ id, accountId }, { template, createdAt, expiresAt });
        // A template that was changed since it was read is read again.
        const { updatedAt, isPublic } = template;
        if (await templates.delete({ ...unchanged(template), updatedAt, isPublic })) return entry;
        if ((await templates.get(id)) === null) {
          await trash.delete({ id, accountId });
          await deleteUnowned(collections, id);
          throw notFound('template');
        }
      }
    },
    async restore(accountId, id) {
      const { template } = await findTrashed(accountId, id);
      if (template.isPartial) await parts.checkPartial(template);
      // The marketplace shows it again only after another decision.
      await ignoreDuplicate(templates.insert({ ...template, isPublic: false }));
      // Either a concurrent restoration stored the template, or another template has its alias.
      if (template.alias && (await templates.get(id)) === null)
        throw new AppError(
          'CONFLICT',
          `another template has the alias ${template.alias} now; change it before you restore this one`,
        );
      await trash.delete({ id, accountId });
      return { ...template, isPublic: false };
    },
    list: (accountId, page) =>
      findPage(trash, {
        where: { accountId, expiresAt: { gte: Date.now() + 1 } },
        at: (id) => ({ accountId, id }),
        page,
      }),
    async remove(accountId, id) {
      await findTrashed(accountId, id);
      await markPossibleOrphan(collections.orphanMarks, id, 'deleted');
      await trash.delete({ id, accountId });
      await deleteUnowned(collections, id);
    },
  };
}

/**
 * Deletes the templates whose time in the trash has ended by `now` (epoch milliseconds), with their versions.
 * Idempotent.
 */
export async function deleteExpiredTrash(collections: TemplateCollections, now = Date.now()): Promise<void> {
  const trash: Collection<TrashedTemplate> = collections.trash;
  const to = now - GRACE_MS;
  for await (const due of scan(trash, { where: {}, by: 'expiresAt', to }))
    for (const { id } of due) {
      await markPossibleOrphan(collections.orphanMarks, id, 'deleted');
      await trash.delete({ id, expiresAt: { lte: to } });
      await deleteUnowned(collections, id);
    }
}
