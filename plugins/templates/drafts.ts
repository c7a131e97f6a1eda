import { AppError, notFound } from '../../src/plugin.ts';
import {
  changeTemplate,
  requireRevision,
  unchanged,
  updateCurrent,
  type ChangeParts,
  type Owned,
} from './changes.ts';
import { deleteContent, deleteFiles } from './contents.ts';
import type { DraftChange, Template, TemplateDraft, TemplateWithHtml } from './contract.ts';
import { requireEtag } from './etag.ts';
import { markPossiblyUnnamed, storeDraftContent } from './orphans.ts';
import { nextVersionOf, readVersion, recordVersion, revisionOf, versionFieldsOf } from './versions.ts';

/** The state that a draft depends on, and the fields that change with it. */
export interface DraftTerms {
  /** The entity tag that the earlier draft must have, or else the current version. */
  expectedEtag?: string | undefined;
  /** For a change that a check holds back. */
  heldBack?: {
    /** The `revision` of the template for which the change was checked. */
    checkedRevision: number;
    /** The entity tag that the current version must have. */
    expectedEtag: string | undefined;
    /** The fields beside those of the version, which change in the same write. */
    fields: Partial<Template>;
  };
}

/**
 * Stores a draft, in place of an earlier one. The record of the template names the draft, so one conditional
 * update stores it. Its content is its own, and is deleted with the draft.
 * @returns the template with the draft, or `null` when it does not exist
 * @throws {AppError} CONFLICT if the template does not meet the terms
 */
export async function storeDraft(
  parts: ChangeParts,
  owned: Owned,
  { file, ...changed }: DraftChange,
  { expectedEtag, heldBack }: DraftTerms = {},
): Promise<TemplateWithHtml | null> {
  const { collections } = parts;
  const stored = await changeTemplate(parts, owned, async (before) => {
    requireRevision(before, heldBack?.checkedRevision);
    requireEtag(before, heldBack?.expectedEtag);
    const base = await readVersion(collections, before, before.draft ? 'draft' : before.version);
    // The draft was replaced in the meantime.
    if (!base) return null;
    requireEtag(base, expectedEtag);
    const body = { html: base.html, ...((file ?? base.file) && { file: file ?? base.file }) };
    const content = { ...versionFieldsOf(base), ...body, ...changed };
    const contentId = await storeDraftContent(collections, owned.id, content);
    const version = nextVersionOf(before);
    const revision = revisionOf(before) + 1;
    const draft = { version, contentId, revision, createdAt: Date.now() };
    const change = { draft, lastVersion: version, revision };
    const after = await replaceDraft(parts, before, change, heldBack?.fields);
    if (after) return { ...after, ...content, version, currentVersion: after.version };
    // The next attempt needs an uploaded file again.
    if (file) await collections.contents.delete({ id: contentId });
    else await deleteContent(collections, contentId);
    return null;
  });
  // The template may have been deleted.
  if (file) await deleteFiles(collections, [file.fileId]);
  return stored;
}

/**
 * Makes the draft with a number the current version. Does nothing for the current version.
 * @returns the changed template, or `null` when it does not exist
 * @throws {AppError} NOT_FOUND for an unknown version; CONFLICT if it is not the draft, or if the current
 * version has changed since the draft was stored
 */
export async function promoteDraft(
  parts: ChangeParts,
  owned: Owned,
  version: number,
): Promise<Template | null> {
  const { collections } = parts;
  return changeTemplate(parts, owned, async (before) => {
    if (before.version === version) return before;
    const { contentId, createdAt, revision: expected } = requireDraft(before, version);
    const revision = revisionOf(before);
    if (expected !== revision)
      throw new AppError(
        'CONFLICT',
        `the current version has changed since draft ${version} was stored: read the template, and store the draft again`,
      );
    const draft = await readVersion(collections, before, 'draft');
    // The draft was replaced in the meantime.
    if (!draft) return null;
    await recordVersion(collections.versions, before);
    return updateCurrent(parts, before, {
      ...versionFieldsOf(draft),
      contentId,
      version,
      versionCreatedAt: createdAt,
      revision: revision + 1,
      draft: null,
      updatedAt: Date.now(),
    });
  });
}

/**
 * Deletes the draft with a number.
 * @returns the changed template, or `null` when it does not exist
 * @throws {AppError} NOT_FOUND for an unknown version; CONFLICT if it is not the draft
 */
export async function deleteDraft(
  parts: ChangeParts,
  owned: Owned,
  version: number,
): Promise<Template | null> {
  return changeTemplate(parts, owned, async (before) => {
    requireDraft(before, version);
    return replaceDraft(parts, before, { draft: null, revision: revisionOf(before) + 1 });
  });
}

/** Changes the draft of a template, with other fields, and deletes the content of the earlier draft. */
async function replaceDraft(
  parts: ChangeParts,
  before: Template,
  change: Pick<Template, 'draft' | 'revision' | 'lastVersion'>,
  fields: Partial<Template> = {},
): Promise<Template | null> {
  const { orphanMarks, templates } = parts.collections;
  const { draft, id: templateId } = before;
  if (draft) {
    const { contentId } = draft;
    await markPossiblyUnnamed(orphanMarks, { templateId, contentId }, 'deleted');
  }
  const hasFields = Object.keys(fields).length > 0;
  const after = hasFields
    ? await updateCurrent(parts, before, { ...fields, ...change, updatedAt: Date.now() })
    : await templates.update(unchanged(before), change);
  if (after && draft) await deleteContent(parts.collections, draft.contentId);
  return after;
}

function requireDraft(template: Template, version: number): TemplateDraft {
  const { draft } = template;
  if (draft?.version === version) return draft;
  if (version >= nextVersionOf(template)) throw notFound('version');
  const others = draft ? `the draft is version ${draft.version}` : 'the template has no draft';
  throw new AppError('CONFLICT', `version ${version} is not the draft: ${others}`);
}
