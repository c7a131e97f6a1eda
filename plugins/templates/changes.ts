import { AppError } from '../../src/plugin.ts';
import type { Template, VersionFields } from './contract.ts';
import {
  contentIdOf,
  deleteUnowned,
  isSameContent,
  storeContent,
  type TemplateCollections,
} from './contents.ts';
import { nextVersionOf, recordVersion, revisionOf } from './versions.ts';

/** How long a change that loses to concurrent changes is retried. */
const RETRY_LIMIT_MS = 10_000;
const MAX_PAUSE_MS = 40;

/** Names a template and the account that must own it. */
export type Owned = Pick<Template, 'id' | 'accountId'>;

/** Returns the filter that selects a template while its versions are as they were read. */
export function unchanged({ id, accountId, version, revision = null }: Template) {
  return { id, accountId, version, revision };
}

/**
 * Repeats a change until it takes effect. `attempt` receives the template, and returns `null` when it lost to
 * a concurrent change.
 * @returns the result of the attempt, or `null` when the template does not exist
 * @throws {AppError} UNAVAILABLE when the change keeps losing
 */
export async function changeTemplate<T>(
  collections: TemplateCollections,
  { id, accountId }: Owned,
  attempt: (before: Template) => Promise<T | null>,
): Promise<T | null> {
  const giveUpAt = Date.now() + RETRY_LIMIT_MS;
  for (let attempts = 1; ; attempts += 1) {
    const before = await collections.templates.get(id);
    if (before?.accountId !== accountId) {
      // The template was deleted in the meantime: delete the content that an earlier attempt stored.
      if (attempts > 1) await deleteUnowned(collections, id);
      return null;
    }
    const result = await attempt(before);
    if (result !== null) return result;
    if (Date.now() > giveUpAt)
      throw new AppError('UNAVAILABLE', 'the template is being changed by too many requests', {
        retryAfterSeconds: 1,
      });
    await Bun.sleep(Math.random() * Math.min(MAX_PAUSE_MS, attempts * 2));
  }
}

/** A change of a template and its current version. */
export interface CurrentChange {
  /** Creates a version if it differs from the current HTML. */
  html?: string | undefined;
  fields?: Partial<Template>;
  /** Creates a version even if the HTML is the same. */
  always?: boolean;
}

/**
 * Changes a template and its current version. Concurrent or interrupted attempts cannot harm each other:
 * contents never change, the record of version N always gets the last state of version N, and the last write
 * is a conditional update of the template.
 * @returns the changed template, or `null` when it does not exist
 */
export async function changeCurrent(
  collections: TemplateCollections,
  owned: Owned,
  { html, fields = {}, always = false }: CurrentChange,
): Promise<Template | null> {
  const contentId = html === undefined ? undefined : contentIdOf(owned.id, html);
  return changeTemplate(collections, owned, async (before) => {
    const isNew = contentId !== undefined &&
      (always || !isSameContent(before.contentId, contentId)) && { contentId };
    if (isNew && html !== undefined) {
      await storeContent(collections.contents, owned.id, html);
      await recordVersion(collections.versions, before);
    }
    const now = Date.now();
    const version = nextVersionOf(before);
    return collections.templates.update(unchanged(before), {
      ...fields,
      updatedAt: now,
      ...((isNew || changesVersion(before, fields)) && { revision: revisionOf(before) + 1 }),
      ...(isNew && { ...isNew, version, lastVersion: version, versionCreatedAt: now }),
    });
  });
}

/** Returns whether fields of the current version change. */
function changesVersion(before: VersionFields, fields: Partial<VersionFields>): boolean {
  const { schema = before.schema, optionsJson, sampleDataJson } = fields;
  return (
    JSON.stringify(schema) !== JSON.stringify(before.schema) ||
    (optionsJson !== undefined && optionsJson !== (before.optionsJson ?? null)) ||
    (sampleDataJson !== undefined && sampleDataJson !== (before.sampleDataJson ?? null))
  );
}
