import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTemplatesService } from '../../plugins/templates/service.ts';
import { createMongoStore } from '../../src/store/mongo.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { mongoServer } from '../support/servers.ts';
import { inProcess, openTemplates } from './template-harness.ts';

setDefaultTimeout(60_000);
const folder = mkdtempSync(join(tmpdir(), 'platen-upgrade-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stores: [string, () => Promise<Store>][] = [
  ['sqlite', async () => createSqliteStore({ path: join(folder, 'store.sqlite') })],
];
if (await mongoServer())
  stores.push(['mongo', async () => createMongoStore({ url: (await mongoServer())?.url ?? '' })]);

describe.each(stores)('templates of an earlier release on %s', (_, open) => {
  test('list their versions, with the times that are known', async () => {
    const store = await open();
    const collections = await openTemplates(store);
    const service = createTemplatesService(collections, inProcess);
    const id = 'tmpl_000000000000000000000000';
    const [old, now] = [`${id}:old`, `${id}:now`];
    await collections.contents.insertMany([
      { id: old, templateId: id, html: 'one' },
      { id: now, templateId: id, html: 'three' },
    ]);
    await collections.versions.insertMany(
      [1, 2].map((version) => ({ id: `${id}:${version}`, templateId: id, version, contentId: old })),
    );
    await collections.templates.insert({
      id,
      accountId: 'a',
      name: 'Old',
      category: 'other',
      schema: {},
      version: 3,
      contentId: now,
      isPublic: false,
      createdAt: 1_000,
      updatedAt: 2_000,
    });
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
});
