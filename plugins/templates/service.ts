import { DuplicateKeyError, findPage, invalid, newId, notFound } from '../../src/plugin.ts';
import type { Handlebars } from '../documents/contract.ts';
import type { GenerateOptions } from '../documents/contract.ts';
import { createDataCheck, type TemplateTasks } from './check-data.ts';
import { changeCurrent } from './changes.ts';
import { deleteContents, deleteFiles, type TemplateCollections } from './contents.ts';
import type {
  Template,
  TemplateBody,
  TemplateFile,
  TemplateFormat,
  TemplateInput,
  TemplatesService,
  TemplateWithHtml,
  VersionCheck,
  VersionChoice,
} from './contract.ts';
import { deleteDraft, promoteDraft, storeDraft } from './drafts.ts';
import { requireEtag } from './etag.ts';
import type { TemplateEvents } from './events.ts';
import type { TemplateFiles } from './office/template-files.ts';
import { createPartials, inlinePartials } from './partials.ts';
import { createRequiredChecks, draftOf, requirePassed } from './required-checks.ts';
import { requireStorable } from './options-and-sample.ts';
import { markPossibleOrphan, storeFirstContent } from './orphans.ts';
import { ALIAS } from './schemas.ts';
import {
  categoryFilter,
  searchFilter,
  searchTextOf,
  storeSearchText,
  tagFilter,
  tagTextOf,
} from './search.ts';
import { createTranslationCheck, isTranslated, mustParse, requireNoTranslations } from './translations.ts';
import { createTrash } from './trash.ts';
import { requireParsable, validateTemplateInput } from './validate-input.ts';
import { listVersions, readVersion, revisionOf, versionFieldsOf } from './versions.ts';

/** Texts that are neither id nor alias are not looked up, because callers may send anything as an id. */
const TEMPLATE_ID = /^tmpl_[0-9A-Za-z]{24}$/;

/** How often a template is read while its draft is being replaced. */
const MAX_READS = 5;

