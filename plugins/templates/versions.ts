import { createHash } from 'node:crypto';
import { AppError, DuplicateKeyError, type Collection } from '../../src/plugin.ts';
import type { OrphanMark, TemplateContent, TemplateVersion } from './collections.ts';
import type { Template, TrashedTemplate, VersionInfo } from './contract.ts';

/** How long a change that loses to concurrent changes is retried. */
const RETRY_LIMIT_MS = 10_000;
const MAX_PAUSE_MS = 40;

/** The collections of templates. */
export interface TemplateCollections {
  templates: Collection<Template>;
  contents: Collection<TemplateContent>;
  versions: Collection<TemplateVersion>;
  orphanMarks: Collection<OrphanMark>;
  trash: Collection<TrashedTemplate>;
}

/** Returns the id of a template's content, which contains the hash of the HTML. */
export function contentIdOf(templateId: string, html: string): string {
  return `${templateId}:${createHash('sha256').update(html).digest('hex')}`;
}

/** Stores HTML and returns its content id. Idempotent. */
export async function storeContent(
  contents: Collection<TemplateContent>,
  templateId: string,
  html: string,
): Promise<string> {
  const id = contentIdOf(templateId, html);
  await ignoreDuplicate(contents.insert({ id, templateId, html }));
  return id;
}

/** Reads the HTML of a version of a template; `null` when the version does not exist or the template was just deleted. */
export async function readHtml(
  { contents, versions }: TemplateCollections,
  template: Template,
  version: number,
): Promise<string | null> {
  if (version > template.version) return null;
  const { contentId } =
    version === template.version
      ? template
      : ((await versions.get(versionId(template.id, version))) ?? { contentId: null });
  return contentId === null ? null : ((await contents.get(contentId))?.html ?? null);
}

/** Lists the versions of a template, newest first. Versions are numbered without gaps, so the numbers of a page follow from its offset. */
export async function listVersions(
  { versions }: Pick<TemplateCollections, 'versions'>,
  template: Template,
  { limit, offset }: { limit: number; offset: number },
): Promise<VersionInfo[]> {
  const { id: templateId, version: current } = template;
  const newest = current - offset;
  if (newest < 1) return [];
  const range = { lte: newest, gte: Math.max(1, newest - limit + 1) };
  const earlier = await versions.find({
    // A crash can leave a record of the current version.
    where: { templateId, version: { ...range, lte: Math.min(newest, current - 1) } },
    order: { version: 'desc' },
  });
  const listed = earlier.map(({ version, createdAt = null }): VersionInfo => {
    return { version, createdAt: version === 1 ? template.createdAt : createdAt, isCurrent: false };
  });
  if (offset > 0) return listed;
  return [{ version: current, createdAt: currentVersionTime(template), isCurrent: true }, ...listed];
}

function currentVersionTime({ version, createdAt, versionCreatedAt = null }: Template): number | null {
  return version === 1 ? createdAt : versionCreatedAt;
}

/** A change of a template and its HTML. */
export interface ContentChange {
  html: string;
  fields?: Partial<Template>;
  /** Creates a version even if the HTML is the same. */
  always?: boolean;
}

/**
 * Changes a template and its HTML. Concurrent or interrupted attempts cannot harm each other: contents are keyed by their hash, the record
 * of version N always names the content of version N, and the last write is a conditional update of the template that increases the version
 * and names the new content.
 * @returns the changed template, or `null` when it does not exist
 */
export async function changeContent(
  collections: TemplateCollections,
  { id, accountId }: Pick<Template, 'id' | 'accountId'>,
  { html, fields = {}, always = false }: ContentChange,
): Promise<Template | null> {
  const { templates, contents, versions } = collections;
  const contentId = contentIdOf(id, html);
  const giveUpAt = Date.now() + RETRY_LIMIT_MS;
  for (let attempt = 1; ; attempt += 1) {
    const before = await templates.get(id);
    if (before?.accountId !== accountId) {
      // The template was deleted in the meantime: delete the content that an earlier attempt stored.
      if (attempt > 1) await deleteUnowned(collections, id);
      return null;
    }
    const { version } = before;
    const changed = always || before.contentId !== contentId;
    if (changed) {
      await storeContent(contents, id, html);
      const record = {
        id: versionId(id, version),
        templateId: id,
        version,
        contentId: before.contentId,
        createdAt: currentVersionTime(before),
      };
      await ignoreDuplicate(versions.insert(record));
    }
    const now = Date.now();
    const after = await templates.update(
      { id, accountId, version },
      {
        ...fields,
        updatedAt: now,
        ...(changed && { contentId, version: version + 1, versionCreatedAt: now }),
      },
    );
    if (after) return after;
    if (Date.now() > giveUpAt)
      throw new AppError('UNAVAILABLE', 'the template is being changed by too many requests', {
        retryAfterSeconds: 1,
      });
    await Bun.sleep(Math.random() * Math.min(MAX_PAUSE_MS, attempt * 2));
  }
}

/** Deletes the contents and versions of a template that is neither stored nor in the trash. */
export async function deleteUnowned(collections: TemplateCollections, templateId: string): Promise<void> {
  // A template that is being restored leaves the trash after it is stored, so this order finds it at one of the two places.
  if ((await collections.trash.get(templateId)) !== null) return;
  if ((await collections.templates.get(templateId)) !== null) return;
  await deleteContents(collections, templateId);
}

/** Deletes all contents and versions of a template. */
export async function deleteContents(
  { contents, versions }: Pick<TemplateCollections, 'contents' | 'versions'>,
  templateId: string,
): Promise<void> {
  await versions.delete({ templateId });
  await contents.delete({ templateId });
}

function versionId(templateId: string, version: number): string {
  return `${templateId}:${version}`;
}

/** Awaits an insertion and ignores a duplicate key. */
export async function ignoreDuplicate(insertion: Promise<void>): Promise<void> {
  await insertion.catch((error: unknown) => {
    if (!(error instanceof DuplicateKeyError)) throw error;
  });
}
