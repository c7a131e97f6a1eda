import { Database } from 'bun:sqlite';
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtInPlugins } from '../../plugins/index.ts';
import type { Template } from '../../plugins/templates/contract.ts';
import { deleteOrphans } from '../../plugins/templates/orphans.ts';
import { createTemplatesService } from '../../plugins/templates/service.ts';
import type { TemplateCollections } from '../../plugins/templates/contents.ts';
import { createMongoStore } from '../../src/store/mongo.ts';
import { selectSql } from '../../src/store/sqlite-query.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import type { Collection, CollectionSpec, Document, Store } from '../../src/store/store.ts';
import { newMongoUrl } from '../support/service/servers.ts';
import { onMongoAndS3 } from '../support/suite.ts';
import { rejection } from '../support/rejection.ts';
import { draft, inProcess, interruptWrites, openTemplates } from './template-harness.ts';

setDefaultTimeout(60_000);
const folder = mkdtempSync(join(tmpdir(), 'platen-collections-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const freshPath = () => join(folder, `${crypto.randomUUID()}.sqlite`);

async function countAll(collections: TemplateCollections): Promise<Record<string, number>> {
  const counts = Object.entries(collections).map(async ([name, collection]) => [
    name,
    await collection.count(),
  ]);
  return Object.fromEntries(await Promise.all(counts));
}

const HOUR_MS = 3_600_000;

function describeTemplates(name: string, open: () => Promise<Store>): void {
  describe(`on ${name}`, () => {
    test('the collections of every built-in plugin open twice', async () => {
      const store = await open();
      for (const load of Object.values(builtInPlugins)) {
        const { default: plugin } = (await load()) as {
          default: { collections?: Record<string, CollectionSpec<Document>> };
        };
        for (const spec of Object.values(plugin.collections ?? {})) {
          await store.collection(spec);
          expect(await (await store.collection(spec)).count()).toBe(0);
        }
      }
      await store.close();
    });

    test('concurrent updates each get a version, and none is lost', async () => {
      const store = await open();
      const collections = await openTemplates(store);
      const service = createTemplatesService(collections, inProcess);
      const { id } = await service.create('a', draft);
      const changed = await Promise.all([
        ...Array.from({ length: 10 }, (_, index) => service.update('a', id, { html: `<p>${index}</p>` })),
        service.update('a', id, { name: 'Other' }),
      ]);
      const numbers = changed.slice(0, 10).map(({ version }) => version);
      expect(numbers.toSorted((x, y) => x - y)).toEqual(numbers.map((_, index) => index + 2));
      for (const { html, version } of changed)
        if (version > 1) expect((await service.get('a', id, version)).html).toBe(html);
      expect(await service.get('a', id)).toMatchObject({ name: 'Other', version: 11 });
      await service.remove('a', id);
      expect(await collections.contents.count()).toBe(0);
      expect(await collections.versions.count()).toBe(0);
      await store.close();
    });

    test('an update interrupted at any write harms no version, and the next update gets the next number', async () => {
      const store = await open();
      const collections = await openTemplates(store);
      const service = createTemplatesService(collections, inProcess);
      for (const carriedOut of [false, true]) {
        // The writes: content, record of the previous version, template.
        for (const allowed of [0, 1, 2]) {
          const { id } = await service.create('a', draft);
          await service.update('a', id, { html: 'two' });
          const broken = createTemplatesService(
            interruptWrites(collections, { allowed, carriedOut }),
            inProcess,
          );
          expect(String(await rejection(broken.update('a', id, { html: 'lost' })))).toContain('interrupted');
          const stored = carriedOut && allowed === 2 ? [draft.html, 'two', 'lost'] : [draft.html, 'two'];
          expect((await service.get('a', id)).version).toBe(stored.length);
          const { records } = await service.listVersions('a', id, { limit: 10 });
          expect(records.map(({ version }) => version)).toEqual(
            stored.map((__, index) => stored.length - index),
          );
          const next = await service.update('a', id, { html: 'next' });
          expect(next.version).toBe(stored.length + 1);
          for (const [index, html] of [...stored, 'next'].entries())
            expect((await service.get('a', id, index + 1)).html).toBe(html);
          expect(await service.find('a', id, next.version + 1)).toBeNull();
        }
      }
      await store.close();
    });

    test('an interrupted deletion leaves nothing readable', async () => {
      const store = await open();
      const collections = await openTemplates(store);
      const service = createTemplatesService(collections, inProcess);
      // The mark and the template are written first; versions and contents are deleted after them.
      for (const allowed of [2, 3]) {
        const { id } = await service.create('a', draft);
        const broken = createTemplatesService(
          interruptWrites(collections, { allowed, carriedOut: false }),
          inProcess,
        );
        expect(String(await rejection(broken.remove('a', id)))).toContain('interrupted');
        expect(await service.find('a', id)).toBeNull();
        expect(await service.find('a', id, 1)).toBeNull();
      }
      await deleteOrphans(collections, Date.now() + HOUR_MS);
      expect(await countAll(collections)).toEqual({
        templates: 0,
        contents: 0,
        versions: 0,
        orphanMarks: 0,
        trash: 0,
      });
      await store.close();
    });

    test('lists are per account or public, newest first, paged and filtered by category', async () => {
      const store = await open();
      const collections = await openTemplates(store);
      const service = createTemplatesService(collections, inProcess);
      const ids: string[] = [];
      for (const category of ['invoice', 'letter', 'invoice', 'letter'] as const) {
        const { id } = await service.create('a', { ...draft, category });
        await collections.templates.update({ id }, { createdAt: 1000 + ids.length });
        ids.unshift(id);
      }
      const [fourth = '', third = '', second = '', first = ''] = ids;
      const foreign = await service.create('b', draft);
      const listed = async (found: ReturnType<typeof service.list>) =>
        (await found).records.map(({ id }) => id);
      const page = { limit: 3, offset: 0 };
      expect(await listed(service.list('a', page))).toEqual([fourth, third, second]);
      expect(await listed(service.list('a', { limit: 3, offset: 3 }))).toEqual([first]);
      expect(await listed(service.list('b', page))).toEqual([foreign.id]);
      expect(await listed(service.listPublic(page))).toEqual([]);
      for (const id of [first, second, third]) {
        expect(await service.setPublic('a', id, true)).toMatchObject({ id, isPublic: true });
      }
      expect(await listed(service.listPublic(page))).toEqual([third, second, first]);
      expect(await listed(service.listPublic({ limit: 1, offset: 1 }))).toEqual([second]);
      expect(await listed(service.listPublic({ ...page, category: 'letter' }))).toEqual([second]);
      expect(await listed(service.listPublic({ ...page, category: 'invoice' }))).toEqual([third, first]);
      expect(await listed(service.listPublic({ ...page, category: 'poster' }))).toEqual([]);
      expect((await service.getPublic(second)).html).toBe(draft.html);
      expect(await rejection(service.setPublic('b', second, false))).toMatchObject({ code: 'NOT_FOUND' });
      await service.setPublic('a', second, false);
      expect(await rejection(service.getPublic(second))).toMatchObject({ code: 'NOT_FOUND' });
      expect(await listed(service.listPublic(page))).toEqual([third, first]);
      await store.close();
    });

    test('concurrent updates and a deletion leave nothing behind', async () => {
      const store = await open();
      const collections = await openTemplates(store);
      const service = createTemplatesService(collections, inProcess);
      const { id } = await service.create('a', draft);
      const outcomes = await Promise.allSettled([
        ...Array.from({ length: 10 }, (_, index) => service.update('a', id, { html: `${index}` })),
        service.remove('a', id),
      ]);
      for (const outcome of outcomes)
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'NOT_FOUND' });
      expect(await service.find('a', id)).toBeNull();
      const { orphanMarks: marks, ...counts } = await countAll(collections);
      expect(counts).toEqual({ templates: 0, contents: 0, versions: 0, trash: 0 });
      expect(marks).toBe(2);
      await deleteOrphans(collections, Date.now() + HOUR_MS);
      expect(await collections.orphanMarks.count()).toBe(0);
      await store.close();
    });

    test('the sweep deletes the remains of an interrupted creation after an hour, and no template', async () => {
      const store = await open();
      const collections = await openTemplates(store);
      const service = createTemplatesService(collections, inProcess);
      const { id } = await service.create('a', draft);
      await service.update('a', id, { html: 'two' });
      // The writes: mark, content, template.
      for (const carriedOut of [false, true])
        for (const allowed of [0, 1, 2]) {
          const broken = createTemplatesService(
            interruptWrites(collections, { allowed, carriedOut }),
            inProcess,
          );
          expect(String(await rejection(broken.create('b', draft)))).toContain('interrupted');
        }
      const before = await countAll(collections);
      await deleteOrphans(collections);
      expect(await countAll(collections)).toEqual(before);
      expect(before.contents).toBeGreaterThan(3);
      await deleteOrphans(collections, Date.now() + HOUR_MS);
      // Account a: two contents and a version. Account b: the creation whose last write was carried out.
      expect(await countAll(collections)).toEqual({
        templates: 2,
        contents: 3,
        versions: 1,
        orphanMarks: 0,
        trash: 0,
      });
      expect((await service.get('a', id, 1)).html).toBe(draft.html);
      expect((await service.get('a', id)).html).toBe('two');
      await store.close();
    });

    test('the sweep deletes more orphans than it reads at once', async () => {
      const store = await open();
      const collections = await openTemplates(store);
      const ids = Array.from({ length: 250 }, (_, index) => `tmpl_${index}`);
      await collections.orphanMarks.insertMany(ids.map((id) => ({ id, templateId: id, dueAt: 5 })));
      await collections.contents.insertMany(ids.map((id) => ({ id, templateId: id, html: 'x' })));
      await deleteOrphans(collections);
      expect(await countAll(collections)).toEqual({
        templates: 0,
        contents: 0,
        versions: 0,
        orphanMarks: 0,
        trash: 0,
      });
      await store.close();
    });
  });
}

