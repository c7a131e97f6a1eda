import { createHash } from 'node:crypto';
import { DuplicateKeyError, newId, type Collection } from '../../src/plugin.ts';
import type { OrphanMark, TemplateContent, TemplateVersion } from './collections.ts';
import type { Template, TrashedTemplate } from './contract.ts';

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

/**
 * Returns an id of the same HTML that nothing else has, so that the content can be deleted with the draft
 * that names it.
 */
export function newContentId(templateId: string, html: string): string {
  return newId(`${contentIdOf(templateId, html)}:`);
}

/** Returns whether a content of a template is the HTML with an id of `contentIdOf`. */
export function isSameContent(contentId: string, other: string): boolean {
  return contentId === other || contentId.startsWith(`${other}:`);
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

/** Reads HTML; `null` when its template, or the draft that it belonged to, was just deleted. */
export async function readHtml(
  contents: Collection<TemplateContent>,
  contentId: string,
): Promise<string | null> {
  return (await contents.get(contentId))?.html ?? null;
}

/** Deletes the contents and versions of a template that is neither stored nor in the trash. */
export async function deleteUnowned(collections: TemplateCollections, templateId: string): Promise<void> {
  // A template moves to the trash and back by an insertion before a deletion, so a template that moves during
  // these reads is found by one of them.
  for (const collection of [collections.trash, collections.templates, collections.trash])
    if ((await collection.get(templateId)) !== null) return;
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

/** Awaits an insertion and ignores a duplicate key. */
export async function ignoreDuplicate(insertion: Promise<void>): Promise<void> {
  await insertion.catch((error: unknown) => {
    if (!(error instanceof DuplicateKeyError)) throw error;
  });
}
