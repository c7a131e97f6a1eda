import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { templateData } from '../../plugins/templates/account-data.ts';
import { deleteOrphans } from '../../plugins/templates/orphans.ts';
import { createTemplatesService } from '../../plugins/templates/service.ts';
import { deleteExpiredTrash } from '../../plugins/templates/trash.ts';
import { AppError } from '../../src/errors.ts';
import { createMongoStore } from '../../src/store/mongo.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { mongoServer, newMongoUrl } from '../support/service/servers.ts';
import { inProcess, openTemplates } from './template-harness.ts';

setDefaultTimeout(60_000);
const folder = mkdtempSync(join(tmpdir(), 'platen-trash-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stores: [string, () => Promise<Store>][] = [
  ['sqlite', async () => createSqliteStore({ path: join(folder, `${crypto.randomUUID()}.sqlite`) })],
];
if (await mongoServer()) stores.push(['mongo', async () => createMongoStore({ url: await newMongoUrl() })]);

const DAY_MS = 86_400_000;
/** Returns the code of the error with which work fails, or `done`. */
async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'done',
    (error: unknown) => (error instanceof AppError ? error.code : error),
  );
}

const page = { limit: 10, offset: 0 };

describe.each(stores)('the trash of templates on %s', (_, open) => {
  async function start() {
    const store = await open();
    const collections = await openTemplates(store);
    const service = createTemplatesService(collections, inProcess);
    const make = async (fields: { name?: string; isPartial?: boolean } = {}) => {
      const input = {
        name: 'Letter',
        html: '<p>One</p>',
        schema: {},
        category: 'letter',
        ...fields,
      } as const;
      const { id } = await service.create('ann', input);
      await service.update('ann', id, { html: '<p>Two</p>' });
      return id;
    };
    const countContents = () => collections.contents.count({});
    return { store, collections, service, trash: service.trash, make, countContents };
  }

  test('keeps a template with its versions, which nothing else finds, and restores it as private', async () => {
    const { store, collections, service, trash, make } = await start();
    const id = await make();
    await service.setPublic('ann', id, true);
    expect(await outcomeOf(trash.discard('bob', id))).toBe('NOT_FOUND');
    await trash.discard('ann', id);
    expect((await service.list('ann', page)).records).toEqual([]);
    expect((await service.listPublic(page)).records).toEqual([]);
    for (const read of [
      () => service.get('ann', id),
      () => service.getPublic(id),
      () => service.update('ann', id, { html: '<p>Three</p>' }),
      () => service.remove('ann', id),
      () => trash.discard('ann', id),
      () => trash.restore('bob', id),
      () => trash.remove('bob', id),
    ])
      expect(await outcomeOf(read())).toBe('NOT_FOUND');
    expect((await trash.list('bob', page)).records).toEqual([]);
    expect((await trash.list('ann', page)).records).toMatchObject([
      { id, template: { name: 'Letter', version: 2 } },
    ]);
    // The sweep of orphans leaves the contents of the trash alone.
    await deleteOrphans(collections, Date.now() + DAY_MS);
    await trash.restore('ann', id);
    expect(await service.get('ann', id)).toMatchObject({ html: '<p>Two</p>', version: 2, isPublic: false });
    expect(await service.get('ann', id, 1)).toMatchObject({ html: '<p>One</p>' });
    expect((await trash.list('ann', page)).records).toEqual([]);
    await store.close();
  });

  test('a template is deleted for good after 30 days, or at once on request', async () => {
    const { store, collections, trash, make, countContents } = await start();
    await trash.discard('ann', await make());
    await deleteExpiredTrash(collections, Date.now() + 29 * DAY_MS);
    expect([(await trash.list('ann', page)).records, await countContents()]).toMatchObject([[{}], 2]);
    await deleteExpiredTrash(collections, Date.now() + 31 * DAY_MS);
    expect([(await trash.list('ann', page)).records, await countContents()]).toEqual([[], 0]);
    const id = await make();
    await trash.discard('ann', id);
    await trash.remove('ann', id);
    expect([(await trash.list('ann', page)).records, await countContents()]).toEqual([[], 0]);
    expect(await collections.versions.count({})).toBe(0);
    await store.close();
  });

  test('a template whose time has ended is neither listed nor restored', async () => {
    const { store, collections, trash, make } = await start();
    const id = await make();
    await trash.discard('ann', id);
    await collections.trash.update({ id }, { expiresAt: Date.now() - 1 });
    expect((await trash.list('ann', page)).records).toEqual([]);
    expect(await outcomeOf(trash.restore('ann', id))).toBe('NOT_FOUND');
    await store.close();
  });

  test('after a crash between the two records, the template is live and stays so', async () => {
    const { store, collections, service, trash, make } = await start();
    const id = await make();
    const template = await collections.templates.get(id);
    if (!template) throw new Error('the template is missing');
    const entry = { id, accountId: 'ann', template, createdAt: Date.now() };
    for (const end of [
      () => trash.remove('ann', id),
      () => trash.restore('ann', id),
      () => deleteExpiredTrash(collections, Date.now() + 31 * DAY_MS),
    ]) {
      await collections.trash.insert({ ...entry, expiresAt: Date.now() + DAY_MS });
      await end();
      expect(await collections.trash.count({})).toBe(0);
      expect(await service.get('ann', id)).toMatchObject({ html: '<p>Two</p>' });
      expect(await service.get('ann', id, 1)).toMatchObject({ html: '<p>One</p>' });
    }
    await store.close();
  });

  test('a template that is discarded during a sweep keeps its contents', async () => {
    const { store, collections, service, trash, make } = await start();
    const id = await make();
    const slow = {
      ...collections,
      trash: {
        ...collections.trash,
        async get(wanted: string) {
          const entry = await collections.trash.get(wanted);
          if (entry === null) await trash.discard('ann', wanted);
          return entry;
        },
      },
    };
    await deleteOrphans(slow, Date.now() + DAY_MS);
    await trash.restore('ann', id);
    expect(await service.get('ann', id)).toMatchObject({ html: '<p>Two</p>' });
    await store.close();
  });

  test('changes at the same time lose no content', async () => {
    const { store, service, trash, make } = await start();
    for (let round = 0; round < 10; round += 1) {
      const id = await make();
      const changes = [1, 2, 3].map(async (number) =>
        service.update('ann', id, { html: `<p>${number}</p>` }),
      );
      const [discarded] = await Promise.allSettled([trash.discard('ann', id), ...changes]);
      expect(discarded.status).toBe('fulfilled');
      const { version } = await trash.restore('ann', id);
      for (let each = 1; each <= version; each += 1)
        expect((await service.get('ann', id, each)).html).toStartWith('<p>');
    }
    await store.close();
  });

  test('a partial is not restored beside another partial of its name', async () => {
    const { store, service, trash, make } = await start();
    const id = await make({ name: 'footer', isPartial: true });
    await trash.discard('ann', id);
    await make({ name: 'footer', isPartial: true });
    expect(await outcomeOf(trash.restore('ann', id))).toBe('VALIDATION_ERROR');
    expect((await service.list('ann', page)).records).toHaveLength(1);
    expect((await trash.list('ann', page)).records).toHaveLength(1);
    await store.close();
  });

  test('is exported and erased with its account', async () => {
    const { store, collections, trash, make, countContents } = await start();
    const id = await make();
    await trash.discard('ann', id);
    const data = templateData(collections).find(({ name }) => name === 'deleted-templates');
    if (!data) throw new Error('the trash is not declared');
    const pages = await Array.fromAsync(data.read('ann'));
    expect(pages.flat()).toMatchObject([
      {
        record: {
          id,
          name: 'Letter',
          versions: [{ html_content: '<p>One</p>' }, { html_content: '<p>Two</p>' }],
        },
      },
    ]);
    await data.delete('bob');
    expect(await data.count('ann')).toBe(1);
    await data.delete('ann');
    expect([await data.count('ann'), await countContents()]).toEqual([0, 0]);
    await store.close();
  });
});