if (onMongoAndS3) describeTemplates('mongo', async () => createMongoStore({ url: await newMongoUrl() }));
else describeTemplates('sqlite', async () => createSqliteStore({ path: freshPath() }));

test.skipIf(onMongoAndS3)('SQLite serves template lists from an index without sorting', async () => {
  const path = freshPath();
  const store = createSqliteStore({ path });
  const collections = await openTemplates(store);
  const queries: object[] = [];
  const { templates: stored } = collections;
  const watched: Collection<Template> = {
    ...stored,
    find(query = {}) {
      queries.push(query);
      return stored.find(query);
    },
  };
  const service = createTemplatesService({ ...collections, templates: watched }, inProcess);
  await service.list('a', { limit: 51, offset: 100 });
  await service.listPublic({ limit: 21, offset: 0 });
  await service.listPublic({ limit: 21, offset: 0, category: 'invoice' });
  await service.list('a', { limit: 51, offset: 0, search: 'x' });
  await service.listPublic({ limit: 21, offset: 0, search: 'x' });
  await service.listPublic({ limit: 21, offset: 0, category: 'invoice', search: 'x' });
  expect(queries.length).toBe(6);
  const database = new Database(path);
  for (const query of queries) {
    const { sql, values } = selectSql({ name: 'templates' }, query, 0);
    const rows = database.query(`EXPLAIN QUERY PLAN ${sql}`).values(...values);
    const plan = rows.map((row) => String(row[3])).join('; ');
    expect(plan).toMatch(/SEARCH templates USING INDEX/);
    expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
    // The index covers the whole filter, so that no row is read unnecessarily.
    expect(plan).toContain(
      'category' in (query as { where: object }).where ? '<expr>=? AND <expr>=?' : '<expr>=?',
    );
  }
  database.close();
  await store.close();
});
