import { findPage, type Collection, type Listed, type Page } from '../../src/plugin.ts';
import type { BrowserChange, TemplateCase } from './contract.ts';

/** The statuses of cases whose pages a browser changes. */
const CHANGED = ['different', 'failed'] as const;

/** How many cases are read at once. More with long data would delay other requests. */
const READ_AT_ONCE = 10;

/** How many templates a list can leave out. The database limits the length of a condition. */
export const MAX_HIDDEN = 500;

/** The case after which an iteration continues. */
export type Position = Pick<TemplateCase, 'id' | 'accountId'>;

/** The effects of a new version of the browser on accepted pages, which are stored with the cases. */
export interface BrowserChanges {
  /** Finds the next case with accepted pages, account by account; `null` at the end. */
  next(after: Position | null): Promise<TemplateCase | null>;
  /** Counts the templates with accepted pages. */
  countTemplates(): Promise<number>;
  /** Stores the result of a case, unless it has changed since it was read. */
  note(read: TemplateCase, change: BrowserChange): Promise<void>;
  /** Notes that the pages of cases are equal again. */
  noteEqual(read: readonly TemplateCase[]): Promise<void>;
  /** Selects the templates that have cases whose pages a browser changes. */
  changedOf(accountId: string, templateIds: readonly string[]): Promise<string[]>;
  /** Lists the cases of an account whose pages a browser changes, newest first. */
  list(
    accountId: string,
    query: {
      status?: (typeof CHANGED)[number] | undefined;
      page: Page;
      /** The ids of the templates whose cases are left out, at most {@link MAX_HIDDEN}. */
      hidden: readonly string[];
    },
  ): Promise<Listed<TemplateCase>>;
}

/** Opens the results that are stored with cases. */
export function openBrowserChanges(cases: Collection<TemplateCase>): BrowserChanges {
  const hasPages = { acceptedFileId: { gt: '' } };

  async function next(after: Position | null): Promise<TemplateCase | null> {
    const order = { accountId: 'asc', id: 'asc' } as const;
    const first = async (where: object) =>
      (await cases.find({ where: { ...where, ...hasPages }, order, limit: 1 }))[0] ?? null;
    if (!after) return first({});
    const { id, accountId } = after;
    return (await first({ accountId, id: { gt: id } })) ?? (await first({ accountId: { gt: accountId } }));
  }

  async function note({ id, revision }: TemplateCase, change: BrowserChange): Promise<void> {
    const set = { browserChange: change, changeStatus: change.status, revision: revision + 1 };
    await cases.update({ id, revision }, set);
  }

  return {
    next,
    note,
    async countTemplates() {
      let count = 0;
      for (let found = await next(null); found; count += 1) {
        const { accountId, templateId } = found;
        // The ids of its cases are its own id, a colon and a name. A semicolon follows the colon.
        found = await next({ accountId, id: `${templateId};` });
      }
      return count;
    },
    async noteEqual(read) {
      for (const found of read) {
        const { browserChange } = found;
        if (browserChange && browserChange.status !== 'equal')
          await note(found, { ...browserChange, status: 'equal' });
      }
    },
    async changedOf(accountId, templateIds) {
      const changed = (templateId: string | { in: readonly string[] }) =>
        cases.count({ accountId, templateId, changeStatus: { in: CHANGED } });
      if ((await changed({ in: templateIds })) === 0) return [];
      const found: string[] = [];
      for (const id of templateIds) if ((await changed(id)) > 0) found.push(id);
      return found;
    },
    list: (accountId, { status, page, hidden }) =>
      findPage(cases, {
        where: {
          accountId,
          changeStatus: status ?? { in: CHANGED },
          ...(hidden.length > 0 && { either: between(hidden) }),
        },
        at: (id) => ({ id, accountId }),
        page,
        atOnce: READ_AT_ONCE,
      }),
  };
}

/** Returns the filters of the cases of all templates except some: the ranges of ids between these. */
function between(templateIds: readonly string[]): { templateId: { gt?: string; lt?: string } }[] {
  const ids = templateIds.toSorted((a, b) => (a < b ? -1 : 1));
  return [
    ...ids.map((lt, index) => ({ templateId: { lt, ...(index > 0 && { gt: ids[index - 1] as string }) } })),
    { templateId: { gt: ids.at(-1) as string } },
  ];
}
