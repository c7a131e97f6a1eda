import { AppError, DuplicateKeyError, findPage, invalid, type Collection } from '../../src/plugin.ts';
import type { Listed, Page } from '../../src/plugin.ts';
import { caseNotFound } from './case-name.ts';
import type { AcceptedPages, TemplateCase } from './contract.ts';
import { MAX_CASES } from './schemas.ts';

/** The fields of a case that a request sets. */
type CaseFields = Pick<TemplateCase, 'accountId' | 'templateId' | 'name' | 'dataJson' | 'optionsJson'>;

/** How often a change that loses to concurrent changes is repeated. */
const MAX_ATTEMPTS = 20;

/** How many cases are read at once. More with long data would delay other requests. */
const READ_AT_ONCE = 10;

/** A page with more data would be presented in one step that delays other requests. */
const MAX_PAGE_CHARACTERS = 500_000;

/** The stored cases. No method checks that the template exists. */
export interface Cases {
  /**
   * Stores a case, in place of an earlier one of the same name, whose accepted pages stay unless `accepted`
   * is given. Returns the case and the file that it no longer names.
   * @throws {AppError} VALIDATION_ERROR if the template has too many cases
   */
  save(
    fields: CaseFields,
    accepted: AcceptedPages | undefined,
  ): Promise<{ saved: TemplateCase; replacedFileId: string | undefined }>;
  /** Lists the cases of a template, newest first. A page with much data has fewer cases than its limit. */
  list(templateId: string, page: Page): Promise<Listed<TemplateCase>>;
  /** Reads all cases of a template, by name. */
  all(templateId: string): Promise<TemplateCase[]>;
  /** Finds a case; `null` if the template has no case of the name. */
  find(templateId: string, name: string): Promise<TemplateCase | null>;
  /**
   * Stores accepted pages in a case whose data and options are as they were read.
   * @throws {AppError} NOT_FOUND if it was deleted; CONFLICT if its data or options have changed
   */
  accept(
    read: TemplateCase,
    change: Pick<TemplateCase, 'accepted' | 'passedVersion'>,
  ): Promise<{ saved: TemplateCase; replacedFileId: string | undefined }>;
  /** Notes that cases pass with a draft, unless they have changed since they were read. */
  notePassed(read: readonly TemplateCase[], version: number): Promise<void>;
  /** Deletes all cases of a template. */
  removeAll(templateId: string): Promise<void>;
  /** Deletes a case. Returns whether it existed. */
  remove(found: TemplateCase): Promise<boolean>;
}

/** Returns the id of a case. */
function caseId(templateId: string, name: string): string {
  return `${templateId}:${name}`;
}

