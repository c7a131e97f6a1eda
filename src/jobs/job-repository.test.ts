import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { createTableSql, updateSql } from '../store/sqlite-query.ts';
import { dueJobs, jobsSpec } from './job-repository.ts';

test('a job is claimed by an index that has the order of places, however many wait', () => {
  const database = new Database(':memory:');
  for (const { sql } of createTableSql(jobsSpec)) database.run(sql);
  const now = Date.now();
  const claim = updateSql(
    jobsSpec,
    { lockedAt: now },
    { where: dueJobs('a', now), order: { place: 'asc' }, now },
  );
  const rows = database.prepare(`EXPLAIN QUERY PLAN ${claim.sql}`).values(...claim.values);
  const plan = rows.map((row) => String(row.at(-1)));
  expect(plan).toContainEqual(
    'SEARCH jobs USING INDEX jobs(name asc, lockedAt asc, place asc, nextRunAt asc) (<expr>=? AND <expr>=? AND <expr><?)',
  );
  expect(plan.join()).not.toContain('TEMP B-TREE');
});
