import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { besideRecord } from '../../src/store/find-page.ts';
import { createTableSql, selectSql } from '../../src/store/sqlite-query.ts';
import type { Query } from '../../src/store/store.ts';
import { batches } from './collections.ts';
import type { Batch } from './contract.ts';

const where = { accountId: 'acct_1' };
const record = { createdAt: 1, id: 'batch_1' };

test.each<[string, Query<Batch>, string]>([
  ['a list', { where, order: { createdAt: 'desc', id: 'desc' }, limit: 51 }, '(<expr>=?)'],
  [
    'a page after a batch',
    besideRecord<Batch>({ where, page: { limit: 50 } }, record),
    '(<expr>=? AND <expr><?)',
  ],
  [
    'a page before a batch',
    besideRecord<Batch>({ where, page: { limit: 50, endingBefore: 'batch_1' } }, record),
    '(<expr>=? AND <expr>>?)',
  ],
])('%s reads only its batches, in the order of an index', (_, query, range) => {
  const database = new Database(':memory:');
  for (const { sql } of createTableSql(batches)) database.run(sql);
  const { sql, values } = selectSql(batches, query, Date.now());
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).values(...values);
  expect(rows.map((row) => String(row.at(-1)))).toEqual([
    `SEARCH batches USING INDEX batches(accountId asc, createdAt desc, id desc) ${range}`,
  ]);
});