export function createTemplatesService(
  collections: TemplateCollections,
  {
    handlebars,
    tasks,
    events,
    files,
    ownParts = () => {},
  }: {
    handlebars: Handlebars;
    tasks: TemplateTasks;
    events: TemplateEvents;
    files?: TemplateFiles;
    ownParts?: TemplatesService['ownParts'];
  },
): TemplatesService {
  const { templates, orphanMarks } = collections;
  const parts = { collections, events };
  const partials = createPartials(collections, handlebars);
  const checks = createRequiredChecks();
  let checkCombination: ((options: GenerateOptions) => void) | undefined;

  async function findOwn(accountId: string, idOrAlias: string): Promise<Template | null> {
    if (ALIAS.test(idOrAlias)) {
      const [named] = await templates.find({ where: { accountId, alias: idOrAlias }, limit: 1 });
      return named ?? null;
    }
    const template = TEMPLATE_ID.test(idOrAlias) ? await templates.get(idOrAlias) : null;
    return template?.accountId === accountId ? template : null;
  }

  async function find(
    accountId: string,
    id: string,
    version?: VersionChoice,
  ): Promise<TemplateWithHtml | null> {
    for (let attempt = 1; ; attempt += 1) {
      const template = await findOwn(accountId, id);
      const read = template && (await readVersion(collections, template, version));
      // A draft that is replaced takes its content with it, so the template is read again.
      if (read || !template?.draft || attempt === MAX_READS) return read;
    }
  }

  async function update(
    accountId: string,
    idOrAlias: string,
    change: Partial<TemplateInput>,
    expectedEtag?: string,
  ): Promise<TemplateWithHtml> {
    validateTemplateInput(change);
    const { html, file, tags, ...changed } = change;
    const isSearched = changed.name !== undefined || changed.category !== undefined;
    const fields: Partial<Template> = {
      ...changed,
      ...(isSearched && { searchText: null }),
      ...(tags && { tags, tagText: tagTextOf(tags) }),
    };
    const before = found(await find(accountId, idOrAlias));
    requireSameFormat(before, change);
    checks.requirePossible(change, before.format ?? 'html');
    const { id } = before;
    const after = { ...before, ...change };
    const { name, isPartial, html: newHtml } = after;
    if (mustParse(before, after)) await requireParsable(handlebars, newHtml, isTranslated(after));
    if (isPartial) await partials.check(accountId, { id, name, html: newHtml });
    // A change that is held back replaces a draft, so it must be of the state that the caller has read.
    requireEtag(before, expectedEtag);
    const check = await checks.ofChange(before, change);
    if (check && !check.passed) return holdBack(before, change, { check, fields, expectedEtag });
    const body = file ? { html: '', file } : html === undefined ? undefined : { html };
    const checkedRevision = check && revisionOf(before);
    const changing = changeCurrent(parts, { id, accountId }, { body, fields, checkedRevision, expectedEtag });
    const changedTemplate = found(await explainTakenAlias(changing));
    if (isSearched) await storeSearchText(templates, changedTemplate);
    // The stored file may be an earlier one with the same bytes.
    const stored =
      html === undefined
        ? found(await readVersion(collections, changedTemplate))
        : withCurrent(changedTemplate, { html });
    return { ...stored, ...(check && { check }) };
  }

  /** Stores the version that a change would make as a draft, and makes the rest of the change with it. */
  async function holdBack(
    before: TemplateWithHtml,
    change: Partial<TemplateInput>,
    {
      check,
      fields,
      expectedEtag,
    }: { check: VersionCheck; fields: Partial<Template>; expectedEtag?: string | undefined },
  ): Promise<TemplateWithHtml> {
    const { id, accountId } = before;
    const { schema: _, optionsJson: __, sampleDataJson: ___, translationsJson: ____, ...own } = fields;
    const heldBack = { checkedRevision: revisionOf(before), expectedEtag, fields: own };
    const storing = storeDraft(parts, { id, accountId }, draftOf(before, change), { heldBack });
    const draft = found(await explainTakenAlias(storing));
    if (own.searchText === null) await storeSearchText(templates, draft);
    await check.noteDraft(draft.version);
    return { ...draft, check };
  }

  const checkPartial = async (template: Template) => {
    const { id, name, html } = found(await readVersion(collections, template));
    await partials.check(template.accountId, { id, name, html });
  };

  async function create(accountId: string, input: TemplateInput): Promise<TemplateWithHtml> {
    validateTemplateInput(input);
    checks.requirePossible(input, input.file?.format ?? 'html');
    const {
      html,
      file,
      name,
      schema,
      category,
      optionsJson = null,
      sampleDataJson = null,
      translationsJson = null,
      isPartial = false,
      alias = null,
      tags = [],
      requireChecks = false,
    } = input;
    requireNoTranslations(file?.format, input);
    if (!file) await requireParsable(handlebars, html, isTranslated(input));
    if (isPartial) await partials.check(accountId, { id: undefined, name, html });
    const id = newId('tmpl_');
    const body = file ? { html: '', file } : { html };
    const contentId = await storeFirstContent(collections, id, body);
    const now = Date.now();
    const template: Template = {
      id,
      accountId,
      name,
      category,
      schema,
      optionsJson,
      sampleDataJson,
      ...(translationsJson !== null && { translationsJson }),
      ...(file && { format: file.format }),
      isPartial,
      alias,
      ...(tags.length > 0 && { tags, tagText: tagTextOf(tags) }),
      version: 1,
      contentId,
      isPublic: false,
      ...(requireChecks && { requireChecks }),
      searchText: searchTextOf(input),
      createdAt: now,
      updatedAt: now,
    };
    await explainTakenAlias(templates.insert(template));
    return withCurrent(template, body);
  }

  /** Passes the file of a request on, which is deleted if it is not stored in a template. */
  async function owning<T>(file: TemplateFile | undefined, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (file) await deleteFiles(collections, [file.fileId]);
      throw error;
    }
  }

  return {
    ownParts,
    useVersionCheck: (check) => checks.use(check),
    readTranslations: createTranslationCheck(handlebars),
    trash: createTrash(collections, { events, findOwn, checkPartial }),
    checkData: createDataCheck(tasks),
    loadPartials: (accountId, texts) => partials.load(accountId, texts),
    find,
    formatOf: async (accountId, id) => {
      const template = await findOwn(accountId, id);
      return template && (template.format ?? 'html');
    },
    readFile: (file) => requireFiles(files).read(file),
    checkFile: (file) => requireFiles(files).check(file),
    copyFile: async ({ file, format }) => file && format && requireFiles(files).copy(file, format),
    receiveFile: (file) => requireFiles(files).receive(file),
    linkFile: async ({ name, file, format }) =>
      file && format ? requireFiles(files).link(file, `${name}.${format}`) : null,
    resolveAlias: async (accountId, idOrAlias) =>
      ALIAS.test(idOrAlias) ? ((await findOwn(accountId, idOrAlias))?.id ?? idOrAlias) : idOrAlias,
    update: (accountId, id, change, expectedEtag) =>
      owning(change.file, () => update(accountId, id, change, expectedEtag)),
    validateInput: validateTemplateInput,
    checkOptions(options) {
      requireStorable(options);
      checkCombination?.(options);
    },
    useOptionsCheck(check) {
      checkCombination = check;
    },
    create: (accountId, input) => owning(input.file, () => create(accountId, input)),
    list: (accountId, { category, search, tag, ...page }) =>
      findPage(templates, {
        where: { accountId, ...categoryFilter(category), ...searchFilter(search), ...tagFilter(tag) },
        at: (id) => ({ accountId, id }),
        page,
      }),
    get: async (accountId, id, version) => found(await find(accountId, id, version)),
    async listVersions(accountId, id, page) {
      return listVersions(collections, found(await findOwn(accountId, id)), page);
    },
    saveDraft: (accountId, idOrAlias, change, expectedEtag) =>
      owning(change.file, async () => {
        validateTemplateInput(change);
        const template = found(await findOwn(accountId, idOrAlias));
        requireSameFormat(template, change);
        const { id, name, isPartial } = template;
        const { html } = change;
        const base = found(await find(accountId, id, template.draft ? 'draft' : undefined));
        const next = { ...base, ...change };
        if (mustParse(base, next)) await requireParsable(handlebars, next.html, isTranslated(next));
        if (isPartial && html !== undefined) await partials.check(accountId, { id, name, html });
        return found(await storeDraft(parts, { id, accountId }, change, { expectedEtag }));
      }),
    async promote(accountId, idOrAlias, version) {
      const { id, draft } = found(await findOwn(accountId, idOrAlias));
      const promoted = draft?.version === version ? await find(accountId, id, version) : null;
      // The name may have changed since the draft was stored, and so may the partials that it calls.
      if (promoted?.isPartial) await partials.check(accountId, promoted);
      if (promoted) requirePassed(await checks.ofVersion(promoted));
      const after = found(await promoteDraft(parts, { id, accountId }, version));
      return found(await readVersion(collections, after));
    },
    async discardDraft(accountId, idOrAlias, version) {
      const { id } = found(await findOwn(accountId, idOrAlias));
      found(await deleteDraft(parts, { id, accountId }, version));
    },
    async restore(accountId, idOrAlias, version) {
      const restored = found(await find(accountId, idOrAlias, version));
      const { id, html, file, name, isPartial } = restored;
      if (isPartial) await partials.check(accountId, { id, name, html });
      const body = { html, ...(file && { file }) };
      const fields = versionFieldsOf(restored);
      // A version that was deleted as a draft has another number as the current one.
      const check = await checks.ofVersion({ ...restored, version: 0 });
      if (check && !check.passed) return holdBack(restored, { html, ...fields }, { check, fields });
      const checkedRevision = check && revisionOf(restored);
      const change = { body, fields, always: true, checkedRevision };
      const after = found(await changeCurrent(parts, { id, accountId }, change));
      return { ...withCurrent(after, body), ...(check && { check }) };
    },
    async remove(accountId, idOrAlias) {
      const { id } = found(await findOwn(accountId, idOrAlias));
      await markPossibleOrphan(orphanMarks, id, 'deleted');
      // The events of the last changes are stored before the record that lists them is deleted.
      while ((await templates.delete({ id, accountId, unreportedAt: null })) === 0)
        await events.store(found(await findOwn(accountId, id)), { usesReserve: true });
      await deleteContents(collections, id);
    },
    listPublic: ({ category, search, ...page }) =>
      findPage(templates, {
        where: { isPublic: true, ...categoryFilter(category), ...searchFilter(search) },
        at: (id) => ({ isPublic: true, id }),
        page,
      }),
    async getPublic(id) {
      const template = TEMPLATE_ID.test(id) ? await templates.get(id) : null;
      return found(template?.isPublic ? await readVersion(collections, template) : null);
    },
    async inlinePartials({ accountId, html }) {
      if (html === '') return html;
      const loaded = await partials.load(accountId, [html]);
      return loaded.ok ? inlinePartials(html, loaded.value) : html;
    },
    async setPublic(accountId, idOrAlias, isPublic) {
      const { id } = found(await findOwn(accountId, idOrAlias));
      return found(await templates.update({ id, accountId }, { isPublic }));
    },
  };
}

