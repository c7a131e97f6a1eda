import { createHash } from 'node:crypto';
import { AppError, DuplicateKeyError, type Collection } from '../../src/plugin.ts';
import type { SweepMark, TemplateContent, TemplateVersion } from './collections.ts';
import type { Template } from './contract.ts';

/** How long a change is tried again while others come before it. */
const CONTENTION_LIMIT_MS = 10_000;
const MAX_PAUSE_MS = 40;

/** The collections of templates. */
export interface TemplateCollections {
  templates: Collection<Template>;
  contents: Collection<TemplateContent>;
  versions: Collection<TemplateVersion>;
  marks: Collection<SweepMark>;
}

/** Names the content of a template by what it is. */
export function contentIdOf(templateId: string, html: string): string {
  return `${templateId}:${createHash('sha256').update(html).digest('hex')}`;
}

/** Stores HTML; to store it again changes nothing. */
export async function storeContent(
  contents: Collection<TemplateContent>,
  templateId: string,
  html: string,
): Promise<string> {
  const id = contentIdOf(templateId, html);
  await unlessThere(contents.insert({ id, templateId, html }));
  return id;
}

/** Reads the HTML of a version of a template; `null` for a version that never was, or when the template was just deleted. */
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

/**
 * Changes a template whose HTML may become another. No write of one attempt can harm another's, whatever is done at the same time
 * or cut off by a crash: contents are named by their hash, the record of version N is only ever written as what N was, and the number
 * rises by one guarded update of the template, the last write, which names the new content.
 * @returns the template afterwards, or `null` when it is not there (any more).
 */
export async function changeContent(
  { templates, contents, versions }: TemplateCollections,
  { id, accountId }: Pick<Template, 'id' | 'accountId'>,
  { html, fields }: { html: string; fields: Partial<Template> },
): Promise<Template | null> {
  const contentId = contentIdOf(id, html);
  const giveUpAt = Date.now() + CONTENTION_LIMIT_MS;
  for (let attempt = 1; ; attempt += 1) {
    const before = await templates.get(id);
    if (before?.accountId !== accountId) {
      // Deleted meanwhile; what an earlier attempt stored must not stay behind.
      if (attempt > 1) await removeContents({ contents, versions }, id);
      return null;
    }
    const { version } = before;
    const changed = before.contentId !== contentId;
    if (changed) {
      await storeContent(contents, id, html);
      const record = { id: versionId(id, version), templateId: id, version, contentId: before.contentId };
      await unlessThere(versions.insert(record));
    }
    const after = await templates.update(
      { id, accountId, version },
      { ...fields, updatedAt: Date.now(), ...(changed && { contentId, version: version + 1 }) },
    );
    if (after) return after;
    if (Date.now() > giveUpAt)
      throw new AppError('UNAVAILABLE', 'the template is being changed by too many requests', {
        retryAfterSeconds: 1,
      });
    await Bun.sleep(Math.random() * Math.min(MAX_PAUSE_MS, attempt * 2));
  }
}

/** Deletes all HTML and all records of versions of a template. */
export async function removeContents(
  { contents, versions }: Pick<TemplateCollections, 'contents' | 'versions'>,
  templateId: string,
): Promise<void> {
  await versions.delete({ templateId });
  await contents.delete({ templateId });
}

function versionId(templateId: string, version: number): string {
  return `${templateId}:${version}`;
}

/** Waits for an insertion; that the document is there already is no failure. */
export async function unlessThere(insertion: Promise<void>): Promise<void> {
  await insertion.catch((error: unknown) => {
    if (!(error instanceof DuplicateKeyError)) throw error;
  });
}
