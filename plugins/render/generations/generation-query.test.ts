import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { createTableSql, selectSql } from '../../../src/store/sqlite-query.ts';
import { generations } from './collections.ts';
import type { GenerationFilter } from '../contract.ts';
import { generationQuery } from './generation-query.ts';

const database = new Database(':memory:');
for (const { sql } of createTableSql(generations)) database.run(sql);

/** Returns SQLite's query plan for a list. */
function planOf(filter: GenerationFilter): string {
  const query = generationQuery('acct_1', { ...filter, limit: 51, offset: 0 });
  const { sql, values } = selectSql(generations, query, Date.now());
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).values(...values);
  return rows.map((row) => String(row.at(-1))).join('\n');
}

const byAccount: [GenerationFilter, index: string][] = [
  [{}, 'accountId asc, createdAt desc, id desc'],
  [{ status: 'failed' }, 'accountId asc, status asc, createdAt desc, id desc'],
  [{ inputType: 'react' }, 'accountId asc, inputType asc, createdAt desc, id desc'],
  [
    { status: 'failed', inputType: 'react' },
    'accountId asc, inputType asc, status asc, createdAt desc, id desc',
  ],
];

test.each(byAccount)('a list by %j reads only its page', (filter, index) => {
  const plan = planOf(filter);
  expect(plan).toStartWith(`SEARCH generations USING INDEX generations(${index}) (`);
  expect(plan.match(/=\?/g)?.length).toBe(1 + Object.keys(filter).length);
  expect(plan).not.toContain('TEMP B-TREE');
});

const byBatch: GenerationFilter[] = [
  { batchId: 'batch_1' },
  { batchId: 'batch_1', status: 'failed' },
  { batchId: 'batch_1', inputType: 'html' },
  { batchId: 'batch_1', status: 'failed', inputType: 'html' },
];

test.each(byBatch)('a list by %j reads at most one batch', (filter) => {
  expect(planOf(filter)).toStartWith(
    'SEARCH generations USING INDEX generations(batchId asc, status asc) (<expr>=?',
  );
});
