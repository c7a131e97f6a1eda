import { createHash } from 'node:crypto';
import { DuplicateKeyError, newId, type Collection, type FileStore } from '../../src/plugin.ts';
import type { OrphanMark, TemplateContent, TemplateVersion } from './collections.ts';
import type {
  DeleteTemplateParts,
  Template,
  TemplateBody,
  TemplateFile,
  TrashedTemplate,
} from './contract.ts';

export interface TemplateCollections {
  templates: Collection<Template>;
  contents: Collection<TemplateContent>;
  versions: Collection<TemplateVersion>;
  orphanMarks: Collection<OrphanMark>;
  trash: Collection<TrashedTemplate>;
  /** The files of office templates; absent if there are none. */
  files?: Pick<FileStore, 'delete'> | undefined;
  /** Delete the parts of templates that other plugins store. */
  partDeletions?: readonly DeleteTemplateParts[];
}

/** Returns the id of a template's content, which contains the hash of the HTML or of the file. */
export function contentIdOf(templateId: string, { html, file }: TemplateBody): string {
  return `${templateId}:${file?.hash ?? createHash('sha256').update(html).digest('hex')}`;
}

/**
 * Returns an id of the same content that nothing else has, so that the content can be deleted with the draft
 * that names it.
 */
export function newContentId(templateId: string, body: TemplateBody): string {
  return newId(`${contentIdOf(templateId, body)}:`);
}

/** Returns whether a content of a template is the one with an id of `contentIdOf`. */
export function isSameContent(contentId: string, other: string): boolean {
  return contentId === other || contentId.startsWith(`${other}:`);
}

/** Stores HTML, or the name of a file, and returns its content id. Idempotent. */
export async function storeContent(
  contents: Collection<TemplateContent>,
  templateId: string,
  body: TemplateBody,
): Promise<string> {
  const id = contentIdOf(templateId, body);
  await ignoreDuplicate(contents.insert({ id, templateId, ...toStored(body) }));
  return id;
}

/** Returns the fields in which a content is stored. */
export function toStored({ html, file }: TemplateBody): Omit<TemplateContent, 'id' | 'templateId'> {
  if (!file) return { html };
  return { html: '', fileId: file.fileId, fileHash: file.hash, fileSizeBytes: file.sizeBytes };
}

/** Returns the file of a stored content; `undefined` for HTML. */
export function fileOf({
  fileId,
  fileHash = '',
  fileSizeBytes = 0,
}: TemplateContent): TemplateFile | undefined {
  return fileId === undefined ? undefined : { fileId, hash: fileHash, sizeBytes: fileSizeBytes };
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

/** Deletes all contents and versions of a template, and the parts that other plugins store. */
export async function deleteContents(
  {
    contents,
    versions,
    files,
    partDeletions = [],
  }: Pick<TemplateCollections, 'contents' | 'versions' | 'files' | 'partDeletions'>,
  templateId: string,
): Promise<void> {
  for (const deleteParts of partDeletions) await deleteParts(templateId);
  await versions.delete({ templateId });
  const named = files ? await filesNamed(contents, templateId) : [];
  await contents.delete({ templateId });
  await deleteFiles({ contents, files }, named);
}

/** Deletes a content, and its file unless another content names it. */
export async function deleteContent(
  { contents, files }: Pick<TemplateCollections, 'contents' | 'files'>,
  contentId: string,
): Promise<void> {
  const fileId = files ? (await contents.get(contentId))?.fileId : undefined;
  await contents.delete({ id: contentId });
  if (fileId !== undefined) await deleteFiles({ contents, files }, [fileId]);
}

/**
 * Deletes the files that no content names. After a crash before this, the sweep of files without a record
 * deletes them.
 */
export async function deleteFiles(
  { contents, files }: Pick<TemplateCollections, 'contents' | 'files'>,
  fileIds: readonly string[],
): Promise<void> {
  for (const fileId of fileIds) if ((await contents.count({ fileId })) === 0) await files?.delete(fileId);
}

const PAGE_SIZE = 20;

/** Returns the files that the contents of a template name. */
async function filesNamed(contents: Collection<TemplateContent>, templateId: string): Promise<string[]> {
  const named = new Set<string>();
  for (let after = ''; ;) {
    const page = await contents.find({
      where: { templateId, fileId: { gt: after } },
      order: { fileId: 'asc' },
      limit: PAGE_SIZE,
    });
    for (const { fileId } of page) if (fileId !== undefined) named.add(fileId);
    after = page.at(-1)?.fileId ?? '';
    if (page.length < PAGE_SIZE) return [...named];
  }
}

/** Awaits an insertion and ignores a duplicate key. */
export async function ignoreDuplicate(insertion: Promise<void>): Promise<void> {
  await insertion.catch((error: unknown) => {
    if (!(error instanceof DuplicateKeyError)) throw error;
  });
}
