import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findPage, UnknownPositionError, type Page } from './find-page.ts';
import { createSqliteStore } from './sqlite.ts';
import type { Collection, Filter, Store } from './store.ts';

interface Entry {
  id: string;
  owner: string;
  status: string;
  createdAt: number;
}

const ORDER = { createdAt: 'desc', id: 'desc' } as const;
const OWNER = { owner: 'a' };
const STRIDE = 7;

let folder: string;
let store: Store;
let entries: Collection<Entry>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  store = createSqliteStore({ path: join(folder, 'platen.sqlite') });
  entries = await store.collection<Entry>({ name: 'entries' });
  const records = Array.from({ length: 90 }, (_, index) => ({
    id: `entry_${(index * 37) % 90}`,
    owner: index % 9 === 8 ? 'b' : 'a',
    status: index % 3 === 0 ? 'failed' : 'completed',
    // One by one, then five at a time, then more than a stride at once.
    createdAt: index < 30 ? index : index < 60 ? 30 + Math.floor(index / 5) : 100,
  }));
  await entries.insertMany(records);
});
afterAll(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

const FILTERS: readonly Filter<Entry>[] = [
  {},
  { status: 'failed' },
  { createdAt: { gte: 20, lt: 100 } },
  { createdAt: { lte: 38 } },
  { createdAt: 100 },
  { either: [{ status: 'failed' }, { createdAt: { lt: 30 } }] },
];
const find = (filter: Filter<Entry>, page: Page) =>
  findPage(entries, { where: { ...OWNER, ...filter }, at: (id) => ({ ...OWNER, id }), page }, STRIDE);
const all = (filter: Filter<Entry>) => entries.find({ where: { ...OWNER, ...filter }, order: ORDER });

describe.each(FILTERS.map((filter) => [JSON.stringify(filter), filter] as const))(
  'a list with the filter %s',
  (_, filter) => {
    test('has the records of a plain query at every offset', async () => {
      const expected = await all(filter);
      for (let offset = 0; offset < 95; offset += 1) {
        const { records, hasMore } = await find(filter, { limit: 6, offset });
        expect(records).toEqual(expected.slice(offset, offset + 6));
        expect(hasMore).toBe(offset + 6 < expected.length);
      }
    });

    test('has the records on both sides of each record of the owner, whether or not it matches', async () => {
      const expected = await all(filter);
      for (const { id, createdAt } of await all({})) {
        const isAfter = (entry: Entry) =>
          entry.createdAt < createdAt || (entry.createdAt === createdAt && entry.id < id);
        const after = expected.filter(isAfter);
        expect(await find(filter, { limit: 6, startingAfter: id })).toEqual({
          records: after.slice(0, 6),
          hasMore: after.length > 6,
        });
        const before = expected.filter((entry) => entry.id !== id && !isAfter(entry));
        expect(await find(filter, { limit: 6, endingBefore: id })).toEqual({
          records: before.slice(-6),
          hasMore: before.length > 6,
        });
      }
    });

    test('has the number of its records on request', async () => {
      const { total, records } = await find(filter, { limit: 1, offset: 3, includeTotal: true });
      expect(total).toBe((await all(filter)).length);
      expect(records).toHaveLength(1);
    });
  },
);

test('a page follows its record while newer ones are added', async () => {
  const [first, second, third] = await all({ status: 'failed' });
  await entries.insert({ id: 'entry_new', owner: 'a', status: 'failed', createdAt: 200 });
  const { records } = await find({ status: 'failed' }, { limit: 2, startingAfter: first!.id });
  expect(records).toEqual([second!, third!]);
  await entries.delete({ id: 'entry_new' });
});

test.each(['startingAfter', 'endingBefore'] as const)(
  '%s must be a record of the same owner',
  async (field) => {
    const foreign = await entries.find({ where: { owner: 'b' }, limit: 1 });
    for (const id of [foreign[0]!.id, 'entry_none', '']) {
      const error = await find({}, { limit: 2, [field]: id }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(UnknownPositionError);
      expect((error as UnknownPositionError).field).toBe(field);
    }
  },
);
