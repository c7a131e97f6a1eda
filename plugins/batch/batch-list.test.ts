import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { createTableSql, selectSql } from '../../src/store/sqlite-query.ts';
import { batches, listQuery } from './collections.ts';

test('a list of batches reads only the batches that it returns, in the order of an index', () => {
  const database = new Database(':memory:');
  for (const { sql } of createTableSql(batches)) database.run(sql);
  const { sql, values } = selectSql(batches, listQuery('acct_1', { limit: 51, offset: 0 }), Date.now());
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).values(...values);
  expect(rows.map((row) => String(row.at(-1)))).toEqual([
    'SEARCH batches USING INDEX batches(accountId asc, createdAt desc, id desc) (<expr>=?)',
  ]);
});
