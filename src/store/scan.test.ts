import { afterEach, beforeEach, expect, test } from 'bun:test';
import { scan } from './scan.ts';
import { createSqliteStore } from './sqlite.ts';
import type { Collection, Store } from './store.ts';

interface Entry {
  id: string;
  kind: string;
  at: number;
}

let store: Store;
let entries: Collection<Entry>;
beforeEach(async () => {
  store = createSqliteStore({ path: ':memory:' });
  entries = await store.collection<Entry>({
    name: 'entries',
    indexes: [{ fields: { kind: 'asc', at: 'asc' } }],
  });
});
afterEach(() => store.close());

const add = (count: number, at: (index: number) => number, kind = 'a') =>
  entries.insertMany(
    Array.from({ length: count }, (_, index) => ({ id: `${kind}${index}`, kind, at: at(index) })),
  );

async function read(options: Partial<Parameters<typeof scan<Entry>>[1]> = {}): Promise<string[]> {
  const ids: string[] = [];
  for await (const page of scan(entries, { where: { kind: 'a' }, by: 'at', pageSize: 10, ...options }))
    ids.push(...page.map(({ id }) => id));
  return ids;
}

const ids = (count: number, from = 0) => Array.from({ length: count }, (_, index) => `a${index + from}`);

test.each([
  ['no document', 0, () => 1],
  ['one page', 9, (index: number) => index],
  ['pages that end with the last document', 30, (index: number) => index],
  ['documents of one time over several pages', 47, () => 5],
  ['times that few documents share', 47, (index: number) => Math.floor(index / 3)],
])('reads %s once, and in order', async (_, count, at) => {
  await add(count, at);
  await add(5, at, 'b');
  expect(await read()).toEqual(ids(count));
});

test('reads a range', async () => {
  await add(50, (index) => index);
  expect(await read({ from: 13, to: 35 })).toEqual(ids(23, 13));
});

test('skips no document when documents that were read stop matching', async () => {
  await add(60, (index) => Math.floor(index / 20));
  const seen: string[] = [];
  for await (const page of scan(entries, { where: { kind: 'a' }, by: 'at', pageSize: 10 })) {
    for (const { id } of page) await entries.update({ id }, { kind: 'done' });
    seen.push(...page.map(({ id }) => id));
  }
  expect(seen).toEqual(ids(60));
});
