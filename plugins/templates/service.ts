import { DuplicateKeyError, findPage, invalid, newId, notFound } from '../../src/plugin.ts';
import type { Handlebars } from '../documents/contract.ts';
import type { GenerateOptions } from '../documents/contract.ts';
import { createDataCheck, type TemplateTasks } from './check-data.ts';
import { changeCurrent } from './changes.ts';
import { deleteContents, type TemplateCollections } from './contents.ts';
import type {
  Template,
  TemplateInput,
  TemplatesService,
  TemplateWithHtml,
  VersionChoice,
} from './contract.ts';
import { deleteDraft, promoteDraft, storeDraft } from './drafts.ts';
import type { TemplateEvents } from './events.ts';
import { createPartials, inlinePartials } from './partials.ts';
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
import { createTrash } from './trash.ts';
import { requireParsable, validateTemplateInput } from './validate-input.ts';
import { listVersions, readVersion, versionFieldsOf } from './versions.ts';

/** Texts that are neither id nor alias are not looked up, because callers may send anything as an id. */
const TEMPLATE_ID = /^tmpl_[0-9A-Za-z]{24}$/;

/** How often a template is read while its draft is being replaced. */
const MAX_READS = 5;

export function createTemplatesService(
  collections: TemplateCollections,
  { handlebars, tasks, events }: { handlebars: Handlebars; tasks: TemplateTasks; events: TemplateEvents },
): TemplatesService {
  const { templates, orphanMarks } = collections;
  const parts = { collections, events };
  const partials = createPartials(collections, handlebars);
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
  ): Promise<TemplateWithHtml> {
    validateTemplateInput(change);
    const { html, tags, ...changed } = change;
    const isSearched = changed.name !== undefined || changed.category !== undefined;
    const fields: Partial<Template> = {
      ...changed,
      ...(isSearched && { searchText: null }),
      ...(tags && { tags, tagText: tagTextOf(tags) }),
    };
    const before = found(await find(accountId, idOrAlias));
    const { id } = before;
    const { name, isPartial, html: newHtml } = { ...before, ...change };
    if (html !== undefined && html !== before.html) await requireParsable(handlebars, html);
    if (isPartial) await partials.check(accountId, { id, name, html: newHtml });
    const changing = changeCurrent(parts, { id, accountId }, { html, fields });
    const after = found(await explainTakenAlias(changing));
    if (isSearched) await storeSearchText(templates, after);
    return html === undefined ? found(await readVersion(collections, after)) : withCurrent(after, html);
  }

  const checkPartial = async (template: Template) => {
    const { id, name, html } = found(await readVersion(collections, template));
    await partials.check(template.accountId, { id, name, html });
  };

  return {
    trash: createTrash(collections, { events, findOwn, checkPartial }),
    checkData: createDataCheck(tasks),
    loadPartials: (accountId, texts) => partials.load(accountId, texts),
    find,
    resolveAlias: async (accountId, idOrAlias) =>
      ALIAS.test(idOrAlias) ? ((await findOwn(accountId, idOrAlias))?.id ?? idOrAlias) : idOrAlias,
    update,
    validateInput: validateTemplateInput,
    checkOptions(options) {
      requireStorable(options);
      checkCombination?.(options);
    },
    useOptionsCheck(check) {
      checkCombination = check;
    },
    async create(accountId, input) {
      validateTemplateInput(input);
      const {
        html,
        name,
        schema,
        category,
        optionsJson = null,
        sampleDataJson = null,
        isPartial = false,
        alias = null,
        tags = [],
      } = input;
      await requireParsable(handlebars, html);
      if (isPartial) await partials.check(accountId, { id: undefined, name, html });
      const id = newId('tmpl_');
      const contentId = await storeFirstContent(collections, id, html);
      const now = Date.now();
      const template: Template = {
        id,
        accountId,
        name,
        category,
        schema,
        optionsJson,
        sampleDataJson,
        isPartial,
        alias,
        ...(tags.length > 0 && { tags, tagText: tagTextOf(tags) }),
        version: 1,
        contentId,
        isPublic: false,
        searchText: searchTextOf(input),
        createdAt: now,
        updatedAt: now,
      };
      await explainTakenAlias(templates.insert(template));
      return withCurrent(template, html);
    },
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
    async saveDraft(accountId, idOrAlias, change) {
      validateTemplateInput(change);
      const { id, name, isPartial } = found(await findOwn(accountId, idOrAlias));
      const { html } = change;
      if (html !== undefined) await requireParsable(handlebars, html);
      if (isPartial && html !== undefined) await partials.check(accountId, { id, name, html });
      return found(await storeDraft(parts, { id, accountId }, change));
    },
    async promote(accountId, idOrAlias, version) {
      const { id, draft } = found(await findOwn(accountId, idOrAlias));
      const promoted = draft?.version === version ? await find(accountId, id, version) : null;
      // The name may have changed since the draft was stored, and so may the partials that it calls.
      if (promoted?.isPartial) await partials.check(accountId, promoted);
      const after = found(await promoteDraft(parts, { id, accountId }, version));
      return found(await readVersion(collections, after));
    },
    async discardDraft(accountId, idOrAlias, version) {
      const { id } = found(await findOwn(accountId, idOrAlias));
      found(await deleteDraft(parts, { id, accountId }, version));
    },
    async restore(accountId, idOrAlias, version) {
      const restored = found(await find(accountId, idOrAlias, version));
      const { id, html, name, isPartial } = restored;
      if (isPartial) await partials.check(accountId, { id, name, html });
      const change = { html, fields: versionFieldsOf(restored), always: true };
      return withCurrent(found(await changeCurrent(parts, { id, accountId }, change)), html);
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
      const loaded = await partials.load(accountId, [html]);
      return loaded.ok ? inlinePartials(html, loaded.value) : html;
    },
    async setPublic(accountId, idOrAlias, isPublic) {
      const { id } = found(await findOwn(accountId, idOrAlias));
      return found(await templates.update({ id, accountId }, { isPublic }));
    },
  };
}

function withCurrent(template: Template, html: string): TemplateWithHtml {
  return { ...template, html, currentVersion: template.version };
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
