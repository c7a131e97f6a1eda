import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { createTableSql, selectSql } from '../../../src/store/sqlite-query.ts';
import { generations } from './collections.ts';
import { besideRecord } from '../../../src/store/find-page.ts';
import type { GenerationFilter } from '../contract.ts';
import { generationsWhere } from './generation-query.ts';

const database = new Database(':memory:');
for (const { sql } of createTableSql(generations)) database.run(sql);

/** Returns SQLite's query plan for a list. */
function planOf(filter: GenerationFilter, position?: { endingBefore?: string }): string {
  const where = generationsWhere('acct_1', filter);
  if (!where) throw new Error('the filters exclude each other');
  const query = position
    ? besideRecord({ where, page: { limit: 50, ...position } }, { createdAt: 3, id: 'gen_1' })
    : ({ where, order: { createdAt: 'desc', id: 'desc' }, limit: 51 } as const);
  const { sql, values } = selectSql(generations, query, Date.now());
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).values(...values);
  return rows.map((row) => String(row.at(-1))).join('\n');
}

const byAccount: [GenerationFilter, index: string][] = [
  [{}, 'accountId asc, createdAt desc, id desc'],
  [{ status: 'failed' }, 'accountId asc, status asc, createdAt desc, id desc'],
  [{ inputType: 'react' }, 'accountId asc, inputType asc, createdAt desc, id desc'],
  [{ test: true }, 'accountId asc, test asc, createdAt desc, id desc'],
  [{ test: false }, 'accountId asc, test asc, createdAt desc, id desc'],
  [
    { status: 'failed', inputType: 'react' },
    'accountId asc, inputType asc, status asc, createdAt desc, id desc',
  ],
];

const byTemplate: [GenerationFilter, index: string][] = [
  [{ templateId: 'tmpl_1' }, 'accountId asc, templateId asc, createdAt desc, id desc'],
  [
    { templateId: 'tmpl_1', status: 'failed' },
    'accountId asc, templateId asc, status asc, createdAt desc, id desc',
  ],
  [{ templateId: 'tmpl_1', inputType: 'template' }, 'accountId asc, templateId asc, createdAt desc, id desc'],
];

test.each(byTemplate)('a list by %j reads only the records that it returns', (filter, index) => {
  const plan = planOf(filter);
  expect(plan).toStartWith(`SEARCH generations USING INDEX generations(${index}) (`);
  expect(plan.match(/=\?/g)?.length).toBe(index.split(', ').length - 2);
  expect(plan).not.toContain('TEMP B-TREE');
});

test.each([...byAccount, ...byTemplate])(
  'a list by %j and time reads only records in the range of time',
  (filter, index) => {
    for (const [range, bounds] of [
      [{ createdFrom: 1 }, /<expr>>\?\)$/],
      [{ createdBefore: 2 }, /<expr><\?\)$/],
      [{ createdFrom: 1, createdBefore: 2 }, /<expr>>\? AND <expr><\?\)$/],
    ] as const) {
      const plan = planOf({ ...filter, ...range });
      expect(plan).toStartWith(`SEARCH generations USING INDEX generations(${index}) (`);
      // The lines after the first describe the list of accepted lifetimes.
      expect(plan.split('\n')[0]).toMatch(bounds);
      expect(plan).not.toContain('TEMP B-TREE');
    }
  },
);

test.each(byAccount)('a list by %j reads only the records that it returns', (filter, index) => {
  const plan = planOf(filter);
  expect(plan).toStartWith(`SEARCH generations USING INDEX generations(${index}) (`);
  expect(plan.match(/=\?/g)?.length).toBe(1 + Object.keys(filter).length);
  expect(plan).not.toContain('TEMP B-TREE');
});

test.each([...byAccount, ...byTemplate])(
  'a page beside a record of a list by %j reads only its records',
  (filter, index) => {
    for (const [position, bound] of [
      [{}, /<expr><\?\)$/],
      [{ endingBefore: 'gen_1' }, /<expr>>\?\)$/],
    ] as const) {
      const plan = planOf(filter, position);
      expect(plan).toStartWith(`SEARCH generations USING INDEX generations(${index}) (`);
      expect(plan.split('\n')[0]).toMatch(bound);
      expect(plan).not.toContain('TEMP B-TREE');
    }
  },
);

const byBatch: GenerationFilter[] = [
  { batchId: 'batch_1' },
  { batchId: 'batch_1', status: 'failed' },
  { batchId: 'batch_1', inputType: 'html' },
  { batchId: 'batch_1', status: 'failed', inputType: 'html' },
];

test.each(byBatch)('a list by %j reads at most one batch', (filter) => {
  expect(planOf(filter)).toMatch(
    /^SEARCH generations USING INDEX generations\(batchId asc, (?:status asc, accountId|index) asc\) \(<expr>=\?/,
  );
});
