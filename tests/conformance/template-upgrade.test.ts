import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { searchFilter, searchTextOf, storeMissingSearchTexts } from '../../plugins/templates/search.ts';
import { createTemplatesService } from '../../plugins/templates/service.ts';
import { createMongoStore } from '../../src/store/mongo.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { mongoServer, newMongoUrl } from '../support/servers.ts';
import { inProcess, openTemplates } from './template-harness.ts';

setDefaultTimeout(60_000);
const folder = mkdtempSync(join(tmpdir(), 'platen-upgrade-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stores: [string, () => Promise<Store>][] = [
  ['sqlite', async () => createSqliteStore({ path: join(folder, `${crypto.randomUUID()}.sqlite`) })],
];
if (await mongoServer()) stores.push(['mongo', async () => createMongoStore({ url: await newMongoUrl() })]);

/** A template as it was stored before versions had times and lists could be searched. */
const old = {
  id: 'tmpl_000000000000000000000000',
  accountId: 'a',
  name: 'Old',
  category: 'other',
  schema: {},
  version: 3,
  contentId: 'tmpl_000000000000000000000000:now',
  isPublic: false,
  createdAt: 1_000,
  updatedAt: 2_000,
} as const;

describe.each(stores)('templates of an earlier release on %s', (_, open) => {
  test('list their versions, with the times that are known', async () => {
    const store = await open();
    const collections = await openTemplates(store);
    const service = createTemplatesService(collections, inProcess);
    const { id, contentId: now } = old;
    const before = `${id}:before`;
    await collections.contents.insertMany([
      { id: before, templateId: id, html: 'one' },
      { id: now, templateId: id, html: 'three' },
    ]);
    await collections.versions.insertMany(
      [1, 2].map((version) => ({ id: `${id}:${version}`, templateId: id, version, contentId: before })),
    );
    await collections.templates.insert(old);
    const page = { limit: 10, offset: 0 };
    expect(await service.listVersions('a', id, page)).toEqual([
      { version: 3, createdAt: null, isCurrent: true },
      { version: 2, createdAt: null, isCurrent: false },
      { version: 1, createdAt: 1_000, isCurrent: false },
    ]);
    expect(await service.restore('a', id, 2)).toMatchObject({ version: 4, html: 'one' });
    expect(await service.listVersions('a', id, { limit: 2, offset: 0 })).toEqual([
      { version: 4, createdAt: expect.any(Number), isCurrent: true },
      { version: 3, createdAt: null, isCurrent: false },
    ]);
    await store.close();
  });

  test('are found by search after the sweep, and after a change', async () => {
    const store = await open();
    const collections = await openTemplates(store);
    const service = createTemplatesService(collections, inProcess);
    const ids = Array.from({ length: 250 }, (__, index) => `tmpl_${String(index).padStart(24, '0')}`);
    await collections.templates.insertMany(
      ids.map((id, index) => ({ ...old, id, accountId: 'b', name: `Old ${index}` })),
    );
    const search = async (text: string) =>
      (await service.list('b', { limit: 300, offset: 0, search: text })).map(({ name }) => name);
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
