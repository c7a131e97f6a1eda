import { newId, notFound, type GenerateOptions, type Handlebars } from '../../src/plugin.ts';
import { createDataCheck, type TemplateTasks } from './check-data.ts';
import type { Template, TemplateInput, TemplatesService, TemplateWithHtml } from './contract.ts';
import { createPartials, inlinePartials } from './partials.ts';
import { requireStorable } from './options-and-sample.ts';
import { markPossibleOrphan, storeFirstContent } from './orphans.ts';
import { categoryFilter, searchFilter, searchTextOf, storeSearchText } from './search.ts';
import { createTrash } from './trash.ts';
import { requireParsable, validateTemplateInput } from './validate-input.ts';
import {
  changeContent,
  readHtml,
  deleteContents,
  listVersions,
  type TemplateCollections,
} from './versions.ts';

/** Ids that do not match are not looked up, because callers may send anything as an id. */
const TEMPLATE_ID = /^tmpl_[0-9A-Za-z]{24}$/;

const NEWEST_FIRST = { createdAt: 'desc', id: 'desc' } as const;

/** Creates the service that stores templates. */
export function createTemplatesService(
  collections: TemplateCollections,
  { handlebars, tasks }: { handlebars: Handlebars; tasks: TemplateTasks },
): TemplatesService {
  const { templates, orphanMarks } = collections;
  const partials = createPartials(collections, handlebars);
  let checkCombination: ((options: GenerateOptions) => void) | undefined;

  async function findOwn(accountId: string, id: string): Promise<Template | null> {
    const template = TEMPLATE_ID.test(id) ? await templates.get(id) : null;
    return template?.accountId === accountId ? template : null;
  }

  async function withHtml(template: Template | null, version?: number): Promise<TemplateWithHtml | null> {
    if (!template) return null;
    const wanted = version ?? template.version;
    const html = await readHtml(collections, template, wanted);
    return html === null ? null : { ...template, version: wanted, html };
  }

  const find = async (accountId: string, id: string, version?: number) =>
    withHtml(await findOwn(accountId, id), version);

  async function update(
    accountId: string,
    id: string,
    change: Partial<TemplateInput>,
  ): Promise<TemplateWithHtml> {
    validateTemplateInput(change);
    const { html, ...changed } = change;
    const isSearched = changed.name !== undefined || changed.category !== undefined;
    const fields: Partial<Template> = { ...changed, ...(isSearched && { searchText: null }) };
    const before = found(await find(accountId, id));
    const { name, isPartial, html: newHtml } = { ...before, ...change };
    if (html !== undefined && html !== before.html) await requireParsable(handlebars, html);
    if (isPartial) await partials.check(accountId, { id, name, html: newHtml });
    if (html === undefined) {
      const after = await templates.update({ id, accountId }, { ...fields, updatedAt: Date.now() });
      if (after && isSearched) await storeSearchText(templates, after);
      return found(await withHtml(after));
    }
    const after = await changeContent(collections, { id, accountId }, { html, fields });
    if (after && isSearched) await storeSearchText(templates, after);
    return { ...found(after), html };
  }

  const checkPartial = async (template: Template) => {
    const { id, name, html } = found(await withHtml(template));
    await partials.check(template.accountId, { id, name, html });
  };

  return {
    trash: createTrash(collections, { findOwn, checkPartial }),
    checkData: createDataCheck(tasks),
    loadPartials: (accountId, texts) => partials.load(accountId, texts),
    find,
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
        version: 1,
        contentId,
        isPublic: false,
        searchText: searchTextOf(input),
        createdAt: now,
        updatedAt: now,
      };
      await templates.insert(template);
      return { ...template, html };
    },
    list: (accountId, { limit, offset, category, search }) =>
      templates.find({
        where: { accountId, ...categoryFilter(category), ...searchFilter(search) },
        order: NEWEST_FIRST,
        limit,
        offset,
      }),
    get: async (accountId, id, version) => found(await find(accountId, id, version)),
    async listVersions(accountId, id, page) {
      return listVersions(collections, found(await findOwn(accountId, id)), page);
    },
    async restore(accountId, id, version) {
      const { html, name, isPartial } = found(await find(accountId, id, version));
      if (isPartial) await partials.check(accountId, { id, name, html });
      const after = await changeContent(collections, { id, accountId }, { html, always: true });
      return { ...found(after), html };
    },
    async remove(accountId, id) {
      found(await findOwn(accountId, id));
      await markPossibleOrphan(orphanMarks, id, 'deleted');
      found((await templates.delete({ id, accountId })) || null);
      await deleteContents(collections, id);
    },
    listPublic: ({ limit, offset, category, search }) =>
      templates.find({
        where: { isPublic: true, ...categoryFilter(category), ...searchFilter(search) },
        order: NEWEST_FIRST,
        limit,
        offset,
      }),
    async getPublic(id) {
      const template = TEMPLATE_ID.test(id) ? await templates.get(id) : null;
      return found(await withHtml(template?.isPublic ? template : null));
    },
    async inlinePartials({ accountId, html }) {
      const loaded = await partials.load(accountId, [html]);
      return loaded.ok ? inlinePartials(html, loaded.value) : html;
    },
    async setPublic(accountId, id, isPublic) {
      found(await findOwn(accountId, id));
      return found(await templates.update({ id, accountId }, { isPublic }));
    },
  };
}

function found<T>(result: T | null): T {
  if (result === null) throw notFound('template');
  return result;
}
