import { scan, StoreUnavailableError, type Collection } from '../../src/plugin.ts';
import type { OrphanMark } from './collections.ts';
import type { TemplateBody, VersionFields } from './contract.ts';
import {
  deleteUnowned,
  ignoreDuplicate,
  deleteContent,
  newContentId,
  storeContent,
  toStored,
  type TemplateCollections,
} from './contents.ts';

/** Far longer than a creation or change takes, so that no write is still in progress when its mark is due. */
const DUE_AFTER_MS = 3_600_000;

type Reason = 'made' | 'deleted';

function markId(marked: string, reason: Reason): string {
  return `${marked}:${reason}`;
}

/**
 * Records, before a template is created or deleted, that a crash could leave contents without their template.
 */
export async function markPossibleOrphan(
  orphanMarks: Collection<OrphanMark>,
  templateId: string,
  reason: Reason,
): Promise<void> {
  await insertMark(orphanMarks, { id: markId(templateId, reason), templateId });
}

/**
 * Records, before a draft is stored or deleted, that a crash could leave its content without a version that
 * names it.
 */
export async function markPossiblyUnnamed(
  orphanMarks: Collection<OrphanMark>,
  { templateId, contentId }: { templateId: string; contentId: string },
  reason: Reason,
): Promise<void> {
  await insertMark(orphanMarks, { id: markId(contentId, reason), templateId, contentId });
}

async function insertMark(
  orphanMarks: Collection<OrphanMark>,
  mark: Omit<OrphanMark, 'dueAt'>,
): Promise<void> {
  await ignoreDuplicate(orphanMarks.insert({ ...mark, dueAt: Date.now() + DUE_AFTER_MS }));
}

/** Stores the first content of a template. */
export async function storeFirstContent(
  { contents, orphanMarks }: Pick<TemplateCollections, 'contents' | 'orphanMarks'>,
  templateId: string,
  body: TemplateBody,
): Promise<string> {
  await markPossibleOrphan(orphanMarks, templateId, 'made');
  return unlessFull(storeContent(contents, templateId, body), { orphanMarks, marked: templateId });
}

/** Stores the content of a draft, which nothing else names. Returns its id. */
export async function storeDraftContent(
  { contents, orphanMarks }: Pick<TemplateCollections, 'contents' | 'orphanMarks'>,
  templateId: string,
  { html, file, ...draft }: VersionFields & TemplateBody,
): Promise<string> {
  const contentId = newContentId(templateId, { html, file });
  await markPossiblyUnnamed(orphanMarks, { templateId, contentId }, 'made');
  const stored = contents.insert({ ...draft, ...toStored({ html, file }), id: contentId, templateId });
  await unlessFull(stored, { orphanMarks, marked: contentId });
  return contentId;
}

/**
 * Awaits the storage of a content. If the disk is full, removes its mark, so that refused requests do not use
 * up the reserve.
 */
async function unlessFull<T>(
  stored: Promise<T>,
  { orphanMarks, marked }: { orphanMarks: Collection<OrphanMark>; marked: string },
): Promise<T> {
  try {
    return await stored;
  } catch (error) {
    if (error instanceof StoreUnavailableError && error.reason === 'full')
      await orphanMarks.delete({ id: markId(marked, 'made') });
    throw error;
  }
}

/**
 * Deletes the contents and versions that were marked an hour before `now` (epoch milliseconds) and have no
 * template, or no version. Idempotent.
 */
export async function deleteOrphans(collections: TemplateCollections, now = Date.now()): Promise<void> {
  const { orphanMarks } = collections;
  for await (const due of scan(orphanMarks, { where: {}, by: 'dueAt', to: now }))
    for (const { id, templateId, contentId } of due) {
      if (contentId === undefined) await deleteUnowned(collections, templateId);
      else await deleteUnnamed(collections, templateId, contentId);
      await orphanMarks.delete({ id, dueAt: { lte: now } });
    }
}

/** Deletes a content that is neither the draft nor a version of its template. */
async function deleteUnnamed(
  { templates, trash, versions, contents, files }: TemplateCollections,
  templateId: string,
  contentId: string,
): Promise<void> {
  // A template moves to the trash and back by an insertion before a deletion. Two moves take longer than
  // these reads.
  const template =
    (await templates.get(templateId)) ??
    (await trash.get(templateId))?.template ??
    (await templates.get(templateId));
  if (template?.contentId === contentId || template?.draft?.contentId === contentId) return;
  // A version is recorded before the template names another one.
  if ((await versions.find({ where: { templateId, contentId }, limit: 1 })).length > 0) return;
  await deleteContent({ contents, files }, contentId);
}
