import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchFilter, searchTextOf, storeMissingSearchTexts } from '../../plugins/templates/search.ts';
import { createTemplatesService } from '../../plugins/templates/service.ts';
import { createMongoStore } from '../../src/store/mongo.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { mongoServer, newMongoUrl } from '../support/service/servers.ts';
import { inProcess, openTemplates } from './template-harness.ts';

setDefaultTimeout(60_000);
const folder = mkdtempSync(join(tmpdir(), 'platen-search-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stores: [string, () => Promise<Store>][] = [
  ['sqlite', async () => createSqliteStore({ path: join(folder, `${crypto.randomUUID()}.sqlite`) })],
];
if (await mongoServer()) stores.push(['mongo', async () => createMongoStore({ url: await newMongoUrl() })]);

/** A template whose search text a crash has left unstored. */
const old = {
  id: 'tmpl_000000000000000000000000',
  accountId: 'a',
  name: 'Old',
  category: 'other',
  schema: {},
  version: 3,
  contentId: 'tmpl_000000000000000000000000:now',
  isPublic: false,
  isPartial: false,
  createdAt: 1_000,
  updatedAt: 2_000,
} as const;

describe.each(stores)('templates whose search text is not stored, on %s', (_, open) => {
  test('are found by search after the sweep, and after a change', async () => {
    const store = await open();
    const collections = await openTemplates(store);
    const service = createTemplatesService(collections, inProcess);
    const ids = Array.from({ length: 250 }, (__, index) => `tmpl_${String(index).padStart(24, '0')}`);
    await collections.templates.insertMany(
      ids.map((id, index) => ({ ...old, id, accountId: 'b', name: `Old ${index}` })),
    );
    const search = async (text: string) =>
      (await service.list('b', { limit: 300, search: text })).records.map(({ name }) => name);
    expect(await search('old')).toEqual([]);
    await collections.contents.insert({ id: old.contentId, templateId: old.id, html: 'x' });
    await service.update('b', ids[0] ?? '', { name: 'New' });
    expect(await search('new')).toEqual(['New']);
    await storeMissingSearchTexts(collections.templates);
    expect((await search('OLD')).length).toBe(249);
    expect(await search('new')).toEqual(['New']);
    expect(await collections.templates.count({ searchText: null })).toBe(0);
    await store.close();
  });

  test('a change that a crash interrupts is found after the sweep', async () => {
    const store = await open();
    const { templates } = await openTemplates(store);
    const draft = { ...old, id: 'tmpl_crash0000000000000000000', accountId: 'c' };
    await templates.insert({ ...draft, searchText: searchTextOf(draft) });
    // The first write of a change; the second would store the text.
    await templates.update({ id: draft.id }, { name: 'Renamed', searchText: null });
    const search = (text: string) => templates.count({ accountId: 'c', ...searchFilter(text) });
    expect(await search('old')).toBe(0);
    await storeMissingSearchTexts(templates);
    expect([await search('old'), await search('renamed')]).toEqual([0, 1]);
    await store.close();
  });
});
