import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { createTableSql, selectSql, updateSql, type BoundSql } from '../store/sqlite-query.ts';
import { dueJobs, jobsSpec, toOwner, toShareKey } from './job-document.ts';

const now = Date.now();
const byPlace = { place: 'asc' } as const;
const unheld = { name: 'a', lockedAt: null };

function planOf({ sql, values }: BoundSql): string[] {
  const database = new Database(':memory:');
  for (const statement of createTableSql(jobsSpec)) database.run(statement.sql);
  return database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .values(...values)
    .map((row) => String(row.at(-1)));
}

const ofOwner = 'jobs(name asc, lockedAt asc, shareKey asc, place asc, nextRunAt asc)';
const ofAll = 'jobs(name asc, lockedAt asc, place asc, nextRunAt asc)';

test.each([
  [
    'the first job of an owner is claimed',
    updateSql(
      jobsSpec,
      { lockedAt: now },
      { where: { ...dueJobs('a', now), shareKey: 'b' }, order: byPlace, now },
    ),
    `${ofOwner} (<expr>=? AND <expr>=? AND <expr>=? AND <expr><?)`,
  ],
  [
    'the first job without an owner is claimed',
    updateSql(
      jobsSpec,
      { lockedAt: now },
      { where: { ...dueJobs('a', now), shareKey: null }, order: byPlace, now },
    ),
    `${ofOwner} (<expr>=? AND <expr>=? AND <expr>=? AND <expr><?)`,
  ],
  [
    'the next owner is found',
    selectSql(
      jobsSpec,
      { where: { ...unheld, shareKey: { gt: 'b' } }, order: { shareKey: 'asc', place: 'asc' }, limit: 1 },
      now,
    ),
    `${ofOwner} (<expr>=? AND <expr>=? AND <expr>>?)`,
  ],
  [
    'the first jobs of all owners are found',
    selectSql(jobsSpec, { where: dueJobs('a', now), order: byPlace, limit: 32 }, now),
    `${ofAll} (<expr>=? AND <expr>=? AND <expr><?)`,
  ],
])('%s by an index without sorting', (_, statement, index) => {
  const plan = planOf(statement);
  expect(plan).toContainEqual(`SEARCH jobs USING INDEX ${index}`);
  expect(plan.join()).not.toContain('TEMP B-TREE');
});

test('an owner is the same after writing and reading it, with and without a target', () => {
  for (const owner of [{ account: 'acct_1' }, { account: 'acct_1', target: 'example.com:8080' }])
    expect(toOwner(toShareKey(owner))).toEqual({ target: undefined, ...owner });
  expect(toOwner(toShareKey(undefined))).toEqual({ account: '', target: undefined });
});