/** Opens the stored cases. */
export function openCases(cases: Collection<TemplateCase>): Cases {
  const find = (templateId: string, name: string) => cases.get(caseId(templateId, name));

  async function insert(fields: CaseFields, accepted: AcceptedPages | null): Promise<TemplateCase | null> {
    const now = Date.now();
    const { templateId, name } = fields;
    const id = caseId(templateId, name);
    const created: TemplateCase = {
      id,
      ...fields,
      ...acceptedFields(accepted),
      passedVersion: null,
      revision: 1,
      createdAt: now,
      updatedAt: now,
    };
    try {
      await cases.insert(created);
    } catch (error) {
      if (error instanceof DuplicateKeyError) return null;
      throw error;
    }
    // Counted after the insertion, so that concurrent requests cannot exceed the limit.
    if ((await cases.count({ templateId })) <= MAX_CASES) return created;
    await cases.delete({ id, revision: 1 });
    throw invalid('name', `is new, and the template already has ${MAX_CASES} cases: delete one of them`);
  }

  const pageOf = (templateId: string, page: Page) => ({
    where: { templateId },
    at: (name: string) => ({ id: caseId(templateId, name) }),
    page,
    atOnce: READ_AT_ONCE,
  });

  return {
    find,
    async save(fields, accepted) {
      const { templateId, name, dataJson, optionsJson } = fields;
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const before = await find(templateId, name);
        if (!before) {
          const created = await insert(fields, accepted ?? null);
          if (created) return { saved: created, replacedFileId: undefined };
          continue;
        }
        const { id, revision } = before;
        const isSame = before.dataJson === dataJson && before.optionsJson === optionsJson && !accepted;
        const saved = await cases.update(
          { id, revision },
          {
            dataJson,
            optionsJson,
            ...(accepted && acceptedFields(accepted)),
            ...(!isSame && { passedVersion: null, ...NO_CHANGE }),
            revision: revision + 1,
            updatedAt: Date.now(),
          },
        );
        if (saved) return { saved, replacedFileId: accepted && before.accepted?.fileId };
      }
      throw busy();
    },
    async list(templateId, page) {
      const isFull = (records: readonly TemplateCase[]) => sizeOf(records) > MAX_PAGE_CHARACTERS;
      return shorten(await findPage(cases, { ...pageOf(templateId, page), isFull }), page);
    },
    async all(templateId) {
      // Concurrent requests can store a few cases more for a moment.
      const { records } = await findPage(cases, pageOf(templateId, { limit: 2 * MAX_CASES }));
      return records.toSorted((one, other) => (one.name < other.name ? -1 : 1));
    },
    async accept(read, change) {
      const { id } = read;
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const before = await cases.get(id);
        // A case that was deleted and stored again is another one.
        if (before?.createdAt !== read.createdAt) throw caseNotFound(read.name);
        if (before.dataJson !== read.dataJson || before.optionsJson !== read.optionsJson)
          throw new AppError(
            'CONFLICT',
            `the case ${read.name} was changed while its pages were made: accept it again`,
          );
        const { revision } = before;
        const set = {
          ...acceptedFields(change.accepted),
          passedVersion: change.passedVersion,
          revision: revision + 1,
          updatedAt: Date.now(),
        };
        const saved = await cases.update({ id, revision }, set);
        if (saved) return { saved, replacedFileId: before.accepted?.fileId };
      }
      throw busy();
    },
    async notePassed(read, version) {
      for (const { id, revision } of read)
        await cases.update({ id, revision }, { passedVersion: version, revision: revision + 1 });
    },
    async removeAll(templateId) {
      await cases.delete({ templateId });
    },
    remove: async ({ id, createdAt }) => (await cases.delete({ id, createdAt })) > 0,
  };
}

function charactersOf({ dataJson, optionsJson }: TemplateCase): number {
  return dataJson.length + (optionsJson?.length ?? 0);
}

function sizeOf(records: readonly TemplateCase[]): number {
  return records.reduce((size, found) => size + charactersOf(found), 0);
}

/** Leaves the part of a page whose texts are at most {@link MAX_PAGE_CHARACTERS} long, or one case. */
function shorten(listed: Listed<TemplateCase>, { endingBefore }: Page): Listed<TemplateCase> {
  // The page continues at its last case, or ends before a case and continues at its first one.
  const nearest = endingBefore === undefined ? listed.records : listed.records.toReversed();
  let size = 0;
  const kept = nearest.filter((found, index) => {
    size += charactersOf(found);
    return index === 0 || size <= MAX_PAGE_CHARACTERS;
  });
  if (kept.length === nearest.length) return listed;
  return { ...listed, records: endingBefore === undefined ? kept : kept.toReversed(), hasMore: true };
}

/** The fields of a case that no new version of the browser has printed. */
const NO_CHANGE = { browserChange: null, changeStatus: null };

/** Returns the fields of a case with these accepted pages. */
function acceptedFields(
  accepted: AcceptedPages | null,
): Pick<TemplateCase, 'accepted' | 'acceptedFileId' | 'browserChange' | 'changeStatus'> {
  return { accepted, acceptedFileId: accepted?.fileId ?? null, ...NO_CHANGE };
}

function busy(): AppError {
  return new AppError('UNAVAILABLE', 'the case is being changed by too many requests', {
    retryAfterSeconds: 1,
  });
}