function withCurrent(template: Template, body: TemplateBody): TemplateWithHtml {
  return { ...template, ...body, currentVersion: template.version };
}

/**
 * Rejects a change that the format of a template does not permit.
 * @throws {AppError} VALIDATION_ERROR
 */
function requireSameFormat(
  template: Template,
  change: Pick<Partial<TemplateInput>, 'html' | 'file' | 'isPartial' | 'translationsJson'>,
): void {
  const { html, file, isPartial = false } = change;
  const format: TemplateFormat = template.format ?? 'html';
  requireNoTranslations(format, change);
  if (file && file.format !== format)
    throw invalid('file', `is ${file.format}, and the template is ${format}: make another template of it`);
  if (html !== undefined && html !== '' && format !== 'html')
    throw invalid('html_content', `is not for this template, which is ${format}: send file`);
  if (isPartial && format !== 'html')
    throw invalid('partial', `is not for this template, which is ${format}`);
}

function requireFiles(files: TemplateFiles | undefined): TemplateFiles {
  if (!files) throw new Error('the templates have no files');
  return files;
}

/**
 * Awaits a write of a template.
 * @throws {AppError} VALIDATION_ERROR if another template of the account has its alias
 */
async function explainTakenAlias<T>(write: Promise<T>): Promise<T> {
  return write.catch((error: unknown) => {
    throw error instanceof DuplicateKeyError ? invalid('alias', 'is the alias of another template') : error;
  });
}

function found<T>(result: T | null): T {
  if (result === null) throw notFound('template');
  return result;
}
