import { expect, test } from 'bun:test';
import type { Collection } from '../../src/plugin.ts';
import { createSqliteStore } from '../../src/store/sqlite.ts';
import type { Query } from '../../src/store/store.ts';
import { openCases } from './cases.ts';
import { cases as spec } from './collections.ts';
import type { TemplateCase } from './contract.ts';

/** Opens 25 cases with data of this length, and notes how many each query may return. */
async function open(dataCharacters: number) {
  const collection = await createSqliteStore({ path: ':memory:' }).collection(spec);
  const limits: (number | undefined)[] = [];
  const find = (query: Query<TemplateCase> = {}) => {
    limits.push(query.limit);
    return collection.find(query);
  };
  const cases = openCases({ ...collection, find } satisfies Collection<TemplateCase>);
  for (let count = 0; count < 25; count += 1) {
    const name = `case${String(count).padStart(2, '0')}`;
    const dataJson = JSON.stringify('x'.repeat(dataCharacters));
    await cases.save({ accountId: 'a', templateId: 't', name, dataJson, optionsJson: null }, undefined);
  }
  return { cases, limits };
}

const namesOf = (records: readonly TemplateCase[]) => records.map(({ name }) => name);

test('cases are read a few at a time, because long ones delay other requests', async () => {
  const { cases, limits } = await open(10);
  const all = await cases.all('t');
  expect(namesOf(all)).toEqual(namesOf(all).toSorted());
  expect(new Set(namesOf(all)).size).toBe(25);
  const newest = namesOf((await cases.list('t', { limit: 100 })).records);
  expect(newest.toSorted()).toEqual(namesOf(all));
  const page = await cases.list('t', { limit: 15, offset: 2, includeTotal: true });
  expect([namesOf(page.records), page.hasMore, page.total]).toEqual([newest.slice(2, 17), true, 25]);
  const before = await cases.list('t', { limit: 15, endingBefore: newest[20] });
  expect([namesOf(before.records), before.hasMore]).toEqual([newest.slice(5, 20), true]);
  const after = await cases.list('t', { limit: 15, startingAfter: newest[9] });
  expect([namesOf(after.records), after.hasMore]).toEqual([newest.slice(10), false]);
  expect(limits.every((limit) => limit !== undefined && limit <= 11)).toBe(true);
});

test('a list ends early if its cases are long', async () => {
  const { cases } = await open(60_000);
  const { records, hasMore } = await cases.list('t', { limit: 20 });
  expect([records.length, hasMore]).toEqual([8, true]);
});
