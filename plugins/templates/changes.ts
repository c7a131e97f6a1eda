import { KeyedTurns } from '@platen/runtime';
import { AppError } from '../../src/plugin.ts';
import type { Template, TemplateBody } from './contract.ts';
import type { TemplateEvents } from './events.ts';
import {
  contentIdOf,
  deleteFiles,
  deleteUnowned,
  isSameContent,
  storeContent,
  type TemplateCollections,
} from './contents.ts';
import { requireEtag } from './etag.ts';
import { nextVersionOf, recordVersion, revisionOf } from './versions.ts';

/** How long a change that loses to concurrent changes is retried. */
const RETRY_LIMIT_MS = 10_000;
const MAX_PAUSE_MS = 40;

/** Changes of one template run in turn, so that they lose only to changes in other processes. */
const turns = new KeyedTurns();

/** How many events of a template may wait to be stored. The next change stores them first. */
const MAX_UNREPORTED = 10;

/** The parts that a change of a template uses. */
export interface ChangeParts {
  collections: TemplateCollections;
  events: TemplateEvents;
}

/** Names a template and the account that must own it. */
export type Owned = Pick<Template, 'id' | 'accountId'>;

/** Returns the filter that selects a template while its versions and its events are as they were read. */
export function unchanged({ id, accountId, version, revision = null, eventCount = null }: Template) {
  return { id, accountId, version, revision, eventCount };
}

/**
 * Repeats a change until it takes effect. `attempt` receives the template, and returns `null` when it lost to
 * a concurrent change.
 * @returns the result of the attempt, or `null` when the template does not exist
 * @throws {AppError} UNAVAILABLE when the change keeps losing
 */
export function changeTemplate<T>(
  { collections }: ChangeParts,
  owned: Owned,
  attempt: (before: Template) => Promise<T | null>,
): Promise<T | null> {
  return turns.run(owned.id, () => untilEffective(collections, owned, attempt));
}

async function untilEffective<T>(
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
  /** Creates a version if it differs from the current content. */
  body?: TemplateBody | undefined;
  fields?: Partial<Template>;
  /** Creates a version even if the content is the same. */
  always?: boolean;
  /** The entity tag that the template must have. */
  expectedEtag?: string | undefined;
  /** The `revision` of the template for which the change was checked. */
  checkedRevision?: number | undefined;
}

/**
 * Changes a template and its current version. Concurrent or interrupted attempts cannot harm each other:
 * contents never change, the record of version N always gets the last state of version N, and the last write
 * is a conditional update of the template. It also notes the event, unless nothing but the time changes.
 * @returns the changed template, or `null` when it does not exist
 * @throws {AppError} CONFLICT if the template has another entity tag
 */
export async function changeCurrent(
  parts: ChangeParts,
  owned: Owned,
  { body, fields = {}, always = false, checkedRevision, expectedEtag }: CurrentChange,
): Promise<Template | null> {
  const { collections } = parts;
  const contentId = body && contentIdOf(owned.id, body);
  const after = await changeTemplate(parts, owned, async (before) => {
    requireEtag(before, expectedEtag);
    requireRevision(before, checkedRevision);
    const isNew = contentId !== undefined &&
      (always || !isSameContent(before.contentId, contentId)) && { contentId };
    if (isNew && body) {
      await storeContent(collections.contents, owned.id, body);
      await recordVersion(collections.versions, before);
    }
    const now = Date.now();
    const version = nextVersionOf(before);
    const set = {
      ...fields,
      updatedAt: now,
      ...((isNew || differs(before, fields, VERSION_FIELDS)) && { revision: revisionOf(before) + 1 }),
      ...(isNew && { ...isNew, version, lastVersion: version, versionCreatedAt: now }),
    };
    if (isNew || differs(before, fields, [...VERSION_FIELDS, ...OWN_FIELDS]))
      return updateCurrent(parts, before, set);
    return collections.templates.update(unchanged(before), set);
  });
  // The same bytes may have been stored before, and the template may have been deleted.
  if (body?.file) await deleteFiles(collections, [body.file.fileId]);
  return after;
}

/**
 * Rejects a change that was checked for another state of the versions than the template has now.
 * @throws {AppError} CONFLICT
 */
export function requireRevision(template: Template, checked: number | undefined): void {
  if (checked === undefined || revisionOf(template) === checked) return;
  throw new AppError(
    'CONFLICT',
    'another request changed the template while this change was checked: send it again',
  );
}

/**
 * Writes a change of a template while it is as it was read, and notes the event in the same write.
 * @returns the changed template, or `null` if it has changed since, or if too many events were waiting
 */
export async function updateCurrent(
  { collections, events }: ChangeParts,
  before: Template,
  set: Partial<Template> & { updatedAt: number },
): Promise<Template | null> {
  if ((before.unreported?.length ?? 0) >= MAX_UNREPORTED) {
    await events.store(before);
    return null;
  }
  const after = await collections.templates.update(unchanged(before), events.noteUpdate(before, set));
  if (after) events.report(after);
  return after;
}

const VERSION_FIELDS = ['schema', 'optionsJson', 'sampleDataJson', 'translationsJson'] as const;
/** The fields beside those of the version that the author sets. */
const OWN_FIELDS = ['name', 'category', 'isPartial', 'alias', 'tags', 'requireChecks'] as const;

/** Tells whether a change gives one of the fields another value. */
function differs(before: Template, change: Partial<Template>, fields: readonly (keyof Template)[]): boolean {
  const { tags = [], requireChecks } = before;
  const earlier: Template = { ...before, tags, requireChecks: requireChecks ?? false };
  return fields.some(
    (field) =>
      change[field] !== undefined && JSON.stringify(change[field]) !== JSON.stringify(earlier[field] ?? null),
  );
}
