import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openAcceptedPages } from '../../plugins/template-tests/accepted-pages.ts';
import { templateTestData } from '../../plugins/template-tests/account-data.ts';
import { openCases } from '../../plugins/template-tests/cases.ts';
import { cases as caseSpec, images as imageSpec } from '../../plugins/template-tests/collections.ts';
import type { TemplateCase } from '../../plugins/template-tests/contract.ts';
import { createVersionCheck } from '../../plugins/template-tests/required-checks.ts';
import { openBrowserChanges } from '../../plugins/template-tests/browser-changes.ts';
import { createTemplateTests } from '../../plugins/template-tests/service.ts';
import type { DeleteTemplateParts } from '../../plugins/templates/contract.ts';
import { etagOf } from '../../plugins/templates/etag.ts';
import { deleteOrphans } from '../../plugins/templates/orphans.ts';
import { createTemplatesService } from '../../plugins/templates/service.ts';
import { deleteExpiredTrash } from '../../plugins/templates/trash.ts';
import { AppError } from '../../src/errors.ts';
import { FileNotFoundError, type FileStore } from '../../src/files/files.ts';
import { createMongoStore } from '../../src/store/mongo.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import type { Collection, Store } from '../../src/store/store.ts';
import { rejection } from '../support/rejection.ts';
import { mongoServer, newMongoUrl } from '../support/service/servers.ts';
import { inProcess, openTemplates } from './template-harness.ts';

