import { DuplicateKeyError, invalid, type Listed, type Page } from '../../src/plugin.ts';
import { fileOf, type TemplateCollections } from './contents.ts';
import type { Template, TemplateWithHtml, VersionChoice, VersionFields, VersionInfo } from './contract.ts';

export function revisionOf({ revision }: Pick<Template, 'revision'>): number {
  return revision ?? 0;
}

/** Returns the number of the next version or draft of a template. */
export function nextVersionOf({ version, lastVersion = version }: Template): number {
  return Math.max(version, lastVersion) + 1;
}

/** Returns the fields of a version beside its HTML. */
export function versionFieldsOf(from: VersionFields): Required<VersionFields> {
  const { schema, optionsJson = null, sampleDataJson = null, translationsJson = null } = from;
  return { schema, optionsJson, sampleDataJson, translationsJson };
}

/**
 * Records the current version of a template before another one becomes current. A crash may leave the record
 * of a version that stays current and changes further, so a later revision replaces the record of an earlier
 * one. The change that makes another version current depends on the revision, so the last record is right.
 */
export async function recordVersion(
  versions: TemplateCollections['versions'],
  template: Template,
): Promise<void> {
  const { id: templateId, version, contentId } = template;
  const id = versionId(templateId, version);
  const revision = revisionOf(template);
  const content = { ...versionFieldsOf(template), contentId, revision };
  try {
    await versions.insert({ id, templateId, version, createdAt: currentVersionTime(template), ...content });
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
    await versions.update({ id, either: [{ revision: null }, { revision: { lt: revision } }] }, content);
  }
}

/**
 * Reads a version of a template; `null` when it does not exist, or when the template or the draft was just
 * deleted.
 */
export async function readVersion(
  { versions, contents }: TemplateCollections,
  template: Template,
  choice: VersionChoice = template.version,
): Promise<TemplateWithHtml | null> {
  const { id, version: currentVersion, draft } = template;
  const isDraft = choice === 'draft' || choice === draft?.version;
  const named = isDraft ? draft : choice === currentVersion ? template : undefined;
  const isEarlier = !isDraft && choice < currentVersion;
  const record = isEarlier ? await versions.get(versionId(id, choice)) : undefined;
  const found = named ?? record;
  const content = found && (await contents.get(found.contentId));
  if (!found || !content) return null;
  const { schema, ...others }: Partial<VersionFields> = isDraft ? content : (record ?? template);
  // The fields of a version from release 0.1.0 are unknown.
  const fields = versionFieldsOf(schema ? { schema, ...others } : template);
  const file = fileOf(content);
  const body = { html: content.html, ...(file && { file }) };
  return { ...template, ...fields, version: found.version, ...body, currentVersion };
}

/**
 * Lists the versions of a template, newest first. Their numbers have gaps where drafts were. A position is a
 * number.
 * @throws {AppError} VALIDATION_ERROR if the position is not a version of the template
 */
export async function listVersions(
  { versions }: Pick<TemplateCollections, 'versions'>,
  template: Template,
  page: Page,
): Promise<Listed<VersionInfo>> {
  const { limit, offset = 0, endingBefore, includeTotal = false } = page;
  const { id: templateId, draft } = template;
  const current = { version: template.version, createdAt: currentVersionTime(template), isCurrent: true };
  // The versions that the template names. Their order among the others depends on their numbers.
  const named = [
    { ...current, isDraft: false },
    ...(draft
      ? [{ version: draft.version, createdAt: draft.createdAt, isCurrent: false, isDraft: true }]
      : []),
  ];
  const isBackwards = endingBefore !== undefined;
  const position = toPosition(template, page);
  const isInside = ({ version }: { version: number }) =>
    position === undefined || (isBackwards ? version > position : version < position);
  // Up to `named.length` of the versions to skip are named by the template.
  const skipped = Math.max(0, offset - named.length);
  const earlier = await versions.find({
    where: {
      templateId,
      version: {
        // A crash can leave a record of the current version.
        lt: isBackwards ? template.version : Math.min(template.version, position ?? template.version),
        ...(isBackwards && position !== undefined && { gt: position }),
      },
    },
    order: { version: isBackwards ? 'asc' : 'desc' },
    offset: skipped,
    limit: limit + 1 + named.length,
  });
  const infos = earlier.map(({ version, createdAt }): VersionInfo => {
    return { version, createdAt, isCurrent: false, isDraft: false };
  });
  const direction = isBackwards ? 1 : -1;
  const found = [...named.filter(isInside), ...infos]
    .toSorted((one, other) => direction * (one.version - other.version))
    .slice(offset - skipped);
  const records = found.slice(0, limit);
  const hasMore = found.length > limit;
  if (isBackwards) records.reverse();
  if (!includeTotal) return { records, hasMore };
  const count = await versions.count({ templateId, version: { lt: template.version } });
  return { records, hasMore, total: count + named.length };
}

/** Reads the version number beside which a page begins or ends. @throws {AppError} VALIDATION_ERROR */
function toPosition(template: Template, { startingAfter, endingBefore }: Page): number | undefined {
  const text = endingBefore ?? startingAfter;
  if (text === undefined) return undefined;
  const version = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (version < 1 || version >= nextVersionOf(template))
    throw invalid(
      endingBefore === undefined ? 'starting_after' : 'ending_before',
      'is not a version of this template',
    );
  return version;
}

function currentVersionTime({ createdAt, versionCreatedAt = createdAt }: Template): number {
  return versionCreatedAt;
}

function versionId(templateId: string, version: number): string {
  return `${templateId}:${version}`;
}
