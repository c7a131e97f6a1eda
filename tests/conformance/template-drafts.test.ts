import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { templateData } from '../../plugins/templates/account-data.ts';
import type { TemplateCollections } from '../../plugins/templates/contents.ts';
import { deleteOrphans } from '../../plugins/templates/orphans.ts';
import { createTemplatesService } from '../../plugins/templates/service.ts';
import { recordVersion } from '../../plugins/templates/versions.ts';
import { AppError } from '../../src/errors.ts';
import { createMongoStore } from '../../src/store/mongo.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import type { Store } from '../../src/store/store.ts';
import { rejection } from '../support/rejection.ts';
import { mongoServer, newMongoUrl } from '../support/service/servers.ts';
import { inProcess, interruptWrites, openTemplates } from './template-harness.ts';

setDefaultTimeout(60_000);
const folder = mkdtempSync(join(tmpdir(), 'platen-drafts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stores: [string, () => Promise<Store>][] = [
  ['sqlite', async () => createSqliteStore({ path: join(folder, `${crypto.randomUUID()}.sqlite`) })],
];
if (await mongoServer()) stores.push(['mongo', async () => createMongoStore({ url: await newMongoUrl() })]);

const LATER_MS = 2 * 3_600_000;
const ONE = { html: 'one', schema: { a: 'string' }, optionsJson: '{"format":"A4"}' } as const;
const TWO = { html: 'two', schema: { b: 'number' }, sampleDataJson: '{"b":2}' } as const;
const THREE = { html: 'three', schema: {}, optionsJson: null } as const;

async function start(open: () => Promise<Store>) {
  const store = await open();
  const collections = await openTemplates(store);
  const service = createTemplatesService(collections, inProcess);
  const make = async () => {
    const { id } = await service.create('ann', { name: 'Letter', category: 'letter', ...ONE });
    return id;
  };
  /** Returns the service of a process that dies at a write. */
  const dying = (allowed: number, carriedOut: boolean) =>
    createTemplatesService(interruptWrites(collections, { allowed, carriedOut }), inProcess);
  return { store, collections, service, make, dying };
}

/** Returns the HTML of every version that the list has. */
async function listed(collections: TemplateCollections, id: string) {
  const service = createTemplatesService(collections, inProcess);
  const { records } = await service.listVersions('ann', id, { limit: 100 });
  const states = records.map(async ({ version, isCurrent, isDraft }) => {
    const { html } = await service.get('ann', id, version);
    return `${version} ${html}${isCurrent ? ' current' : ''}${isDraft ? ' draft' : ''}`;
  });
  return Promise.all(states);
}

/** Expects that the sweep leaves the contents of all versions and drafts, and no others. */
async function expectNoOrphans(collections: TemplateCollections, id: string, count: number) {
  const before = await listed(collections, id);
  await deleteOrphans(collections, Date.now() + LATER_MS);
  expect(await listed(collections, id)).toEqual(before);
  expect(await collections.contents.count({ templateId: id })).toBe(count);
  expect(await collections.orphanMarks.count({})).toBe(0);
}

describe.each(stores)('drafts on %s', (_, open) => {
  test('a draft that is interrupted at any write is stored whole or not at all', async () => {
    const { store, collections, service, make, dying } = await start(open);
    for (const carriedOut of [false, true])
      // The writes: marks of the new and the replaced content, content, template, deletion of the replaced.
      for (let allowed = 0; allowed < 5; allowed += 1) {
        const id = await make();
        await service.saveDraft('ann', id, TWO);
        const saving = dying(allowed, carriedOut).saveDraft('ann', id, THREE);
        expect(String(await rejection(saving))).toContain('interrupted');
        const isStored = allowed > 3 || (allowed === 3 && carriedOut);
        expect(await listed(collections, id)).toEqual([
          isStored ? '3 three draft' : '2 two draft',
          '1 one current',
        ]);
        await expectNoOrphans(collections, id, 2);
        const next = await service.saveDraft('ann', id, { html: 'next' });
        expect(next).toMatchObject({ version: isStored ? 4 : 3, currentVersion: 1 });
        await expectNoOrphans(collections, id, 2);
        await service.promote('ann', id, next.version);
        expect((await service.get('ann', id)).html).toBe('next');
      }
    await store.close();
  });

  test('a promotion or deletion that is interrupted at any write took place or did not', async () => {
    const { store, collections, service, make, dying } = await start(open);
    for (const carriedOut of [false, true])
      for (let allowed = 0; allowed < 2; allowed += 1) {
        const id = await make();
        await service.saveDraft('ann', id, TWO);
        const broken = dying(allowed, carriedOut).promote('ann', id, 2);
        expect(String(await rejection(broken))).toContain('interrupted');
        const isPromoted = allowed === 1 && carriedOut;
        expect(await listed(collections, id)).toEqual(
          isPromoted ? ['2 two current', '1 one'] : ['2 two draft', '1 one current'],
        );
        await expectNoOrphans(collections, id, 2);
        expect(await service.promote('ann', id, 2)).toMatchObject({ version: 2, ...TWO });
        expect(await service.get('ann', id, 1)).toMatchObject(ONE);
        await expectNoOrphans(collections, id, 2);
      }
    for (const carriedOut of [false, true])
      for (let allowed = 0; allowed < 3; allowed += 1) {
        const id = await make();
        await service.saveDraft('ann', id, TWO);
        const broken = dying(allowed, carriedOut).discardDraft('ann', id, 2);
        expect(String(await rejection(broken))).toContain('interrupted');
        const isDeleted = allowed === 2 || (allowed === 1 && carriedOut);
        expect(await listed(collections, id)).toEqual([
          ...(isDeleted ? [] : ['2 two draft']),
          '1 one current',
        ]);
        await expectNoOrphans(collections, id, isDeleted ? 1 : 2);
      }
    await store.close();
  });

  test('a version has its last state, though an interrupted change had recorded an earlier one', async () => {
    const { store, collections, service, make, dying } = await start(open);
    for (const allowed of [1, 2]) {
      const id = await make();
      const broken = dying(allowed, false).update('ann', id, { html: 'lost' });
      expect(String(await rejection(broken))).toContain('interrupted');
      const early = await collections.templates.get(id);
      await service.update('ann', id, { optionsJson: '{"format":"A5"}' });
      await service.update('ann', id, TWO);
      expect(await service.get('ann', id, 1)).toMatchObject({ ...ONE, optionsJson: '{"format":"A5"}' });
      // A process that read the template earlier, and is slow, changes nothing.
      if (early) await recordVersion(collections.versions, early);
      expect(await service.get('ann', id, 1)).toMatchObject({ ...ONE, optionsJson: '{"format":"A5"}' });
    }
    await store.close();
  });

  test('versions and templates of release 0.1.0, which hold only HTML, have the current fields', async () => {
    const { store, collections, service, make } = await start(open);
    const id = await make();
    await service.update('ann', id, { html: 'two' });
    const [record] = await collections.versions.find({ where: { templateId: id } });
    if (!record) throw new Error('no record');
    const { schema, optionsJson, sampleDataJson, revision, ...bare } = record;
    expect({ schema, optionsJson, sampleDataJson, revision }).toEqual({
      schema: ONE.schema,
      optionsJson: ONE.optionsJson,
      sampleDataJson: null,
      revision: 0,
    });
    await collections.versions.delete({ id: record.id });
    await collections.versions.insert(bare);
    const template = await collections.templates.get(id);
    if (!template) throw new Error('no template');
    const { revision: changed, lastVersion, ...old } = template;
    expect([changed, lastVersion]).toEqual([1, 2]);
    await collections.templates.delete({ id });
    await collections.templates.insert(old);
    // A crash left the record of the current version.
    await collections.versions.insert({ ...bare, id: `${id}:2`, version: 2, contentId: old.contentId });
    await service.update('ann', id, { schema: { c: 'date' } });
    expect(await service.get('ann', id, 1)).toMatchObject({ html: 'one', schema: { c: 'date' } });
    expect(await listed(collections, id)).toEqual(['2 two current', '1 one']);
    await service.saveDraft('ann', id, THREE);
    expect((await service.promote('ann', id, 3)).version).toBe(3);
    expect(await service.get('ann', id, 2)).toMatchObject({ html: 'two', schema: { c: 'date' } });
    expect((await service.restore('ann', id, 1)).version).toBe(4);
    await store.close();
  });

  test('changes at the same time leave every version readable, and only the contents of versions', async () => {
    const { store, collections, service, make } = await start(open);
    const id = await make();
    const outcomes: string[] = [];
    const run = async (name: string, work: Promise<unknown>) => {
      try {
        await work;
        outcomes.push(name);
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
      }
    };
    const work = async (index: number) => {
      for (let round = 0; round < 6; round += 1) {
        const kind = (index + round) % 4;
        const draftVersion = (await service.get('ann', id)).draft?.version ?? 1;
        if (kind === 0)
          await run('updated', service.update('ann', id, { html: `html ${index} ${round % 2}` }));
        if (kind === 1)
          await run('drafted', service.saveDraft('ann', id, { html: `draft ${index} ${round % 2}` }));
        if (kind === 2) await run('promoted', service.promote('ann', id, draftVersion));
        if (kind === 3)
          await run('options', service.update('ann', id, { optionsJson: `{"scale":${round}}` }));
        if (kind === 3 && round > 3) await run('deleted', service.discardDraft('ann', id, draftVersion));
        // A draft that is being replaced is still read.
        const { draft } = await service.get('ann', id);
        if (draft) await service.find('ann', id, 'draft');
      }
    };
    await Promise.all(Array.from({ length: 8 }, (__, index) => work(index)));
    expect(new Set(outcomes)).toContain('updated');
    const states = await listed(collections, id);
    const numbers = states.map((state) => Number.parseInt(state, 10));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(states.filter((state) => state.endsWith('current'))).toHaveLength(1);
    const template = await collections.templates.get(id);
    const drafted = template?.draft?.version;
    expect(template?.version).toBe(Math.max(...numbers.filter((number) => number !== drafted)));
    await deleteOrphans(collections, Date.now() + LATER_MS);
    expect(await listed(collections, id)).toEqual(states);
    const records = await collections.versions.find({ where: { templateId: id } });
    const named = [
      template?.contentId,
      template?.draft?.contentId,
      ...records.map(({ contentId }) => contentId),
    ];
    for (const { id: contentId, html } of await collections.contents.find({ where: { templateId: id } }))
      if (html.startsWith('draft')) expect(named).toContain(contentId);
    await store.close();
  });

  test('a draft is kept in the trash, exported, and erased with its template', async () => {
    const { store, collections, service, make } = await start(open);
    const id = await make();
    await service.saveDraft('ann', id, TWO);
    await service.saveDraft('ann', id, THREE);
    await service.trash.discard('ann', id);
    await deleteOrphans(collections, Date.now() + LATER_MS);
    await service.trash.restore('ann', id);
    expect(await service.get('ann', id, 'draft')).toMatchObject({ ...TWO, ...THREE, version: 3 });
    const [data] = templateData(collections);
    const exported = await Array.fromAsync(data?.read('ann') ?? []);
    expect(exported.flat()).toMatchObject([
      {
        record: {
          id,
          versions: [
            { version: 1, html_content: 'one', options: { format: 'A4' }, schema: ONE.schema },
            { version: 3, html_content: 'three', sample_data: { b: 2 }, draft: true },
          ],
        },
      },
    ]);
    await service.remove('ann', id);
    await deleteOrphans(collections, Date.now() + LATER_MS);
    for (const collection of Object.values(collections)) expect(await collection.count({})).toBe(0);
    await store.close();
  });
});