setDefaultTimeout(60_000);
const folder = mkdtempSync(join(tmpdir(), 'platen-cases-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stores: [string, () => Promise<Store>][] = [
  ['sqlite', async () => createSqliteStore({ path: join(folder, `${crypto.randomUUID()}.sqlite`) })],
];
if (await mongoServer()) stores.push(['mongo', async () => createMongoStore({ url: await newMongoUrl() })]);

const DAY_MS = 86_400_000;
const ann = { id: 'ann' };

/** Rejects writes after the first ones, as if the process had died. With `carriedOut`, makes the first of them. */
class Death {
  remaining = Infinity;
  carriedOut = false;

  wrap<T extends object>(target: T, writes: readonly (keyof T)[]): T {
    return new Proxy(target, {
      get: (object, name) => {
        const method = Reflect.get(object, name) as (...input: unknown[]) => Promise<unknown>;
        if (!(writes as readonly unknown[]).includes(name)) return method.bind(object);
        return async (...input: unknown[]) => {
          this.remaining -= 1;
          if (this.remaining >= 0) return method.apply(object, input);
          if (this.remaining === -1 && this.carriedOut) await method.apply(object, input);
          throw new Error('interrupted');
        };
      },
    });
  }
}

/** The services on a store. A document is its HTML and data as text, and pages are compared as text. */
async function start(open: () => Promise<Store>) {
  const store = await open();
  const death = new Death();
  const stored = new Map<string, Uint8Array>();
  const files = death.wrap(
    {
      async put(id: string, content: Uint8Array) {
        stored.set(id, content);
        return content.length;
      },
      async get(id: string) {
        const content = stored.get(id);
        if (!content) throw new FileNotFoundError(id);
        return { stream: new Blob([new Uint8Array(content)]).stream(), sizeBytes: content.length };
      },
      delete: async (id: string) => void stored.delete(id),
    },
    ['put', 'delete'],
  ) as unknown as FileStore;
  const records: Collection<TemplateCase> = death.wrap(await store.collection(caseSpec), [
    'insert',
    'update',
    'delete',
  ]);
  const partDeletions: DeleteTemplateParts[] = [];
  const collections = { ...(await openTemplates(store)), partDeletions };
  const templates = createTemplatesService(collections, inProcess);
  /** Runs while a document is made. */
  let whileRendering = async () => {};
  const tasks = {
    readAccepted: async () => ({ ok: false, code: 'INVALID_INPUT', message: 'is not used' }) as const,
    readChromium: async () => ({ ok: true, value: '141' }) as const,
    async compare({ pdf, accepted }: { pdf: Uint8Array; accepted: Uint8Array | undefined }) {
      const equal = accepted !== undefined && Buffer.compare(pdf, accepted) === 0;
      return {
        ok: true,
        value: { pages: [{ page: 1, equal, changedFraction: equal ? 0 : 1 }], layout: [] },
      } as const;
    },
  };
  const parts = {
    cases: openCases(records),
    images: { open: () => ({ left: 0, store: async (all: readonly unknown[]) => all.map(() => null) }) },
    changes: openBrowserChanges(records),
    accepted: openAcceptedPages({ files, tasks, pdfFiles: { loadField: async (_, __, source) => source } }),
    templates,
    render: {
      async printUnrecorded({ source, data }: { source: object; data?: { text: string } | undefined }) {
        await whileRendering();
        return { pdf: Buffer.from(JSON.stringify([source, data?.text])), pages: 1, warnings: [] };
      },
    },
    tasks,
    files,
  } as unknown as Parameters<typeof createTemplateTests>[0];
  const tests = createTemplateTests(parts);
  templates.useVersionCheck(createVersionCheck(parts));
  partDeletions.push((templateId) => tests.removeAll(templateId));
  const images = await store.collection(imageSpec);
  const { id } = await templates.create('ann', {
    name: 'Letter',
    html: 'one',
    schema: {},
    category: 'letter',
    requireChecks: true,
  });
  const put = (name = 'a', dataJson = '{}') =>
    tests.put({ account: ann, reserveMemory() {} }, id, { name, dataJson, optionsJson: null });
  const accept = (name = 'a') => tests.accept({ account: ann, templateId: id, name });
  const statuses = async () =>
    (await tests.check({ account: ann, templateId: id })).cases.map(
      ({ name, status }) => `${name} ${status}`,
    );
  return {
    store,
    death,
    stored,
    records,
    collections,
    templates,
    tests,
    id,
    put,
    accept,
    statuses,
    data: templateTestData({ cases: records, images, files }),
    setWhileRendering: (work: () => Promise<void>) => {
      whileRendering = async () => {
        whileRendering = async () => {};
        await work();
      };
    },
  };
}

const codeOf = async (work: Promise<unknown>) => {
  const error = await rejection(work);
  return error instanceof AppError ? error.code : error;
};

describe.each(stores)('cases of templates on %s', (_, open) => {
  test('an acceptance that is interrupted at any write leaves accepted pages that can be read', async () => {
    const { store, death, records, templates, id, put, accept, statuses, stored } = await start(open);
    await put();
    await accept();
    for (const carriedOut of [false, true])
      // The writes: the new file, the case, the earlier file.
      for (let allowed = 0; allowed < 3; allowed += 1) {
        await templates.update('ann', id, { html: `${allowed} ${carriedOut}`, requireChecks: false });
        Object.assign(death, { remaining: allowed, carriedOut });
        expect(String(await rejection(accept()))).toContain('interrupted');
        death.remaining = Infinity;
        const isAccepted = allowed > 1 || (allowed === 1 && carriedOut);
        expect(await statuses()).toEqual([`a ${isAccepted ? 'equal' : 'different'}`]);
        const [found] = await records.find({});
        expect(stored.has(found?.accepted?.fileId ?? '')).toBe(true);
        expect(found?.acceptedFileId).toBe(found?.accepted?.fileId ?? null);
        await accept();
        expect(await statuses()).toEqual(['a equal']);
      }
    await store.close();
  });

  test('end with their template, also when its deletion is interrupted', async () => {
    for (const allowed of [0, 1]) {
      const { store, death, stored, records, collections, templates, id, put, accept } = await start(open);
      await put();
      await accept();
      Object.assign(death, { remaining: allowed, carriedOut: true });
      expect(String(await rejection(templates.remove('ann', id)))).toContain('interrupted');
      death.remaining = Infinity;
      await deleteOrphans(collections, Date.now() + DAY_MS);
      expect([stored.size, await records.count({})]).toEqual([0, 0]);
      await store.close();
    }
  });

  test('stay with a template in the trash, and are deleted with it, or with the account', async () => {
    const { store, stored, records, collections, templates, tests, id, put, accept, statuses, data } =
      await start(open);
    await put();
    await accept();
    await templates.trash.discard('ann', id);
    expect(await codeOf(tests.get('ann', id, 'a'))).toBe('NOT_FOUND');
    await templates.trash.restore('ann', id);
    expect(await statuses()).toEqual(['a equal']);
    const [cases] = data;
    expect(await cases?.count('ann')).toBe(1);
    for await (const page of cases?.read('ann') ?? [])
      expect(page).toMatchObject([{ record: { name: 'a', template: id }, fileIds: [...stored.keys()] }]);
    await templates.trash.discard('ann', id);
    await deleteExpiredTrash(collections, Date.now() + 40 * DAY_MS);
    expect([stored.size, await records.count({})]).toEqual([0, 0]);
    await store.close();

    const other = await start(open);
    await other.put();
    await other.accept();
    for (const owned of other.data) await owned.delete('ann');
    expect([other.stored.size, await other.records.count({})]).toEqual([0, 0]);
    await other.store.close();
  });

  test('a case is not stored for a template that is deleted meanwhile, nor accepted after its data changed', async () => {
    const { store, stored, records, templates, id, put, accept, setWhileRendering } = await start(open);
    await put();
    setWhileRendering(async () => void (await put('a', '{"b":1}')));
    expect(await codeOf(accept())).toBe('CONFLICT');
    setWhileRendering(async () => templates.remove('ann', id));
    expect(await codeOf(accept())).toBe('NOT_FOUND');
    expect([stored.size, await records.count({})]).toEqual([0, 0]);
    await store.close();
  });

  test('a change that another request overtakes during its check is refused, and loses nothing', async () => {
    const { store, templates, id, put, accept, setWhileRendering } = await start(open);
    await put();
    await accept();
    setWhileRendering(async () => void (await templates.saveDraft('ann', id, { html: 'draft' })));
    // The options decide about the document, but the harness prints only the HTML, so the check passes.
    const change = { optionsJson: '{"format":"A5"}' };
    expect(await codeOf(templates.update('ann', id, change))).toBe('CONFLICT');
    expect((await templates.get('ann', id, 'draft')).html).toBe('draft');
    expect((await templates.get('ann', id)).optionsJson ?? null).toBeNull();
    expect((await templates.update('ann', id, change)).check?.passed).toBe(true);
    await store.close();
  });

  test('a change whose check fails replaces no change that another request made during the check', async () => {
    const { store, templates, id, put, accept, setWhileRendering } = await start(open);
    await put();
    await accept();
    const overtaken = async (other: () => Promise<unknown>) => {
      setWhileRendering(async () => void (await other()));
      expect(await codeOf(templates.update('ann', id, { html: 'held back' }))).toBe('CONFLICT');
    };
    await overtaken(() => templates.update('ann', id, { sampleDataJson: '{"b":1}' }));
    const current = await templates.get('ann', id);
    expect([current.sampleDataJson, current.draft ?? null]).toEqual(['{"b":1}', null]);
    await overtaken(() => templates.saveDraft('ann', id, { html: 'of another author' }));
    expect((await templates.get('ann', id, 'draft')).html).toBe('of another author');

    await templates.update('ann', id, { html: 'two', requireChecks: false });
    await templates.update('ann', id, { requireChecks: true });
    await accept();
    setWhileRendering(async () => void (await templates.update('ann', id, { sampleDataJson: '{"c":1}' })));
    expect(await codeOf(templates.restore('ann', id, 1))).toBe('CONFLICT');
    expect((await templates.get('ann', id)).sampleDataJson).toBe('{"c":1}');
    await store.close();
  });

  test('a change that is held back changes its other fields with the draft, or nothing', async () => {
    const { store, templates, id, put, accept, setWhileRendering } = await start(open);
    await put();
    await accept();
    await templates.create('ann', { name: 'Other', html: '', schema: {}, category: 'other', alias: 'taken' });
    await templates.saveDraft('ann', id, { html: 'draft' });
    const change = { html: 'two', name: 'New', alias: 'taken', tags: ['a'] };
    expect(await codeOf(templates.update('ann', id, change))).toBe('VALIDATION_ERROR');
    expect(await templates.get('ann', id, 'draft')).toMatchObject({ html: 'draft', name: 'Letter' });
    const etag = etagOf(await templates.get('ann', id));
    setWhileRendering(async () => void (await templates.update('ann', id, { category: 'report' })));
    expect(await codeOf(templates.update('ann', id, { html: 'two' }, etag))).toBe('CONFLICT');
    const held = await templates.update('ann', id, { ...change, alias: 'free' });
    const fields = {
      html: 'two',
      name: 'New',
      alias: 'free',
      tags: ['a'],
      category: 'report',
      currentVersion: 1,
    };
    expect(held).toMatchObject({ ...fields, check: { passed: false } });
    expect(await templates.get('ann', id, held.version)).toMatchObject(fields);
    expect((await templates.list('ann', { search: 'new', limit: 9 })).records).toHaveLength(1);
    await store.close();
  });

  test('a template that requires checks gets no unchecked version while nothing can check it', async () => {
    const { store, collections, templates, id } = await start(open);
    await templates.update('ann', id, { html: 'two' });
    const unable = createTemplatesService(collections, inProcess);
    const { version } = await unable.saveDraft('ann', id, { html: 'three' });
    for (const work of [
      unable.update('ann', id, { html: 'three' }),
      unable.promote('ann', id, version),
      unable.restore('ann', id, 1),
    ])
      expect(String(await rejection(work))).toContain('needs the plugin "template-tests", which is off');
    expect((await templates.get('ann', id)).html).toBe('two');
    expect((await unable.update('ann', id, { html: 'three', requireChecks: false })).html).toBe('three');
    await store.close();
  });

  test('the last of concurrent acceptances makes the draft current', async () => {
    const { store, templates, id, put, accept } = await start(open);
    for (const name of ['a', 'b', 'c']) {
      await put(name);
      await accept(name);
    }
    const held = await templates.update('ann', id, { html: 'two' });
    expect([held.version, held.currentVersion, held.check?.passed]).toEqual([2, 1, false]);
    const accepted = await Promise.all(['a', 'b', 'c'].map(async (name) => accept(name)));
    expect(accepted.some(({ promoted }) => promoted)).toBe(true);
    expect((await templates.get('ann', id)).html).toBe('two');
    await store.close();
  });
});
